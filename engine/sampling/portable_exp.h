// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <bit>
#include <cstdint>

namespace vitrine {

/// e^x for −100 ≤ x ≤ 0, relative error below 1e-14. In place of std::exp, whose last bits differ between
/// libraries and machines: a draw must not. (This file's users are compiled without fused multiply-add for
/// the same reason.)
[[nodiscard]] inline double portableExp(double x)
{
    constexpr double kLog2 = 0.6931471805599453;
    // e^x = 2^n · e^t with |t| ≤ ln 2 / 2; adding and taking off 1.5·2^52 rounds to an integer.
    constexpr double kRound = 0x1.8p52;
    const double n = x * (1 / kLog2) + kRound - kRound;
    const double t = x - n * kLog2;
    // Taylor's series: the first term that is left out is t^12/12! < 1e-14.
    double sum = 1.0 / 39916800;
    for (double reciprocal : {1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120,
                              1.0 / 24, 1.0 / 6, 0.5, 1.0, 1.0})
        sum = sum * t + reciprocal;
    const auto power = static_cast<std::uint64_t>(1023 + static_cast<std::int64_t>(n)) << 52;
    return sum * std::bit_cast<double>(power);
}

} // namespace vitrine
