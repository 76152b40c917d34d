// SPDX-License-Identifier: GPL-3.0-or-later
// With the real engine and the starter model.
#include "app/workspace.h"
#include "tests/support/gui_test.h"
#include "ui/models/chat_list_model.h"
#include "ui/models/pool_sentence.h"

#include <QDeadlineTimer>
#include <QSet>
#include <QSettings>
#include <QSignalSpy>

#include <algorithm>
#include <memory>
#include <variant>

using namespace vitrine;
using namespace vitrine::ui;

namespace {

constexpr int kLoadMillis = 60'000;
constexpr int kAnswerMillis = 90'000;
/// Between two steps, where an answer must still be coming while something else is done: it lasts for seconds
/// then, however fast the machine is.
constexpr int kStepMillis = 20;

const QString kQuestion = QStringLiteral("Name three colours.");
const QString kLongStory = QStringLiteral("Write a very long story about a ship.");

int sampledTokens(const StepRecord& step)
{
    return static_cast<int>(std::ranges::count_if(step.events, [](const StepEvent& event) {
        const auto* member = std::get_if<event::Member>(&event);
        return member != nullptr && member->samples;
    }));
}

} // namespace

class TestChatController : public QObject {
    Q_OBJECT
private:
    std::unique_ptr<QSettings> m_store;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<Workspace> m_workspace;

    ChatBook& book() { return m_workspace->book(); }
    ChatController& controller() { return m_workspace->controller(); }
    const Message& lastAnswer(ChatId chat) { return *book().find(chat)->lastAnswer(); }
    bool isBusy(ChatId chat) { return book().find(chat)->isBusy(); }
    bool poolIsEmpty() { return m_workspace->glass().figures().activeBlocks == 0; }

    void useEngine(const EngineOptions& options)
    {
        m_workspace.reset();
        m_settings->overrideEngineOptions(options);
        m_workspace = std::make_unique<Workspace>(*m_settings);
        QSignalSpy loaded(&m_workspace->model(), &ModelState::loaded);
        m_workspace->model().load(test::starterModel());
        QVERIFY(loaded.wait(kLoadMillis));
    }

    QString greedyAnswer(const QString& question, int maxTokens)
    {
        const ChatId chat = m_workspace->newChat();
        controller().submit(chat, question, maxTokens);
        [&] { QTRY_VERIFY_WITH_TIMEOUT(!isBusy(chat), kAnswerMillis); }();
        return lastAnswer(chat).text;
    }

private slots:
    void initTestCase()
    {
        VITRINE_NEEDS_STARTER_MODEL();
        m_store = std::make_unique<QSettings>();
        m_settings = std::make_unique<Settings>(*m_store);
        SamplingOptions greedy;
        greedy.temperature = 0;
        m_settings->setSampling(greedy);
        useEngine({});
    }

    void init() { test::failOnQtWarnings(); }

    void cleanup()
    {
        if (!m_workspace)
            return;
        m_workspace->host().setStepDelay(0);
        m_workspace->host().resume();
        while (book().count() > 0)
            controller().remove(book().at(0).id);
        QTRY_VERIFY_WITH_TIMEOUT(poolIsEmpty(), kAnswerMillis);
    }

    void twoChatsStreamAtOnceAndEachGetsItsOwnText()
    {
        const QString aloneA = greedyAnswer(kQuestion, 24);
        const QString aloneB = greedyAnswer(QStringLiteral("What is a lighthouse?"), 24);
        QVERIFY(!aloneA.isEmpty() && aloneA != aloneB);
        const ChatId a = m_workspace->newChat();
        const ChatId b = m_workspace->newChat();
        int together = 0; // steps that gave both a token
        const auto watch = connect(&m_workspace->host(), &EngineHost::stepsRecorded, this,
                                   [&together](const StepBatchPtr& batch) {
                                       for (const StepRecord& step : batch->steps)
                                           together += sampledTokens(step) == 2;
                                   });
        m_workspace->host().pause(); // until it has both, however soon it would be done with one
        controller().submit(a, kQuestion, 24);
        controller().submit(b, QStringLiteral("What is a lighthouse?"), 24);
        m_workspace->host().resume();
        QTRY_VERIFY_WITH_TIMEOUT(!isBusy(a) && !isBusy(b), kAnswerMillis);
        QTRY_VERIFY_WITH_TIMEOUT(together > 1, kAnswerMillis);
        disconnect(watch);
        QCOMPARE(lastAnswer(a).text, aloneA);
        QCOMPARE(lastAnswer(b).text, aloneB);
    }

