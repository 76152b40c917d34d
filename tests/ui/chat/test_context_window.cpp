// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chat_book.h"
#include "ui/models/context_window.h"

#include <QTest>

using namespace vitrine;
using namespace vitrine::ui;

namespace {

/// `turns` questions and answers; the engine counted 100 tokens a turn.
ChatSession conversation(int turns)
{
    ChatSession session;
    session.systemPrompt = QStringLiteral("Be brief.");
    for (int turn = 0; turn < turns; ++turn) {
        Message question;
        question.id = MessageId{2 * turn + 1};
        question.text = QString(150, QChar('q'));
        Message answer;
        answer.id = MessageId{2 * turn + 2};
        answer.role = Role::Assistant;
        answer.text = QString(150, QChar('a'));
        answer.stats.promptTokens = 100 * turn + 50;
        answer.stats.generatedTokens = 50;
        session.messages.push_back(question);
        session.messages.push_back(answer);
    }
    return session;
}

} // namespace

class TestContextWindow : public QObject {
    Q_OBJECT
private slots:
    void aTextIsEstimatedByItsBytes()
    {
        QCOMPARE(estimatedTokens(QString()), 0);
        QCOMPARE(estimatedTokens(QString(3000, QChar('='))), 1000);
        QCOMPARE(estimatedTokens(QString(1000, QChar(0x6F22))), 1000);
        QCOMPARE(estimatedTokens(QStringLiteral("\U0001F600").repeated(3000)), 4000);
    }

    void whatTheEngineCountedIsUsed() { QCOMPARE(contextTokens(conversation(5)), 500); }

    void whatWasThoughtDoesNotCount()
    {
        ChatSession session = conversation(5);
        session.messages.back().reasoning = QString(150, QChar('r'));
        QCOMPARE(contextTokens(session), 475);
    }

    void whatCameLaterIsEstimated()
    {
        ChatSession session = conversation(5);
        Message question;
        question.id = MessageId{11};
        question.text = QString(300, QChar('x'));
        session.messages.push_back(question);
        QVERIFY(contextTokens(session) > 500 + 60);
    }

    void aConversationOutgrowsItsContextBeforeItIsFull()
    {
        QVERIFY(!outgrows(conversation(5), 1000));
        QVERIFY(outgrows(conversation(9), 1000));
    }

    void theCutLeavesAtMostHalf()
    {
        ChatSession session = conversation(20);
        const auto first = cutToHalf(session, 2000);
        QVERIFY(first.has_value());
        QCOMPARE(session.find(*first)->role, Role::User);
        const auto kept = session.messages.size() - static_cast<std::size_t>(first->value - 1);
        QVERIFY2(kept / 2 * 100 <= 1000, qPrintable(QString::number(kept)));
        QVERIFY(kept / 2 * 100 > 700);
    }

    void theNewestTurnIsNeverCut()
    {
        ChatSession session = conversation(3);
        const auto first = cutToHalf(session, 10);
        QVERIFY(first.has_value());
        QCOMPARE(*first, MessageId{5});
        QVERIFY(!cutToHalf(conversation(1), 10).has_value());
    }

    void countsOfALongerPromptAreNotUsedAfterACut()
    {
        ChatSession session = conversation(20);
        session.firstSent = *cutToHalf(session, 2000);
        QVERIFY(contextTokens(session) < 1500);
    }

    void thePromptHasSystemPromptAndWhatIsSent()
    {
        ChatSession session = conversation(3);
        session.firstSent = MessageId{3};
        Message notice;
        notice.id = MessageId{7};
        notice.role = Role::Notice;
        notice.text = QStringLiteral("not for the model");
        session.messages.push_back(notice);
        Message empty;
        empty.id = MessageId{8};
        empty.role = Role::Assistant;
        session.messages.push_back(empty);
        const std::vector<ChatMessage> prompt = promptOf(session);
        QCOMPARE(prompt.size(), std::size_t{5});
        QCOMPARE(prompt[0], (ChatMessage{"system", "Be brief."}));
        QCOMPARE(prompt[1].role, std::string("user"));
        QCOMPARE(prompt[4].role, std::string("assistant"));
    }
};

QTEST_APPLESS_MAIN(TestContextWindow)
#include "test_context_window.moc"
