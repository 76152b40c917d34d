// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/pre_tokenizer.h"

#include "engine/utf8.h"
#include "tests/support/sanitized.h"

#include <QtTest>

#include <random>
#include <set>

using namespace vitrine;

namespace {

using Words = std::vector<std::string>;

Words split(const char* name, std::string_view text)
{
    Words words;
    PreTokenizer(*preTokenizerSpec(name)).split(text, [&](std::string_view word) {
        words.emplace_back(word);
    });
    return words;
}

std::string randomText(std::mt19937& random)
{
    std::string text;
    for (std::size_t n = random() % 60; n > 0; --n) {
        static constexpr std::string_view kParts[]{
            " ",  "  ",  "\n", "\r\n", "\t",   "a",  "Bc",   "DÉ",          "9", "123",
            "'s", "'LL", "!",  "...",  "日本", "한", "\xff", "👩‍👧", "¼", "\xc2\x85"};
        text += kParts[random() % std::size(kParts)];
    }
    return text;
}

void addSpecRows()
{
    QTest::addColumn<QString>("name");
    for (const PreTokenizerSpec& spec : preTokenizerSpecs())
        QTest::newRow(spec.names[0].data()) << QString::fromLatin1(spec.names[0].data());
}

} // namespace

class TestPreTokenizer : public QObject {
    Q_OBJECT
private slots:
    void gpt2SplitsWordsNumbersAndSymbols()
    {
        QCOMPARE(split("gpt-2", "I'll pay 100€ now!!"),
                 (Words{"I", "'ll", " pay", " 100", "€", " now", "!!"}));
        QCOMPARE(split("gpt-2", "a   b"), (Words{"a", "  ", " b"}));
        QCOMPARE(split("gpt-2", "a \n"), (Words{"a", " \n"}));
    }

    void digitsStandAlone()
    {
        QCOMPARE(split("smollm", "in 2024!"), (Words{"in", " ", "2", "0", "2", "4", "!"}));
    }

    void llama3GroupsDigitsByThree()
    {
        QCOMPARE(split("llama-bpe", "I'LL 12345\n\nx"), (Words{"I", "'LL", " ", "123", "45", "\n\n", "x"}));
        QCOMPARE(split("qwen2", "a 12"), (Words{"a", " ", "1", "2"}));
    }

    void capitalsBeginWords()
    {
        QCOMPARE(split("gpt-4o", "helloWorld HTTPServer it's"),
                 (Words{"hello", "World", " HTTPServer", " it's"}));
        QCOMPARE(split("tekken", "it's 12"), (Words{"it", "'s", " ", "1", "2"}));
    }

    void deepseekKeepsScriptsApart()
    {
        QCOMPARE(split("deepseek-v3", "abc日本1234"), (Words{"abc", "日本", "123", "4"}));
        QCOMPARE(split("deepseek-llm", "ab 日本\n  "), (Words{"ab", " ", "日本", "\n", "  "}));
    }

    void bytesThatAreNotUtf8AreWordsOfTheirOwn()
    {
        QCOMPARE(split("gpt-2", "ab\xff\xc3 c"), (Words{"ab", "\xff", "\xc3", " c"}));
    }

    void namesAreUnique()
    {
        std::set<std::string_view> names;
        for (const PreTokenizerSpec& spec : preTokenizerSpecs()) {
            for (std::string_view name : spec.names)
                QVERIFY2(names.insert(name).second, name.data());
        }
        QVERIFY(!preTokenizerSpec("unheard-of"));
    }

    void nothingIsLost_data() { addSpecRows(); }
    void nothingIsLost()
    {
        QFETCH(QString, name);
        const PreTokenizer preTokenizer(*preTokenizerSpec(name.toStdString()));
        std::mt19937 random(4);
        for (int run = 0; run < 300; ++run) {
            const std::string text = randomText(random);
            std::string joined;
            preTokenizer.split(text, [&](std::string_view word) {
                QVERIFY(!word.empty());
                joined += word;
            });
            QCOMPARE(joined, text);
        }
    }

    void longRunsTakeNoQuadraticTime_data() { addSpecRows(); }
    /// Quadratic time would be many minutes: ctest would end it.
    void longRunsTakeNoQuadraticTime()
    {
        QFETCH(QString, name);
        const PreTokenizer preTokenizer(*preTokenizerSpec(name.toStdString()));
        for (const char* unit : {"a", "A", "日", " ", "\n", " \n", "9", "!", "'", "aA", "e\u0301"}) {
            std::string text;
            while (text.size() < (test::kSanitized ? 50'000 : 500'000))
                text += unit;
            std::size_t bytes = 0;
            preTokenizer.split(text + "日", [&](std::string_view word) { bytes += word.size(); });
            QCOMPARE(bytes, text.size() + 3);
        }
    }
};

QTEST_APPLESS_MAIN(TestPreTokenizer)
#include "test_pre_tokenizer.moc"
