// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"
#include "engine/simulate/workload.h"

#include <chrono>
#include <istream>
#include <string>

namespace vitrine {

/// Three kinds of files, told apart by their first line:
/// - own CSV: arrival_s,prompt_tokens,max_new_tokens[,prefix_id,prefix_tokens]. Requests of one prefix_id
/// begin with the
///   same tokens;
/// - Azure LLM inference traces: TIMESTAMP,ContextTokens,GeneratedTokens (Splitwise, ISCA 2024);
/// - Mooncake: JSON objects, one a line, with timestamp (ms), input_length, output_length and hash_ids, one
/// for each 512 prompt tokens begun (FAST 2025); where hash_ids is left out, nothing is shared.
/// Columns may come in any order. An error names file, line and column. Memory is bounded by kMostRequests.
/// A pipe into which nothing is written for `pipeWait` is an error too.
[[nodiscard]] Result<Workload> readWorkload(const std::string& path,
                                            std::chrono::milliseconds pipeWait = std::chrono::seconds(10));
/// `name` stands for the file in errors.
[[nodiscard]] Result<Workload> readWorkload(std::istream& in, const std::string& name);

} // namespace vitrine
