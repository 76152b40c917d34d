// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/ids.h"
#include "engine/text/chat_template.h"
#include "engine/text/tokenizer.h"

#include <optional>

namespace vitrine {

/// The control token that the template writes after what an assistant has said: what a model that was trained
/// with it ends its answers with, whatever its metadata say. Empty where the template writes none, or other
/// text first.
[[nodiscard]] std::optional<TokenId> endOfTurnToken(const ChatTemplate& chatTemplate,
                                                    const Tokenizer& tokenizer);

} // namespace vitrine
