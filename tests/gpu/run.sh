#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds for this machine's graphics card, runs the tests on it, and measures models of random weights that it writes
# itself, in under eight minutes. Needs no network.
#
#   tests/gpu/run.sh [--packages FOLDER]   FOLDER: .deb files of what the machine lacks, from --fetch
#   tests/gpu/run.sh --fetch FOLDER        brings these on a machine with apt and a network
#   tests/gpu/run.sh --rehearse            the same without a card: tests skip, a tiny model on the processor; this
#                                          may stand beside --packages
#
# Exit 77, with the reason, where there is no card. Results: summary.md, summary.json, measurements and logs in
# build/gpu/results; without the single measurements also in the folder $OUT, if that is set.
# VITRINE_GPU_MODELS ("1b-Q4_0 8b-BF16 …") and VITRINE_GPU_ARCHITECTURE ("90") change what is done.
set -uo pipefail
seconds_for_all=470  # what runs then is ended
seconds_for_model=60 # with fewer left none is begun
began=$SECONDS

say() { printf '%4d s  %s\n' $((SECONDS - began)) "$*"; }
die() { say "failed: $*"; exit 1; }
left() { echo $((seconds_for_all - SECONDS + began)); }
late() { [ $mode = run ] && [ "$(left)" -lt $seconds_for_model ]; }
within() { # COMMAND: as long as there is time
    local seconds
    seconds=$(left)
    [ $mode = rehearse ] && seconds=0 # no limit
    [ $mode = run ] && [ "$seconds" -lt 1 ] && seconds=1
    timeout "$seconds" "$@"
}
prepend() { # VARIABLE FOLDER
    export "$1=$2${!1:+:${!1}}"
}

# Of Debian 12: what the build needs besides compiler, CMake and CUDA's toolkit, and what those need.
packages=(libhwy-dev libhwy1 libspdlog-dev libspdlog1.10 libfmt-dev libfmt9 libcli11-dev nlohmann-json3-dev
    libexpected-dev libpcre2-dev libpcre2-8-0 libpcre2-16-0 libxxhash-dev libxxhash0 librapidcheck-dev pkgconf
    pkgconf-bin libpkgconf3 qmake6 qmake6-bin qt6-base-dev qt6-base-dev-tools libqt6core6 libqt6test6
    libdouble-conversion3 libicu72 libb2-1 libglib2.0-0 libzstd1 zlib1g libgomp1)

fetch() {
    mkdir -p "$1" && cd "$1" && apt-get download "${packages[@]}" && du -sh .
}

mode=run
debs=
while [ $# -gt 0 ]; do
    case $1 in
    --fetch) fetch "${2:?a folder}"; exit ;;
    --packages) debs=$(readlink -e -- "${2:?a folder}") || die "there is no folder $2"; shift ;;
    --rehearse) mode=rehearse ;;
    *) sed -n '3,14s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 2 ;;
    esac
    shift
done
cd "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../.." || exit 1
build=build/gpu
out=$PWD/$build/results

