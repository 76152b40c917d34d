// SPDX-License-Identifier: GPL-3.0-or-later
// Nobody loses chats by quitting without having been asked.
#include "tests/support/patience.h"
#include "tests/support/session_files.h"
#include "tests/support/window_test.h"
#include "ui/window/replay_window.h"

#include <QAction>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>

using namespace vitrine;
using namespace vitrine::test;
using namespace vitrine::ui;

namespace {

/// Answers each question that is asked while it lives.
class Answers {
public:
    explicit Answers(QMessageBox::ButtonRole role)
    {
        QObject::connect(&m_timer, &QTimer::timeout, [this, role] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (box == nullptr)
                return;
            m_texts << box->text();
            m_default = box->buttonRole(box->defaultButton());
            for (QAbstractButton* button : box->buttons()) {
                if (box->buttonRole(button) == role)
                    button->click();
            }
        });
        m_timer.start(10);
    }

    [[nodiscard]] const QStringList& questions() const { return m_texts; }
    [[nodiscard]] QMessageBox::ButtonRole defaultRole() const { return m_default; }

private:
    QTimer m_timer;
    QStringList m_texts;
    QMessageBox::ButtonRole m_default = QMessageBox::InvalidRole;
};

/// By its name: the offscreen platform has no standard key for it.
QAction* quitAction(const QWidget& window)
{
    for (QAction* action : window.findChildren<QAction*>()) {
        if (action->text() == QLatin1String("&Quit"))
            return action;
    }
    return nullptr;
}

} // namespace

class TestQuitting : public WindowTest {
    Q_OBJECT
private:
    Result<void> openStore()
    {
        m_chats = std::make_unique<SessionStore>(m_workspace->book(), m_folder->path());
        m_window->saveBeforeClosing([this] { return m_chats->saveNow(); });
        return m_chats->open();
    }

    /// A chat that no longer fits on the disk.
    void writeUntilFull()
    {
        QVERIFY(openStore());
        m_limit = std::make_unique<FileLimit>(64 * 1024);
        ChatBook& book = m_workspace->book();
        book.append(book.add(QStringLiteral("big"), {}),
                    answer(MessageState::Done, QString(400'000, QChar('x'))));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<SessionStore> m_chats;
    std::unique_ptr<FileLimit> m_limit;

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        openWindow();
    }

    void cleanup()
    {
        m_limit.reset();
        m_chats.reset();
        closeWindow();
    }

    void onAFullDiskItIsAskedAndTheDefaultIsToStay()
    {
        writeUntilFull();
        QTRY_VERIFY_WITH_TIMEOUT(m_chats->isFailing(), kPatienceMillis);
        const Answers stay(QMessageBox::RejectRole);
        quitAction(*m_window)->trigger();
        QVERIFY(m_window->isVisible());
        QCOMPARE(stay.questions().size(), 1);
        QVERIFY2(stay.questions().first().startsWith(
                     QStringLiteral("Chats are not saved: files may not grow so far")),
                 qPrintable(stay.questions().first()));
        QCOMPARE(stay.defaultRole(), QMessageBox::RejectRole);
        m_limit.reset(); // whoever stays has the chats, which are saved once there is room
        QTRY_VERIFY_WITH_TIMEOUT(m_chats->isSaved(), kPatienceMillis);
    }

    /// The last half second before the first failure counts as well.
    void whoWantsToQuitsAllTheSame()
    {
        writeUntilFull();
        QVERIFY(!m_chats->isFailing());
        const Answers quit(QMessageBox::DestructiveRole);
        m_window->close();
        QVERIFY(!m_window->isVisible());
        QCOMPARE(quit.questions().size(), 1);
    }

    void onceThereIsRoomItIsSavedUnasked()
    {
        writeUntilFull();
        QTRY_VERIFY_WITH_TIMEOUT(m_chats->isFailing(), kPatienceMillis);
        m_limit.reset();
        const Answers stay(QMessageBox::RejectRole);
        m_window->close();
        QVERIFY(!m_window->isVisible());
        QCOMPARE(stay.questions(), QStringList());
        QVERIFY(m_chats->isSaved());
        QVERIFY(!m_chats->isFailing());
        QCOMPARE(countMessages(m_folder->filePath(QStringLiteral("chats.sqlite")),
                               QStringLiteral("length(text) = 400000")),
                 1);
    }

    void chatsThatAreNotKeptAreNotAskedAbout()
    {
        ChatBook other;
        SessionStore first(other, m_folder->path());
        QVERIFY(first.open());
        QVERIFY(!openStore());
        m_workspace->book().add(QStringLiteral("in memory"), {});
        const Answers stay(QMessageBox::RejectRole);
        m_window->close();
        QVERIFY(!m_window->isVisible());
        QCOMPARE(stay.questions(), QStringList());
    }

    void aRecordingsWindowQuitsTheProgram()
    {
        ReplayWindow beside(m_window.get());
        beside.show();
        QVERIFY(quitAction(beside) != nullptr);
        quitAction(beside)->trigger();
        QVERIFY(!m_window->isVisible());
        ReplayWindow alone;
        alone.show();
        quitAction(alone)->trigger();
        QVERIFY(!alone.isVisible());
    }
};

VITRINE_GUI_TEST_MAIN(TestQuitting)
#include "test_quitting.moc"
