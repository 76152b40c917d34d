// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/ids.h"
#include "engine/text/chat_template.h"
#include "engine/text/tokenizer.h"

#include <optional>
#include <string>

namespace vitrine {

/// What ends an answer: a control token or else a text, or neither.
struct EndOfTurn {
    std::optional<TokenId> token;
    std::string text;
};

/// What the template writes after what an assistant has said: what a model that was trained with it ends its
/// answers with, whatever its metadata say. A control token where that is one; a text that the vocabulary
/// cuts into several tokens where it looks like a marker ("<|end|>", "[/END]", "### User:"), which words do
/// not.
[[nodiscard]] EndOfTurn endOfTurn(const ChatTemplate& chatTemplate, const Tokenizer& tokenizer);

} // namespace vitrine
