# SPDX-License-Identifier: GPL-3.0-or-later
# format, format-check and tidy: helpers for people, not part of any build. Version 14 decides where several are there,
# as another version would lay out the same code differently.
find_program(CLANG_FORMAT NAMES clang-format-14 clang-format)
find_program(RUN_CLANG_TIDY NAMES run-clang-tidy-14 run-clang-tidy)

if(CLANG_FORMAT)
    set(eachSource [[find app engine kernels ui tests benchmarks -regex '.*\.\(h\|cpp\|cu\)' -print0 | xargs -0]])
    function(add_format_target name flags)
        add_custom_target(${name} COMMAND sh -c "${eachSource} ${CLANG_FORMAT} ${flags}"
            WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)
    endfunction()
    add_format_target(format "-i")
    add_format_target(format-check "--dry-run --Werror")
endif()

if(RUN_CLANG_TIDY)
    # Not the card's kernels (.cu), which count within a row in 32 bits on purpose.
    add_custom_target(tidy
        COMMAND ${RUN_CLANG_TIDY} -quiet -p ${PROJECT_BINARY_DIR}
            "^${PROJECT_SOURCE_DIR}/(app|engine|kernels|ui)/.*[.]cpp"
        VERBATIM USES_TERMINAL)
    # Sources include what moc makes of them.
    foreach(target vitrine_kernels vitrine_host vitrine_ui vitrine vitrine-cli)
        if(TARGET ${target})
            add_dependencies(tidy ${target})
        endif()
    endforeach()
endif()
