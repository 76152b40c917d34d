// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace vitrine::test {

/// Whether a sanitizer watches: it takes memory and time of its own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

} // namespace vitrine::test
