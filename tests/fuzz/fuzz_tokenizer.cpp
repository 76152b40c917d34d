// SPDX-License-Identifier: GPL-3.0-or-later
// A vocabulary and a text. The input has four parts, with a line of a single '%' between them:
//
// 1. settings, a line each: "sentencepiece", "phi3", "no-bytes", "no-prefix", "bos", or the name of a
//    pre-tokenizer
// 2. tokens after those of all bytes; a first character of '3', '4' or '6' says the kind, any other: normal
// 3. merges (byte-level BPE) or scores (SentencePiece), for the tokens above
// 4. the text: any bytes, up to the end
#include "engine/gguf/gguf_file.h"
#include "engine/text/byte_level.h"
#include "engine/text/detokenizer.h"
#include "engine/text/pre_tokenizer.h"
#include "engine/text/reasoning.h"
#include "engine/text/sentencepiece_text.h"
#include "engine/text/tokenizer.h"
#include "engine/utf8.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/gguf_writer.h"

#include <algorithm>
#include <array>
#include <map>

using namespace vitrine;
using fuzz::ensure;

namespace {

std::string_view cutPart(std::string_view& rest)
{
    constexpr std::string_view separator = "\n%\n";
    const std::size_t end = std::min(rest.find(separator), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + separator.size(), rest.size()));
    return part;
}

