# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# The Debian and Ubuntu packages that the project is built with (docs/decisions/0001), and how they come.
build_packages=(
    g++ cmake ninja-build pkgconf ccache mold
    qt6-base-dev qt6-svg-dev qt6-tools-dev qt6-l10n-tools libqt6sql6-sqlite qt6-wayland libqcustomplot-dev
    libspdlog-dev libhwy-dev libcli11-dev nlohmann-json3-dev libexpected-dev libpcre2-dev libxxhash-dev
    fonts-dejavu-core
    python3-pip ca-certificates # bring the starter model
)
test_packages=(librapidcheck-dev libbenchmark-dev)
fuzz_packages=(clang libclang-rt-dev) # the latter has libFuzzer and its sanitizers

# Prints those of the packages named that are not installed.
missing_packages() {
    local installed
    installed=$(dpkg-query --show --showformat '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
    printf '%s\n' "$@" | grep --line-regexp --invert-match --fixed-strings \
        --file=<(sed --quiet 's/^installed //p' <<<"$installed") || true
}

# install_packages NAME…: nothing is asked of the network, or of an administrator, unless something is missing.
install_packages() {
    if ! command -v dpkg-query apt-get >/dev/null; then
        warn "no apt on this system: going on with what is installed (needed: $*)"
        return
    fi
    local missing
    mapfile -t missing < <(missing_packages "$@")
    [ ${#missing[@]} -eq 0 ] && return
    local command=(apt-get install --yes --no-install-recommends "${missing[@]}")
    [ "$(id -u)" -eq 0 ] || may_use_sudo ||
        die "packages are missing, and installing them needs an administrator. Have this run, then start again:
    apt-get update && ${command[*]}"
    say "installing what is missing, which may take minutes: ${missing[*]}"
    local log="$root/build/packages.log"
    { as_root apt-get update && as_root "${command[@]}"; } >"$log" 2>&1 </dev/null || {
        tail --lines=8 "$log" >&2
        die "the packages could not be installed: is there a network? apt's own words are above, all of them in $log"
    }
}

# sudo that either asks nothing or can ask somebody.
may_use_sudo() {
    command -v sudo >/dev/null && { sudo --non-interactive true 2>/dev/null || { [ -t 0 ] && sudo --validate; }; }
}

as_root() {
    local options=(-q -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=600 -o Acquire::Retries=2)
    local sudo=(sudo)
    [ "$(id -u)" -ne 0 ] || sudo=()
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive "$1" "${options[@]}" "${@:2}"
}
