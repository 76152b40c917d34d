# SPDX-License-Identifier: GPL-3.0-or-later
# Every dependency comes from the distribution; docs/decisions says why each one.
find_package(Threads REQUIRED)
find_package(hwy REQUIRED)
find_package(spdlog REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tl-expected REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(pcre2 REQUIRED IMPORTED_TARGET libpcre2-8)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)

set(qtParts Core)
if(BUILD_TESTING)
    list(APPEND qtParts Test)
    find_package(rapidcheck REQUIRED)
endif()
if(VITRINE_GUI)
    list(APPEND qtParts Concurrent Gui Widgets DBus Sql Svg PrintSupport LinguistTools)
    find_package(QCustomPlotQt6 REQUIRED)
endif()
if(VITRINE_GUI OR BUILD_TESTING) # engine, kernels and vitrine-cli do without
    find_package(Qt6 6.4 REQUIRED COMPONENTS ${qtParts})
endif()
