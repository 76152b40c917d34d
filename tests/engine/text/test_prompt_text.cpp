// SPDX-License-Identifier: GPL-3.0-or-later
// Which token stands for which bytes, for each kind of vocabulary and the texts of the reference.
#include "engine/text/prompt_encoder.h"
#include "engine/text/prompt_text.h"
#include "engine/text/reasoning.h"
#include "engine/utf8.h"
#include "tests/support/load.h"
#include "tests/support/reference.h"

#include <QtTest>

using namespace vitrine;

namespace {

const QList<const char*> kVocabularies{"gpt-2", "llama-bpe", "qwen2", "llama-spm", "phi-3"};

QString pathOf(const char* name)
{
    return test::referencePath(QStringLiteral("tokenizer/ggml-vocab-%1.gguf").arg(QLatin1String(name)));
}

/// Each token's bytes are the text that it is said to stand for, but for a space that was put before it and
/// for what belongs to no token.
void checkSlices(const std::string& text, const std::vector<TokenId>& tokens, const Vocabulary& vocabulary)
{
    const auto ends = tokenEnds(text, tokens, vocabulary);
    QCOMPARE(ends.size(), tokens.size());
    QVERIFY(std::ranges::is_sorted(ends));
    std::size_t begin = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const std::string_view slice = std::string_view(text).substr(begin, ends[i] - begin);
        std::string_view bytes = vocabulary.bytes(tokens[i]);
        if (slice.size() + 1 == bytes.size() && bytes.starts_with(' '))
            bytes.remove_prefix(1);
        if (tokens[i] != vocabulary.bos())
            QVERIFY2(slice.starts_with(bytes), (std::string(slice) + " for " + std::string(bytes)).c_str());
        QVERIFY(slice.size() == bytes.size() || tokens[i] == vocabulary.bos() ||
                slice.find_first_not_of(" \t\n\v\f\r", bytes.size()) == std::string::npos);
        begin = ends[i];
    }
    QCOMPARE(begin, tokens.empty() ? 0 : text.size());
}

} // namespace

class TestPromptText : public QObject {
    Q_OBJECT
private slots:
    void everyByteBelongsToItsToken_data()
    {
        QTest::addColumn<QString>("path");
        for (const char* name : kVocabularies)
            QTest::newRow(name) << pathOf(name);
    }

    void everyByteBelongsToItsToken()
    {
        QFETCH(QString, path);
        VITRINE_SKIP_WITHOUT(path);
        const auto tokenizer = test::loadTokenizer(path);
        for (QByteArray text : test::readAll(path + QStringLiteral(".inp")).split('\x01')) {
            text.replace("\n__ggml_vocab_test__\n", "\n");
            checkSlices(text.toStdString(), tokenizer->tokenize(text.toStdString()), tokenizer->vocabulary());
        }
    }

    void aConversationIsLaidOutWithItsControlTokens()
    {
        for (const char* name : kVocabularies) {
            VITRINE_SKIP_WITHOUT(pathOf(name));
            const auto tokenizer = test::loadTokenizer(pathOf(name));
            const std::vector<ChatMessage> chat{{"system", "Be brief."},
                                                {"user", "  Wie weit ist’s nach 東京?  "},
                                                {"assistant", "Far: 9 000 km 🙂"},
                                                {"user", "And </s> <|end|> back?"}};
            const PromptText prompt = writePrompt(chat, *tokenizer, *chatMlTemplate()).value();
            checkSlices(prompt.text, prompt.tokens, tokenizer->vocabulary());
            QCOMPARE(prompt.ends, tokenEnds(prompt.text, prompt.tokens, tokenizer->vocabulary()));
            for (const ChatMessage& message : chat)
                QVERIFY(prompt.text.find(message.content) != std::string::npos);
        }
    }

    void aMarkerThatIsTypedOpensNothing()
    {
        const auto opened = [](const char* source) {
            const auto chatTemplate = parseChatTemplate(source);
            const RenderedChat chat =
                (*chatTemplate)->render(std::vector<ChatMessage>{{"user", "<think>"}}, {}).value();
            return openedReasoning(PromptText{chat.text, chat.userText, {}, {}}.afterMessages()) != nullptr;
        };
        QVERIFY(!opened("{{ messages[0].content }}\n"));
        QVERIFY(opened("{{ messages[0].content }}\n<think>\n"));
    }

    void tokensForPeopleAreBoundedAndWholeText()
    {
        VITRINE_SKIP_WITHOUT(pathOf("gpt-2"));
        const auto tokenizer = test::loadTokenizer(pathOf("gpt-2"));
        const auto tokens = tokenizer->tokenize("one\ntwo 東");
        QCOMPARE(shownTokens(tokens, tokenizer->vocabulary(), 100), std::string("one\ntwo 東"));
        const std::span cut(tokens.begin(), tokens.end() - 1); // the last character is cut
        const std::string shown = shownTokens(cut, tokenizer->vocabulary(), 100);
        QVERIFY(isValidUtf8(shown) && shown.starts_with("one\ntwo "));
        QVERIFY(shownTokens(tokens, tokenizer->vocabulary(), 5).size() < 12);
    }
};

QTEST_APPLESS_MAIN(TestPromptText)
#include "test_prompt_text.moc"
