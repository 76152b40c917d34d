# SPDX-License-Identifier: GPL-3.0-or-later
# format, format-check and tidy: helpers for people, not part of any build. Version 14 decides where several are there,
# as another version would lay out the same code differently.
find_program(CLANG_FORMAT NAMES clang-format-14 clang-format)
find_program(RUN_CLANG_TIDY NAMES run-clang-tidy-14 run-clang-tidy)

set(ownFolders app engine kernels ui tests benchmarks)
list(TRANSFORM ownFolders PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE ownPaths)
foreach(path IN LISTS ownPaths)
    list(APPEND ownPatterns ${path}/*.h ${path}/*.cpp ${path}/*.inc ${path}/*.cu)
endforeach()
file(GLOB_RECURSE ownSources CONFIGURE_DEPENDS ${ownPatterns})

if(CLANG_FORMAT)
    add_custom_target(format COMMAND ${CLANG_FORMAT} -i ${ownSources} VERBATIM)
    add_custom_target(format-check COMMAND ${CLANG_FORMAT} --dry-run --Werror ${ownSources} VERBATIM)
endif()

if(RUN_CLANG_TIDY)
    add_custom_target(tidy
        COMMAND ${RUN_CLANG_TIDY} -quiet -p ${PROJECT_BINARY_DIR} "^${PROJECT_SOURCE_DIR}/(app|engine|kernels|ui)/"
        VERBATIM USES_TERMINAL)
    # Sources include what moc makes of them.
    foreach(target vitrine_kernels vitrine_host vitrine_ui vitrine vitrine-cli)
        if(TARGET ${target})
            add_dependencies(tidy ${target})
        endif()
    endforeach()
endif()
