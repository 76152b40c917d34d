// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"

#include <string>

namespace vitrine {

/// What a model asks of the machine.
struct ModelWork {
    double bytesPerStep = 0; ///< all weights that a step reads, whatever its size
    double dotsPerToken = 0; ///< multiply-adds with weights for a token of a prompt: without the output layer
};

/// From the file's list of tensors. Refused as GgufFile::open refuses it.
[[nodiscard]] Result<ModelWork> workOf(const std::string& modelPath);

} // namespace vitrine
