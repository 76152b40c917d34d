#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What each kernel takes of a graphics card, as nvcc's assembler says, for each architecture that is built:
#   scripts/cuda_resources.sh [OUTPUT]      by default benchmarks/cuda_resources.txt
# Needs nvcc (in PATH, in $CUDA_HOME/bin or in /usr/local/cuda/bin), no graphics card.
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/common.sh"

output=${1:-$root/benchmarks/cuda_resources.txt}
architectures=(75 80 86 89 90)
PATH=$PATH:${CUDA_HOME:-/usr/local/cuda}/bin
command -v nvcc >/dev/null || die "nvcc is not found"
work=$(mktemp --directory)
trap 'rm --recursive --force -- "$work"' EXIT

# "FILE ARCHITECTURE SECONDS" (of the processor) on standard output; what the assembler says goes to $work.
assemble() { # FILE ARCHITECTURE
    local name TIMEFORMAT='%U %S'
    name=$(basename -- "$1" .cu)
    { time nvcc --cubin --gpu-architecture="sm_$2" --std=c++20 --expt-relaxed-constexpr --resource-usage \
        --include-path="$root" --output-file="$work/$name.$2.cubin" "$1" 2>"$work/$name.$2.log"; } 2>"$work/time" ||
        die "$1 does not compile for sm_$2: $(cat -- "$work/$name.$2.log")"
    awk -v file="$name" -v architecture="$2" '{ printf "%s %s %.1f\n", file, architecture, $1 + $2 }' "$work/time"
}

# One line for each kernel and architecture: file, architecture, registers, bytes of shared memory, of stack, of spills.
collect() {
    local log
    for log in "$work"/*.log; do
        awk -v file="$(basename -- "$log" | cut -d. -f1)" '
            /Compiling entry function/ { split($0, part, "\047"); name = part[2]; architecture = part[4] }
            /bytes stack frame/ { stack = $1; spills = $5 + $9 }
            /Used [0-9]+ registers/ {
                shared = match($0, /[0-9]+ bytes smem/) ? substr($0, RSTART) + 0 : 0
                match($0, /Used [0-9]+/)
                printf "%s\t%s\t%d\t%d\t%d\t%d\t%s\n", file, architecture, substr($0, RSTART + 5) + 0, shared, stack, spills, name
            }' "$log"
    done | c++filt --no-params | sed --expression 's/vitrine::kernels::cuda:://g; s/(anonymous namespace):://g; s/format:://g; s/void //'
}

table() {
    awk -F '\t' -v list="${architectures[*]}" '
        { key = $1 "\t" $7; if (!(key in seen)) { seen[key] = 1; order[++count] = key }
          sub(/sm_/, "", $2); registers[key, $2] = $3
          if ($4 > shared[key]) shared[key] = $4
          if ($5 > stack[key]) stack[key] = $5
          if ($6 > spills[key]) { spills[key] = $6 } }
        END {
            n = split(list, each, " ")
            printf "%-13s %-50s", "file", "kernel"
            for (i = 1; i <= n; ++i) printf " %5s", "sm_" each[i]
            printf " %7s %6s %7s\n", "shared", "stack", "spills"
            for (c = 1; c <= count; ++c) {
                split(order[c], part, "\t")
                printf "%-13s %-50s", part[1], part[2]
                for (i = 1; i <= n; ++i) printf " %5d", registers[order[c], each[i]]
                printf " %7d %6d %7d\n", shared[order[c]], stack[order[c]], spills[order[c]]
            }
        }'
}

say "compiling for ${architectures[*]}"
for file in "$root"/kernels/cuda/*.cu; do
    for architecture in "${architectures[@]}"; do
        assemble "$file" "$architecture"
    done
done >"$work/seconds"
{
    echo "What each kernel takes, as the assembler of $(nvcc --version | sed --quiet 's/.*release \([^,]*\),.*/nvcc \1/p') says (scripts/cuda_resources.sh)."
    echo "sm_*: registers of a thread. shared: bytes that a block declares; attention takes rows * headDim * 4 more."
    echo "stack, spills: bytes of a thread, the most of all architectures; spills are stores and loads."
    echo
    echo "compile time, in seconds of one processor: $(awk '{ of[$1] += $3; all += $3 }
        END { for (name in of) printf "%s %.0f, ", name, of[name]; printf "all %.0f", all }' "$work/seconds")"
    echo
    collect | sort --version-sort --field-separator=$'\t' --key=1,1 --key=7,7 | table
} >"$output"
say "$(grep --count '^[a-z_]* .*[0-9]$' "$output") kernels in $output"
