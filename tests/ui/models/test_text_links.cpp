// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/chat_template.h"
#include "engine/text/prompt_encoder.h"
#include "tests/support/load.h"
#include "tests/support/reference.h"
#include "ui/models/text_links.h"

#include <QtTest>

using namespace vitrine;
using namespace vitrine::ui;

namespace {

const QString kQuestion = QStringLiteral("  What is a “block”? 🙂 user\n東京  ");
const QString kFirstAnswer = QStringLiteral("A page of memory.\n\n* 16 slots 🙂\n* one table");

/// One token a character, so that each place can be told.
std::shared_ptr<const PromptText> promptOf(const std::string& text, std::vector<TextRange> said)
{
    auto prompt = std::make_shared<PromptText>();
    prompt->text = text;
    prompt->said = std::move(said);
    for (std::size_t i = 0; i < text.size();) {
        std::size_t next = i + 1;
        while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xC0) == 0x80)
            ++next;
        prompt->tokens.push_back(static_cast<TokenId>(prompt->tokens.size()));
        prompt->ends.push_back(static_cast<std::uint32_t>(next));
        i = next;
    }
    return prompt;
}

QString cut(const QString& text, const MessageRange& range)
{
    return text.mid(range.begin, range.end - range.begin);
}

} // namespace

class TestTextLinks : public QObject {
    Q_OBJECT
private slots:
    void eachCharacterIsFoundAgain()
    {
        const std::string question = kQuestion.trimmed().toStdString(); // as templates do
        const std::string text = "<user>" + question + "<end>";
        const auto prompt = promptOf(text, {{6, 6 + question.size()}});
        const std::vector<SequenceText::Sent> sent{{MessageId{1}, kQuestion.toStdString()}};
        SequenceText sequence(prompt, sent, MessageId{2});
        for (const QChar character : kFirstAnswer)
            if (!character.isLowSurrogate())
                sequence.append(7, character.isHighSurrogate() ? QStringLiteral("🙂") : QString(character));
        for (int i = 0; i < kQuestion.size(); ++i) {
            const auto tokens = sequence.tokensOf({MessageId{1}, i, i + 1});
            if (i < 2 || i >= kQuestion.size() - 2 || kQuestion[i].isLowSurrogate())
                continue; // white space around it is not sent
            QVERIFY(tokens && tokens->second == tokens->first + 1);
            const auto back = sequence.textOf(tokens->first, tokens->second);
            QCOMPARE(back.size(), std::size_t{1});
            QVERIFY(cut(kQuestion, back.front()).startsWith(kQuestion[i]));
        }
        for (int i = 0; i < kFirstAnswer.size(); ++i) {
            const auto tokens = sequence.tokensOf({MessageId{2}, i, i + 1});
            QVERIFY(tokens && tokens->second == tokens->first + 1);
            const auto back = sequence.textOf(tokens->first, tokens->second);
            QVERIFY(back.front().begin <= i && back.front().end > i);
        }
        QVERIFY(sequence.textOf(0, 6).empty()); // the template's
        QVERIFY(!sequence.tokensOf({MessageId{3}, 0, 1}));
    }

    void whatAModelThoughtHasTokensOfItsOwn()
    {
        const std::vector<SequenceText::Sent> sent{{MessageId{1}, "hm"}};
        SequenceText sequence(promptOf("hm", {{0, 2}}), sent, MessageId{2});
        sequence.append(7, {}, QStringLiteral("so"));
        sequence.append(8, {}, QStringLiteral(" so"));
        sequence.append(9, QStringLiteral("so"), {}); // the end of the thought came with it
        sequence.append(-1, QStringLiteral("!"), {});
        QCOMPARE(sequence.tokensOf({MessageId{2}, 0, 2, TextPart::Thought}), std::optional(std::pair(2, 3)));
        QCOMPARE(sequence.tokensOf({MessageId{2}, 3, 5, TextPart::Thought}), std::optional(std::pair(3, 4)));
        QCOMPARE(sequence.tokensOf({MessageId{2}, 0, 3}), std::optional(std::pair(4, 5)));
        QVERIFY(!sequence.tokensOf({MessageId{1}, 0, 2, TextPart::Thought})); // a prompt has none
        QCOMPARE(sequence.textOf(3, 5), (std::vector<MessageRange>{{MessageId{2}, 2, 5, TextPart::Thought},
                                                                   {MessageId{2}, 0, 3, TextPart::Said}}));
        QCOMPARE(sequence.textOf(0, 3), (std::vector<MessageRange>{{MessageId{1}, 0, 2, TextPart::Said},
                                                                   {MessageId{2}, 0, 2, TextPart::Thought}}));
    }

    void aMessageIsNotLookedForInTheTemplate()
    {
        // "user" is what the template says, too.
        const std::string text = "<user>user<assistant>user<user>user!<assistant>";
        const auto prompt = promptOf(text, {{6, 10}, {21, 25}, {31, 36}});
        const std::vector<SequenceText::Sent> sent{
            {MessageId{1}, "user"}, {MessageId{2}, "user"}, {MessageId{3}, "user!"}};
        const SequenceText sequence(prompt, sent, MessageId{4});
        QCOMPARE(sequence.tokensOf({MessageId{1}, 0, 4}), std::optional(std::pair(6, 10)));
        QCOMPARE(sequence.tokensOf({MessageId{2}, 0, 4}), std::optional(std::pair(21, 25)));
        QCOMPARE(sequence.tokensOf({MessageId{3}, 0, 5}), std::optional(std::pair(31, 36)));
        const auto all = sequence.textOf(0, 100);
        QCOMPARE(all, (std::vector<MessageRange>{
                          {MessageId{1}, 0, 4}, {MessageId{2}, 0, 4}, {MessageId{3}, 0, 5}}));
    }

