# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Configuring and building one of the presets of CMakePresets.json.

# As many compilers as cores, but no more than memory allows: the largest sources take about 1 GiB each.
build_jobs() {
    local cores gibs
    cores=$(nproc)
    gibs=$(awk '/^MemAvailable:/ { print int($2 / 1048576) }' /proc/meminfo)
    [ "$gibs" -ge "$cores" ] || cores=$((gibs > 0 ? gibs : 1))
    echo "$cores"
}

# CMake refuses a build folder that was made for another place (a moved or copied clone).
forget_moved_build() { # FOLDER
    local cache="$1/CMakeCache.txt"
    [ ! -f "$cache" ] || grep --quiet --line-regexp --fixed-strings "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache" ||
        rm --recursive --force -- "$1"
}

build_preset() { # PRESET
    say "building: $1"
    forget_moved_build "$root/build/$1"
    (cd -- "$root" && cmake --preset "$1" --log-level=WARNING >/dev/null &&
        cmake --build --preset "$1" --parallel "$(build_jobs)") ||
        die "the build of '$1' failed: the first error above says where"
}
