# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# What run.sh and test.sh share: where things are, how they speak, one run at a time. Sourced, never run.
# After sourcing: $root is the project's folder; the caller's working directory is left alone.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)

say() { printf 'vitrine: %s\n' "$*"; }
warn() { say "$*" >&2; }
die() {
    warn "$*"
    exit 1
}

# Two runs in one folder would build over each other: the second waits. The lock is on the folder itself, so it
# leaves nothing behind, also after a kill.
lock_project() {
    exec 9<"$root"
    flock --nonblock 9 && return
    say "another run.sh or test.sh is at work in this folder; waiting for it"
    flock 9
}
unlock_project() { exec 9<&-; }

require_writable_project() {
    mkdir -p -- "$root/build" 2>/dev/null && [ -w "$root/build" ] ||
        die "cannot write to $root/build: clone the project into a folder of your own"
}

# Data, cache and settings belong in the home folder; where there is none that can be written (a service account, a
# read-only container), they go to build/home.
settle_home() {
    HOME=${HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)}
    export HOME
    [ -d "$HOME" ] && [ -w "$HOME" ] && return
    local home="$root/build/home"
    warn "the home folder '$HOME' cannot be written: data, cache and settings go to $home"
    export XDG_DATA_HOME="${XDG_DATA_HOME:-$home/.local/share}" XDG_STATE_HOME="${XDG_STATE_HOME:-$home/.local/state}"
    export XDG_CACHE_HOME="${XDG_CACHE_HOME:-$home/.cache}" XDG_CONFIG_HOME="${XDG_CONFIG_HOME:-$home/.config}"
}

source "$root/scripts/packages.sh"
source "$root/scripts/build.sh"
source "$root/scripts/model.sh"
source "$root/scripts/tests.sh"
source "$root/scripts/fuzz.sh"
