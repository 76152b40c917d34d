// SPDX-License-Identifier: GPL-3.0-or-later
// What the window tells above the conversation, and what can be undone there.
#include "tests/support/patience.h"
#include "tests/support/window_test.h"
#include "ui/chat/chat_rail.h"
#include "ui/models/chat_book.h"
#include "ui/models/model_state.h"
#include "ui/models/recording_export.h"
#include "ui/window/notice_banner.h"
#include "ui/window/recording_actions.h"

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

#include <algorithm>

using namespace vitrine;
using namespace vitrine::ui;

class TestNotices : public test::WindowTest {
    Q_OBJECT
private:
    ChatBook& book() { return m_workspace->book(); }
    ChatRail* rail() { return m_window->findChild<ChatRail*>(); }

    static bool isShown(const QWidget* widget) { return widget->isVisible(); }

    /// Of the banner, one label a line.
    QString shownTexts()
    {
        QString texts;
        for (const QLabel* label : m_window->banner().findChildren<QLabel*>())
            if (isShown(label))
                texts += label->text() + QChar('\n');
        return texts;
    }

private slots:
    void init() { openWindow(); }
    void cleanup() { closeWindow(); }

    void deletingOffersUndo()
    {
        const ChatId chat = rail()->current();
        book().append(chat, {});
        rail()->deleteAction()->trigger();
        QVERIFY(book().find(chat) == nullptr);
        QVERIFY(m_window->banner().isVisible());
        m_window->banner().findChild<QPushButton*>()->click();
        QVERIFY(book().find(chat) != nullptr);
        QCOMPARE(rail()->current(), chat);
    }

