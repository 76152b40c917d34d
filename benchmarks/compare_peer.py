#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Vitrine against llama.cpp on this machine, as a Markdown table of tokens a second.

Both run the same work in turn, several times; medians and their ratio are printed. The peer comes ready built in the
Python package `xllamacpp`, into a virtual environment that is deleted afterwards. Nothing else should run meanwhile.

    benchmarks/compare_peer.py --cli build/release/bin/vitrine-cli MODEL.gguf [PEER_MODEL.gguf]
    benchmarks/compare_peer.py --cli build/release/bin/vitrine-cli --all STARTER.gguf

PEER_MODEL: what the peer runs, where that is not the same file. --all: all that docs/performance.md has of this: the
starter file against itself and against the same weights as Q4_0, files of other types (requantize.py makes them), the
machine's limits, one thread against two, loading, and a mix of requests where its file is given with --trace.
"""
import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import venv
from dataclasses import dataclass

PROMPT = 512  # tokens, as in `vitrine-cli bench`
DECODE_PROMPT = 128
BATCHES = (1, 8, 32)
WORKS = {"prompt": f"prompt of {PROMPT}", 1: "1 chat", 8: "8 chats", 32: "32 chats"}
MIX_CHATS = 16


@dataclass
class Pair:
    name: str
    ours: str
    theirs: str


def vitrine(arguments, command, *options):
    result = subprocess.run([arguments.cli, command, *options, "--json"], check=True, capture_output=True, text=True)
    return json.loads(result.stdout)


def bench(arguments, model, *options, batches=BATCHES):
    return vitrine(arguments, "bench", "-m", model, "--prompt", str(PROMPT), "--gen", str(arguments.generate),
                   "--batch", ",".join(map(str, batches)), "--repeat", "1", *options)


def rates(result):
    """{work: tokens a second} of a `bench`."""
    return {"prompt": result["prefill_tok_s"], **{row["batch"]: row["tok_s"] for row in result["decode"]}}


def ours(arguments, model):
    return rates(bench(arguments, model, "--threads", str(arguments.threads)))


def peer_server(model, threads):
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = model
    parameters.n_parallel = max(BATCHES)
    parameters.n_ctx = max(BATCHES) * 512
    parameters.kv_unified = True  # one chat may use more than its part
    parameters.n_batch = 2048
    parameters.cpuparams.n_threads = threads
    parameters.cpuparams_batch.n_threads = threads
    parameters.warmup = True
    return xllamacpp.Server(parameters)


def peer_timings(server, prompt_tokens, generate):
    reply = server.handle_completions({
        "prompt": [random.randrange(1000, 20000) for _ in range(prompt_tokens)],
        "n_predict": generate, "temperature": 0, "ignore_eos": True, "cache_prompt": False,
    })
    reply = json.loads(reply) if isinstance(reply, (str, bytes)) else reply
    if "timings" not in reply:
        sys.exit(f"the peer refused: {reply}")
    return reply["timings"]


def peer_decode(server, batch, generate):
    """Tokens a second of all chats together."""
    chat_rates = []

    def chat():
        chat_rates.append(peer_timings(server, DECODE_PROMPT, generate)["predicted_per_second"])

    threads = [threading.Thread(target=chat) for _ in range(batch)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(chat_rates)


def serve_peer(arguments):
    """The peer's side, in its own process: one line of JSON on standard output for each line read."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever the library prints
    server = peer_server(arguments.model, arguments.threads)
    peer_timings(server, 16, 4)
    for _ in sys.stdin:
        result = [peer_timings(server, PROMPT, 1)["prompt_per_second"]]
        result += [peer_decode(server, batch, arguments.generate) for batch in BATCHES]
        print(json.dumps(result), file=answers, flush=True)


def start_peer(arguments, model):
    command = [arguments.peer_python, __file__, "--serve-peer", "--threads", str(arguments.threads), "--generate",
               str(arguments.generate), model]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def theirs(peer):
    peer.stdin.write("go\n")
    peer.stdin.flush()
    line = peer.stdout.readline()
    if not line:
        sys.exit("the peer ended: run its command by hand to see why")
    return dict(zip(WORKS, json.loads(line)))


def compare(arguments, pair):
    """A row of the table."""
    with start_peer(arguments, pair.theirs) as peer:
        runs = [(ours(arguments, pair.ours), theirs(peer)) for _ in range(arguments.runs)]
        peer.stdin.close()
    cells = []
    for work in WORKS:
        our, peer = (statistics.median(run[side][work] for run in runs) for side in (0, 1))
        cells.append(f"{our:.0f} / {peer:.0f} = {our / peer:.2f}")
    return f"| {pair.name} | {' | '.join(cells)} |"


