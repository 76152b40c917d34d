#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, brings the starter model, builds and runs the tests, without a display:
#   ./test.sh [all]            every test, warnings as errors; kernels and engine under the sanitizers; the fuzzers
#   ./test.sh fast [CTEST…]    the dev build only; further arguments go to ctest, as in: ./test.sh fast -R scheduler
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/scripts/common.sh"

case "${1:-all}" in
all) presets=(ci asan tsan) fuzzing=("${fuzz_packages[@]}") ;;
fast) presets=(dev) fuzzing=() ;;
*) die "usage: test.sh [all | fast [CTEST ARGUMENTS]]" ;;
esac

require_writable_project
settle_home
lock_project
install_packages "${build_packages[@]}" "${test_packages[@]}" "${fuzzing[@]}"
bring_starter_model || die "the tests need the starter model"
for preset in "${presets[@]}"; do
    build_preset "$preset"
done

failed=()
for preset in "${presets[@]}"; do
    say "testing: $preset"
    run_tests "$preset" "${@:2}" || failed+=("$preset")
done
report_tests "${presets[@]}"
[ ${#fuzzing[@]} -eq 0 ] || run_fuzzers || failed+=(fuzz)
[ ${#failed[@]} -eq 0 ] || die "failed: ${failed[*]}"
