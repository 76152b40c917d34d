// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/model_text.h"

#include "engine/model/model_file.h"
#include "engine/text/end_of_turn.h"

namespace vitrine {

Result<ModelText> readModelText(const ModelFile& file)
{
    Result<std::unique_ptr<Tokenizer>> tokenizer = file.readTokenizer();
    if (!tokenizer)
        return tl::unexpected(tokenizer.error());
    ChosenChatTemplate chosen =
        chooseChatTemplate(file.gguf.find<std::string_view>("tokenizer.chat_template"));
    EndOfTurn end = endOfTurn(*chosen.chatTemplate, **tokenizer);
    if (end.token)
        (*tokenizer)->addEndToken(*end.token);
    return ModelText{std::move(*tokenizer), std::move(chosen.chatTemplate), std::move(end.text),
                     std::move(chosen.warning)};
}

} // namespace vitrine
