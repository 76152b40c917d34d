// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"

#include <string>

namespace vitrine::cli {

/// What the machine can do at most, with the threads given.
struct MachineLimits {
    double readBytesPerSecond = 0; ///< from memory, as weights are read
    double dotsPerSecond = 0;      ///< multiply-adds of 8-bit integers
};

/// Best of several tries, as everything that disturbs makes a limit look lower. `bytes`: how much is read, to
/// be larger than the caches. About a second.
[[nodiscard]] MachineLimits measureLimits(int threads, std::size_t bytes);

/// What a model asks of the machine.
struct ModelWork {
    double bytesPerStep = 0; ///< all weights that a step reads, whatever its size
    double dotsPerToken = 0; ///< multiply-adds with weights for a token of a prompt: without the output layer
};

[[nodiscard]] Result<ModelWork> workOf(const std::string& modelPath);

} // namespace vitrine::cli
