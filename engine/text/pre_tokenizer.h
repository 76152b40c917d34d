// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/text/pattern.h"
#include "engine/text/pre_tokenizer_table.h"

#include <functional>
#include <string_view>
#include <vector>

namespace vitrine {

/// Cuts text into the words inside which BPE merges. Nothing is lost: the words put together are the text.
/// Bytes that are not UTF-8 are words of their own.
class PreTokenizer {
public:
    using Word = std::function<void(std::string_view)>;

    explicit PreTokenizer(const PreTokenizerSpec& spec);
    void split(std::string_view text, const Word& word) const;

private:
    using Searches = std::vector<Pattern::Search>;
    static void splitValid(std::string_view text, Searches& searches, std::size_t stage, const Word& word);

    std::vector<Pattern> m_stages;
};

} // namespace vitrine
