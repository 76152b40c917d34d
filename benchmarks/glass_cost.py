#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the glass costs: tokens per second of 8 chats, with every panel visible and with all of them closed.

Runs the demonstration in turns, one with and one without the glass, so that what else the machine does meets
both alike, and prints the medians. Needs a display, or xvfb-run. On a quiet machine:

    benchmarks/glass_cost.py build/release/bin/vitrine --rounds 7 --seconds 30
"""
import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile


def tokens_per_second(program, options, arguments):
    with tempfile.TemporaryDirectory() as folder:
        command = [program, *arguments.model, "--demo", str(arguments.chats), "--size", arguments.size, "--after",
                   str(arguments.seconds), "--screenshot", os.path.join(folder, "window.png"), *options]
        if "DISPLAY" not in os.environ and "WAYLAND_DISPLAY" not in os.environ:
            command = ["xvfb-run", "-a", "-s", f"-screen 0 {arguments.size}x24", *command]
        done = subprocess.run(command, capture_output=True, text=True)
    rate = re.search(r"([\d.]+) tok/s", done.stdout)
    if done.returncode != 0 or not rate:
        sys.exit(f"{' '.join(command)}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return float(rate.group(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="vitrine")
    parser.add_argument("model", nargs="*", help="a GGUF file; without one, the starter model")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=20, help="of each run")
    parser.add_argument("--chats", type=int, default=8)
    parser.add_argument("--size", default="1280x800", help="of the window")
    arguments = parser.parse_args()
    if not shutil.which(arguments.program):
        parser.error(f"no such program: {arguments.program}")
    kinds = {"glass": [], "no glass": ["--no-glass"]}
    rates = {kind: [] for kind in kinds}
    for number in range(arguments.rounds):
        # The order changes with every round: neither is always the one that finds the machine warm.
        for kind in sorted(kinds, reverse=number % 2 == 1):
            rates[kind].append(tokens_per_second(arguments.program, kinds[kind], arguments))
        print(f"round {number + 1}: " + ", ".join(f"{kind} {rates[kind][-1]:.1f}" for kind in kinds), flush=True)
    with_glass, without = (statistics.median(rates[kind]) for kind in kinds)
    print(f"median: glass {with_glass:.1f} tok/s, no glass {without:.1f} tok/s, "
          f"cost {100 * (1 - with_glass / without):.1f} %")


if __name__ == "__main__":
    main()
