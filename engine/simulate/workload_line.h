// SPDX-License-Identifier: GPL-3.0-or-later
// Lines and fields of a workload file, each knowing its place. Private to the readers.
#pragma once
#include "engine/error.h"

#include <cstddef>
#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

/// What a file says, as an error shows it.
[[nodiscard]] std::string quoted(std::string_view text);

struct WorkloadField {
    std::string_view text; ///< without spaces around it
    std::size_t column = 1;
};

struct WorkloadLine {
    std::string_view file;
    std::size_t number = 0; ///< from 1
    std::string_view text;  ///< without line end, byte order mark and spaces at the end

    /// An error at this place: where = "file:line:column".
    [[nodiscard]] tl::unexpected<Error> fault(std::size_t column, std::string what,
                                              std::string advice = {}) const;
    /// Split at commas.
    [[nodiscard]] std::vector<WorkloadField> fields() const;

    [[nodiscard]] Result<std::int64_t> integer(const WorkloadField& field, std::int64_t least,
                                               std::int64_t most) const;
    [[nodiscard]] Result<double> seconds(const WorkloadField& field) const;
};

/// Reads line by line, with CRLF, a byte order mark and a last line without an end taken as they come.
class WorkloadLines {
public:
    WorkloadLines(std::istream& in, std::string file);

    /// The next line that is not empty; nothing at the end. An error where a line is too long to be one,
    /// where there are more than any workload has, or where the file cannot be read on.
    [[nodiscard]] Result<std::optional<WorkloadLine>> next();

private:
    std::istream& m_in;
    const std::string m_file;
    std::string m_text;
    std::size_t m_number = 0;
};

} // namespace vitrine
