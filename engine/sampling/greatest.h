// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <span>

namespace vitrine {

/// The greatest finite value; −∞ where there is none.
[[nodiscard]] float greatestFinite(std::span<const float> values) noexcept;

} // namespace vitrine
