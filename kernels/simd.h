// SPDX-License-Identifier: GPL-3.0-or-later
// Included before anything of Highway: which of its targets are compiled. Bits are Highway's own (its
// detect_targets.h); older releases lack the names of some.
#pragma once

/// Left out, as they bring nothing for what is done here and each target is compiled separately: SSSE3 (12),
/// AVX3_DL (7), AVX3_ZEN4 (6), AVX3_SPR (4). SVE (24 … 27) and RVV (37): their vectors have no size at
/// compile time, and the kernels keep arrays of vectors; NEON serves the ARM machines.
#define HWY_DISABLED_TARGETS ((1LL << 12) | (1LL << 7) | (1LL << 6) | (1LL << 4) | (15LL << 24) | (1LL << 37))
