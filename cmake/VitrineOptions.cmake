# SPDX-License-Identifier: GPL-3.0-or-later
# Language level, warnings, sanitizers and compiler cache: the same for every target.
include(CTest)

option(VITRINE_WERROR "Treat warnings as errors (CI does)" OFF)
option(VITRINE_GUI "Build the window; off leaves engine, kernels and vitrine-cli" ON)
option(VITRINE_BENCHMARKS "Build benchmarks/" OFF)
option(VITRINE_MUTANTS "Build the card's kernels with one mistake each, which tests must notice (CI does)" OFF)
option(VITRINE_FUZZ "Build the fuzzers of tests/fuzz (needs clang)" OFF)
set(VITRINE_SANITIZE "" CACHE STRING "Sanitizers for every target: empty, 'address,undefined' or 'thread'")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
# vitrine_precompile(TARGET precompiles HEADERS…): for headers that take most of the time of every source.
function(vitrine_precompile target)
    target_precompile_headers(${target} PRIVATE ${ARGN})
    vitrine_cache_precompiled(${target})
endfunction()
# The compiler cache takes a precompiled header only with these two.
function(vitrine_cache_precompiled target)
    if(CCACHE)
        target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
        set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER
            "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros;${CCACHE}")
    endif()
endfunction()

find_program(MOLD mold)
if(MOLD)
    add_link_options(-fuse-ld=mold)
endif()

add_library(vitrine_options INTERFACE)
target_include_directories(vitrine_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_definitions(vitrine_options INTERFACE VITRINE_VERSION="${PROJECT_VERSION}")
target_compile_options(vitrine_options INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-qual -Wunused
    # GCC 12 sees overlapping copies in every inlined std::string operator+ (its bug 105651).
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(VITRINE_WERROR)
    target_compile_options(vitrine_options INTERFACE -Werror)
endif()
if(VITRINE_SANITIZE)
    target_compile_options(vitrine_options INTERFACE
        -fsanitize=${VITRINE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all
        # GCC sees uninitialised variants and optionals in instrumented code that it rightly does not see without.
        $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    target_link_options(vitrine_options INTERFACE -fsanitize=${VITRINE_SANITIZE})
endif()
