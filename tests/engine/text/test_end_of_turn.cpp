// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/end_of_turn.h"

#include "engine/gguf/gguf_file.h"
#include "tests/support/gguf_writer.h"

#include <QtTest>

using namespace vitrine;

namespace {

enum : TokenId { kBos, kEos, kUser, kAssistant, kFinish, kThought, kWord };

/// The metadata name </s> as the end of an answer.
std::unique_ptr<Tokenizer> tokenizer()
{
    const std::string bytes =
        test::GgufWriter()
            .string("tokenizer.ggml.model", "gpt2")
            .string("tokenizer.ggml.pre", "gpt-2")
            .strings("tokenizer.ggml.tokens",
                     {"<s>", "</s>", "<|user|>", "<|assistant|>", "<|finish|>", "</thought>", "a"})
            .numbers<std::int32_t>("tokenizer.ggml.token_type", {3, 3, 3, 3, 3, 4, 1})
            .number<std::uint32_t>("tokenizer.ggml.bos_token_id", kBos)
            .number<std::uint32_t>("tokenizer.ggml.eos_token_id", kEos)
            .strings("tokenizer.ggml.merges", {})
            .file();
    return std::move(*Tokenizer::fromGguf(*GgufFile::parse(std::as_bytes(std::span(bytes)), "test.gguf")));
}

} // namespace

class TestEndOfTurn : public QObject {
    Q_OBJECT
private slots:
    void isWhatTheTemplateWritesAfterAnAnswer_data()
    {
        QTest::addColumn<QString>("source");
        QTest::addColumn<int>("token"); // −1: none
        QTest::addColumn<QString>("text");
        const auto row = [](const char* name, const char* turn, int token, const char* text = "") {
            QTest::newRow(name) << QStringLiteral("{% for m in messages %}%1{% endfor %}").arg(turn) << token
                                << QString(text);
        };
        row("a token of its own", "<|{{ m.role }}|>{{ m.content }}<|finish|>", kFinish);
        row("after white space", "<|{{ m.role }}|>{{ m.content }} \n<|finish|>\n", kFinish);
        row("what the metadata name", "<|{{ m.role }}|>{{ m.content }}{{ eos_token }}", kEos);
        row("only after answers",
            "<|{{ m.role }}|>{{ m.content }}{% if m.role == 'assistant' %}<|finish|>{% endif %}", kFinish);
        row("the next question", "<|{{ m.role }}|>\n{{ m.content }}\n", kUser);
        row("each turn begins anew", "<s>{{ m.role }}: {{ m.content }}", -1);
        row("text", "{{ m.role }}: {{ m.content }}\nEND<|finish|>", -1);
        row("what belongs to the answer", "{{ m.role }}: {{ m.content }}</thought><|finish|>", -1);
        row("a marker that is no token", "<|{{ m.role }}|>{{ m.content }}<|over|>\n", -1, "<|over|>");
        row("a marker of words", "[{{ m.role }}] {{ m.content }} [/END OF TURN]", -1, "[/END OF TURN]");
        row("the next question's heading", "\n### {{ m.role }}:\n{{ m.content }}\n", -1, "### user:");
        row("a marker and more", "{{ m.content }}<end><s>[more]", -1, "<end>");
        row("a marker that never closes", "{{ m.content }}[e~[\n", -1, "[e~[");
        row("too short for a marker", "{{ m.content }}<>", -1);
        row("what any heading begins with", "{{ m.content }}\n###\n", -1);
        row("no answers", "{{ m.role }}", -1);
        row("a refusal", "{{ raise_exception('no') }}", -1);
    }
    void isWhatTheTemplateWritesAfterAnAnswer()
    {
        QFETCH(QString, source);
        QFETCH(int, token);
        const auto chatTemplate = parseChatTemplate(source.toStdString());
        QVERIFY(chatTemplate);
        const EndOfTurn end = endOfTurn(**chatTemplate, *tokenizer());
        QCOMPARE(end.token.value_or(-1), token);
        QTEST(QString::fromStdString(end.text), "text");
    }

    void endsAnAnswerAndIsNotShown()
    {
        const auto own = tokenizer();
        QVERIFY(!own->vocabulary().isEnd(kFinish));
        own->addEndToken(kFinish);
        own->addEndToken(kFinish);
        QVERIFY(own->vocabulary().isEnd(kFinish));
        QVERIFY(own->vocabulary().isEnd(kEos));
        QCOMPARE(own->vocabulary().endTokens().size(), std::size_t{2});
        QVERIFY(!own->vocabulary().isShown(kFinish));
    }
};

QTEST_APPLESS_MAIN(TestEndOfTurn)
#include "test_end_of_turn.moc"
