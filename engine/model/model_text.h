// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"
#include "engine/text/chat_template.h"
#include "engine/text/tokenizer.h"

#include <memory>
#include <optional>
#include <string>

namespace vitrine {

struct ModelFile;

/// How a model's tokens are made and its conversations written. Nothing in it refers to the file.
struct ModelText {
    std::unique_ptr<Tokenizer> tokenizer; ///< knows what ends an answer, whoever says it
    std::unique_ptr<ChatTemplate> chatTemplate;
    std::string endOfTurnText;                  ///< what ends a turn where that is no token; else empty
    std::optional<std::string> templateWarning; ///< why chats are not written as the model expects
};

[[nodiscard]] Result<ModelText> readModelText(const ModelFile& file);

} // namespace vitrine
