// SPDX-License-Identifier: GPL-3.0-or-later
// What is offered in a window that has little room for it.
#include "tests/support/patience.h"
#include "tests/support/settle.h"
#include "tests/support/window_test.h"
#include "ui/chat/composer.h"
#include "ui/chat/empty_state.h"
#include "ui/chat/suggestion_card.h"
#include "ui/models/model_state.h"
#include "ui/window/notice_banner.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QStatusBar>

#include <algorithm>

using namespace std::chrono_literals;
using namespace vitrine;
using namespace vitrine::ui;

class TestSmallWindow : public test::WindowTest {
    Q_OBJECT
private:
    void shrink(QSize size, int banners)
    {
        for (int i = 0; i < banners; ++i)
            m_window->banner().report(NoticeBanner::Subject(i),
                                      QStringLiteral("The model could not be loaded"),
                                      Error{"no such file", "/somewhere/else.gguf", "check the path"});
        m_window->resize(size);
        test::settle(50ms);
    }

    /// With the keyboard alone, each of them as high as its texts are, and from one end to the other or as
    /// far as there is room.
    void allAreReached(const QList<QWidget*>& widgets)
    {
        const int room = m_window->findChild<EmptyState*>()->viewport()->height();
        for (QWidget* widget : widgets) {
            for (int i = 0; i < 200 && !widget->hasFocus(); ++i)
                QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            QVERIFY2(widget->hasFocus(), qPrintable(widget->accessibleDescription()));
            QVERIFY(widget->height() >= widget->heightForWidth(widget->width()));
            const QRect seen = widget->visibleRegion().boundingRect();
            QCOMPARE(seen.size(), QSize(widget->width(), std::min(widget->height(), room)));
        }
    }

private slots:
    void cleanup() { closeWindow(); }

    void suggestionsAreReachedBelowMessages_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("banners");
        QTest::addColumn<bool>("isLarge");
        for (const QSize size : {QSize(1280, 800), QSize(900, 500), QSize(720, 480)})
            for (const int banners : {0, 1, 3})
                for (const bool isLarge : {false, true})
                    QTest::addRow("%dx%d, %d messages%s", size.width(), size.height(), banners,
                                  isLarge ? ", large type" : "")
                        << size << banners << isLarge;
    }

    void suggestionsAreReachedBelowMessages()
    {
        QFETCH(QSize, size);
        QFETCH(int, banners);
        QFETCH(bool, isLarge);
        openWindow([isLarge](Settings& settings) { settings.setLargeType(isLarge); });
        QSignalSpy loaded(&m_workspace->model(), &ModelState::loaded);
        m_workspace->model().load(QStringLiteral(VITRINE_TEST_DATA "/arch/qwen2.gguf"));
        QVERIFY(loaded.wait(test::kPatienceMillis));
        shrink(size, banners);
        if (!isLarge)
            QCOMPARE(m_window->size(), size);
        QList<QWidget*> cards;
        for (auto* card : m_window->findChildren<SuggestionCard*>())
            cards << card;
        QCOMPARE(cards.size(), 3);
        if (!isLarge) // more than one suggestion at a time
            QVERIFY(m_window->findChild<EmptyState*>()->viewport()->height() > 1.5 * cards[0]->height());
        allAreReached(cards);
        if (QTest::currentTestFailed())
            return;
        auto* composer = m_window->findChild<Composer*>();
        QCOMPARE(composer->visibleRegion().boundingRect(), composer->rect());
    }

    /// As many as there is room for, and each of them whole.
    void messagesAreNotCut_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("roomy") << QSize(1280, 800);
        QTest::newRow("low") << QSize(900, 500);
        QTest::newRow("lowest") << QSize(720, 480);
    }

    void messagesAreNotCut()
    {
        QFETCH(QSize, size);
        openWindow();
        shrink(size, 4);
        int fitting = 0; // into a third of the window, as high as they are with the fonts of this machine
        const auto whole = [this, &fitting] {
            int count = 0;
            for (const QLabel* label : m_window->banner().findChildren<QLabel*>()) {
                if (label->isVisible() && label->height() < label->heightForWidth(label->width()))
                    return -1;
                if (!label->isVisible() || label->text() != QStringLiteral("The model could not be loaded"))
                    continue;
                ++count;
                const int height = label->parentWidget()->height() + kGap;
                fitting = std::clamp(m_window->height() / 3 / height, 1, 3);
            }
            return count;
        };
        const int shown = whole();
        QVERIFY(shown > 0);
        QCOMPARE(shown, fitting);
        m_window->resize(1280, 1000);
        QTRY_VERIFY(whole() == fitting && whole() >= shown);
        m_window->resize(size);
        QTRY_COMPARE(whole(), shown);
    }

    void noFigureOfTheStatusBarIsCut()
    {
        openWindow([](Settings& settings) { settings.setLargeType(true); });
        const QStatusBar* bar = m_window->statusBar();
        const auto shown = [this, bar] {
            qsizetype count = 0;
            for (const QLabel* label : bar->findChildren<QLabel*>()) {
                if (label->isHidden())
                    continue;
                const QRect place(label->mapTo(m_window.get(), QPoint()), label->size());
                if (!m_window->rect().contains(place))
                    return qsizetype(-1);
                ++count;
            }
            return count;
        };
        for (int width = 720; width <= 1600; width += 40) {
            m_window->resize(width, 480);
            QTRY_VERIFY(shown() >= 3);
        }
        QTRY_COMPARE(shown(), bar->findChildren<QLabel*>().size());
        m_window->resize(720, 480);
        QTRY_VERIFY(shown() >= 3 && shown() < bar->findChildren<QLabel*>().size());
    }

    void aModelCanBeOpenedBelowMessages()
    {
        openWindow();
        shrink({720, 480}, 3);
        auto* state = m_window->findChild<EmptyState*>();
        allAreReached({state->findChild<QPushButton*>()});
        for (const QLabel* label : state->findChildren<QLabel*>())
            if (label->isVisibleTo(state))
                QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
    }
};

VITRINE_GUI_TEST_MAIN(TestSmallWindow)
#include "test_small_window.moc"
