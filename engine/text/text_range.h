// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>

namespace vitrine {

/// Bytes [begin, end) of a text.
struct TextRange {
    std::size_t begin = 0;
    std::size_t end = 0;
    friend bool operator==(TextRange, TextRange) = default;
};

} // namespace vitrine
