#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A GGUF file with its matrices in another type: what both engines can be timed on. Needs numpy.

    benchmarks/requantize.py MODEL.gguf OUT.gguf Q4_0
    benchmarks/requantize.py --random MODEL.gguf OUT.gguf Q4_K

The scales are the plainest that the types allow, so the result is for timing and not for use. --random: a llama
of 132 million random weights with rows of 768 and 2,048 columns and MODEL's vocabulary, as the blocks of Q4_K and
Q6_K have 256 columns and the starter model's rows have 576.
"""
import argparse
import sys

import numpy

import gguf_file
from gguf_file import Tensor


def halves(values):
    """Rounded to 16 bits: (as numbers, as bytes)."""
    rounded = values.astype(numpy.float16)
    return rounded.astype(numpy.float32), rounded[..., None].view(numpy.uint8)


def inverse(values):
    return numpy.divide(1, values, out=numpy.zeros_like(values), where=values != 0)


def codes(values, least, most):
    return numpy.clip(numpy.rint(values), least, most)


def pairs(low, high):
    return (low.astype(numpy.uint8) | high.astype(numpy.uint8) << 4)


def to_q8_0(blocks):
    scale, scale_bytes = halves(numpy.abs(blocks).max(axis=1) / 127)
    values = codes(blocks * inverse(scale)[:, None], -127, 127).astype(numpy.int8)
    return numpy.concatenate([scale_bytes, values.view(numpy.uint8)], axis=1)


def to_q4_0(blocks):
    greatest = numpy.take_along_axis(blocks, numpy.abs(blocks).argmax(axis=1)[:, None], axis=1)[:, 0]
    scale, scale_bytes = halves(greatest / -8)
    values = codes(blocks * inverse(scale)[:, None], -8, 7) + 8
    return numpy.concatenate([scale_bytes, pairs(values[:, :16], values[:, 16:])], axis=1)


def to_q4_k(blocks):
    parts = blocks.reshape(-1, 8, 32)
    minima = -numpy.minimum(parts.min(axis=2), 0)
    scales = (parts.max(axis=2) + minima) / 15
    scale, scale_bytes = halves(scales.max(axis=1) / 63)
    minimum, minimum_bytes = halves(minima.max(axis=1) / 63)
    small = codes(scales * inverse(scale)[:, None], 0, 63)
    small_minima = codes(minima * inverse(minimum)[:, None], 0, 63)
    steps = scale[:, None] * small
    shifted = parts + (minimum[:, None] * small_minima)[..., None]
    values = codes(shifted * inverse(steps)[..., None], 0, 15).reshape(-1, 4, 2, 32)
    s, m = small.astype(numpy.uint8), small_minima.astype(numpy.uint8)
    packed = [s[:, :4] | s[:, 4:] >> 4 << 6, m[:, :4] | m[:, 4:] >> 4 << 6, s[:, 4:] & 15 | (m[:, 4:] & 15) << 4]
    nibbles = pairs(values[:, :, 0], values[:, :, 1]).reshape(-1, 128)
    return numpy.concatenate([scale_bytes, minimum_bytes, *packed, nibbles], axis=1)


def to_q6_k(blocks):
    parts = blocks.reshape(-1, 16, 16)
    scales = numpy.abs(parts).max(axis=2) / 31
    scale, scale_bytes = halves(scales.max(axis=1) / 127)
    small = codes(scales * inverse(scale)[:, None], 0, 127)
    steps = scale[:, None] * small
    values = (codes(parts * inverse(steps)[..., None], -32, 31) + 32).astype(numpy.uint8).reshape(-1, 2, 4, 32)
    low = values & 15
    nibbles = numpy.concatenate([pairs(low[:, :, 0], low[:, :, 2]), pairs(low[:, :, 1], low[:, :, 3])], axis=2)
    high = values >> 4
    twos = high[:, :, 0] | high[:, :, 1] << 2 | high[:, :, 2] << 4 | high[:, :, 3] << 6
    return numpy.concatenate([nibbles.reshape(-1, 128), twos.reshape(-1, 64), small.astype(numpy.uint8),
                              scale_bytes], axis=1)


QUANTIZE = {"Q4_0": to_q4_0, "Q8_0": to_q8_0, "Q4_K": to_q4_k, "Q6_K": to_q6_k}


def quantized(name, shape, values, kind):
    blocks = values.astype(numpy.float32).reshape(-1, gguf_file.TYPES[kind][1])
    return Tensor(name, shape, kind, QUANTIZE[kind](blocks).reshape(-1))


def half_at(blocks, offset):
    return blocks[:, offset:offset + 2].copy().view(numpy.float16).astype(numpy.float32)


def dequantized(tensor):
    if tensor.type in ("F32", "F16"):
        return tensor.data.view(numpy.float32 if tensor.type == "F32" else numpy.float16).astype(numpy.float32)
    blocks = tensor.data.reshape(-1, gguf_file.TYPES[tensor.type][2])
    if tensor.type == "Q8_0":
        return half_at(blocks, 0) * blocks[:, 2:].view(numpy.int8)
    if tensor.type == "Q4_1":
        nibbles = numpy.concatenate([blocks[:, 4:] & 15, blocks[:, 4:] >> 4], axis=1)
        return half_at(blocks, 0) * nibbles + half_at(blocks, 2)
    raise ValueError(f"{tensor.name}: a matrix of {tensor.type} is not read here")


def type_of(name, kind):
    """Files of 4 bits keep the embedding, which is the output layer too, in a finer type."""
    if name != "token_embd.weight":
        return kind
    return {"Q4_0": "Q8_0", "Q4_K": "Q6_K"}.get(kind, kind)


def requantized(tensors, kind):
    for tensor in tensors:
        target = type_of(tensor.name, kind)
        if len(tensor.shape) == 1 or tensor.type == target:
            yield tensor
        elif tensor.shape[0] % gguf_file.TYPES[target][1]:
            raise ValueError(f"{tensor.name}: rows of {tensor.shape[0]} columns are no whole blocks of {target}: "
                             "use --random")
        else:
            yield quantized(tensor.name, tensor.shape, dequantized(tensor), target)


LAYERS, EMBEDDING, FEED_FORWARD, HEADS, KV_HEADS, HEAD = 15, 768, 2048, 12, 4, 64
LAYER_SHAPES = {"attn_q": (EMBEDDING, HEADS * HEAD), "attn_k": (EMBEDDING, KV_HEADS * HEAD),
                "attn_v": (EMBEDDING, KV_HEADS * HEAD), "attn_output": (HEADS * HEAD, EMBEDDING),
                "ffn_gate": (EMBEDDING, FEED_FORWARD), "ffn_up": (EMBEDDING, FEED_FORWARD),
                "ffn_down": (FEED_FORWARD, EMBEDDING)}


def random_tensors(vocabulary, kind):
    generator = numpy.random.default_rng(1)

    def matrix(name, shape):
        values = generator.standard_normal(shape[0] * shape[1], numpy.float32) * shape[0]**-0.5
        return quantized(name, shape, values, type_of(name, kind))

    def norm(name):
        return Tensor(name, (EMBEDDING,), "F32", numpy.ones(EMBEDDING, numpy.float32).view(numpy.uint8))

    yield matrix("token_embd.weight", (EMBEDDING, vocabulary))
    for layer in range(LAYERS):
        for name, shape in LAYER_SHAPES.items():
            yield matrix(f"blk.{layer}.{name}.weight", shape)
        yield norm(f"blk.{layer}.attn_norm.weight")
        yield norm(f"blk.{layer}.ffn_norm.weight")
    yield norm("output_norm.weight")


def random_metadata(metadata):
    return metadata | {f"llama.{key}": gguf_file.whole_number(value) for key, value in {
        "block_count": LAYERS, "embedding_length": EMBEDDING, "feed_forward_length": FEED_FORWARD,
        "attention.head_count": HEADS, "attention.head_count_kv": KV_HEADS, "rope.dimension_count": HEAD,
    }.items()}


def make(source, target, kind, random):
    metadata, tensors = gguf_file.read(source)
    if random:
        embedding = next(tensor for tensor in tensors if tensor.name == "token_embd.weight")
        metadata, tensors = random_metadata(metadata), random_tensors(embedding.shape[1], kind)
    else:
        tensors = requantized(tensors, kind)
    gguf_file.write(target, metadata, list(tensors))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("type", choices=sorted(QUANTIZE))
    parser.add_argument("--random", action="store_true")
    arguments = parser.parse_args()
    try:
        make(arguments.source, arguments.target, arguments.type, arguments.random)
    except (OSError, ValueError) as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