    /// No step has said what it waits for, and none will until the engine goes on.
    void whoComesWhileTheEngineIsPausedWaitsForTheNextStep()
    {
        ChatListModel list(controller(), m_workspace->glass());
        const ChatId chat = m_workspace->newChat();
        const auto line = [&] { return list.indexOf(chat).data(ChatListModel::StateRole).toString(); };
        m_workspace->host().pause();
        controller().submit(chat, QStringLiteral("hello"), 4);
        QTRY_COMPARE_WITH_TIMEOUT(line(), QStringLiteral("waits for the next step"), kAnswerMillis);
        list.setPaused(true);
        QCOMPARE(line(), QStringLiteral("waits for the next step: the engine is paused"));
        QVERIFY2(poolSentence(m_workspace->glass()).startsWith(QStringLiteral("Nothing runs, 1 wait")),
                 qPrintable(poolSentence(m_workspace->glass())));
        list.setPaused(false);
        m_workspace->host().resume();
        QTRY_VERIFY_WITH_TIMEOUT(!isBusy(chat), kAnswerMillis);
    }

    /// Whoever reads a row, at whatever moment, reads what was told last; and a rate of an engine that stands
    /// still is one of the past.
    void aBusyRowTellsOneMomentAndNoRateOfThePast()
    {
        ChatListModel list(controller(), m_workspace->glass());
        const ChatId chat = m_workspace->newChat();
        const auto line = [&] { return list.indexOf(chat).data(ChatListModel::StateRole).toString(); };
        QString told;
        connect(&list, &QAbstractItemModel::dataChanged, this, [&] { told = line(); });
        m_workspace->host().setStepDelay(kStepMillis);
        controller().submit(chat, kLongStory, 400);
        QSet<QString> rates;
        for (const QDeadlineTimer end(kAnswerMillis); rates.size() < 2 && !end.hasExpired();) {
            QTest::qWait(1);
            QCOMPARE(line(), told);
            if (!told.startsWith(QStringLiteral("decoding, ")))
                continue;
            rates << told;
            m_workspace->host().setStepDelay(3 * kStepMillis); // another rate
        }
        QVERIFY(isBusy(chat) && rates.size() == 2);
        m_workspace->host().pause();
        QTRY_VERIFY_WITH_TIMEOUT(m_workspace->glass().isIdle(), kAnswerMillis);
        QCOMPARE(line(), QStringLiteral("decoding"));
        QCOMPARE(told, line());
        list.setPaused(true);
        QCOMPARE(line(), QStringLiteral("paused"));
        QCOMPARE(told, line());
        list.setPaused(false);
        m_workspace->host().resume();
        QTRY_VERIFY_WITH_TIMEOUT(line().contains(QStringLiteral("tok/s")), kAnswerMillis);
        controller().stop(chat);
        QVERIFY(!line().contains(QStringLiteral("tok/s")));
    }

    void anAnswerCarriesItsFigures()
    {
        const ChatId chat = m_workspace->newChat();
        controller().submit(chat, kQuestion, 8);
        QTRY_VERIFY_WITH_TIMEOUT(!isBusy(chat), kAnswerMillis);
        const RequestStats& stats = lastAnswer(chat).stats;
        QCOMPARE(stats.generatedTokens, 8);
        QVERIFY(stats.promptTokens > 5);
        QVERIFY(stats.ttftSeconds > 0);
        QVERIFY(stats.decodeTokensPerSecond > 0);
        QCOMPARE(lastAnswer(chat).state, MessageState::Done);
        QVERIFY2(lastAnswer(chat).note.isEmpty(), "max_tokens is no full context");
        QCOMPARE(book().find(chat)->title, kQuestion);
    }

