// SPDX-License-Identifier: GPL-3.0-or-later
// With the real engine and a model that thinks before it answers.
#include "app/workspace.h"
#include "tests/support/gui_test.h"
#include "tests/support/patience.h"
#include "tests/support/scripted_model.h"

#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <memory>

using namespace vitrine;
using namespace vitrine::ui;

class TestChatReasoning : public QObject {
    Q_OBJECT
private:
    QTemporaryDir m_folder;
    std::unique_ptr<QSettings> m_store;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<Workspace> m_workspace;

    ChatBook& book() { return m_workspace->book(); }
    const Message& lastAnswer(ChatId chat) { return *book().find(chat)->lastAnswer(); }

    void ask(ChatId chat, int maxTokens = 0)
    {
        QVERIFY(m_workspace->controller().submit(chat, QStringLiteral("hi"), maxTokens));
        QTRY_VERIFY_WITH_TIMEOUT(!book().find(chat)->isBusy(), test::kPatienceMillis);
    }

private slots:
    void initTestCase()
    {
        test::ScriptedModel model{
            {{"<think>", 4}, {"\nhm"}, {", well"}, {"\n</thi"}, {"nk>\n\nHel"}, {"lo."}}};
        model.chatTemplate = "{% for m in messages %}{{ m.content }}</s>{% endfor %}<|go|>";
        const std::string bytes = model.bytes();
        QFile file(m_folder.filePath(QStringLiteral("thinks.gguf")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes.data(), qint64(bytes.size()));
        file.close();
        m_store = std::make_unique<QSettings>();
        m_settings = std::make_unique<Settings>(*m_store);
        SamplingOptions greedy;
        greedy.temperature = 0;
        m_settings->setSampling(greedy);
        m_workspace = std::make_unique<Workspace>(*m_settings);
        QSignalSpy loaded(&m_workspace->model(), &ModelState::loaded);
        m_workspace->model().load(file.fileName());
        QVERIFY(loaded.wait(test::kPatienceMillis));
    }

    void init() { test::failOnQtWarnings(); }

    void isKeptApartFromTheAnswerAndNotSentAgain()
    {
        const ChatId chat = m_workspace->newChat();
        ask(chat);
        QCOMPARE(lastAnswer(chat).reasoning, QStringLiteral("hm, well"));
        QCOMPARE(lastAnswer(chat).text, QStringLiteral("Hello."));
        QVERIFY(lastAnswer(chat).note.isEmpty());
        const int first = lastAnswer(chat).stats.promptTokens;
        ask(chat);
        const int second = lastAnswer(chat).stats.promptTokens;
        QCOMPARE(second - first,
                 int(qstrlen("Hello.") + 1 + qstrlen("hi") + 1)); // a token each, and two </s>
    }

    void anAnswerThatEndsInItSaysSo()
    {
        const ChatId chat = m_workspace->newChat();
        ask(chat, 2);
        QCOMPARE(lastAnswer(chat).reasoning, QStringLiteral("hm"));
        QVERIFY(lastAnswer(chat).text.isEmpty());
        QVERIFY2(lastAnswer(chat).note.contains(QStringLiteral("still reasoning")),
                 qPrintable(lastAnswer(chat).note));
        ask(chat); // the next question is answered all the same
        QCOMPARE(lastAnswer(chat).text, QStringLiteral("Hello."));
    }
};

VITRINE_GUI_TEST_MAIN(TestChatReasoning)
#include "test_chat_reasoning.moc"
