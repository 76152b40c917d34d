#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A llama-shaped GGUF file of random weights: what a graphics card can be timed on without a download.

    tests/gpu/synthetic_model.py SHAPE TYPE OUT.gguf      SHAPE: tiny, 1b, 8b      TYPE: F16, BF16, Q4_0, Q8_0

Needs Python alone. A few mebibytes of random blocks are written over and over, so that 16 GB take as long as the disk
does. Weights are as large as those of a trained model, so that activations stay finite; the text means nothing.
"""
import random
import struct
import sys

ALIGNMENT = 32
UINT32, FLOAT32, STRING, ARRAY, BOOL = 4, 6, 8, 9, 7

# embedding, layers, heads, kv heads, feed forward, vocabulary, output layer of its own
SHAPES = {"tiny": (256, 2, 8, 2, 512, 1000, False),
          "1b": (2048, 16, 32, 8, 8192, 128256, False),
          "8b": (4096, 32, 32, 8, 14336, 128256, True)}

# number in the file, columns of a block, bytes of a block
TYPES = {"F32": (0, 1, 4), "F16": (1, 1, 2), "Q4_0": (2, 32, 18), "Q8_0": (8, 32, 34), "BF16": (30, 1, 2)}


def random_blocks(kind, blocks, rng):
    """Weights of a spread of about 0.02."""
    data = bytearray(rng.randbytes(blocks * TYPES[kind][2]))
    if kind in ("Q4_0", "Q8_0"):  # a 16-bit scale before the codes
        scale = struct.pack("<e", 0.0045 if kind == "Q4_0" else 0.00027)
        data[0::TYPES[kind][2]] = scale[:1] * blocks
        data[1::TYPES[kind][2]] = scale[1:] * blocks
    elif kind == "BF16":  # sign at random, exponent of 2^-7 or 2^-6
        data[1::2] = bytes(0x3c | byte & 0x80 for byte in data[1::2])
    elif kind == "F16":
        data[1::2] = bytes(0x24 | byte & 0x80 for byte in data[1::2])
    return data


def key(name, kind, value):
    return packed_string(name) + struct.pack("<I", kind) + value


def packed_string(text):
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def array(kind, values):
    return struct.pack("<IQ", kind, len(values)) + b"".join(values)


def number(value):
    return struct.pack("<I", value)


def vocabulary(size):
    """A SentencePiece one: three special tokens, all bytes, and words that never occur."""
    tokens = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]
    tokens += [f"w{i}" for i in range(size - len(tokens))]
    kinds = [2, 3, 3] + [6] * 256 + [1] * (size - 259)
    return [key("tokenizer.ggml.model", STRING, packed_string("llama")),
            key("tokenizer.ggml.tokens", ARRAY, array(STRING, [packed_string(token) for token in tokens])),
            key("tokenizer.ggml.scores", ARRAY, array(FLOAT32, [struct.pack("<f", -i) for i in range(size)])),
            key("tokenizer.ggml.token_type", ARRAY, array(5, [struct.pack("<i", kind) for kind in kinds]))]


def metadata(name, shape):
    embedding, layers, heads, kv_heads, feed_forward, vocab, _ = shape
    numbers = {"context_length": 8192, "embedding_length": embedding, "block_count": layers,
               "attention.head_count": heads, "attention.head_count_kv": kv_heads,
               "feed_forward_length": feed_forward, "rope.dimension_count": embedding // heads}
    return ([key("general.architecture", STRING, packed_string("llama")),
             key("general.name", STRING, packed_string(name)),
             key("llama.attention.layer_norm_rms_epsilon", FLOAT32, struct.pack("<f", 1e-5)),
             key("llama.rope.freq_base", FLOAT32, struct.pack("<f", 500000.0))] +
            [key("llama." + field, UINT32, number(value)) for field, value in numbers.items()] + vocabulary(vocab))


def tensors(shape, kind):
    """(name, columns, rows, type); a vector has no rows."""
    embedding, layers, heads, kv_heads, feed_forward, vocab, has_output = shape
    kv = embedding // heads * kv_heads
    yield "token_embd.weight", embedding, vocab, kind
    for layer in range(layers):
        block = f"blk.{layer}."
        yield block + "attn_norm.weight", embedding, 0, "F32"
        yield block + "attn_q.weight", embedding, embedding, kind
        yield block + "attn_k.weight", embedding, kv, kind
        yield block + "attn_v.weight", embedding, kv, kind
        yield block + "attn_output.weight", embedding, embedding, kind
        yield block + "ffn_norm.weight", embedding, 0, "F32"
        yield block + "ffn_gate.weight", embedding, feed_forward, kind
        yield block + "ffn_up.weight", embedding, feed_forward, kind
        yield block + "ffn_down.weight", feed_forward, embedding, kind
    yield "output_norm.weight", embedding, 0, "F32"
    if has_output:
        yield "output.weight", embedding, vocab, kind


def size_of(columns, rows, kind):
    _, width, size = TYPES[kind]
    return columns * max(rows, 1) // width * size


def aligned(offset):
    return -(-offset // ALIGNMENT) * ALIGNMENT


def header(name, shape, kind):
    keys = metadata(name, shape)
    listed = list(tensors(shape, kind))
    head = b"GGUF" + struct.pack("<IQQ", 3, len(listed), len(keys)) + b"".join(keys)
    offset = 0
    for tensor, columns, rows, its_kind in listed:
        sizes = (columns, rows) if rows else (columns,)
        head += packed_string(tensor) + struct.pack(f"<I{len(sizes)}QIQ", len(sizes), *sizes, TYPES[its_kind][0],
                                                    offset)
        offset = aligned(offset + size_of(columns, rows, its_kind))
    return head + b"\0" * (aligned(len(head)) - len(head)), listed


def write(path, name, shape, kind, seed=1):
    rng = random.Random(seed)
    blocks = (8 << 20) // TYPES[kind][2]
    pool = memoryview(random_blocks(kind, blocks, rng))
    ones = struct.pack("<f", 1.0)
    head, listed = header(name, shape, kind)
    with open(path, "wb", buffering=0) as out:
        out.write(head)
        for _, columns, rows, its_kind in listed:
            left = size_of(columns, rows, its_kind)
            padding = aligned(left) - left
            if its_kind == "F32":
                out.write(ones * columns)
                left = 0
            # Another beginning for each tensor, or equal matrices would follow each other.
            start = rng.randrange(blocks) * TYPES[kind][2]
            while left > 0:
                left -= out.write(pool[start:start + left])
                start = 0
            out.write(b"\0" * padding)


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in SHAPES or sys.argv[2] not in TYPES:
        sys.exit(__doc__)
    shape, kind, path = sys.argv[1:]
    write(path, f"synthetic {shape} {kind}", SHAPES[shape], kind)


if __name__ == "__main__":
    main()
