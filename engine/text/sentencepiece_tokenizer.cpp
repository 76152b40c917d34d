// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/sentencepiece_tokenizer.h"

#include "engine/text/sentencepiece_text.h"
#include "engine/utf8.h"

#include <algorithm>

namespace vitrine {
namespace {

// Merging takes some 50 bytes of memory per byte of text. Where no piece spans words, cutting long text
// between two words changes nothing; a run without spaces is cut at the second bound, which may.
constexpr std::size_t kChunkBytes = 1u << 16;
constexpr std::size_t kMaxChunkBytes = 1u << 20;

/// Where a word begins: an escaped space that does not follow another one.
std::size_t findWordStart(std::string_view escaped, std::size_t from)
{
    for (std::size_t at = escaped.find(kEscapedSpace, from); at != std::string_view::npos;
         at = escaped.find(kEscapedSpace, at + kEscapedSpace.size())) {
        if (!escaped.substr(0, at).ends_with(kEscapedSpace))
            return at;
    }
    return escaped.size();
}

/// `bytes` bytes of the text, without the last character where they would cut it.
std::string_view wholeCharacters(std::string_view text, std::size_t bytes)
{
    const std::string_view cut = text.substr(0, bytes);
    for (std::size_t last = 1; last < 4 && cut.size() < text.size(); ++last) {
        const std::size_t begin = cut.size() - last;
        if (decodeUtf8(cut.substr(begin)).status == Utf8Status::Incomplete)
            return cut.substr(0, begin);
    }
    return cut;
}

} // namespace

SentencePieceTokenizer::SentencePieceTokenizer(Vocabulary vocabulary_)
    : Tokenizer(std::move(vocabulary_))
{
    m_byteTokens.fill(-1);
    for (std::size_t i = 0; i < vocabulary().size(); ++i) {
        const auto token = static_cast<TokenId>(i);
        const auto byte = vocabulary().kind(token) == TokenKind::Byte
                              ? sentencePieceByte(vocabulary().text(token))
                              : std::nullopt;
        if (byte)
            m_byteTokens[*byte] = token;
    }
    m_spansWords = somePieceSpansWords();
    if (std::ranges::find(m_byteTokens, -1) != m_byteTokens.end() && !vocabulary().unknown())
        warn(
            "the vocabulary has neither all bytes nor an unknown token: some characters cannot be expressed");
}

bool SentencePieceTokenizer::somePieceSpansWords() const
{
    for (std::size_t i = 0; i < vocabulary().size(); ++i) {
        const auto token = static_cast<TokenId>(i);
        const std::string_view text = vocabulary().text(token);
        if (vocabulary().kind(token) == TokenKind::Normal && !text.empty() &&
            findWordStart(text, 1) < text.size())
            return true;
    }
    return false;
}

void SentencePieceTokenizer::tokenizePlain(std::string_view text, std::vector<TokenId>& tokens) const
{
    std::string escaped = escapeSpaces(text);
    if (vocabulary().addsSpacePrefix())
        escaped.insert(0, kEscapedSpace);
    Merger merger;
    for (std::string_view rest = escaped; !rest.empty();) {
        const std::size_t bytes = chunkBytes(rest);
        tokenizeChunk(rest.substr(0, bytes), merger, tokens);
        rest.remove_prefix(bytes);
    }
}

std::size_t SentencePieceTokenizer::chunkBytes(std::string_view escaped) const
{
    if (escaped.size() <= kChunkBytes)
        return escaped.size();
    const std::string_view searched = wholeCharacters(escaped, kMaxChunkBytes);
    return m_spansWords ? searched.size() : findWordStart(searched, kChunkBytes);
}

void SentencePieceTokenizer::tokenizeChunk(std::string_view escaped, Merger& merger,
                                           std::vector<TokenId>& tokens) const
{
    std::vector<Piece> pieces;
    for (std::size_t at = 0; at < escaped.size();) {
        const std::uint8_t length = decodeUtf8(escaped.substr(at)).length;
        pieces.push_back({static_cast<std::uint32_t>(at), length});
        at += length;
    }
    const auto textOf = [escaped](Piece piece) { return escaped.substr(piece.begin, piece.length); };
    merger.merge(pieces, [&](Piece left, Piece right) -> std::optional<Merger::Join> {
        const Piece merged{left.begin, left.length + right.length};
        const auto token = pieceToken(textOf(merged));
        return token ? std::optional(Merger::Join{-vocabulary().score(*token), merged}) : std::nullopt;
    });
    for (Piece piece : pieces) {
        if (const auto token = pieceToken(textOf(piece)))
            tokens.push_back(*token);
        else
            addBytes(textOf(piece), tokens);
    }
}

/// Control tokens and bytes ("<0x41>") do not come from text that says the same.
std::optional<TokenId> SentencePieceTokenizer::pieceToken(std::string_view text) const
{
    const auto token = vocabulary().find(text);
    if (!token)
        return std::nullopt;
    switch (vocabulary().kind(*token)) {
    case TokenKind::Control:
    case TokenKind::Unknown:
    case TokenKind::Byte:
        return std::nullopt;
    default:
        return token;
    }
}

void SentencePieceTokenizer::addBytes(std::string_view text, std::vector<TokenId>& tokens) const
{
    const auto tokenOf = [this](char byte) { return m_byteTokens[static_cast<std::uint8_t>(byte)]; };
    if (std::ranges::all_of(text, [&](char byte) { return tokenOf(byte) >= 0; }))
        std::ranges::transform(text, std::back_inserter(tokens), tokenOf);
    else if (vocabulary().unknown())
        tokens.push_back(*vocabulary().unknown());
}

} // namespace vitrine
