// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>

namespace vitrine::kernels {

/// Rows begin, begin + 1, …, end - 1: one thread's share of a matrix.
struct RowRange {
    std::size_t begin = 0;
    std::size_t end = 0;

    [[nodiscard]] constexpr std::size_t size() const noexcept { return end - begin; }
    friend constexpr bool operator==(RowRange, RowRange) = default;
};

} // namespace vitrine::kernels