    void stoppingWhileQueuedLeavesTheChatReady()
    {
        m_workspace->host().pause();
        const ChatId chat = m_workspace->newChat();
        controller().submit(chat, kQuestion, 200);
        QTRY_VERIFY_WITH_TIMEOUT(controller().sequenceOf(chat), kAnswerMillis); // the engine has it
        controller().stop(chat);
        QVERIFY(!isBusy(chat)); // at once (cases.md 5)
        m_workspace->host().resume();
        controller().submit(chat, kQuestion, 4);
        QTRY_VERIFY_WITH_TIMEOUT(!isBusy(chat), kAnswerMillis);
        QCOMPARE(lastAnswer(chat).state, MessageState::Done);
    }

    void stoppingALongPromptFreesItsBlocks()
    {
        const ChatId chat = m_workspace->newChat();
        m_workspace->host().pause();
        controller().submit(chat, QStringLiteral("word and more words, ").repeated(300), 200);
        m_workspace->host().singleStep(); // a part of the prompt
        QTRY_VERIFY_WITH_TIMEOUT(!poolIsEmpty(), kAnswerMillis);
        controller().stop(chat);
        QCOMPARE(lastAnswer(chat).state, MessageState::Stopped);
        QTRY_VERIFY_WITH_TIMEOUT(poolIsEmpty(), kAnswerMillis);
        QVERIFY(lastAnswer(chat).text.isEmpty());
    }

    void stoppingWhileDecodingKeepsTheTextAndAddsNone()
    {
        const ChatId chat = m_workspace->newChat();
        m_workspace->host().setStepDelay(kStepMillis);
        controller().submit(chat, kLongStory, 400);
        QTRY_VERIFY_WITH_TIMEOUT(!lastAnswer(chat).text.isEmpty(), kAnswerMillis);
        controller().stop(chat);
        const QString text = lastAnswer(chat).text;
        QCOMPARE(lastAnswer(chat).state, MessageState::Stopped);
        // Figures come also for what was stopped: with the engine's last word, after which no text can come.
        QTRY_VERIFY_WITH_TIMEOUT(lastAnswer(chat).stats.generatedTokens > 0, kAnswerMillis);
        QTRY_VERIFY_WITH_TIMEOUT(poolIsEmpty(), kAnswerMillis);
        QCOMPARE(lastAnswer(chat).text, text);
    }

