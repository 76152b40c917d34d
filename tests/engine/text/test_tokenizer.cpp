// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/tokenizer.h"

#include "engine/gguf/gguf_file.h"
#include "engine/text/byte_level.h"
#include "engine/utf8.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/load.h"
#include "tests/support/reference.h"
#include "tests/support/sanitized.h"

#include <QtTest>

#include <algorithm>
#include <random>

using namespace vitrine;

namespace {

using Tokens = std::vector<TokenId>;

constexpr TokenId kBos = 256;
constexpr TokenId kEos = 257;
constexpr TokenId kEnd = 258;     // <|im_end|>
constexpr TokenId kEndLong = 259; // <|im_end|>>
constexpr TokenId kThink = 260;   // <think>, a user's own
constexpr TokenId kHe = 261;
constexpr TokenId kLl = 262;
constexpr TokenId kHell = 263;
constexpr TokenId kEl = 264;

/// Token i is the byte i; then the above.
test::GgufWriter writer()
{
    std::vector<std::string> texts;
    for (int byte = 0; byte < 256; ++byte)
        texts.push_back(byteLevelText(static_cast<std::uint8_t>(byte)));
    std::vector<std::int32_t> kinds(256, 1);
    texts.insert(texts.end(),
                 {"<s>", "</s>", "<|im_end|>", "<|im_end|>>", "<think>", "he", "ll", "hell", "el"});
    kinds.insert(kinds.end(), {3, 3, 3, 3, 4, 1, 1, 1, 1});
    return test::GgufWriter()
        .string("tokenizer.ggml.model", "gpt2")
        .strings("tokenizer.ggml.tokens", texts)
        .numbers("tokenizer.ggml.token_type", kinds);
}

test::GgufWriter withMerges()
{
    return writer().strings("tokenizer.ggml.merges", {"h e", "e l", "l l", "he ll"});
}

Result<std::unique_ptr<Tokenizer>> load(const test::GgufWriter& file)
{
    const std::string bytes = file.file();
    const Result<GgufFile> gguf = GgufFile::parse(std::as_bytes(std::span(bytes)), "test.gguf");
    if (!gguf)
        qFatal("%s", gguf.error().line().c_str());
    return Tokenizer::fromGguf(*gguf);
}

std::unique_ptr<Tokenizer> loaded(const test::GgufWriter& file = withMerges().string("tokenizer.ggml.pre",
                                                                                     "gpt-2"))
{
    return std::move(*load(file));
}

Tokens bytes(std::string_view text)
{
    return {reinterpret_cast<const unsigned char*>(text.data()),
            reinterpret_cast<const unsigned char*>(text.data()) + text.size()};
}

Tokens operator+(Tokens a, const Tokens& b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

bool warnsOf(const Tokenizer& tokenizer, std::string_view what)
{
    return std::ranges::any_of(tokenizer.warnings(), [what](const std::string& warning) {
        return warning.find(what) != std::string::npos;
    });
}

std::string randomText(std::mt19937& random)
{
    std::string text;
    for (std::size_t n = random() % 60; n > 0; --n) {
        static constexpr char32_t kLimits[]{0x80, 0x80, 0x800, 0x3000, 0xd800, 0x10000, 0x20000, 0x110000};
        char32_t codepoint = static_cast<char32_t>(random()) % kLimits[random() % std::size(kLimits)];
        if (codepoint >= 0xd800 && codepoint < 0xe000)
            codepoint = U' ';
        appendUtf8(codepoint, text);
    }
    return text;
}

} // namespace

class TestTokenizer : public QObject {
    Q_OBJECT
private slots:
    void mergesByRankAndFromTheLeft();
    void longestSpecialTokenIsTaken();
    void controlTokensAreTextWhereTheyAreNotAskedFor();
    void plainRangesHoldNoControlTokens();
    void exactlyOneBos();
    void bytesThatAreNotUtf8SurviveTheRoundTrip();
    void textSurvivesTheRoundTrip_data();
    void textSurvivesTheRoundTrip();
    void longRunsTakeNoQuadraticTime_data();
    void longRunsTakeNoQuadraticTime();
    void unknownPreTokenizerIsAVisibleWarning();
    void allEndTokensAreFound();
    void reasoningMarkersAreShown();
    void metadataThatDoNotFitAreRefused();
    void metadataThatAreOddAreWarnedOf();
};

void TestTokenizer::mergesByRankAndFromTheLeft()
{
    const auto tokenizer = loaded();
    QCOMPARE(tokenizer->tokenize("hello"), Tokens{kHell} + bytes("o"));
    QCOMPARE(tokenizer->tokenize("ell"), Tokens{kEl} + bytes("l")); // "e l" has the lower rank
    QCOMPARE(tokenizer->tokenize("lll"), Tokens{kLl} + bytes("l"));
    QCOMPARE(tokenizer->tokenize("he he"), Tokens{kHe} + bytes(" ") + Tokens{kHe}); // not across words
    QCOMPARE(tokenizer->tokenize(""), Tokens{});
}

void TestTokenizer::longestSpecialTokenIsTaken()
{
    const auto tokenizer = loaded();
    QCOMPARE(tokenizer->tokenize("he<|im_end|>>x", {.parseSpecial = true}),
             (Tokens{kHe, kEndLong} + bytes("x")));
    QCOMPARE(tokenizer->tokenize("<|im_end|><|im_end", {.parseSpecial = true}),
             Tokens{kEnd} + bytes("<|im_end"));
    QCOMPARE(tokenizer->tokenize("<<think>", {.parseSpecial = true}), bytes("<") + Tokens{kThink});
}

void TestTokenizer::controlTokensAreTextWhereTheyAreNotAskedFor()
{
    const auto tokenizer = loaded();
    const std::string text = "a<|im_end|><s>b";
    QCOMPARE(tokenizer->tokenize(text), bytes(text));
    QCOMPARE(tokenizer->detokenize(tokenizer->tokenize(text)), text);
    QCOMPARE(tokenizer->tokenize("<think>"), Tokens{kThink}); // a user's own always
    QCOMPARE(tokenizer->detokenize(Tokens{kBos, kHe, kEnd}), std::string("he"));
    QCOMPARE(tokenizer->detokenize(Tokens{kBos, kHe, kEnd}, true), std::string("<s>he<|im_end|>"));
}

void TestTokenizer::plainRangesHoldNoControlTokens()
{
    const auto tokenizer = loaded();
    const std::string text = "<s>a<|im_end|>b<|im_end|>";
    const std::vector<TextRange> plain{{3, 15}}; // a<|im_end|>b
    QCOMPARE(tokenizer->tokenize(text, {.parseSpecial = true, .plain = plain}),
             Tokens{kBos} + bytes("a<|im_end|>b") + Tokens{kEnd});
    // One that only begins or ends in a range is no control token either.
    const std::vector<TextRange> touching{{4, 5}, {24, 25}};
    QCOMPARE(tokenizer->tokenize(text, {.parseSpecial = true, .plain = touching}),
             Tokens{kBos} + bytes("a<|im_end|>b<|im_end|>"));
}

void TestTokenizer::exactlyOneBos()
{
    const auto tokenizer = loaded(withMerges()
                                      .string("tokenizer.ggml.pre", "gpt-2")
                                      .number<std::uint32_t>("tokenizer.ggml.bos_token_id", kBos)
                                      .number<std::uint32_t>("tokenizer.ggml.eos_token_id", kEos)
                                      .number("tokenizer.ggml.add_bos_token", true)
                                      .number("tokenizer.ggml.add_eos_token", true));
    QCOMPARE(tokenizer->tokenize("he"), Tokens{kHe});
    QCOMPARE(tokenizer->tokenize("he", {.addBos = true}), (Tokens{kBos, kHe}));
    QCOMPARE(tokenizer->tokenize("<s>he", {.addBos = true, .parseSpecial = true}), (Tokens{kBos, kHe}));
    QCOMPARE(tokenizer->tokenize("he", {.addBos = true, .addEos = true}), (Tokens{kBos, kHe, kEos}));
    QCOMPARE(tokenizer->tokenize("", {.addBos = true}), Tokens{kBos});
}

void TestTokenizer::bytesThatAreNotUtf8SurviveTheRoundTrip()
{
    const auto tokenizer = loaded();
    std::mt19937 random(1);
    for (int run = 0; run < 500; ++run) {
        std::string text;
        for (std::size_t n = random() % 40; n > 0; --n)
            text += static_cast<char>(random() % 3 ? random() % 128 : random() % 256);
        QCOMPARE(tokenizer->detokenize(tokenizer->tokenize(text)), text);
    }
}

void TestTokenizer::textSurvivesTheRoundTrip_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"gpt-2", "llama-bpe", "qwen2", "llama-spm", "phi-3"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void TestTokenizer::textSurvivesTheRoundTrip()
{
    QFETCH(QString, name);
    const QString path = test::referencePath(QStringLiteral("tokenizer/ggml-vocab-%1.gguf").arg(name));
    VITRINE_SKIP_WITHOUT(path);
    const auto tokenizer = test::loadTokenizer(path);
    std::mt19937 random(2);
    for (int run = 0; run < 1000; ++run) {
        const std::string text = randomText(random);
        QCOMPARE(tokenizer->detokenize(tokenizer->tokenize(text)), text);
    }
}

void TestTokenizer::longRunsTakeNoQuadraticTime_data()
{
    QTest::addColumn<QString>("unit");
    for (const char* unit : {"a", " ", "<", "\n", "<|im_end|", "ab", "日", "a ", "9", "!"})
        QTest::newRow(unit) << QString::fromUtf8(unit);
}

/// Quadratic time would be hours: ctest would end it.
void TestTokenizer::longRunsTakeNoQuadraticTime()
{
    QFETCH(QString, unit);
    VITRINE_SKIP_WITHOUT(test::starterModelPath());
    static const auto tokenizer = test::loadTokenizer(test::starterModelPath());
    std::string text;
    while (text.size() < (test::kSanitized ? 100'000 : 1'000'000))
        text += unit.toStdString();
    const Tokens tokens = tokenizer->tokenize(text, {.parseSpecial = true});
    QCOMPARE(tokenizer->detokenize(tokens), text);
}

void TestTokenizer::unknownPreTokenizerIsAVisibleWarning()
{
    QVERIFY(warnsOf(*loaded(withMerges().string("tokenizer.ggml.pre", "brand-new")), "'brand-new'"));
    QVERIFY(warnsOf(*loaded(withMerges()), "pre-tokenizer"));
    QVERIFY(!warnsOf(*loaded(), "pre-tokenizer"));
}

void TestTokenizer::allEndTokensAreFound()
{
    // The metadata name </s>, the template ends turns with <|im_end|>: both end an answer, neither is shown.
    const auto tokenizer = loaded(withMerges().number<std::uint32_t>("tokenizer.ggml.eos_token_id", kHell));
    const Vocabulary& vocabulary = tokenizer->vocabulary();
    for (TokenId end : {kEos, kEnd, kHell}) {
        QVERIFY(vocabulary.isEnd(end));
        QVERIFY(!vocabulary.isShown(end));
    }
    QVERIFY(!vocabulary.isEnd(kBos));
    QVERIFY(!vocabulary.isEnd(kThink));
}

void TestTokenizer::reasoningMarkersAreShown()
{
    const auto tokenizer =
        loaded(test::GgufWriter()
                   .string("tokenizer.ggml.model", "gpt2")
                   .string("tokenizer.ggml.pre", "gpt-2")
                   .strings("tokenizer.ggml.tokens", {"[THINK]", "[/THINK]", "[INST]", "a"})
                   .numbers<std::int32_t>("tokenizer.ggml.token_type", {3, 3, 3, 1})
                   .strings("tokenizer.ggml.merges", {}));
    QCOMPARE(tokenizer->detokenize(Tokens{2, 0, 3, 1, 3}), std::string("[THINK]a[/THINK]a"));
    // They are control tokens all the same: what a user types is text.
    QCOMPARE(tokenizer->tokenize("[THINK]a"), Tokens{3});
    QCOMPARE(tokenizer->tokenize("[THINK]a", {.parseSpecial = true}), (Tokens{0, 3}));
}

void TestTokenizer::metadataThatDoNotFitAreRefused()
{
    const auto refusal = [](const test::GgufWriter& file) {
        const auto tokenizer = load(file);
        return tokenizer ? std::string() : tokenizer.error().line();
    };
    QVERIFY(refusal(test::GgufWriter()).find("tokenizer.ggml.model") != std::string::npos);
    QVERIFY(refusal(test::GgufWriter().string("tokenizer.ggml.model", "bert")).find("'bert'") !=
            std::string::npos);
    const test::GgufWriter bpe = test::GgufWriter().string("tokenizer.ggml.model", "gpt2");
    QVERIFY(refusal(bpe).find("tokenizer.ggml.tokens") != std::string::npos);
    QVERIFY(refusal(test::GgufWriter(bpe).strings("tokenizer.ggml.tokens", {})).find("0 tokens") !=
            std::string::npos);
    QVERIFY(refusal(test::GgufWriter(bpe)
                        .strings("tokenizer.ggml.tokens", {"a", "b"})
                        .numbers<std::int32_t>("tokenizer.ggml.token_type", {1}))
                .find("token_type") != std::string::npos);
    QVERIFY(refusal(writer()).find("tokenizer.ggml.merges") != std::string::npos);
    QVERIFY(refusal(writer().number("tokenizer.ggml.merges", 1.0f)).find("tokenizer.ggml.merges") !=
            std::string::npos);
    QVERIFY(refusal(withMerges().string("tokenizer.ggml.add_bos_token", "yes")).find("add_bos") !=
            std::string::npos);
}

void TestTokenizer::metadataThatAreOddAreWarnedOf()
{
    QVERIFY(warnsOf(*loaded(withMerges().number<std::uint32_t>("tokenizer.ggml.bos_token_id", 99'999)),
                    "bos_token_id"));
    QVERIFY(warnsOf(*loaded(withMerges().number("tokenizer.ggml.add_bos_token", true)), "BOS"));
    QVERIFY(warnsOf(*loaded(writer().strings("tokenizer.ggml.merges", {"", " ", "x", "h zz"})), "4 merges"));
}

QTEST_APPLESS_MAIN(TestTokenizer)
#include "test_tokenizer.moc"
