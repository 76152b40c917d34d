// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/gguf/gguf_file.h"
#include "engine/text/detokenizer.h"
#include "engine/text/tokenizer.h"
#include "tests/support/gguf_writer.h"

#include <QtTest>

#include <array>
#include <cstdio>

using namespace vitrine;

namespace {

using Tokens = std::vector<TokenId>;

enum : TokenId { kUnk, kBos, kEos, kUser, kEnd, kByte0 };
enum : TokenId { kSpace = kByte0 + 256, kA, kB, kAb, kSpaceA, kSpaceAb, kAba, kCat };

test::GgufWriter writer(const char* name = "tiny")
{
    std::vector<std::string> texts{"<unk>", "<s>", "</s>", "<|user|>", "<|end|>"};
    std::vector<std::int32_t> kinds{2, 3, 3, 3, 3};
    for (int byte = 0; byte < 256; ++byte) {
        std::array<char, 8> text{};
        std::snprintf(text.data(), text.size(), "<0x%02X>", static_cast<unsigned>(byte));
        texts.emplace_back(text.data());
        kinds.push_back(6);
    }
    texts.insert(texts.end(), {"▁", "a", "b", "ab", "▁a", "▁ab", "aba", "猫"});
    kinds.insert(kinds.end(), {1, 1, 1, 1, 1, 1, 1, 1});
    std::vector<float> scores(texts.size(), 0.0f);
    scores[kSpace] = -10;
    scores[kA] = -11;
    scores[kB] = -12;
    scores[kAb] = -1;
    scores[kSpaceA] = -2;
    scores[kSpaceAb] = -3;
    scores[kAba] = -4;
    return test::GgufWriter()
        .string("general.name", name)
        .string("tokenizer.ggml.model", "llama")
        .strings("tokenizer.ggml.tokens", texts)
        .numbers("tokenizer.ggml.scores", scores)
        .numbers("tokenizer.ggml.token_type", kinds);
}

std::unique_ptr<Tokenizer> loaded(const test::GgufWriter& file = writer())
{
    const std::string bytes = file.file();
    return std::move(*Tokenizer::fromGguf(*GgufFile::parse(std::as_bytes(std::span(bytes)), "test.gguf")));
}

std::unique_ptr<Tokenizer> withoutPrefix()
{
    return loaded(writer().number("tokenizer.ggml.add_space_prefix", false));
}

Tokens bytes(std::string_view text)
{
    Tokens tokens;
    for (char byte : text)
        tokens.push_back(kByte0 + static_cast<unsigned char>(byte));
    return tokens;
}

Tokens operator+(Tokens a, const Tokens& b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

} // namespace

class TestSentencePiece : public QObject {
    Q_OBJECT
private slots:
    void mergesByScoreAndFromTheLeft()
    {
        const auto tokenizer = withoutPrefix();
        QCOMPARE(tokenizer->tokenize("ab"), Tokens{kAb});
        QCOMPARE(tokenizer->tokenize("abab"), (Tokens{kAb, kAb}));
        QCOMPARE(tokenizer->tokenize("aba"), Tokens{kAba});
        QCOMPARE(tokenizer->tokenize("a b"), (Tokens{kA, kSpace, kB}));
        QCOMPARE(tokenizer->tokenize(" ab"), Tokens{kSpaceAb});
    }

    void putsASpaceBeforeTextAndTakesItOff()
    {
        const auto tokenizer = loaded();
        QCOMPARE(tokenizer->tokenize("ab"), Tokens{kSpaceAb});
        QCOMPARE(tokenizer->tokenize(""), Tokens{});
        QCOMPARE(tokenizer->detokenize(Tokens{kSpaceAb, kSpaceAb}), std::string("ab ab"));
        // Also after a special token.
        QCOMPARE(tokenizer->tokenize("ab<|end|>ab", {.parseSpecial = true}),
                 (Tokens{kSpaceAb, kEnd, kSpaceAb}));
    }

    void defaultsAreThoseOfSentencePiece()
    {
        const auto tokenizer = loaded();
        QCOMPARE(tokenizer->vocabulary().bos(), std::optional(TokenId{kBos}));
        QCOMPARE(tokenizer->vocabulary().eos(), std::optional(TokenId{kEos}));
        QCOMPARE(tokenizer->tokenize("ab", {.addBos = true, .addEos = true}), (Tokens{kBos, kSpaceAb}));
    }

