// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/bpe_tokenizer.h"

#include "engine/gguf/gguf_file.h"
#include "engine/text/byte_level.h"
#include "engine/utf8.h"

namespace vitrine {
namespace {

// Real files have up to about 500,000.
constexpr std::size_t kMaxMerges = 1u << 21;

// A longer word (a run of letters without any space) is cut: merging takes some 40 bytes of memory per byte.
constexpr std::size_t kMaxWordBytes = 1u << 20;

// No real token is longer; a word that is cannot be a token as a whole.
constexpr std::size_t kMaxTokenBytes = 1024;

struct ReadMerges {
    MergeTable table;
    std::size_t skipped = 0; ///< do not fit the vocabulary
};

bool addMerge(std::string_view text, std::int32_t rank, const Vocabulary& vocabulary, MergeTable& table)
{
    // From 1: the left part may itself be a space in vocabularies that do not escape it.
    const std::size_t space = text.find(' ', 1);
    if (space == std::string_view::npos)
        return false;
    const std::string_view left = text.substr(0, space);
    const std::string_view right = text.substr(space + 1);
    const auto leftToken = vocabulary.find(left);
    const auto rightToken = vocabulary.find(right);
    const auto merged = vocabulary.find(std::string(left).append(right));
    if (!leftToken || !rightToken || !merged)
        return false;
    table.add(*leftToken, *rightToken, {rank, *merged});
    return true;
}

Result<ReadMerges> readMerges(const GgufFile& file, const Vocabulary& vocabulary)
{
    constexpr std::string_view key = "tokenizer.ggml.merges";
    const auto merges = file.require<GgufStrings>(key);
    if (!merges)
        return tl::unexpected(merges.error());
    if (merges->size() > kMaxMerges)
        return fail(std::to_string(merges->size()) + " merges are not possible",
                    file.path() + ", metadata key '" + std::string(key) + "'");
    ReadMerges read{MergeTable(merges->size())};
    std::int32_t rank = 0;
    for (std::string_view text : *merges)
        read.skipped += addMerge(text, rank++, vocabulary, read.table) ? 0 : 1;
    return read;
}

struct ChosenSpec {
    const PreTokenizerSpec* spec;
    std::string warning; ///< empty: the file's own
};

ChosenSpec chooseSpec(const GgufFile& file)
{
    const auto name = file.find<std::string_view>("tokenizer.ggml.pre");
    const PreTokenizerSpec* spec = name ? preTokenizerSpec(*name) : nullptr;
    if (spec)
        return {spec, {}};
    const std::string found = name ? "the pre-tokenizer '" + printable(*name) + "' is not known"
                                   : "the file does not name its pre-tokenizer";
    return {&fallbackPreTokenizerSpec(),
            found + ": a general one is used, and answers may be worse than they could"};
}

} // namespace

Result<std::unique_ptr<Tokenizer>> BpeTokenizer::create(const GgufFile& file, Vocabulary vocabulary)
{
    Result<ReadMerges> merges = readMerges(file, vocabulary);
    if (!merges)
        return tl::unexpected(merges.error());
    const ChosenSpec chosen = chooseSpec(file);
    std::unique_ptr<BpeTokenizer> tokenizer(
        new BpeTokenizer(std::move(vocabulary), *chosen.spec, std::move(merges->table)));
    if (!chosen.warning.empty())
        tokenizer->warn(chosen.warning);
    if (merges->skipped > 0)
        tokenizer->warn(std::to_string(merges->skipped) +
                        " merges do not fit the vocabulary and are ignored");
    return tokenizer;
}

BpeTokenizer::BpeTokenizer(Vocabulary vocabulary_, const PreTokenizerSpec& spec, MergeTable merges)
    : Tokenizer(std::move(vocabulary_))
    , m_preTokenizer(spec)
    , m_ignoresMerges(spec.ignoresMerges)
    , m_merges(std::move(merges))
{
    for (std::size_t byte = 0; byte < m_byteTokens.size(); ++byte)
        m_byteTokens[byte] = vocabulary().find(byteLevelText(static_cast<std::uint8_t>(byte))).value_or(-1);
}

void BpeTokenizer::tokenizePlain(std::string_view text, std::vector<TokenId>& tokens) const
{
    Merger merger;
    m_preTokenizer.split(text, [&](std::string_view word) {
        while (!word.empty()) {
            tokenizeWord(word.substr(0, kMaxWordBytes), merger, tokens);
            word.remove_prefix(std::min(word.size(), kMaxWordBytes));
        }
    });
}

void BpeTokenizer::tokenizeWord(std::string_view word, Merger& merger, std::vector<TokenId>& tokens) const
{
    if (m_ignoresMerges) {
        if (const auto token = wholeWord(word))
            return tokens.push_back(*token);
    }
    std::vector<TokenId> symbols;
    symbols.reserve(word.size());
    for (char c : word) {
        // A byte without a token cannot be expressed in this vocabulary: it is left out.
        if (const TokenId token = m_byteTokens[static_cast<std::uint8_t>(c)]; token >= 0)
            symbols.push_back(token);
    }
    merger.merge(symbols, [this](TokenId left, TokenId right) -> std::optional<Merger::Join> {
        const MergeTable::Merge* merge = m_merges.find(left, right);
        return merge ? std::optional(Merger::Join{merge->rank, merge->merged}) : std::nullopt;
    });
    tokens.insert(tokens.end(), symbols.begin(), symbols.end());
}

std::optional<TokenId> BpeTokenizer::wholeWord(std::string_view word) const
{
    if (word.size() > kMaxTokenBytes)
        return std::nullopt;
    const auto token = vocabulary().find(byteLevelEncode(word));
    return token && vocabulary().kind(*token) == TokenKind::Normal ? token : std::nullopt;
}

} // namespace vitrine