    void aRealTokenizersTokensHoldTheirText()
    {
        const QString path = test::referencePath(QStringLiteral("tokenizer/ggml-vocab-llama-bpe.gguf"));
        VITRINE_SKIP_WITHOUT(path);
        const auto tokenizer = test::loadTokenizer(path);
        const std::vector<ChatMessage> chat{{"system", "Be brief."},
                                            {"user", kQuestion.toStdString()},
                                            {"assistant", kFirstAnswer.toStdString()},
                                            {"user", "And a slot?"}};
        const auto prompt =
            std::make_shared<const PromptText>(writePrompt(chat, *tokenizer, *chatMlTemplate()).value());
        std::vector<SequenceText::Sent> sent;
        for (std::size_t i = 0; i < chat.size(); ++i)
            sent.push_back({MessageId{static_cast<std::int64_t>(i)}, chat[i].content});
        const SequenceText sequence(prompt, sent, MessageId{9});
        for (const QString& word :
             {QStringLiteral("block"), QStringLiteral("東京"), QStringLiteral("user")}) {
            const int at = static_cast<int>(kQuestion.indexOf(word));
            const auto tokens = sequence.tokensOf({MessageId{1}, at, at + static_cast<int>(word.size())});
            QVERIFY(tokens);
            const std::vector<TokenId> ids(prompt->tokens.begin() + tokens->first,
                                           prompt->tokens.begin() + tokens->second);
            const QString held = QString::fromStdString(tokenizer->detokenize(ids, true));
            QVERIFY2(held.contains(word), qPrintable(held));
            const auto back = sequence.textOf(tokens->first, tokens->second);
            QCOMPARE(back.size(), std::size_t{1});
            QVERIFY(cut(kQuestion, back.front()).contains(word));
        }
        // Each token says its part, and all of them together say everything.
        QString said;
        for (std::int32_t token = 0; token < sequence.tokenCount(); ++token)
            for (const MessageRange& range : sequence.textOf(token, token + 1))
                if (range.message == MessageId{2})
                    said += cut(kFirstAnswer, range);
        QCOMPARE(said, kFirstAnswer);
        const std::span second(prompt->tokens.begin() + 16, 16);
        QCOMPARE(sequence.find(second, 16), 16);
        QCOMPARE(sequence.find(std::span(prompt->tokens.begin() + 3, 16), 16), -1);
    }

    void theNewestSequenceThatHasTheTextAnswers()
    {
        TextLinks links;
        const std::vector<SequenceText::Sent> first{{MessageId{1}, "one"}};
        const std::vector<SequenceText::Sent> second{{MessageId{1}, "one"}, {MessageId{3}, "two"}};
        links.add(SequenceId{5}, RequestId{1}, ChatId{7},
                  SequenceText(promptOf("one", {{0, 3}}), first, MessageId{2}));
        links.append({RequestId{1}, "answer", 3, 0});
        links.add(SequenceId{8}, RequestId{2}, ChatId{7},
                  SequenceText(promptOf("onetwo", {{0, 6}}), second, MessageId{4}));
        const std::vector<MessageRange> old{{MessageId{1}, 1, 3}};
        QCOMPARE(links.tokensOf(ChatId{7}, old), std::optional(TokenSpan{SequenceId{8}, 1, 3}));
        const std::vector<MessageRange> answer{{MessageId{2}, 0, 2}};
        QCOMPARE(links.tokensOf(ChatId{7}, answer), std::optional(TokenSpan{SequenceId{5}, 3, 4}));
        QVERIFY(!links.tokensOf(ChatId{6}, old));
        QCOMPARE(links.textOf({SequenceId{8}, 3, 6})->text,
                 (std::vector<MessageRange>{{MessageId{3}, 0, 3}}));
        links.add(SequenceId{5}, RequestId{3}, ChatId{9}, SequenceText(promptOf("x", {}), {}, MessageId{1}));
        QVERIFY(!links.tokensOf(ChatId{7}, answer)); // another pool's sequence 5
        links.removeChat(ChatId{7});
        QVERIFY(!links.knows(SequenceId{8}));
        for (std::uint32_t i = 100; i < 1000; ++i)
            links.add(SequenceId{i}, RequestId{i}, ChatId{1},
                      SequenceText(promptOf("x", {}), {}, MessageId{1}));
        QVERIFY(!links.knows(SequenceId{5}) && links.knows(SequenceId{999}));
        const auto vast = promptOf(std::string(600'000, 'x'), {});
        for (std::uint32_t i = 1000; i < 1003; ++i)
            links.add(SequenceId{i}, RequestId{i}, ChatId{1}, SequenceText(vast, {}, MessageId{1}));
        QVERIFY(!links.knows(SequenceId{1001}) && links.knows(SequenceId{1002})); // a million tokens are kept
    }
};

QTEST_GUILESS_MAIN(TestTextLinks)
#include "test_text_links.moc"
