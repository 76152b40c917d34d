#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of tests/gpu/run.sh from the answers of vitrine-cli: summary.py FOLDER, which has limits.json and
bench-MODEL.json. Writes summary.json and summary.md there. Shares are of what the card was measured to do:
copying memory for decodes (a step reads all weights once), a large product of 16-bit floats for prompts.

    summary.py --compare A.f32 B.f32      the normalised squared error between two files of logits
"""
import array
import glob
import json
import os
import sys


def compare(path, other):
    values, others = array.array("f"), array.array("f")
    for numbers, name in ((values, path), (others, other)):
        with open(name, "rb") as file:
            numbers.frombytes(file.read())
    if len(values) != len(others) or not values:
        sys.exit("the files have different lengths")
    error = sum((a - b) ** 2 for a, b in zip(values, others))
    return error / sum(a * a for a in values)


def shares(bench, limits):
    work = bench["roofline"]
    rows = []
    for decode in bench["decode"]:
        row = dict(decode)
        if limits:
            steps = decode["tok_s"] / decode["batch"]
            row["bandwidth_share"] = steps * work["bytes_per_step"] / (limits["copy_gb_s"] * 1e9)
        rows.append(row)
    prefill = {"tok_s": bench["prefill_tok_s"]}
    if limits:
        prefill["product_share"] = 2 * prefill["tok_s"] * work["dots_per_token"] / (limits["product_tflop_s"] * 1e12)
    return {"backend": bench["backend"], "load_s": bench["load_s"], "prefill": prefill, "decode": rows}


def percent(row, name):
    return f" ({100 * row[name]:.0f} %)" if name in row else ""


def table(models):
    batches = sorted({row["batch"] for model in models.values() for row in model["decode"]})
    lines = ["| model | backend | load s | prompt tok/s | " + " | ".join(f"batch {b} tok/s" for b in batches) + " |",
             "| --- " * (4 + len(batches)) + "|"]
    for name, model in models.items():
        by_batch = {row["batch"]: row for row in model["decode"]}
        cells = [f"{by_batch[b]['tok_s']:.0f}" + percent(by_batch[b], "bandwidth_share") for b in batches]
        prompt = f"{model['prefill']['tok_s']:.0f}" + percent(model["prefill"], "product_share")
        lines.append(f"| {name} | {model['backend']} | {model['load_s']:.1f} | {prompt} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main():
    if len(sys.argv) == 4 and sys.argv[1] == "--compare":
        print(f"{compare(*sys.argv[2:]):.3g}")
        return
    folder = sys.argv[1]
    limits = None
    if os.path.exists(os.path.join(folder, "limits.json")):
        with open(os.path.join(folder, "limits.json")) as file:
            limits = json.load(file)
    models = {}
    for path in sorted(glob.glob(os.path.join(folder, "bench-*.json"))):
        with open(path) as file:
            models[os.path.basename(path)[len("bench-"):-len(".json")]] = shares(json.load(file), limits)
    with open(os.path.join(folder, "summary.json"), "w") as file:
        json.dump({"limits": limits, "models": models}, file, indent=1)
    text = table(models) if models else "Nothing was measured.\n"
    if limits:
        text = (f"{limits['device']}: copies {limits['copy_gb_s']:.0f} GB/s, multiplies "
                f"{limits['product_tflop_s']:.0f} TFLOP/s in {limits['product_type']}; in brackets the share that was reached.\n\n") + text
    with open(os.path.join(folder, "summary.md"), "w") as file:
        file.write(text)
    print(text)


if __name__ == "__main__":
    main()
