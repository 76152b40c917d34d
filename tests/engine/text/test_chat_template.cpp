// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/chat_template.h"
#include "engine/text/prompt_encoder.h"
#include "tests/support/load.h"
#include "tests/support/reference.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QtTest>

using namespace vitrine;

namespace {

using Messages = std::vector<ChatMessage>;

constexpr auto kPlainChatMl =
    "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\\n' + message['content'] + "
    "'<|im_end|>' + "
    "'\\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

std::string rendered(const ChatTemplate& chatTemplate, const Messages& messages,
                     bool addGenerationPrompt = true)
{
    return chatTemplate.render(messages, {.addGenerationPrompt = addGenerationPrompt}).value().text;
}

} // namespace

class TestChatTemplate : public QObject {
    Q_OBJECT
private slots:
    void chatMlOpensAndClosesEachTurn()
    {
        const auto chatTemplate = parseChatTemplate(kPlainChatMl).value();
        QCOMPARE(rendered(*chatTemplate, {{"system", "Be brief."}, {"user", "Hi"}}),
                 std::string("<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n"
                             "<|im_start|>assistant\n"));
        QCOMPARE(rendered(*chatTemplate, {{"user", ""}}, false),
                 std::string("<|im_start|>user\n<|im_end|>\n"));
        QCOMPARE(rendered(*chatTemplate, {}), std::string("<|im_start|>assistant\n"));
    }

    void theDefaultSystemMessageComesOnlyWhereThereIsNone()
    {
        const auto chatTemplate = chatMlTemplate("Be kind.");
        QVERIFY(rendered(*chatTemplate, {{"user", "Hi"}})
                    .starts_with("<|im_start|>system\nBe kind.<|im_end|>\n"));
        QVERIFY(rendered(*chatTemplate, {{"system", "x"}, {"user", "Hi"}}).find("Be kind.") ==
                std::string::npos);
        QCOMPARE(rendered(*chatTemplate, {}), std::string("<|im_start|>assistant\n"));
    }

    void knowsWhatThePeopleWrote()
    {
        const RenderedChat chat =
            chatMlTemplate("Be kind.")->render(Messages{{"user", "a<|im_end|>b"}, {"user", ""}}, {}).value();
        QCOMPARE(chat.userText.size(), 1u);
        const TextRange range = chat.userText[0];
        QCOMPARE(chat.text.substr(range.begin, range.end - range.begin), std::string("a<|im_end|>b"));
    }

    void aModelWithoutATemplateGetsChatMlAndAWarning()
    {
        const ChosenChatTemplate chosen = chooseChatTemplate(std::nullopt);
        QVERIFY(chosen.warning);
        QVERIFY(rendered(*chosen.chatTemplate, {{"user", "Hi"}}).starts_with("<|im_start|>user"));
    }

    void aTemplateThatCannotBeReadGetsChatMlAndAWarningThatSaysWhere()
    {
        const ChosenChatTemplate chosen = chooseChatTemplate("{% for m in messages %}\n{# never closed");
        QVERIFY(chosen.warning->find("line 2, column 1") != std::string::npos);
        QVERIFY(rendered(*chosen.chatTemplate, {{"user", "Hi"}}).starts_with("<|im_start|>user"));
    }

    void aTemplateMayRefuseAConversation()
    {
        const auto chatTemplate =
            parseChatTemplate("{% for m in messages %}{% if (m.role == 'user') != (loop.index0 % 2 == "
                              "0) %}{{ raise_exception('Roles must alternate') }}{% endif %}{% endfor %}")
                .value();
        QVERIFY(chatTemplate->render(Messages{{"user", "a"}, {"assistant", "b"}}, {}));
        const auto refused = chatTemplate->render(Messages{{"user", "a"}, {"user", "b"}}, {});
        QVERIFY(refused.error().what.find("Roles must alternate") != std::string::npos);
        QVERIFY(refused.error().where.find("line 1") != std::string::npos);
    }

    void longConversationsFitTheLimits()
    {
        const auto chatTemplate = parseChatTemplate(kPlainChatMl).value();
        Messages messages;
        for (int i = 0; i < 2000; ++i)
            messages.push_back({i % 2 ? "assistant" : "user", std::string(2000, 'x')});
        QVERIFY(rendered(*chatTemplate, messages).size() > 4'000'000);
    }

    void starterModelGivesTheReferencePrompts()
    {
        VITRINE_SKIP_WITHOUT(test::starterModelPath());
        const QString answers = test::referencePath(QStringLiteral("smollm2/chat.json"));
        VITRINE_SKIP_WITHOUT(answers);
        const GgufFile file = test::openGguf(test::starterModelPath());
        const ChosenChatTemplate chosen =
            chooseChatTemplate(file.find<std::string_view>("tokenizer.chat_template"));
        QVERIFY(!chosen.warning);
        const auto tokenizer = test::tokenizerOf(file);
        for (const QJsonValue& chat : test::readJson(answers).array()) {
            const Messages messages{{"user", chat[QStringLiteral("user")].toString().toStdString()}};
            QCOMPARE(rendered(*chosen.chatTemplate, messages),
                     chat[QStringLiteral("prompt")].toString().toStdString());
            std::vector<TokenId> expected;
            for (const QJsonValue& id : chat[QStringLiteral("ids")].toArray())
                expected.push_back(id.toInt());
            QCOMPARE(encodePrompt(messages, *tokenizer, *chosen.chatTemplate).value(), expected);
        }
    }

    void controlTokensTypedByAUserStayText()
    {
        VITRINE_SKIP_WITHOUT(test::starterModelPath());
        const auto tokenizer = test::loadTokenizer(test::starterModelPath());
        const std::string typed = "Does <|im_end|> end a turn, and <|im_start|>?";
        const auto tokens = encodePrompt(Messages{{"user", typed}}, *tokenizer, *chatMlTemplate()).value();
        // <|im_start|>user … <|im_end|> and <|im_start|>assistant: the template's own, and no more.
        QCOMPARE(std::ranges::count(tokens, 1), 2);
        QCOMPARE(std::ranges::count(tokens, 2), 1);
        QVERIFY(tokenizer->detokenize(tokens).find(typed) != std::string::npos);
    }

    void promptsThatCannotBeAreRefused()
    {
        VITRINE_SKIP_WITHOUT(test::starterModelPath());
        const auto tokenizer = test::loadTokenizer(test::starterModelPath());
        const auto chatMl = chatMlTemplate();
        QVERIFY(!encodePrompt(std::string(), *tokenizer, *chatMl));
        QVERIFY(!encodePrompt(std::vector<TokenId>{}, *tokenizer, *chatMl));
        const auto outside = encodePrompt(std::vector<TokenId>{1, 49152}, *tokenizer, *chatMl);
        QVERIFY(outside.error().line().find("49152") != std::string::npos);
        QVERIFY(!encodePrompt(std::vector<TokenId>{-1}, *tokenizer, *chatMl));
        QCOMPARE(encodePrompt(std::string("<|im_start|>"), *tokenizer, *chatMl).value(),
                 std::vector<TokenId>{1});
    }
};

QTEST_APPLESS_MAIN(TestChatTemplate)
#include "test_chat_template.moc"
