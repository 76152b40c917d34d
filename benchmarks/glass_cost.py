#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the window costs the engine: tokens per second of 8 chats with every panel visible, with the panels closed
(--no-glass), and with the window minimised, so that nothing is drawn at all.

Runs the demonstration in turns, so that what else the machine does meets all alike, and prints the medians of what
each round lost against the hidden window. Needs xdotool and xprop, and a display or Xvfb. On a quiet machine:

    benchmarks/glass_cost.py build/release/bin/vitrine --rounds 7 --seconds 30
"""
import argparse
import contextlib
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile


@contextlib.contextmanager
def display(size):
    """The user's own, or one in memory."""
    if "DISPLAY" in os.environ:
        yield os.environ["DISPLAY"]
        return
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size}x24", "-noreset"],
                              pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as number:
        yield ":" + number.readline().strip()
    server.terminate()
    server.wait()


def hide_window(process, environment):
    """As a window manager minimises it: the program is told, and the window is gone."""
    found = subprocess.run(["xdotool", "search", "--sync", "--onlyvisible", "--pid", str(process.pid)],
                           env=environment, check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    for window in found.stdout.split():
        iconic = ["xprop", "-id", window, "-f", "WM_STATE", "32ii", "-set", "WM_STATE", "3, 0"]
        subprocess.run(iconic, env=environment, check=True)
        subprocess.run(["xdotool", "windowunmap", window], env=environment, check=True)


def tokens_per_second(kind, arguments):
    with tempfile.TemporaryDirectory() as folder, display(arguments.size) as screen:
        command = [arguments.program, *arguments.model, "--demo", str(arguments.chats), "--size", arguments.size,
                   "--after", str(arguments.seconds), "--screenshot", os.path.join(folder, "window.png")]
        if kind == "no glass":
            command.append("--no-glass")
        environment = {**os.environ, "DISPLAY": screen}
        process = subprocess.Popen(command, env=environment, text=True, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        if kind == "hidden":
            hide_window(process, environment)
        output, errors = process.communicate()
    rate = re.search(r"([\d.]+) tok/s", output)
    if process.returncode != 0 or not rate:
        sys.exit(f"{' '.join(command)}: exit {process.returncode}\n{output}{errors}")
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
    for tool in (arguments.program, "xdotool", "xprop"):
        if not shutil.which(tool):
            parser.error(f"no such program: {tool}")
    kinds = ["glass", "no glass", "hidden"]
    lost = {kind: [] for kind in kinds}
    for number in range(arguments.rounds):
        # The order changes with every round: none is always the one that finds the machine warm.
        turn = number % len(kinds)
        rates = {kind: tokens_per_second(kind, arguments) for kind in kinds[turn:] + kinds[:turn]}
        for kind in kinds:
            lost[kind].append(100 * (1 - rates[kind] / rates["hidden"]))
        print(f"round {number + 1}: " + ", ".join(f"{kind} {rates[kind]:.1f} tok/s" for kind in kinds), flush=True)
    print("lost against the hidden window, median: " +
          ", ".join(f"{kind} {statistics.median(lost[kind]):.1f} %" for kind in kinds[:-1]))


if __name__ == "__main__":
    main()
