// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"
#include "engine/request.h"
#include "engine/text/chat_template.h"
#include "engine/text/prompt_text.h"
#include "engine/text/tokenizer.h"

#include <vector>

namespace vitrine {

/// What a model's vocabulary says of bos_token and eos_token; the rest as it is by default.
[[nodiscard]] ChatTemplateOptions templateOptions(const Vocabulary& vocabulary);

/// A request's prompt as text and token ids: a conversation goes through the template; plain text gets BOS
/// where the model wants one, and its control tokens are parsed; ids are checked against the vocabulary.
/// Errors: what the template refuses, an id outside the vocabulary, an empty prompt.
[[nodiscard]] Result<PromptText> writePrompt(const Prompt& prompt, const Tokenizer& tokenizer,
                                             const ChatTemplate& chatTemplate);

/// The token ids of writePrompt() alone.
[[nodiscard]] Result<std::vector<TokenId>> encodePrompt(const Prompt& prompt, const Tokenizer& tokenizer,
                                                        const ChatTemplate& chatTemplate);

} // namespace vitrine
