#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the window costs the engine: tokens per second of 8 chats while every panel is visible, or with the panels
closed (--no-glass), against the same window minimised, so that nothing is drawn at all.

The demonstration is shown and minimised in turns of some seconds: what else the machine does, and how long the chats
have grown, meets both alike. It is begun anew each round, before the chats fill the pool. Each turn is compared with
the mean of its two neighbours, and the median of these is printed, with the quartiles. Needs xdotool and xprop, and a
display or Xvfb. On a quiet machine:

    benchmarks/glass_cost.py build/release/bin/vitrine --rounds 10
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
import time

WARM_SECONDS = 8  # until all chats answer


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
    try:
        with os.fdopen(read) as number:
            yield ":" + number.readline().strip()
    finally:
        server.terminate()
        server.wait()


def window_of(process, environment):
    found = subprocess.run(["xdotool", "search", "--sync", "--onlyvisible", "--pid", str(process.pid)],
                           env=environment, check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return found.stdout.split()[0]


def set_shown(window, shown, environment):
    """As a window manager does it: the program is told, and the window comes or goes."""
    state = ["xprop", "-id", window, "-f", "WM_STATE", "32ii", "-set", "WM_STATE", "1, 0" if shown else "3, 0"]
    subprocess.run(state, env=environment, check=True)
    subprocess.run(["xdotool", "windowmap" if shown else "windowunmap", window], env=environment, check=True)


def run(kind, arguments):
    """The tokens of each second, when the first began, and when each turn began (shown, minimised, shown…)."""
    with tempfile.TemporaryDirectory() as folder, display(arguments.size) as screen:
        length = WARM_SECONDS + arguments.turns * (arguments.seconds + 0.5)  # each change takes its time
        command = [arguments.program, *arguments.model, "--demo", str(arguments.chats), "--size", arguments.size,
                   "--after", str(length + 2), "--screenshot", os.path.join(folder, "window.png")]
        if kind == "no glass":
            command.append("--no-glass")
        environment = {**os.environ, "DISPLAY": screen}
        process = subprocess.Popen(command, env=environment, text=True, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        window = window_of(process, environment)
        time.sleep(WARM_SECONDS)
        turns = []
        for turn in range(arguments.turns):
            set_shown(window, turn % 2 == 0, environment)
            turns.append(time.time())
            time.sleep(arguments.seconds)
        turns.append(time.time())
        set_shown(window, True, environment)
        output, errors = process.communicate()
    told = re.search(r"tokens of each second since ([\d.]+): ([\d ]+)", output)
    if process.returncode != 0 or not told:
        sys.exit(f"{' '.join(command)}: exit {process.returncode}\n{output}{errors}")
    return [int(tokens) for tokens in told.group(2).split()], float(told.group(1)), turns


def rates(tokens, begin, turns):
    """Tokens per second of each turn, of the seconds that lie in it but for its first, which is a change."""
    def rate(first, last):
        inside = [count for second, count in enumerate(tokens)
                  if begin + second >= first + 1 and begin + second + 1 <= last]
        return statistics.mean(inside)
    return [rate(first, last) for first, last in zip(turns, turns[1:])]


def losses(rate_of_turn):
    """In percent, of each turn that has two neighbours of the other kind."""
    found = []
    for turn in range(1, len(rate_of_turn) - 1):
        mine, other = rate_of_turn[turn], (rate_of_turn[turn - 1] + rate_of_turn[turn + 1]) / 2
        shown, hidden = (mine, other) if turn % 2 == 0 else (other, mine)
        found.append(100 * (1 - shown / hidden))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="vitrine")
    parser.add_argument("model", nargs="*", help="a GGUF file; without one, the starter model")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--turns", type=int, default=7, help="of a round, shown and minimised together")
    parser.add_argument("--seconds", type=float, default=3, help="of each turn")
    parser.add_argument("--chats", type=int, default=8)
    parser.add_argument("--size", default="1280x800", help="of the window")
    arguments = parser.parse_args()
    for tool in (arguments.program, "xdotool", "xprop"):
        if not shutil.which(tool):
            parser.error(f"no such program: {tool}")
    for kind in ("glass", "no glass"):
        rounds = [rates(*run(kind, arguments)) for _ in range(arguments.rounds)]
        lost = [loss for rate_of_turn in rounds for loss in losses(rate_of_turn)]
        low, middle, high = statistics.quantiles(lost, n=4)
        shown, hidden = (statistics.median(rate for rate_of_turn in rounds for rate in rate_of_turn[first::2])
                         for first in (0, 1))
        print(f"{kind}: shown {shown:.1f} tok/s, minimised {hidden:.1f} tok/s; lost {middle:.1f} % "
              f"(quartiles {low:.1f} to {high:.1f} %, {len(lost)} turns)", flush=True)


if __name__ == "__main__":
    main()
