// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/vocabulary_reader.h"

#include "engine/gguf/gguf_file.h"
#include "engine/text/byte_level.h"
#include "engine/text/pre_tokenizer_table.h"
#include "engine/text/reasoning.h"
#include "engine/text/sentencepiece_text.h"
#include "engine/utf8.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace vitrine {
namespace {

// Real vocabularies have up to about 260,000 tokens and 5 MB of text; these bounds keep a file that was made
// to waste memory from doing so.
constexpr std::size_t kMaxTokens = 1u << 21;
constexpr std::size_t kMaxTextBytes = 32u << 20;

struct KnownEnd {
    std::string_view text;
    bool evenIfNormal; ///< files exist that mark it as a normal token; for the others that would be a guess
};

/// How model families end a turn or an answer, whatever their metadata say.
constexpr std::array kKnownEnds{
    KnownEnd{"<|im_end|>", true},            // ChatML
    KnownEnd{"<|eot_id|>", true},            // Llama 3
    KnownEnd{"<|eom_id|>", true},            // Llama 3, before a tool's answer
    KnownEnd{"<|eot|>", true},               // Llama 4
    KnownEnd{"<|eom|>", true},               //
    KnownEnd{"<|end|>", true},               // Phi
    KnownEnd{"<|return|>", true},            // Harmony
    KnownEnd{"<|call|>", true},              //
    KnownEnd{"<|flush|>", true},             // Solar Open
    KnownEnd{"<|calls|>", true},             //
    KnownEnd{"<end_of_turn>", true},         // Gemma
    KnownEnd{"<turn|>", true},               // Gemma 4
    KnownEnd{"<|tool_response>", true},      //
    KnownEnd{"<|endoftext|>", true},         // GPT-2 and many others
    KnownEnd{"<|end_of_text|>", true},       // Granite, Llama 3
    KnownEnd{"<|END_OF_TURN_TOKEN|>", true}, // Command R
    KnownEnd{"<end_of_utterance>", true},    // SmolVLM
    KnownEnd{"<｜end▁of▁sentence｜>", true}, // DeepSeek
    KnownEnd{"[EOT]", false},                // Kimi
    KnownEnd{"[EOS]", false},                //
    KnownEnd{"[e~[", false},                 // MiniMax
    KnownEnd{"<EOT>", false},
    KnownEnd{"</s>", false},
    KnownEnd{"<eos>", false},
};

/// Files do not say which tokens strip the text around them; of the families known to have such, only the
/// architecture and the name tell.
bool isPhi3(const GgufFile& file)
{
    if (file.find<std::string_view>("general.architecture") == "phi3")
        return true;
    std::string name(file.find<std::string_view>("general.name").value_or("").substr(0, 256));
    std::ranges::transform(name, name.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name.find("phi-3") != std::string::npos || name.find("phi3") != std::string::npos;
}

} // namespace

Result<Vocabulary> VocabularyReader::read()
{
    return readFamily()
        .and_then([this] { return readTexts(); })
        .and_then([this] { return readKinds(); })
        .and_then([this] { return readScores(); })
        .and_then([this] { return readSpecialTokens(); })
        .map([this] {
            findEndTokens();
            findReasoningTokens();
            decodeBytes();
            return std::move(m_vocabulary);
        });
}

Result<void> VocabularyReader::readFamily()
{
    const auto model = m_file.require<std::string_view>("tokenizer.ggml.model");
    if (!model)
        return tl::unexpected(model.error());
    if (*model == "gpt2")
        m_vocabulary.m_family = TokenizerFamily::ByteLevelBpe;
    else if (*model == "llama")
        m_vocabulary.m_family = TokenizerFamily::SentencePiece;
    else
        return fail("the tokenizer '" + printable(*model) + "' is not supported",
                    m_file.path() + ", metadata key 'tokenizer.ggml.model'",
                    "choose a model with a byte-level BPE or SentencePiece tokenizer");
    return {};
}

Result<void> VocabularyReader::readTexts()
{
    constexpr std::string_view key = "tokenizer.ggml.tokens";
    const auto texts = m_file.require<GgufStrings>(key);
    if (!texts)
        return tl::unexpected(texts.error());
    std::size_t bytes = 0;
    for (std::string_view text : *texts)
        bytes += text.size();
    if (texts->size() == 0 || texts->size() > kMaxTokens || bytes > kMaxTextBytes)
        return fail("a vocabulary of " + std::to_string(texts->size()) + " tokens and " +
                        std::to_string(bytes) + " bytes is not possible",
                    m_file.path() + ", metadata key '" + std::string(key) + "'");
    m_vocabulary.m_texts.reserve(texts->size(), bytes);
    for (std::string_view text : *texts)
        m_vocabulary.m_texts.add(text);
    m_vocabulary.m_index = TokenIndex(m_vocabulary.m_texts);
    return {};
}

Result<void> VocabularyReader::readKinds()
{
    constexpr std::string_view key = "tokenizer.ggml.token_type";
    m_vocabulary.m_kinds.assign(m_vocabulary.m_texts.size(), TokenKind::Normal);
    const GgufValue* kinds = m_file.value(key);
    if (!kinds)
        return {};
    if (kinds->count() < m_vocabulary.size())
        return fail(kinds->typeName() + " where one number for each of " +
                        std::to_string(m_vocabulary.size()) + " tokens is expected",
                    m_file.path() + ", metadata key '" + std::string(key) + "'");
    for (std::size_t i = 0; i < m_vocabulary.size(); ++i) {
        const auto kind = kinds->numberAt<std::uint8_t>(i);
        const bool known = kind && *kind <= static_cast<std::uint8_t>(TokenKind::Byte);
        m_vocabulary.m_kinds[i] = known ? static_cast<TokenKind>(*kind) : TokenKind::Undefined;
    }
    return {};
}

Result<void> VocabularyReader::readScores()
{
    constexpr std::string_view key = "tokenizer.ggml.scores";
    const GgufValue* scores = m_file.value(key);
    if (!scores || m_vocabulary.m_family != TokenizerFamily::SentencePiece)
        return {};
    if (scores->count() < m_vocabulary.size())
        return fail(scores->typeName() + " where one number for each of " +
                        std::to_string(m_vocabulary.size()) + " tokens is expected",
                    m_file.path() + ", metadata key '" + std::string(key) + "'");
    m_vocabulary.m_scores.reserve(m_vocabulary.size());
    for (std::size_t i = 0; i < m_vocabulary.size(); ++i) {
        const float score = scores->numberAt<float>(i).value_or(0.0f);
        m_vocabulary.m_scores.push_back(score == score ? score : 0.0f); // NaN would break the order of merges
    }
    return {};
}

Result<void> VocabularyReader::readSpecialTokens()
{
    const bool sentencePiece = m_vocabulary.m_family == TokenizerFamily::SentencePiece;
    const auto fallback = [sentencePiece](TokenId token) {
        return sentencePiece ? std::optional(token) : std::nullopt; // SentencePiece's own defaults
    };
    m_vocabulary.m_unknown = specialToken("tokenizer.ggml.unknown_token_id", fallback(0));
    m_vocabulary.m_bos = specialToken("tokenizer.ggml.bos_token_id", fallback(1));
    m_vocabulary.m_eos = specialToken("tokenizer.ggml.eos_token_id", fallback(2));

    const auto pre = m_file.find<std::string_view>("tokenizer.ggml.pre").value_or("");
    const bool addsBos = sentencePiece || (preTokenizerSpec(pre) && preTokenizerSpec(pre)->addsBos);
    const auto addBos = m_file.valueOr<bool>("tokenizer.ggml.add_bos_token", addsBos);
    const auto addEos = m_file.valueOr<bool>("tokenizer.ggml.add_eos_token", false);
    const auto addSpace = m_file.valueOr<bool>("tokenizer.ggml.add_space_prefix", sentencePiece);
    for (const auto* setting : {&addBos, &addEos, &addSpace}) {
        if (!*setting)
            return tl::unexpected(setting->error());
    }
    m_vocabulary.m_addsBos = *addBos && m_vocabulary.m_bos;
    m_vocabulary.m_addsEos = *addEos && m_vocabulary.m_eos;
    m_vocabulary.m_addsSpacePrefix = *addSpace && sentencePiece;
    m_vocabulary.m_stripsAfterSpecial = sentencePiece && isPhi3(m_file);
    if (*addBos && !m_vocabulary.m_bos)
        warn("the file asks for a BOS token but names none");
    return {};
}

std::optional<TokenId> VocabularyReader::specialToken(std::string_view key, std::optional<TokenId> fallback)
{
    if (!m_file.value(key))
        return fallback && m_vocabulary.contains(*fallback) ? fallback : std::nullopt;
    const auto token = m_file.find<TokenId>(key);
    if (token && m_vocabulary.contains(*token))
        return token;
    warn(std::string(key) + " names no token of the vocabulary and is ignored");
    return std::nullopt;
}

void VocabularyReader::findEndTokens()
{
    // Harmony (gpt-oss): <|end|> ends a message, but not the answer.
    const auto endOfMessage = m_vocabulary.find("<|return|>") ? m_vocabulary.find("<|end|>") : std::nullopt;
    addEndToken(m_vocabulary.m_eos);
    for (std::string_view key : {"tokenizer.ggml.eot_token_id", "tokenizer.ggml.eom_token_id"})
        if (const auto token = specialToken(key, std::nullopt); token != endOfMessage)
            addEndToken(token);
    for (const KnownEnd& known : kKnownEnds) {
        const auto token = m_vocabulary.find(known.text);
        if (!token || token == endOfMessage)
            continue;
        const bool isNormal = m_vocabulary.kind(*token) == TokenKind::Normal;
        if (isNormal && !known.evenIfNormal)
            continue;
        if (isNormal)
            warn("the token " + printable(known.text) +
                 " is marked as normal text; it is taken as a control token");
        addEndToken(token);
    }
    if (m_vocabulary.m_endTokens.empty())
        warn("no token is known to end an answer: answers stop at their length limit only");
}

void VocabularyReader::addEndToken(std::optional<TokenId> token)
{
    if (token)
        m_vocabulary.addEndToken(*token);
}

void VocabularyReader::findReasoningTokens()
{
    const auto add = [this](std::string_view text) {
        if (const auto token = m_vocabulary.find(text))
            m_vocabulary.m_reasoningTokens.push_back(*token);
    };
    for (const ReasoningMarkers& markers : reasoningMarkers()) {
        if (markers.isChannel())
            continue;
        add(markers.open);
        add(markers.close);
    }
    if (m_vocabulary.find("<|channel|>") || m_vocabulary.find("<|channel>"))
        std::ranges::for_each(channelTokens(), add);
}

void VocabularyReader::decodeBytes()
{
    m_vocabulary.m_bytes.reserve(m_vocabulary.size(), kMaxTextBytes / 16);
    for (std::size_t i = 0; i < m_vocabulary.size(); ++i)
        m_vocabulary.m_bytes.add(decoded(static_cast<TokenId>(i)));
}

std::string VocabularyReader::decoded(TokenId token) const
{
    const std::string_view text = m_vocabulary.text(token);
    switch (m_vocabulary.kind(token)) {
    case TokenKind::Control:
    case TokenKind::UserDefined:
        return std::string(text);
    case TokenKind::Byte:
        if (const auto byte = sentencePieceByte(text))
            return std::string(1, static_cast<char>(*byte));
        return std::string(text);
    default:
        return m_vocabulary.m_family == TokenizerFamily::ByteLevelBpe ? byteLevelDecode(text)
                                                                      : unescapeSpaces(text);
    }
}

} // namespace vitrine
