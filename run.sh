#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds Vitrine, brings the starter model and opens the window: ./run.sh [ARGUMENTS OF vitrine]
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/scripts/common.sh"

require_writable_project
settle_home
lock_project
install_packages "${build_packages[@]}"
build_preset release
bring_starter_model || warn "going on without the starter model: open a GGUF file of your own"
unlock_project

bin="$root/build/release/bin"
if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}${QT_QPA_PLATFORM:-}" ]; then
    model=$(starter_model)
    [ -f "$model" ] || model=FILE.gguf
    warn "there is no display here, so the window cannot open. The command line needs none:
    '$bin/vitrine-cli' run -m '$model' -p 'Why is the sky blue?'"
    exit $(($# > 0)) # set up as asked; whoever passed arguments to the window did not get what they asked for
fi
exec "$bin/vitrine" "$@"