def print_comparison(arguments, pairs):
    print(f"| tokens/s, Vitrine / peer | {' | '.join(WORKS.values())} |\n| --- |{' ---: |' * len(WORKS)}")
    for pair in pairs:
        print(compare(arguments, pair), flush=True)


def make_pairs(arguments, folder):
    """The starter file and others of its weights; random weights where its rows do not make whole blocks."""
    def made(kind, *options):
        path = os.path.join(folder, kind + ".gguf")
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "requantize.py")
        subprocess.run([arguments.peer_python, script, *options, arguments.model, path, kind], check=True)
        return path

    q4_0, q8_0 = made("Q4_0"), made("Q8_0")
    q4_k, q6_k = made("Q4_K", "--random"), made("Q6_K", "--random")
    return [Pair("Q4_1", arguments.model, arguments.model), Pair("Q4_1 / Q4_0", arguments.model, q4_0),
            Pair("Q4_0", q4_0, q4_0), Pair("Q8_0", q8_0, q8_0), Pair("Q4_K, random weights", q4_k, q4_k),
            Pair("Q6_K, random weights", q6_k, q6_k)]


def print_machine(arguments):
    """What the machine can do, and which part of it is used."""
    result = bench(arguments, arguments.model, "--threads", str(arguments.threads), "--roofline")
    limits = result["roofline"]
    print(f"\n| limit of the machine | | used |\n| --- | ---: | ---: |\n"
          f"| reads, GB/s | {limits['read_gb_s']:.1f} | 1 chat {limits['decode_share']:.0%} |\n"
          f"| int8 multiply-adds, Tera/s | {limits['dot_tera_s']:.3f} | prompt {limits['prefill_share']:.0%} |")


def print_threads(arguments):
    """How often one thread's rate two have, and the loading time."""
    runs = [[bench(arguments, arguments.model, "--threads", threads) for threads in ("1", "2")]
            for _ in range(arguments.runs)]
    print(f"\n| | {' | '.join(WORKS.values())} |\n| --- |{' ---: |' * len(WORKS)}")
    one, two = ({work: statistics.median(rates(run[side])[work] for run in runs) for work in WORKS} for side in (0, 1))
    cells = (f"{two[work] / one[work]:.2f}" for work in WORKS)
    print(f"| 2 threads / 1 | {' | '.join(cells)} |\n")
    print(f"Loading: {statistics.median(run[1]['load_s'] for run in runs):.2f} s")


def print_mix(arguments):
    """The wall time of a mix of requests, beside what prompts and decodes take alone."""
    alone = rates(bench(arguments, arguments.model, batches=(MIX_CHATS,)))
    mix = vitrine(arguments, "serve-trace", "-m", arguments.model, "--trace", arguments.trace, "--max-num-seqs",
                  str(MIX_CHATS))
    print(json.dumps(mix), file=sys.stderr)
    parts = mix["prompt_tokens"] / alone["prompt"] + mix["generated_tokens"] / alone[MIX_CHATS]
    print(f"\nMix: {mix['wall_s']:.1f} s, {mix['wall_s'] / parts:.2f} times its prompts and decodes alone")


def prepare_peer(folder, packages):
    venv.create(folder, with_pip=True)
    python = os.path.join(folder, "bin", "python")
    subprocess.run([python, "-m", "pip", "--quiet", "install", *packages], check=True)
    return python


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("peer_model", nargs="?")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--trace", help="with --all: a CSV file of requests")
    parser.add_argument("--cli", default="build/release/bin/vitrine-cli")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--generate", type=int, default=128, help="tokens for each chat")
    parser.add_argument("--peer-python", help="a Python that has xllamacpp and numpy, instead of a fresh environment")
    parser.add_argument("--serve-peer", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve_peer:
        return serve_peer(arguments)
    with tempfile.TemporaryDirectory() as folder:
        if not arguments.peer_python:
            arguments.peer_python = prepare_peer(os.path.join(folder, "peer"), ["xllamacpp", "numpy"])
        if not arguments.all:
            return print_comparison(arguments, [Pair("", arguments.model, arguments.peer_model or arguments.model)])
        print_comparison(arguments, make_pairs(arguments, folder))
        print_machine(arguments)
        print_threads(arguments)
        if arguments.trace:
            print_mix(arguments)


if __name__ == "__main__":
    main()
