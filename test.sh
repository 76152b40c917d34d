#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, brings the starter model, builds and runs the tests, without a display:
#   ./test.sh [all]            every test, warnings as errors; then kernels and engine under the sanitizers
#   ./test.sh fast [CTEST…]    the dev build only; further arguments go to ctest, as in: ./test.sh fast -R scheduler
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/scripts/common.sh"

case "${1:-all}" in
all) presets=(ci asan tsan) ;;
fast) presets=(dev) ;;
*) die "usage: test.sh [all | fast [CTEST ARGUMENTS]]" ;;
esac

require_writable_project
settle_home
lock_project
install_packages "${build_packages[@]}" "${test_packages[@]}"
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
[ ${#failed[@]} -eq 0 ] || die "tests failed in: ${failed[*]}"
