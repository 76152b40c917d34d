// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <tl/expected.hpp>

namespace vitrine {

/// What a user or a file can cause, as a value. Shown in the window; one line and exit code 1 on the command
/// line.
struct Error {
    std::string what;   ///< what went wrong, one sentence without a final full stop
    std::string where;  ///< the file, field, line or option; may be empty
    std::string advice; ///< what to do now; may be empty

    /// "where: what (advice)" on one line; line breaks inside the parts become spaces, other control
    /// characters are written out (printable()): it is fit for a terminal.
    [[nodiscard]] std::string line() const;

    friend bool operator==(const Error&, const Error&) = default;
};

template<typename T>
using Result = tl::expected<T, Error>;

/// return fail("not a GGUF file", path, "choose a .gguf file");
[[nodiscard]] inline tl::unexpected<Error> fail(std::string what, std::string where = {},
                                                std::string advice = {})
{
    return tl::unexpected<Error>(Error{std::move(what), std::move(where), std::move(advice)});
}

} // namespace vitrine
