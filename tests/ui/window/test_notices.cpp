// SPDX-License-Identifier: GPL-3.0-or-later
// What the window tells above the conversation, and what can be undone there.
#include "tests/support/window_test.h"
#include "ui/chat/chat_rail.h"
#include "ui/models/chat_book.h"
#include "ui/models/model_state.h"
#include "ui/window/notice_banner.h"

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

    /// However many messages stand there already: an offer goes by itself and cannot wait.
    void whatCanBeUndoneIsSeenAmongOtherMessages()
    {
        NoticeBanner& banner = m_window->banner();
        for (int i = 0; i < 5; ++i)
            banner.report({"error " + std::to_string(i), {}, {}});
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
        QVERIFY(failed.wait(60'000));
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
            banner.report({"error " + std::to_string(i), "here", "do this"});
        const auto closeFirst = [&] {
            for (auto* button : banner.findChildren<QToolButton*>()) {
                if (button->isVisible())
                    return button->click();
            }
        };
        for (int i = 0; i < 6; ++i) {
            bool shown = false;
            for (const QLabel* label : banner.findChildren<QLabel*>())
                shown = shown || (label->isVisible() && label->text() == QStringLiteral("Error %1").arg(i));
            QVERIFY2(shown, qPrintable(QString::number(i)));
            closeFirst();
            QTest::qWait(1);
        }
        QTRY_VERIFY(!banner.isVisible());
    }
};

VITRINE_GUI_TEST_MAIN(TestNotices)
#include "test_notices.moc"
