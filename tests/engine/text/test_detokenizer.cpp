// SPDX-License-Identifier: GPL-3.0-or-later
// Characters that are split over tokens (cases.md 6).
#include "engine/gguf/gguf_file.h"
#include "engine/text/byte_level.h"
#include "engine/text/detokenizer.h"
#include "engine/utf8.h"
#include "tests/support/gguf_writer.h"

#include <QtTest>

#include <random>

using namespace vitrine;

namespace {

constexpr TokenId kControl = 256;
constexpr TokenId kHello = 257;
constexpr TokenId kUser = 258;

/// Token i is the byte i; then a control token, a word, a token of a user's own.
Vocabulary byteVocabulary()
{
    std::vector<std::string> texts;
    for (int byte = 0; byte < 256; ++byte)
        texts.push_back(byteLevelText(static_cast<std::uint8_t>(byte)));
    std::vector<std::int32_t> kinds(256, 1);
    texts.insert(texts.end(), {"<|im_end|>", "Ġhello", "<think>"});
    kinds.insert(kinds.end(), {3, 1, 4});
    const std::string bytes = test::GgufWriter()
                                  .string("tokenizer.ggml.model", "gpt2")
                                  .strings("tokenizer.ggml.tokens", texts)
                                  .numbers("tokenizer.ggml.token_type", kinds)
                                  .file();
    return Vocabulary::fromGguf(*GgufFile::parse(std::as_bytes(std::span(bytes)), "test")).value();
}

} // namespace

class TestDetokenizer : public QObject {
    Q_OBJECT
private slots:
    void emitsWholeCharactersOnly_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("ASCII") << QStringLiteral("plain");
        QTest::newRow("two bytes") << QStringLiteral("Äpfel");
        QTest::newRow("CJK") << QStringLiteral("日本語は？");
        QTest::newRow("emoji") << QStringLiteral("🦙.cpp");
        QTest::newRow("ZWJ family") << QStringLiteral("👩‍👩‍👧‍👦");
        QTest::newRow("flag") << QStringLiteral("🇨🇭");
    }

    void emitsWholeCharactersOnly()
    {
        QFETCH(QString, text);
        Detokenizer detokenizer(m_vocabulary);
        std::string streamed;
        for (char byte : text.toStdString()) {
            const std::string piece = detokenizer.append(static_cast<unsigned char>(byte));
            QVERIFY(isValidUtf8(piece));
            QVERIFY(piece.find("\xef\xbf\xbd") == std::string::npos);
            streamed += piece;
        }
        QCOMPARE(QString::fromStdString(streamed), text);
    }

    void aCharacterComesWithItsLastByte()
    {
        Detokenizer detokenizer(m_vocabulary);
        QCOMPARE(detokenizer.append(0xf0), std::string());
        QCOMPARE(detokenizer.append(0x9f), std::string());
        QCOMPARE(detokenizer.append(0xa6), std::string());
        QCOMPARE(detokenizer.append(0x99), std::string("🦙"));
        QCOMPARE(detokenizer.append(kHello), std::string(" hello"));
    }

    void controlTokensAreNotShownAndDoNotBreakACharacter()
    {
        Detokenizer detokenizer(m_vocabulary);
        QCOMPARE(detokenizer.append(0xc3), std::string());
        QCOMPARE(detokenizer.append(kControl), std::string());
        QCOMPARE(detokenizer.append(0x84), std::string("Ä"));
        QCOMPARE(detokenizer.append(kUser), std::string("<think>"));
        QCOMPARE(detokenizer.append(-1), std::string());
        QCOMPARE(detokenizer.append(1'000'000), std::string());
    }

    void bytesThatBecomeNoCharacterAreLeftOut()
    {
        Detokenizer detokenizer(m_vocabulary);
        QCOMPARE(detokenizer.append(0xff), std::string());
        QCOMPARE(detokenizer.append('a'), std::string("a"));
        QCOMPARE(detokenizer.append(0xe6), std::string()); // begins 日, and then something else comes
        QCOMPARE(detokenizer.append('b'), std::string("b"));
        QCOMPARE(detokenizer.append(0xed), std::string()); // a surrogate half
        QCOMPARE(detokenizer.append(0xa0), std::string());
        QCOMPARE(detokenizer.append(0x80), std::string());
        QCOMPARE(detokenizer.append('c'), std::string("c"));
    }

    void anUnfinishedCharacterIsForgottenAtTheEnd()
    {
        Detokenizer detokenizer(m_vocabulary);
        QCOMPARE(detokenizer.append(0xf0), std::string());
        QCOMPARE(detokenizer.append(0x9f), std::string());
        detokenizer.finish();
        QCOMPARE(detokenizer.append('x'), std::string("x"));
    }

    void anyBytesGiveValidText()
    {
        std::mt19937 random(3);
        Detokenizer detokenizer(m_vocabulary);
        for (int i = 0; i < 20'000; ++i) {
            // Lead and continuation bytes often, so that sequences of every kind come up.
            const int byte = random() % 3 ? 0x80 + int(random() % 128) : int(random() % 256);
            QVERIFY(isValidUtf8(detokenizer.append(byte)));
        }
    }

private:
    const Vocabulary m_vocabulary = byteVocabulary();
};

QTEST_APPLESS_MAIN(TestDetokenizer)
#include "test_detokenizer.moc"
