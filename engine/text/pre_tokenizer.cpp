// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/pre_tokenizer.h"

#include "engine/utf8.h"

namespace vitrine {
namespace {

/// Bytes of the valid UTF-8 that the text begins with.
std::size_t validPrefix(std::string_view text)
{
    std::size_t end = 0;
    while (end < text.size()) {
        const Utf8Char character = decodeUtf8(text.substr(end));
        if (character.status != Utf8Status::Valid)
            break;
        end += character.length;
    }
    return end;
}

} // namespace

PreTokenizer::PreTokenizer(const PreTokenizerSpec& spec)
{
    for (std::string_view pattern : spec.patterns)
        m_stages.emplace_back(pattern);
}

void PreTokenizer::split(std::string_view text, const Word& word) const
{
    Searches searches(m_stages.begin(), m_stages.end());
    while (!text.empty()) {
        const std::size_t valid = validPrefix(text);
        splitValid(text.substr(0, valid), searches, 0, word);
        text.remove_prefix(valid);
        if (text.empty())
            break;
        const std::size_t invalid = decodeUtf8(text).length;
        word(text.substr(0, invalid));
        text.remove_prefix(invalid);
    }
}

void PreTokenizer::splitValid(std::string_view text, Searches& searches, std::size_t stage, const Word& word)
{
    if (text.empty())
        return;
    if (stage == searches.size())
        return word(text);
    std::size_t done = 0;
    while (const auto match = searches[stage].next(text, done)) {
        splitValid(text.substr(done, match->begin - done), searches, stage + 1, word);
        splitValid(text.substr(match->begin, match->end - match->begin), searches, stage + 1, word);
        done = match->end;
    }
    splitValid(text.substr(done), searches, stage + 1, word);
}

} // namespace vitrine
