// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"
#include "engine/model/model_spec.h"

#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

class GgufFile;

/// Reads the metadata of a file into a spec; refuses an unknown architecture by name and impossible sizes by
/// key.
[[nodiscard]] Result<ModelSpec> readModelSpec(const GgufFile& file);

[[nodiscard]] bool isSupportedArchitecture(std::string_view architecture);
/// general.architecture of every family that readModelSpec knows.
[[nodiscard]] std::vector<std::string> supportedArchitectures();

} // namespace vitrine
