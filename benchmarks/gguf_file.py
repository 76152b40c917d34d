# SPDX-License-Identifier: GPL-3.0-or-later
"""Just enough of GGUF to copy a file with other tensors (https://github.com/ggml-org/ggml, docs/gguf.md)."""
import struct
from dataclasses import dataclass

import numpy

ALIGNMENT = 32
UINT32, FLOAT32, STRING, ARRAY = 4, 6, 8, 9
SCALAR_BYTES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}

# name: (number in the file, columns of a block, bytes of a block)
TYPES = {"F32": (0, 1, 4), "F16": (1, 1, 2), "Q4_0": (2, 32, 18), "Q4_1": (3, 32, 20), "Q8_0": (8, 32, 34),
         "Q4_K": (12, 256, 144), "Q6_K": (14, 256, 210)}
NAMES = {number: name for name, (number, _, _) in TYPES.items()}


@dataclass
class Tensor:
    name: str
    shape: tuple  # (columns, rows …), as in the file
    type: str
    data: numpy.ndarray  # bytes


class Reader:
    def __init__(self, data):
        self.data = data
        self.at = 0

    def number(self, form):
        (value,) = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize(form)
        return value

    def string(self):
        length = self.number("Q")
        self.at += length
        return bytes(self.data[self.at - length:self.at]).decode()

    def skip_value(self, kind):
        if kind == STRING:
            self.string()
        elif kind == ARRAY:
            element, count = self.number("I"), self.number("Q")
            for _ in range(count):
                self.skip_value(element)
        else:
            self.at += SCALAR_BYTES[kind]


def read(path):
    """({key: type and value as the file's bytes}, [Tensor])"""
    data = numpy.fromfile(path, numpy.uint8)
    reader = Reader(data)
    if reader.number("I") != 0x46554747 or reader.number("I") not in (2, 3):
        raise ValueError(f"{path} is no GGUF file of version 2 or 3")
    tensor_count, key_count = reader.number("Q"), reader.number("Q")
    metadata = {}
    for _ in range(key_count):
        key, start = reader.string(), reader.at
        reader.skip_value(reader.number("I"))
        metadata[key] = bytes(data[start:reader.at])
    heads = []
    for _ in range(tensor_count):
        name = reader.string()
        shape = tuple(reader.number("Q") for _ in range(reader.number("I")))
        heads.append((name, shape, reader.number("I"), reader.number("Q")))
    begin = -(-reader.at // ALIGNMENT) * ALIGNMENT
    tensors = []
    for name, shape, number, offset in heads:
        if number not in NAMES:
            raise ValueError(f"{path}: {name} is of a type that is not read here")
        _, columns, size = TYPES[NAMES[number]]
        count = int(numpy.prod(shape)) // columns * size
        tensors.append(Tensor(name, shape, NAMES[number], data[begin + offset:begin + offset + count]))
    return metadata, tensors


def whole_number(value):
    return struct.pack("<II", UINT32, value)


def string(text):
    encoded = text.encode()
    return struct.pack("<Q", len(encoded)) + encoded


def padding(length):
    return bytes(-length % ALIGNMENT)


def write(path, metadata, tensors):
    head = struct.pack("<IIQQ", 0x46554747, 3, len(tensors), len(metadata))
    for key, value in metadata.items():
        head += string(key) + value
    offset = 0
    for tensor in tensors:
        head += string(tensor.name) + struct.pack(f"<I{len(tensor.shape)}Q", len(tensor.shape), *tensor.shape)
        head += struct.pack("<IQ", TYPES[tensor.type][0], offset)
        offset += tensor.data.size + len(padding(tensor.data.size))
    with open(path, "wb") as file:
        file.write(head + padding(len(head)))
        for tensor in tensors:
            file.write(tensor.data.tobytes() + padding(tensor.data.size))
