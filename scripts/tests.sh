# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Running the tests of a preset, and telling what they said.

# The thread sanitizer of older compilers cannot place its shadow memory under today's address randomisation; where
# it may be switched off for a process, it is.
fixed_addresses() { # COMMAND…
    if setarch --addr-no-randomize true 2>/dev/null; then
        setarch --addr-no-randomize "$@"
    else
        "$@"
    fi
}

run_tests() { # PRESET [CTEST ARGUMENTS]
    (cd -- "$root" && fixed_addresses ctest --preset "$1" --parallel "$(build_jobs)" \
        --output-log "$root/build/$1/tests.log" "${@:2}")
}

# A test that skips itself passes for ctest: its reason stands in the log of what the tests printed.
report_tests() { # PRESET…
    local skips
    skips=$(for preset in "$@"; do
        sed --quiet 's/^SKIP *: /    /p' "$root/build/$preset/Testing/Temporary/LastTest.log"
    done | sort --unique)
    [ -z "$skips" ] || printf '%s\n' "skipped by the tests themselves:" "$skips"
    for preset in "$@"; do
        echo "$preset: $(grep 'tests passed' "$root/build/$preset/tests.log")"
    done
}
