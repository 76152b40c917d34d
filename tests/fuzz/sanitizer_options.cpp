// SPDX-License-Identifier: GPL-3.0-or-later
// The sanitizers ask this by its name when the program starts.

/// Freed memory is kept back to find its users: 256 MiB by default, more than half of what a fuzzer may take.
extern "C" const char* __asan_default_options() // NOLINT(bugprone-reserved-identifier)
{
    return "quarantine_size_mb=16:malloc_context_size=8";
}
