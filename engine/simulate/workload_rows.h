// SPDX-License-Identifier: GPL-3.0-or-later
// One row of a workload file becomes one request. Private to the readers.
#pragma once
#include "engine/error.h"
#include "engine/simulate/workload.h"
#include "engine/simulate/workload_line.h"

#include <cstdint>
#include <memory>

namespace vitrine {

/// A prompt or an answer of more tokens is a typing error; no model has such a context.
inline constexpr std::int64_t kMaxRequestTokens = 1 << 24;

class WorkloadRows {
public:
    virtual ~WorkloadRows() = default;
    [[nodiscard]] virtual bool firstLineIsHeader() const { return true; }
    [[nodiscard]] virtual Result<void> add(const WorkloadLine& line, Workload& workload) = 0;
};

/// The project's own CSV, or Azure's, by the names in the header.
[[nodiscard]] Result<std::unique_ptr<WorkloadRows>> csvRows(const WorkloadLine& header);
[[nodiscard]] std::unique_ptr<WorkloadRows> mooncakeRows();

} // namespace vitrine