    void deletingWhileStreamingStopsAndCanBeUndone()
    {
        const ChatId other = m_workspace->newChat();
        const ChatId chat = m_workspace->newChat();
        m_workspace->host().setStepDelay(kStepMillis);
        controller().submit(other, kQuestion, 16);
        controller().submit(chat, kLongStory, 400);
        QTRY_VERIFY_WITH_TIMEOUT(!lastAnswer(chat).text.isEmpty(), kAnswerMillis);
        const QString text = lastAnswer(chat).text;
        controller().remove(chat);
        QVERIFY(book().find(chat) == nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(!isBusy(other), kAnswerMillis);
        QTRY_VERIFY_WITH_TIMEOUT(poolIsEmpty(), kAnswerMillis);
        controller().undoRemove();
        QCOMPARE(lastAnswer(chat).text, text);
        QCOMPARE(lastAnswer(chat).state, MessageState::Stopped);
    }

    void aGreedyAnswerIsMadeAnewWordForWord()
    {
        const ChatId chat = m_workspace->newChat();
        controller().submit(chat, kQuestion, 12);
        QTRY_VERIFY_WITH_TIMEOUT(!isBusy(chat), kAnswerMillis);
        const Message first = lastAnswer(chat);
        controller().regenerate(chat);
        QVERIFY(isBusy(chat));
        QCOMPARE(book().find(chat)->messages.size(), std::size_t{2});
        QTRY_VERIFY_WITH_TIMEOUT(lastAnswer(chat).text.size() >= first.text.size(), kAnswerMillis);
        controller().stop(chat);
        QVERIFY(lastAnswer(chat).text.startsWith(first.text));
        QVERIFY(lastAnswer(chat).id != first.id);
    }

    void aBranchSharesWhatCameBefore()
    {
        const ChatId chat = m_workspace->newChat();
        controller().submit(chat, kQuestion, 6);
        QTRY_VERIFY_WITH_TIMEOUT(!isBusy(chat), kAnswerMillis);
        const MessageId answer = lastAnswer(chat).id;
        controller().submit(chat, QStringLiteral("And three animals?"), 6);
        QTRY_VERIFY_WITH_TIMEOUT(!isBusy(chat), kAnswerMillis);
        const ChatId branch = controller().branch(chat, answer);
        QCOMPARE(book().find(branch)->messages.front().text, kQuestion);
        QCOMPARE(book().find(branch)->messages.size(), std::size_t{2});
        QVERIFY(isBusy(branch));
        QCOMPARE(book().find(chat)->messages.size(), std::size_t{4});
        controller().stop(branch);
    }

    void aChatThatOutgrowsItsContextGoesOn()
    {
        EngineOptions options;
        options.scheduler.maxModelLen = 160;
        useEngine(options);
        m_settings->setSystemPrompt(QStringLiteral("Answer in one word."));
        const ChatId chat = m_workspace->newChat();
        m_settings->setSystemPrompt({});
        const auto countNotices = [&] {
            return std::ranges::count(book().find(chat)->messages, Role::Notice, &Message::role);
        };
        for (int turn = 0; turn < 12 && countNotices() == 0; ++turn) {
            controller().submit(chat, kQuestion, 24);
            QTRY_VERIFY_WITH_TIMEOUT(!isBusy(chat), kAnswerMillis);
            QVERIFY2(lastAnswer(chat).state == MessageState::Done, qPrintable(lastAnswer(chat).note));
        }
        QCOMPARE(countNotices(), 1);
        const ChatSession& session = *book().find(chat);
        QVERIFY(session.firstSent.value > 1);
        QCOMPARE(session.systemPrompt, QStringLiteral("Answer in one word."));
        QVERIFY(session.messages.front().text == kQuestion);
        const int computed = lastAnswer(chat).stats.promptTokens;
        QVERIFY(computed < 160);
        controller().submit(chat, kQuestion, 4);
        QTRY_VERIFY_WITH_TIMEOUT(!isBusy(chat), kAnswerMillis);
        QVERIFY2(lastAnswer(chat).stats.cachedTokens > 0, "the turn after the cut computes only what is new");
    }

    void aFullContextKeepsThePartialAnswerAndSaysSo()
    {
        EngineOptions options;
        options.scheduler.maxModelLen = 64;
        useEngine(options);
        const ChatId chat = m_workspace->newChat();
        controller().submit(chat, kLongStory);
        QTRY_VERIFY_WITH_TIMEOUT(!isBusy(chat), kAnswerMillis);
        QCOMPARE(lastAnswer(chat).state, MessageState::Done);
        QVERIFY(!lastAnswer(chat).text.isEmpty());
        QVERIFY2(lastAnswer(chat).note.contains(QStringLiteral("64")), qPrintable(lastAnswer(chat).note));
    }

    void aPromptLongerThanTheContextIsRefusedWithAReason()
    {
        EngineOptions options;
        options.scheduler.maxModelLen = 64;
        useEngine(options);
        const ChatId chat = m_workspace->newChat();
        controller().submit(chat, QStringLiteral("word and more words, ").repeated(40));
        QTRY_VERIFY_WITH_TIMEOUT(!isBusy(chat), kAnswerMillis);
        QCOMPARE(lastAnswer(chat).state, MessageState::Failed);
        QVERIFY(!lastAnswer(chat).note.isEmpty());
    }
};

VITRINE_GUI_TEST_MAIN(TestChatController)
#include "test_chat_controller.moc"
