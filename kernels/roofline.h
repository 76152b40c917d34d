// SPDX-License-Identifier: GPL-3.0-or-later
// The two limits that a machine sets to a model: how fast weights can be read, and how many products can be
// made of them. Each call is one thread's work; the caller takes the time.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace vitrine::kernels {

/// Reads every byte once, in order; the result depends on all of them. Preconditions: 64-byte aligned, whole
/// 256 bytes.
[[nodiscard]] std::uint64_t readThrough(std::span<const std::byte> bytes);

/// Dot products of 8-bit integers as the products of quantised weights use them, in registers. Returns
/// multiply-adds.
[[nodiscard]] std::uint64_t spinDotProducts(std::uint64_t rounds);

} // namespace vitrine::kernels