    void aNameWithoutSpacesDoesNotWidenTheWindow()
    {
        const int before = m_window->minimumSizeHint().width();
        const std::string name = "/recordings/" + std::string(237, 'w') + ".vitrine";
        m_window->banner().report(NoticeBanner::Subject(0), {"recording saved", name, {}});
        QCOMPARE(m_window->minimumSizeHint().width(), before);
        const auto labels = m_window->banner().findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [&name](const QLabel* label) {
            return label->toolTip().contains(QString::fromStdString(name)) &&
                   label->text().contains(QStringLiteral("…")) &&
                   label->text().contains(QStringLiteral("www.vitrine"));
        }));
    }

    void namesOfUsualLengthAreWhole()
    {
        const std::string name = "/recordings/" + std::string(41, 'w') + "/" + std::string(41, 'v');
        m_window->banner().report(NoticeBanner::Subject(0), {"recording saved", name, {}});
        QVERIFY2(shownTexts().contains(QString::fromStdString(name)), qPrintable(shownTexts()));
    }

    /// However many messages stand there already: an offer goes by itself and cannot wait.
    void whatCanBeUndoneIsSeenAmongOtherMessages()
    {
        NoticeBanner& banner = m_window->banner();
        for (int i = 0; i < 5; ++i)
            banner.report(NoticeBanner::Subject(i), {"error " + std::to_string(i), {}, {}});
        const ChatId chat = rail()->current();
        book().append(chat, {});
        rail()->deleteAction()->trigger();
        auto* undo = banner.findChild<QPushButton*>();
        QVERIFY(undo && undo->isVisible() && undo->focusPolicy() != Qt::NoFocus);
        QVERIFY(m_window->rect().contains(undo->mapTo(m_window.get(), undo->rect().center())));
        QTest::keyClick(undo, Qt::Key_Space);
        QVERIFY(book().find(chat) != nullptr);
        QTRY_COMPARE(std::ranges::count_if(banner.findChildren<QToolButton*>(), &QWidget::isVisible), 3);
    }

    void aFailedLoadStaysOnScreenUntilItIsClosed()
    {
        QSignalSpy failed(&m_workspace->model(), &ModelState::failed);
        m_workspace->model().load(QStringLiteral("/nowhere/at-all.gguf"));
        QVERIFY(failed.wait(test::kPatienceMillis));
        QVERIFY(m_window->banner().isVisible());
        const auto labels = m_window->banner().findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
            return label->text().contains(QStringLiteral("/nowhere/at-all.gguf"));
        }));
    }

    void manyMessagesWaitForTheirTurnAndNoneIsLost()
    {
        NoticeBanner& banner = m_window->banner();
        for (int i = 0; i < 6; ++i)
            banner.report(NoticeBanner::Subject(i), {"error " + std::to_string(i), "here", "do this"});
        const auto closeLast = [&] {
            const QList<QToolButton*> buttons = banner.findChildren<QToolButton*>();
            (*std::find_if(buttons.rbegin(), buttons.rend(), isShown))->click();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            QCoreApplication::processEvents();
        };
        for (int i = 5; i >= 0; --i) { // the newest is read first
            QCOMPARE(shownTexts().count("Error "), std::min(i + 1, 3));
            QVERIFY2(shownTexts().contains(QStringLiteral("Error %1\n").arg(i)), qPrintable(shownTexts()));
            closeLast();
        }
        QTRY_VERIFY(!banner.isVisible());
    }

    void exportsThatFailAgainAreToldOnce()
    {
        NoticeBanner& banner = m_window->banner();
        banner.report(NoticeBanner::Subject::Chats, {"something else", {}, {}});
        auto* actions = m_window->findChild<RecordingActions*>();
        QSignalSpy failed(actions, &RecordingActions::failed);
        for (int i = 0; i < 6; ++i) {
            actions->write(i % 2 == 0 ? exportChromeTrace : exportStepsCsv,
                           QStringLiteral("/nowhere/%1.json").arg(i));
            QVERIFY(failed.wait(test::kPatienceMillis));
        }
        QCOMPARE(shownTexts().count("/nowhere/"), 1);
        QVERIFY2(shownTexts().contains("/nowhere/5.json"), qPrintable(shownTexts()));
        QVERIFY(shownTexts().contains("Something else"));
        QTRY_COMPARE(std::ranges::count_if(banner.findChildren<QToolButton*>(), isShown), 2);
    }

    void loadsThatFailAgainAreToldOnce()
    {
        QSignalSpy failed(&m_workspace->model(), &ModelState::failed);
        for (int i = 0; i < 4; ++i) {
            m_workspace->model().load(QStringLiteral("/nowhere/%1.gguf").arg(i));
            QVERIFY(failed.wait(test::kPatienceMillis));
        }
        QCOMPARE(shownTexts().count("/nowhere/"), 1);
        QVERIFY2(shownTexts().contains("/nowhere/3.gguf"), qPrintable(shownTexts()));
    }

    void aModelThatLoadsTakesBackThatOneDidNot()
    {
        QSignalSpy failed(&m_workspace->model(), &ModelState::failed);
        m_workspace->model().load(QStringLiteral("/nowhere/at-all.gguf"));
        QVERIFY(failed.wait(test::kPatienceMillis));
        QVERIFY(shownTexts().contains("could not be loaded"));
        QSignalSpy loaded(&m_workspace->model(), &ModelState::loaded);
        m_workspace->model().load(QStringLiteral(VITRINE_TEST_DATA "/arch/llama.gguf"));
        QVERIFY(loaded.wait(test::kPatienceMillis));
        QVERIFY2(!shownTexts().contains("could not be loaded"), qPrintable(shownTexts()));
    }

    void remarksOnOneModelAreOneMessage()
    {
        QSignalSpy loaded(&m_workspace->model(), &ModelState::loaded);
        for (int i = 0; i < 2; ++i) {
            m_workspace->model().load(QStringLiteral(VITRINE_TEST_DATA "/arch/llama.gguf"));
            QVERIFY(loaded.wait(test::kPatienceMillis));
        }
        QCOMPARE(shownTexts().count("Remarks on the model"), 1);
        QVERIFY2(shownTexts().contains("no chat template"), qPrintable(shownTexts()));
    }
};

VITRINE_GUI_TEST_MAIN(TestNotices)
#include "test_notices.moc"
