# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# The fuzzers of tests/fuzz, for a short while each (docs/fuzzing.md tells of a longer one).
fuzz_seed=${VITRINE_FUZZ_SEED:-1}
# So many inputs, about 20 s each: the same ones in every run of a seed, however fast the machine is.
declare -A fuzz_inputs=([gguf]=25000 [template]=20000 [tokenizer]=5000)
fuzzers=(gguf template tokenizer)

can_fuzz() {
    command -v clang++ >/dev/null &&
        compgen -G "$(clang++ --print-resource-dir)/lib/*/libclang_rt.fuzzer*.a" >/dev/null
}

# Inputs that reach new code go to the first folder, here one that is thrown away; those that break something, to
# build/fuzz/findings.
run_fuzzer() { # NAME
    local data="$root/tests/data/fuzz" log="$root/build/fuzz/$1.log" grown="$root/build/fuzz/corpus/$1"
    rm --recursive --force -- "$grown"
    mkdir -p -- "$grown" "$root/build/fuzz/findings"
    local options=(-seed="$fuzz_seed" -runs="${fuzz_inputs[$1]}" -rss_limit_mb=512 -timeout=30 -max_len=4096
        -print_final_stats=1 -dict="$data/$1.dict" -artifact_prefix="$root/build/fuzz/findings/$1-")
    "$root/build/fuzz/bin/fuzz_$1" "${options[@]}" "$grown" "$data/$1" >"$log" 2>&1 || {
        tail --lines=40 "$log" >&2
        warn "fuzz_$1 found something (seed $fuzz_seed): the input is in build/fuzz/findings, all of its words in $log"
        return 1
    }
    say "fuzz_$1: $(sed --quiet 's/^stat::number_of_executed_units: *//p' "$log") inputs, seed $fuzz_seed, nothing found"
}

run_fuzzers() {
    can_fuzz || {
        say "fuzzers skipped: clang with libFuzzer is not here (packages: ${fuzz_packages[*]})"
        return
    }
    build_preset fuzz
    local name failed=0
    for name in "${fuzzers[@]}"; do
        run_fuzzer "$name" || failed=1
    done
    return "$failed"
}
