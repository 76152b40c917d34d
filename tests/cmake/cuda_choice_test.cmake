# SPDX-License-Identifier: GPL-3.0-or-later
# An nvcc that is too old, as a distribution's may be: the build goes without it, and -DVITRINE_CUDA=ON is refused.
# A project that includes cmake/VitrineCuda.cmake alone is configured.
file(REMOVE_RECURSE ${FOLDER})
file(WRITE ${FOLDER}/bin/nvcc "#!/bin/sh\necho 'Cuda compilation tools, release 11.8, V11.8.89'\n")
file(CHMOD ${FOLDER}/bin/nvcc PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
file(WRITE ${FOLDER}/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)
project(choice LANGUAGES CXX)
include(${SOURCE}/cmake/VitrineCuda.cmake)
get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
message(STATUS \"has CUDA: \${VITRINE_HAS_CUDA}, languages: \${languages}\")
")

function(configure wanted)
    execute_process(
        COMMAND ${CMAKE_COMMAND} -E env CUDA_HOME=${FOLDER}
            ${CMAKE_COMMAND} -S ${FOLDER} -B ${FOLDER}/build -DVITRINE_CUDA=${wanted}
        OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE result)
    set(result ${result} PARENT_SCOPE)
    set(output "${output}${errors}" PARENT_SCOPE)
endfunction()

configure(AUTO)
if(NOT result EQUAL 0 OR NOT output MATCHES "has CUDA: OFF" OR output MATCHES "languages: [^\n]*CUDA")
    message(FATAL_ERROR "nvcc of CUDA 11.8 is not left aside: ${output}")
endif()
configure(ON)
if(result EQUAL 0 OR NOT output MATCHES "no nvcc of CUDA 12 or later works here")
    message(FATAL_ERROR "VITRINE_CUDA=ON takes an nvcc of CUDA 11.8: ${output}")
endif()
