// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/tokenizer.h"

#include "engine/gguf/gguf_file.h"
#include "engine/text/bpe_tokenizer.h"
#include "engine/text/sentencepiece_tokenizer.h"

#include <algorithm>
#include <cstdlib>

namespace vitrine {
namespace {

/// Tells, for positions that only grow, whether a range of the text may hold control tokens.
class PlainRanges {
public:
    explicit PlainRanges(std::span<const TextRange> ranges)
        : m_ranges(ranges)
    {
    }

    /// Whether no plain range overlaps [begin, end).
    [[nodiscard]] bool allow(std::size_t begin, std::size_t end)
    {
        while (!m_ranges.empty() && m_ranges.front().end <= begin)
            m_ranges = m_ranges.subspan(1);
        return m_ranges.empty() || m_ranges.front().begin >= end;
    }

private:
    std::span<const TextRange> m_ranges;
};

} // namespace

Result<std::unique_ptr<Tokenizer>> Tokenizer::fromGguf(const GgufFile& file)
{
    Result<Vocabulary> vocabulary = Vocabulary::fromGguf(file);
    if (!vocabulary)
        return tl::unexpected(vocabulary.error());
    switch (vocabulary->family()) {
    case TokenizerFamily::ByteLevelBpe:
        return BpeTokenizer::create(file, std::move(*vocabulary));
    case TokenizerFamily::SentencePiece:
        return std::make_unique<SentencePieceTokenizer>(std::move(*vocabulary));
    }
    std::abort(); // not reached: a family is one of the above
}

Tokenizer::Tokenizer(Vocabulary vocabulary)
    : m_vocabulary(std::move(vocabulary))
    , m_specialTokens(m_vocabulary)
{
    for (const std::string& warning : m_vocabulary.warnings())
        warn(warning);
}

std::vector<TokenId> Tokenizer::tokenize(std::string_view text, const TokenizeOptions& options) const
{
    std::vector<TokenId> tokens;
    tokens.reserve(text.size() / 4 + 2); // about four bytes a token in most languages
    tokenizeParts(text, options, tokens);
    const bool addBos = options.addBos && m_vocabulary.addsBos();
    const bool addEos = options.addEos && m_vocabulary.addsEos();
    if (addBos && (tokens.empty() || tokens.front() != *m_vocabulary.bos()))
        tokens.insert(tokens.begin(), *m_vocabulary.bos());
    if (addEos && (tokens.empty() || tokens.back() != *m_vocabulary.eos()))
        tokens.push_back(*m_vocabulary.eos());
    return tokens;
}

std::optional<TokenId> Tokenizer::controlTokenAt(std::string_view text) const
{
    const auto match = m_specialTokens.matchAt(text, true);
    return match && m_vocabulary.kind(match->token) == TokenKind::Control ? std::optional(match->token)
                                                                          : std::nullopt;
}

void Tokenizer::tokenizeParts(std::string_view text, const TokenizeOptions& options,
                              std::vector<TokenId>& tokens) const
{
    PlainRanges plain(options.plain);
    std::size_t done = 0;
    for (std::size_t at = 0; at < text.size();) {
        auto match = m_specialTokens.canBegin(text[at])
                         ? m_specialTokens.matchAt(text.substr(at), options.parseSpecial)
                         : std::nullopt;
        if (match && options.parseSpecial && !plain.allow(at, at + match->length))
            match = m_specialTokens.matchAt(text.substr(at), false);
        if (!match) {
            ++at;
            continue;
        }
        if (at > done)
            tokenizePlain(text.substr(done, at - done), tokens);
        tokens.push_back(match->token);
        at += match->length;
        if (m_vocabulary.stripsAfter(match->token))
            at = std::min(text.find_first_not_of(" \t\n\v\f\r", at), text.size());
        done = at;
    }
    if (done < text.size())
        tokenizePlain(text.substr(done), tokens);
}

std::string Tokenizer::detokenize(std::span<const TokenId> tokens, bool showControl) const
{
    std::string text;
    for (TokenId token : tokens) {
        if (m_vocabulary.contains(token) && (showControl || m_vocabulary.isShown(token)))
            text += m_vocabulary.bytes(token);
    }
    if (m_vocabulary.addsSpacePrefix() && text.starts_with(' '))
        text.erase(0, 1);
    return text;
}

} // namespace vitrine