# --- what is there ---
export PATH=$PATH:/usr/local/cuda/bin
fields=name,compute_cap,memory.total,driver_version
card=$(nvidia-smi --query-gpu=$fields --format=csv,noheader 2>/dev/null | head -n 1)
say "card: ${card:-none}"
no_card() { say "skipped: no graphics card answers to nvidia-smi"; exit 77; }
[ -n "$card$debs" ] || [ $mode = rehearse ] || no_card
if [ -n "$debs" ]; then
    sysroot=$PWD/$build/packages
    mkdir -p "$sysroot"
    for deb in "$debs"/*.deb; do dpkg-deb -x "$deb" "$sysroot" || die "$deb cannot be unpacked"; done
    libraries=$sysroot/usr/lib/$(uname -m)-linux-gnu
    prepend CMAKE_PREFIX_PATH "$sysroot/usr"
    prepend CPATH "$sysroot/usr/include"
    prepend LIBRARY_PATH "$libraries"
    prepend LD_LIBRARY_PATH "$libraries" # the driver's folder may be there already
    export PATH=$PATH:$sysroot/usr/bin PKG_CONFIG_PATH=$libraries/pkgconfig:$sysroot/usr/share/pkgconfig
    export PKG_CONFIG_SYSROOT_DIR=$sysroot
    say "unpacked $(find "$debs" -name '*.deb' | wc -l) packages"
fi
missing=()
for tool in g++ cmake ninja nvcc python3; do command -v $tool >/dev/null || missing+=("$tool"); done
toolkit=$(readlink -f -- "$(command -v nvcc)")
toolkit=${toolkit%/bin/nvcc}
has_header() {
    echo "#include <$1>" |
        g++ -std=c++20 -DPCRE2_CODE_UNIT_WIDTH=8 -I"$toolkit/include" -E -x c++ - >/dev/null 2>&1
}
for header in hwy/highway.h spdlog/spdlog.h CLI/CLI.hpp nlohmann/json.hpp tl/expected.hpp pcre2.h xxhash.h cublas_v2.h; do
    has_header $header || missing+=("$header")
done
# The program asks the loader for cuBLAS, then looks in /usr/local/cuda; a machine may have it among Python's packages.
find_cublas() {
    local name folder folders=${LD_LIBRARY_PATH:-}
    name=libcublas.so.$(sed -n 's/^#define CUBLAS_VER_MAJOR *//p' "$toolkit/include/cublas_api.h" 2>/dev/null)
    ldconfig -p 2>/dev/null | grep -q "$name " && return
    [ -e "/usr/local/cuda/lib64/$name" ] && return
    for folder in ${folders//:/ }; do [ -e "$folder/$name" ] && return; done
    folder=$(python3 -c 'import sys; print("\n".join(f"{path}/nvidia" for path in sys.path if path))' |
        while read -r path; do find "$path" "$toolkit" -name "$name" 2>/dev/null; done | head -n 1)
    [ -n "$folder" ] && prepend LD_LIBRARY_PATH "${folder%/*}" || missing_on_card=("$name")
}
missing_on_card=()
find_cublas
[ $mode = rehearse ] || missing+=("${missing_on_card[@]}")
tests=ON
has_header rapidcheck.h && compgen -G "${sysroot:-}/usr/lib/*/cmake/Qt6Test/Qt6TestConfig.cmake" >/dev/null || tests=OFF
say "missing: ${missing[*]:-nothing}"
[ $mode = run ] || say "missing for a card: ${missing_on_card[*]:-nothing}"
[ $tests = ON ] || say "missing for the tests of the kernels, which are left out: Qt 6 Test or RapidCheck"
[ ${#missing[@]} -eq 0 ] || die "bring what is missing (tests/gpu/run.sh --fetch, then --packages)"
architecture=${VITRINE_GPU_ARCHITECTURE:-$(cut -d, -f2 <<<"${card:-x, 9.0}" | tr -d ' .')}

# --- build ---
mkdir -p "$out"
if [ -n "${OUT:-}" ]; then
    trap 'cp -f "$out"/summary.* "$out"/*.log "$out"/limits.json "$OUT" 2>/dev/null' EXIT
fi
rm -f "$out"/bench-*.json "$out"/limits.json "$out"/summary.* "$out"/*.log
say "building for sm_$architecture"
within cmake -G Ninja -S . -B $build -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O2 -DNDEBUG" \
    -DBUILD_TESTING=$tests -DVITRINE_GUI=OFF -DVITRINE_CUDA=ON -DVITRINE_CUDA_ARCHITECTURES="$architecture" \
    >"$out/build.log" 2>&1 || { tail -n 20 "$out/build.log"; die "cmake"; }
[ -n "$card" ] || [ $mode = rehearse ] || no_card # the packages have been tried
targets=(vitrine-cli vitrine_cuda device_limits)
[ $tests = OFF ] || targets+=(gpu_tests)
within cmake --build $build --target "${targets[@]}" >>"$out/build.log" 2>&1 || { tail -n 40 "$out/build.log"; die "build"; }
say "built"
failures=0
cli=$build/bin/vitrine-cli

# --- limits of the card ---
if ! within $build/bin/device_limits >"$out/limits.json"; then
    rm -f "$out/limits.json"
    [ $mode = rehearse ] || die "the card cannot be used" # and every test would skip
fi
say "limits: $(cat "$out/limits.json" 2>/dev/null || echo unknown)"

# --- the same tests as on the processor ---
if [ $tests = ON ]; then
    within ctest --test-dir $build -L gpu --no-tests=error --timeout 100 -j 2 --output-on-failure >"$out/tests.log" 2>&1 ||
        failures=$((failures + 1))
    tail -n 12 "$out/tests.log"
    say "tests are through"
fi

# --- models of random weights ---
models=${VITRINE_GPU_MODELS:-1b-BF16 1b-Q8_0 1b-Q4_0 8b-Q4_0 8b-Q8_0 8b-BF16}
backend=cuda
work=(--prompt 2048 --gen 64 --batch "1,8,64,256" --repeat 2 --max-num-batched-tokens 2048)
if [ $mode = rehearse ]; then
    models=${VITRINE_GPU_MODELS:-tiny-Q4_0 tiny-BF16}
    backend=auto
    work=(--prompt 64 --gen 8 --batch "1,8" --repeat 1)
fi
file=$build/model.gguf
ids=1,$(seq -s, 300 330)
for model in $models; do
    if late; then
        say "left out for want of time: $model"
        continue
    fi
    if ! within python3 tests/gpu/synthetic_model.py "${model%-*}" "${model#*-}" $file; then
        say "$model: could not be written"
        failures=$((failures + 1))
        continue
    fi
    say "$model: $(stat -c %s $file) bytes written"
    if [ "${model%-*}" != 8b ]; then # the processor's answer takes long for the large ones
        for which in cpu $backend; do
            within $cli logits -m $file --ids "$ids" -o "$build/$which.f32" --backend "$which" || failures=$((failures + 1))
        done
        error=$(tests/gpu/summary.py --compare $build/cpu.f32 $build/$backend.f32) || failures=$((failures + 1))
        say "$model: logits differ from the processor's by $error (normalised squared error)"
        awk -v e="$error" 'BEGIN { exit !(e < 1e-2) }' || failures=$((failures + 1))
    fi
    bench=("$cli" bench -m "$file" --backend "$backend" --roofline --json "${work[@]}")
    if within timeout 120 "${bench[@]}" >"$out/bench-$model.json"; then
        say "$model: measured"
    else
        rm -f "$out/bench-$model.json"
        failures=$((failures + 1))
    fi
    rm -f $file
    python3 tests/gpu/summary.py "$out" >/dev/null || failures=$((failures + 1)) # what is cut off later is there
done
rm -f $file
python3 tests/gpu/summary.py "$out" || failures=$((failures + 1))
say "$failures failures"
[ $failures -eq 0 ]
