// SPDX-License-Identifier: GPL-3.0-or-later
// What the fuzzers share. libFuzzer calls LLVMFuzzerTestOneInput() with each input that it makes up; a crash,
// a sanitizer's complaint, a leak, too much time or memory, or a broken promise (ensure) is a finding.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace vitrine::fuzz {

/// A promise of the code under test.
inline void ensure(bool holds, const char* promise)
{
    if (holds)
        return;
    std::fprintf(stderr, "broken promise: %s\n", promise);
    std::abort();
}

} // namespace vitrine::fuzz
