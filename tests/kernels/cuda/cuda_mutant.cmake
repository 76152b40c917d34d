# SPDX-License-Identifier: GPL-3.0-or-later
# A test of the tests: the card's kernels, or the backend, with one mistake each, which a test program must notice in the
# way that is said. A mutant is that program with one file compiled from a changed copy.
set(plain_runs OFF)
set(address_runs OFF)
set(thread_runs OFF)
if(VITRINE_SANITIZE MATCHES "address")
    set(address_runs ON)
elseif(VITRINE_SANITIZE STREQUAL "thread")
    set(thread_runs ON)
elseif(NOT VITRINE_SANITIZE)
    set(plain_runs ON)
endif()

# What a test program prints of each kind of mistake.
set(wrong_answer "FAIL!  : Cuda")
set(wrong_answer_or_crash "FAIL!  : Cuda|Segmentation fault|Received signal")
set(divergence "barrier divergence: ")
set(overrun "ERROR: AddressSanitizer: |runtime error: index ")
set(race "WARNING: ThreadSanitizer: data race")

# cuda_mutant(NAME NOTICED_BY KIND TEST SOURCE FILE FROM TO): in FILE of ${mutated_folder} the text FROM, which must be
# there once, becomes TO; SOURCE is the file of that folder that is compiled with it. NOTICED_BY says in which build
# test_cuda_TEST must print what KIND stands for: plain, address or thread. TEST may be a list: the program, then those
# of its functions that are run. ${mutated_libraries} are the program's.
function(cuda_mutant name noticed_by kind test source file from to)
    if(NOT VITRINE_MUTANTS OR NOT ${noticed_by}_runs)
        return()
    endif()
    set(folder ${PROJECT_SOURCE_DIR}/${mutated_folder})
    set(copies ${CMAKE_CURRENT_BINARY_DIR}/mutants/${name})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/${file} ${folder}/${source})
    file(READ ${folder}/${file} text)
    string(FIND "${text}" "${from}" first)
    string(FIND "${text}" "${from}" last REVERSE)
    if(first EQUAL -1 OR NOT first EQUAL last)
        message(FATAL_ERROR "mutant ${name}: ${file} must have this text once: ${from}")
    endif()
    string(REPLACE "${from}" "${to}" text "${text}")
    file(GENERATE OUTPUT ${copies}/${mutated_folder}/${file} CONTENT "${text}")
    set(changed ${copies}/${mutated_folder}/${source})
    if(NOT file STREQUAL source)
        set(changed ${folder}/${source}) # includes the changed header
    endif()
    # -w: what a mistake leaves unused does not matter.
    set_source_files_properties(${changed} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "-xc++;-O1;-g0;-w")
    list(POP_FRONT test program)
    # Its definitions come before those of the library, which is then not asked for them.
    add_executable(cuda_mutant_${name} $<TARGET_OBJECTS:test_cuda_${program}> ${changed})
    target_include_directories(cuda_mutant_${name} BEFORE PRIVATE ${copies})
    target_link_libraries(cuda_mutant_${name} PRIVATE ${mutated_libraries} Qt6::Test)
    # Only what is printed counts: a crash ends the shell's command, not the test.
    add_test(NAME cuda_mutant_${name} COMMAND sh -c "timeout 100 \"$@\" 2>&1; exit 0" mutant
        $<TARGET_FILE:cuda_mutant_${name}> ${test})
    set_tests_properties(cuda_mutant_${name} PROPERTIES LABELS fast TIMEOUT 120
        PASS_REGULAR_EXPRESSION "${${kind}}" ENVIRONMENT "QT_QPA_PLATFORM=offscreen")
endfunction()