std::vector<std::string> lines(std::string_view text)
{
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

struct Recipe {
    bool sentencePiece = false;
    bool phi3 = false;
    bool hasBytes = true;
    bool spacePrefix = true;
    bool addsBos = false;
    std::string preTokenizer;
    std::vector<std::string> texts;
    std::vector<std::int32_t> kinds;
    std::vector<std::string> merges;
    std::vector<float> scores;

    Recipe(std::string_view settings, std::string_view tokens, std::string_view third)
    {
        for (const std::string& line : lines(settings))
            set(line);
        if (sentencePiece)
            addToken("<unk>", 2);
        if (hasBytes)
            addBytes();
        for (const std::string& line : lines(tokens))
            addLine(line);
        merges = lines(third);
        for (const std::string& line : merges)
            scores.push_back(std::strtof(line.c_str(), nullptr));
        scores.insert(scores.begin(), texts.size() - std::min(texts.size(), scores.size()), -1000.0f);
    }

    void set(const std::string& line)
    {
        for (auto& [name, setting, value] : std::initializer_list<std::tuple<const char*, bool&, bool>>{
                 {"sentencepiece", sentencePiece, true},
                 {"phi3", phi3, true},
                 {"no-bytes", hasBytes, false},
                 {"no-prefix", spacePrefix, false},
                 {"bos", addsBos, true}})
            if (line == name)
                return void(setting = value);
        preTokenizer = line;
    }
    void addToken(std::string text, std::int32_t kind)
    {
        texts.push_back(std::move(text));
        kinds.push_back(kind);
    }
    void addBytes()
    {
        for (int byte = 0; byte < 256; ++byte) {
            std::array<char, 8> text{};
            std::snprintf(text.data(), text.size(), "<0x%02X>", static_cast<unsigned>(byte));
            if (sentencePiece)
                addToken(text.data(), 6);
            else
                addToken(byteLevelText(static_cast<std::uint8_t>(byte)), 1);
        }
    }
    void addLine(const std::string& line)
    {
        const bool hasKind = !line.empty() && std::string_view("346").find(line[0]) != std::string_view::npos;
        addToken(hasKind ? line.substr(1) : line, hasKind ? line[0] - '0' : 1);
    }

    [[nodiscard]] std::string file() const
    {
        return test::GgufWriter()
            .string("general.name", phi3 ? "Phi-3 mini" : "fuzz")
            .string("tokenizer.ggml.model", sentencePiece ? "llama" : "gpt2")
            .string("tokenizer.ggml.pre", preTokenizer)
            .number("tokenizer.ggml.add_bos_token", addsBos)
            .number<std::uint32_t>("tokenizer.ggml.bos_token_id", 7)
            .number("tokenizer.ggml.add_space_prefix", spacePrefix)
            .strings("tokenizer.ggml.tokens", texts)
            .numbers("tokenizer.ggml.token_type", kinds)
            .numbers("tokenizer.ggml.scores", scores)
            .strings("tokenizer.ggml.merges", merges)
            .file();
    }
};

/// Whether every token is a piece of text: then nothing may get lost.
bool isPlain(const Vocabulary& vocabulary)
{
    for (std::size_t i = 0; i < vocabulary.size(); ++i) {
        const TokenKind kind = vocabulary.kind(static_cast<TokenId>(i));
        const bool isByte = vocabulary.family() == TokenizerFamily::SentencePiece &&
                            kind == TokenKind::Byte &&
                            sentencePieceByte(vocabulary.text(static_cast<TokenId>(i)));
        const bool isUnknown = i == 0 && kind == TokenKind::Unknown;
        if (kind != TokenKind::Normal && !isByte && !isUnknown)
            return false;
    }
    return true;
}

void checkReading(const Tokenizer& tokenizer, const std::vector<TokenId>& tokens)
{
    Detokenizer detokenizer(tokenizer.vocabulary());
    std::string read;
    for (TokenId token : tokens) {
        ensure(tokenizer.vocabulary().contains(token), "tokens are of the vocabulary");
        const std::string text = detokenizer.append(token);
        ensure(isValidUtf8(text), "what people read is UTF-8");
        read += text;
    }
    ensure(read.size() <= tokenizer.detokenize(tokens).size() + 1, "nothing is made up");
}

void checkRoundTrip(const Recipe& recipe, const Tokenizer& tokenizer, std::string_view text)
{
    if (!recipe.hasBytes || !isPlain(tokenizer.vocabulary()))
        return;
    const std::string back = tokenizer.detokenize(tokenizer.tokenize(text));
    ensure(back == (recipe.sentencePiece ? unescapeSpaces(text) : text), "tokens of a text give the text");
}

/// Of reasoning and answer, each without white space, as they come out of pieces of that length.
std::string lettersOf(std::string_view text, const ReasoningMarkers* opened, std::size_t length)
{
    ReasoningSplitter splitter(opened);
    std::string reasoning, answer;
    const auto take = [&](const ReasoningSplitter::Parts& parts) {
        reasoning += parts.reasoning;
        answer += parts.answer;
    };
    for (std::size_t at = 0; at < text.size(); at += length)
        take(splitter.append(text.substr(at, length)));
    take(splitter.finish());
    std::string letters = reasoning + "|" + answer;
    std::erase_if(letters, [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; });
    return letters;
}

void checkReasoning(std::string_view text)
{
    const SplitAnswer split = splitReasoning(text);
    ensure(split.reasoning.size() + split.answer.size() <= text.size(), "nothing is said twice");
    for (const ReasoningMarkers* opened : {openedReasoning(""), openedReasoning("<think>")})
        ensure(lettersOf(text, opened, text.size()) == lettersOf(text, opened, 1),
               "what a text is does not depend on the pieces that it comes in");
}

/// Every part of the text is plain, except for every other pair of bytes.
std::vector<TextRange> somePlainRanges(std::string_view text)
{
    std::vector<TextRange> ranges;
    for (std::size_t begin = 0; begin + 4 <= text.size(); begin += 4)
        ranges.push_back({begin, begin + 2});
    return ranges;
}

void checkWords(const std::string& preTokenizer, std::string_view text)
{
    static std::map<const PreTokenizerSpec*, PreTokenizer> made; // compiling the patterns takes its time
    const PreTokenizerSpec* known = preTokenizerSpec(preTokenizer);
    const PreTokenizerSpec* spec = known ? known : &fallbackPreTokenizerSpec();
    std::string words;
    made.try_emplace(spec, *spec).first->second.split(text, [&](std::string_view word) {
        ensure(!word.empty(), "no word is empty");
        words += word;
    });
    ensure(words == text, "the words of a text are the text");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::string_view settings = cutPart(text);
    const std::string_view tokens = cutPart(text);
    const Recipe recipe(settings, tokens, cutPart(text));
    const std::string bytes = recipe.file();
    const Result<GgufFile> file = GgufFile::parse(std::as_bytes(std::span(bytes)), "fuzz.gguf");
    ensure(file.has_value(), "the file is well formed");
    const auto tokenizer = Tokenizer::fromGguf(*file);
    if (!tokenizer)
        return 0;
    const std::vector<TextRange> plain = somePlainRanges(text);
    checkReading(**tokenizer, (*tokenizer)->tokenize(text));
    checkReading(**tokenizer, (*tokenizer)->tokenize(text, {.addBos = true, .parseSpecial = true}));
    checkReading(**tokenizer, (*tokenizer)->tokenize(text, {.parseSpecial = true, .plain = plain}));
    checkRoundTrip(recipe, **tokenizer, text);
    checkReasoning(text);
    if (!recipe.sentencePiece)
        checkWords(recipe.preTokenizer, text);
    return 0;
}
