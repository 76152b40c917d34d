#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Vitrine against llama.cpp on this machine, as a Markdown table of tokens a second.

Both run the same work in turn, several times; medians and their ratio are printed. The peer comes ready built in the
Python package `xllamacpp`, into a virtual environment that is deleted afterwards. Nothing else should run meanwhile.

    benchmarks/compare_peer.py --cli build/release/bin/vitrine-cli MODEL.gguf [PEER_MODEL.gguf]

PEER_MODEL: what the peer runs, where that is not the same file (its fastest format of the same weights, say).
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

PROMPT = 512  # tokens, as in `vitrine-cli bench`
DECODE_PROMPT = 128
GENERATE = 128
BATCHES = (1, 8, 32)


def ours(arguments):
    """One run of `vitrine-cli bench`: {work: tokens a second}."""
    batches = ",".join(map(str, BATCHES))
    command = [arguments.cli, "bench", "-m", arguments.model, "--threads", str(arguments.threads), "--repeat", "1",
               "--prompt", str(PROMPT), "--gen", str(GENERATE), "--batch", batches, "--json"]
    result = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    rates = {f"decode, batch {row['batch']}": row["tok_s"] for row in result["decode"]}
    return {f"prompt of {PROMPT}": result["prefill_tok_s"], **rates}


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


def peer_decode(server, batch):
    """Tokens a second of all chats together."""
    rates = []

    def chat():
        rates.append(peer_timings(server, DECODE_PROMPT, GENERATE)["predicted_per_second"])

    threads = [threading.Thread(target=chat) for _ in range(batch)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(rates)


def serve_peer(model, threads):
    """The peer's side, in its own process: one line of JSON on standard output for each line read."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever the library prints
    server = peer_server(model, threads)
    peer_timings(server, 16, 4)
    for _ in sys.stdin:
        result = {f"prompt of {PROMPT}": peer_timings(server, PROMPT, 1)["prompt_per_second"]}
        for batch in BATCHES:
            result[f"decode, batch {batch}"] = peer_decode(server, batch)
        print(json.dumps(result), file=answers, flush=True)


def start_peer(python, arguments):
    command = [python, __file__, "--serve-peer", "--threads", str(arguments.threads),
               arguments.peer_model or arguments.model]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def theirs(peer):
    peer.stdin.write("go\n")
    peer.stdin.flush()
    line = peer.stdout.readline()
    if not line:
        sys.exit("the peer ended: run its command by hand to see why")
    return json.loads(line)


def print_table(our_runs, peer_runs):
    print("| tokens/s | Vitrine | peer | ratio |\n| --- | ---: | ---: | ---: |")
    for work in our_runs[0]:
        our, peer = (statistics.median(run[work] for run in runs) for runs in (our_runs, peer_runs))
        print(f"| {work} | {our:.0f} | {peer:.0f} | {our / peer:.2f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("peer_model", nargs="?")
    parser.add_argument("--cli", default="build/release/bin/vitrine-cli")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--peer-python", help="a Python that has xllamacpp already, instead of a fresh environment")
    parser.add_argument("--serve-peer", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve_peer:
        return serve_peer(arguments.model, arguments.threads)
    with tempfile.TemporaryDirectory() as folder:
        python = arguments.peer_python
        if not python:
            venv.create(folder, with_pip=True)
            python = os.path.join(folder, "bin", "python")
            subprocess.run([python, "-m", "pip", "--quiet", "install", "xllamacpp"], check=True)
        with start_peer(python, arguments) as peer:
            our_runs, peer_runs = [], []
            for _ in range(arguments.runs):
                our_runs.append(ours(arguments))
                peer_runs.append(theirs(peer))
            peer.stdin.close()
        print_table(our_runs, peer_runs)


if __name__ == "__main__":
    main()