    void charactersWithoutAPieceFallBackToBytes()
    {
        const auto tokenizer = withoutPrefix();
        QCOMPARE(tokenizer->tokenize("猫é"), Tokens{kCat} + bytes("é"));
        QCOMPARE(tokenizer->tokenize("a\xff\xc3"), Tokens{kA} + bytes("\xff\xc3"));
        QCOMPARE(tokenizer->detokenize(tokenizer->tokenize("a\xff\xc3 é")), std::string("a\xff\xc3 é"));
    }

    void controlTokensAndBytesDoNotComeFromPlainText()
    {
        const auto tokenizer = withoutPrefix();
        for (const char* text : {"<s>", "</s>", "<unk>", "<0x41>", "<|user|>"}) {
            const Tokens tokens = tokenizer->tokenize(text);
            QCOMPARE(tokens.size(), std::strlen(text));
            QCOMPARE(tokenizer->detokenize(tokens), std::string(text));
        }
    }

    void phi3StripsTheSpaceAfterItsSpecialTokens()
    {
        const TokenizeOptions options{.parseSpecial = true};
        const std::string text = "<|user|>\n ab<|end|>\n";
        QCOMPARE(loaded(writer("Phi-3 mini"))->tokenize(text, options), (Tokens{kUser, kSpaceAb, kEnd}));
        QCOMPARE(loaded()->tokenize("<|user|>ab<|end|>", options), (Tokens{kUser, kSpaceAb, kEnd}));
        QVERIFY(loaded()->tokenize(text, options).size() > 3);
        QCOMPARE(loaded(writer("phi3"))->tokenize("<s> ab", options), (Tokens{kBos, kSpace, kSpaceAb}));
    }

    void anAnswerBeginsWithoutThePrefix()
    {
        const auto tokenizer = loaded();
        const auto streamed = [&](TokenId previous, const Tokens& tokens) {
            Detokenizer detokenizer(tokenizer->vocabulary(), previous);
            std::string text;
            for (TokenId token : tokens)
                text += detokenizer.append(token);
            return text;
        };
        QCOMPARE(streamed(kUser, {kSpaceAb, kSpaceAb}), std::string("ab ab"));
        QCOMPARE(streamed(kAb, {kSpaceAb}), std::string(" ab")); // goes on with the prompt
        QCOMPARE(streamed(kUser, {kB, kSpaceA}), std::string("b a"));
    }

    void longTextIsTheSameInChunks()
    {
        // Cut between words, as no piece spans two of them.
        const auto tokenizer = withoutPrefix();
        std::string text;
        while (text.size() < 300'000)
            text += "  b ab aba";
        const Tokens unit = tokenizer->tokenize("  b ab aba");
        const Tokens tokens = tokenizer->tokenize(text);
        QCOMPARE(tokens.size(), text.size() / 10 * unit.size());
        QCOMPARE(tokenizer->detokenize(tokens), text);
    }

    void noCharacterIsCutBetweenTwoChunks()
    {
        const std::string spaces(400'000, ' '); // escaped, three bytes each
        QCOMPARE(withoutPrefix()->tokenize(spaces), Tokens(spaces.size(), kSpace));
    }

    /// Quadratic time would be many minutes: ctest would end it.
    void longRunsTakeNoQuadraticTime()
    {
        const auto tokenizer = withoutPrefix();
        for (const char* unit : {"a", " ", "ab", "猫"}) {
            std::string text;
            while (text.size() < 500'000)
                text += unit;
            QCOMPARE(tokenizer->detokenize(tokenizer->tokenize(text)), text);
        }
    }

    void scoresThatDoNotFitAreRefused()
    {
        const std::string bytes = test::GgufWriter()
                                      .string("tokenizer.ggml.model", "llama")
                                      .strings("tokenizer.ggml.tokens", {"a", "b"})
                                      .numbers<float>("tokenizer.ggml.scores", {1})
                                      .file();
        const auto file = GgufFile::parse(std::as_bytes(std::span(bytes)), "test.gguf");
        QVERIFY(Tokenizer::fromGguf(*file).error().line().find("scores") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestSentencePiece)
#include "test_sentencepiece.moc"
