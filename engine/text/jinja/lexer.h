// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/text/jinja/failure.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::jinja {

struct Token {
    enum class Kind : std::uint8_t {
        Data,          ///< text of the template, as it is shown
        BlockBegin,    ///< {%
        BlockEnd,      ///< %}
        VariableBegin, ///< {{
        VariableEnd,   ///< }}
        Name,
        String, ///< `text` without quotes, escapes resolved
        Integer,
        Float,
        Operator,
        End, ///< of the source
    };
    Kind kind = Kind::End;
    std::string text;
    Position position;
};

/// Cuts a template into tokens, with the white space handled as Hugging Face sets it (trim_blocks,
/// lstrip_blocks, one line break at the end left out). A Failure with its position for what cannot be cut.
[[nodiscard]] std::vector<Token> tokenizeTemplate(std::string_view source);

} // namespace vitrine::jinja
