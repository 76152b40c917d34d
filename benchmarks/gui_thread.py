#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the window costs its own thread: processor time of the GUI thread, in ms per second, while 8 chats run, with
every panel visible and with all of them closed.

    benchmarks/gui_thread.py build/release/bin/vitrine --seconds 8
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time

TICKS = os.sysconf("SC_CLK_TCK")
WARM_UP_SECONDS = 5  # loading the model, the first layout


def program_below(pid, name):
    """xvfb-run starts the program as a child of its own."""
    for _ in range(200):
        for entry in os.listdir("/proc"):
            if not entry.isdigit():
                continue
            try:
                with open(f"/proc/{entry}/stat") as stat:
                    text = stat.read()
                if text[text.index("(") + 1:text.rindex(")")] == name[:15] and int(text.split(")")[1].split()[1]) == pid:
                    return int(entry)
            except (OSError, ValueError):
                continue
        time.sleep(0.05)
    sys.exit(f"{name} did not start")


def thread_seconds(pid):
    """The GUI thread is the first one: its number is the process's."""
    with open(f"/proc/{pid}/task/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def measure(arguments, options):
    with tempfile.TemporaryDirectory() as folder:
        command = [arguments.program, *arguments.model, "--demo", str(arguments.chats), "--size", arguments.size, "--after",
                   str(arguments.seconds + WARM_UP_SECONDS + 5), "--screenshot", os.path.join(folder, "window.png"), *options]
        if "DISPLAY" not in os.environ and "WAYLAND_DISPLAY" not in os.environ:
            command = ["xvfb-run", "-a", "-s", f"-screen 0 {arguments.size}x24", *command]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            name = os.path.basename(arguments.program)
            pid = program_below(process.pid, name) if command[0] == "xvfb-run" else process.pid
            time.sleep(WARM_UP_SECONDS)
            begin, before = time.monotonic(), thread_seconds(pid)
            time.sleep(arguments.seconds)
            spent = thread_seconds(pid) - before
            seconds = time.monotonic() - begin
            os.kill(pid, 15)
    return 1000 * spent / seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="vitrine")
    parser.add_argument("model", nargs="*", help="a GGUF file; without one, the starter model")
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--chats", type=int, default=8)
    parser.add_argument("--size", default="1280x800", help="of the window")
    arguments = parser.parse_args()
    if not shutil.which(arguments.program):
        parser.error(f"no such program: {arguments.program}")
    for kind, options in {"every panel": [], "no panel": ["--no-glass"]}.items():
        print(f"{kind}: {measure(arguments, options):.0f} ms per second", flush=True)


if __name__ == "__main__":
    main()
