// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window, offscreen, with the real engine and the starter model.
#include "tests/support/window_test.h"
#include "ui/chat/chat_page.h"
#include "ui/chat/chat_rail.h"
#include "ui/chat/composer_edit.h"
#include "ui/chat/conversation_view.h"
#include "ui/chat/suggestion_card.h"
#include "ui/glass/batch_timeline_view.h"
#include "ui/glass/block_map_view.h"
#include "ui/models/chat_list_model.h"
#include "ui/models/pool_mirror.h"
#include "ui/theme/theme_switch.h"
#include "ui/window/adaptive_layout.h"
#include "ui/window/engine_options_page.h"
#include "ui/window/engine_status_bar.h"
#include "ui/window/notice_banner.h"

#include <QDockWidget>
#include <QDragEnterEvent>
#include <QLabel>
#include <QListView>
#include <QMimeData>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QToolButton>

using namespace vitrine;
using namespace vitrine::ui;

namespace {

constexpr int kLoadMillis = 60'000;
constexpr int kAnswerMillis = 90'000;
/// Between two steps: an answer can be seen while it comes, however fast the machine is.
constexpr int kStepMillis = 20;

} // namespace

class TestMainWindow : public test::WindowTest {
    Q_OBJECT
private:
    ChatBook& book() { return m_workspace->book(); }
    ComposerEdit* composer() { return m_window->findChild<ComposerEdit*>(); }
    ChatRail* rail() { return m_window->findChild<ChatRail*>(); }
    ConversationView* view() { return m_window->findChild<ConversationView*>(); }
    const ChatSession& current() { return *book().find(rail()->current()); }

    void ask(const QString& question)
    {
        QTest::keyClicks(composer(), question);
        QTest::keyClick(composer(), Qt::Key_Return);
    }

    QStringList shownMessages()
    {
        QStringList texts;
        for (const QLabel* label : m_window->banner().findChildren<QLabel*>()) {
            if (!label->text().isEmpty())
                texts << label->text();
        }
        return texts;
    }

    void loadModel()
    {
        QSignalSpy loaded(&m_workspace->model(), &ModelState::loaded);
        m_workspace->model().load(test::starterModel());
        QVERIFY(loaded.wait(kLoadMillis));
        m_workspace->host().setStepDelay(kStepMillis);
    }

private slots:
    void init()
    {
        openWindow([](Settings& settings) {
            SamplingOptions greedy;
            greedy.temperature = 0;
            settings.setSampling(greedy);
        });
    }

    void cleanup() { closeWindow(); }

    void withoutAModelTheWindowSaysHowToGetOne()
    {
        QVERIFY(m_window->isVisible());
        QCOMPARE(book().count(), 1);
        QVERIFY(m_window->findChild<SuggestionCard*>()->isHidden() ||
                !m_window->findChild<SuggestionCard*>()->isVisible());
        QTest::keyClicks(composer(), QStringLiteral("hello"));
        QTest::keyClick(composer(), Qt::Key_Return);
        QCOMPARE(composer()->toPlainText(), QStringLiteral("hello"));
        QCOMPARE(current().draft.typed, QStringLiteral("hello"));
    }

    void eightRowsOfTheTimelineFitTheFirstSize()
    {
        VITRINE_NEEDS_STARTER_MODEL();
        loadModel();
        ask(QStringLiteral("Hello"));
        const auto* timeline = m_window->findChild<BatchTimelineView*>();
        QTRY_VERIFY_WITH_TIMEOUT(timeline->rows().size() == 1, kAnswerMillis);
        const int line = timeline->fontMetrics().height();
        QVERIFY2(timeline->verticalScrollBar()->pageStep() >= 8 * (line + 2),
                 qPrintable(QString::number(timeline->verticalScrollBar()->pageStep())));
    }

    void aBlockLeadsToItsChat()
    {
        VITRINE_NEEDS_STARTER_MODEL();
        loadModel();
        ask(QStringLiteral("Hello"));
        const ChatId asked = rail()->current();
        rail()->newAction()->trigger();
        QVERIFY(rail()->current() != asked);
        std::uint32_t block = 0;
        const auto findBlock = [&] {                              // the chat's, or one that it had
            const PoolMirror& pool = m_workspace->glass().pool(); // until the loaded model's comes
            for (block = 1; block < static_cast<std::uint32_t>(pool.numBlocks()); ++block)
                if (!pool.owners(BlockId{block}).empty() ||
                    m_workspace->glass().lastOwner(BlockId{block}).value)
                    return true;
            return false;
        };
        QTRY_VERIFY_WITH_TIMEOUT(findBlock(), kAnswerMillis); // the glass draws a frame now and then
        emit m_window->findChild<BlockMapView*>()->blockActivated(BlockId{block});
        QCOMPARE(rail()->current(), asked);
    }

    void aBlockMarksItsTextAndTextItsBlocks()
    {
        VITRINE_NEEDS_STARTER_MODEL();
        loadModel();
        const QString question = QStringLiteral("Please repeat these words: glass, block, token, slot, pool, "
                                                "page, queue, step, batch, prefix, cache and table.");
        ask(question);
        GlassModel& glass = m_workspace->glass();
        const auto selectWord = [&](const QString& word) {
            view()->setTextCursor(view()->document()->find(word));
            return view()->textCursor().hasSelection();
        };
        // The text's blocks, while the answer comes and after it, when the prefix cache keeps them.
        QTRY_VERIFY_WITH_TIMEOUT(!glass.pool().tables().empty(), kAnswerMillis);
        QVERIFY(selectWord(QStringLiteral("token, slot")));
        QTRY_VERIFY_WITH_TIMEOUT(!glass.selection().blocks().empty(), kAnswerMillis);
        const BlockId block = glass.selection().blocks().front();
        const ChatId chat = rail()->current();
        m_workspace->controller().stop(chat);
        QTRY_VERIFY_WITH_TIMEOUT(glass.pool().tables().empty(), kAnswerMillis);
        QTRY_VERIFY_WITH_TIMEOUT(!glass.selection().blocks().empty(), kAnswerMillis);
        QCOMPARE(glass.selection().blocks().front(), block);
        QVERIFY(glass.pool().isFree(block));
        // The block's text: the engine is asked, as nobody holds it any more.
        view()->setTextCursor(QTextCursor(view()->document()));
        QTRY_VERIFY_WITH_TIMEOUT(glass.selection().blocks().empty(), kAnswerMillis);
        emit m_window->findChild<BlockMapView*>()->blockActivated(block);
        QTRY_VERIFY_WITH_TIMEOUT(!view()->extraSelections().isEmpty(), kAnswerMillis);
        const QString marked = view()->extraSelections().front().cursor.selectedText();
        QVERIFY2(question.contains(marked) && marked.contains(QStringLiteral("token")), qPrintable(marked));
        QCOMPARE(std::vector(glass.selection().blocks().begin(), glass.selection().blocks().end()),
                 std::vector{block});
    }

    void anAnswerGoesOnWhileAnotherChatIsShown()
    {
        VITRINE_NEEDS_STARTER_MODEL();
        loadModel();
        ask(QStringLiteral("Name three colours."));
        const ChatId undisturbed = rail()->current();
        QTRY_VERIFY_WITH_TIMEOUT(book().find(undisturbed)->lastAnswer()->text.size() > 60, kAnswerMillis);
        m_workspace->controller().stop(undisturbed);
        const QString expected = book().find(undisturbed)->lastAnswer()->text;

        rail()->newAction()->trigger();
        const ChatId a = rail()->current();
        ask(QStringLiteral("Name three colours."));
        QTRY_VERIFY_WITH_TIMEOUT(!book().find(a)->lastAnswer()->text.isEmpty(), kAnswerMillis);
        rail()->newAction()->trigger();
        QVERIFY(rail()->current() != a);
        ask(QStringLiteral("What is a lighthouse?"));
        auto* list = m_window->findChild<ChatListModel*>();
        QVERIFY(list->indexOf(a).data(ChatListModel::BusyRole).toInt() != ChatListModel::Idle);
        QTRY_VERIFY_WITH_TIMEOUT(book().find(a)->lastAnswer()->text.size() >= expected.size(), kAnswerMillis);
        m_window->showChat(a);
        QVERIFY2(book().find(a)->lastAnswer()->text.startsWith(expected),
                 qPrintable(book().find(a)->lastAnswer()->text));
        QVERIFY(view()->toPlainText().simplified().contains(expected.simplified()));
    }

    void escapeStopsAndTheNextMessageWorks()
    {
        VITRINE_NEEDS_STARTER_MODEL();
        loadModel();
        ask(QStringLiteral("Write a long story."));
        QTRY_VERIFY_WITH_TIMEOUT(!current().lastAnswer()->text.isEmpty(), kAnswerMillis);
        m_window->findChild<ChatPage*>()->stopAction()->trigger();
        QVERIFY(!current().isBusy());
        ask(QStringLiteral("And now?"));
        QVERIFY(current().isBusy());
        QTRY_VERIFY_WITH_TIMEOUT(!current().lastAnswer()->text.isEmpty(), kAnswerMillis);
    }

    void aSuggestionFillsFourChats()
    {
        VITRINE_NEEDS_STARTER_MODEL();
        loadModel();
        m_window->findChildren<SuggestionCard*>().first()->click();
        QCOMPARE(book().count(), 4);
        for (int row = 0; row < 4; ++row)
            QVERIFY(book().at(row).isBusy());
        QTRY_VERIFY_WITH_TIMEOUT(m_workspace->glass().figures().activeBlocks > 0, kAnswerMillis);
    }

    void draftsStayWithTheirChats()
    {
        const ChatId a = rail()->current();
        book().append(a, {});
        QTest::keyClicks(composer(), QStringLiteral("for a"));
        rail()->newAction()->trigger();
        QVERIFY(composer()->toPlainText().isEmpty());
        QTest::keyClicks(composer(), QStringLiteral("for b"));
        m_window->showChat(a);
        QCOMPARE(composer()->toPlainText(), QStringLiteral("for a"));
    }

    void writingWithoutAnyChatMakesOne()
    {
        m_workspace->controller().remove(rail()->current());
        QCOMPARE(book().count(), 0);
        QTest::keyClicks(composer(), QStringLiteral("kept"));
        QCOMPARE(book().count(), 1);
        QCOMPARE(composer()->toPlainText(), QStringLiteral("kept"));
        QCOMPARE(current().draft.typed, QStringLiteral("kept"));
    }

    void refusedOptionsAreToldAsSuchAndNotThereAtTheNextStart()
    {
        QSignalSpy loaded(&m_workspace->model(), &ModelState::loaded);
        m_workspace->model().load(QStringLiteral(VITRINE_TEST_DATA "/arch/llama.gguf"));
        QVERIFY(loaded.wait(kLoadMillis));
        const EngineOptions before = m_settings->engineOptions();
        EngineOptions options = before;
        options.kvCacheMib = 1 << 23;
        QSignalSpy refused(&m_workspace->model(), &ModelState::optionsRefused);
        m_settings->setEngineOptions(options);
        QVERIFY(refused.wait(kLoadMillis));
        QVERIFY(shownMessages().contains(QStringLiteral("The settings could not be used")));
        QVERIFY(!shownMessages().contains(QStringLiteral("The model could not be loaded")));
        QVERIFY(m_settings->engineOptions() == before);
        QVERIFY(Settings(*m_store).engineOptions() == before);

        options = before;
        options.scheduler.maxNumSeqs = 3;
        m_settings->setEngineOptions(options);
        QTRY_COMPARE_WITH_TIMEOUT(Settings(*m_store).engineOptions().scheduler.maxNumSeqs, 3, kLoadMillis);
    }

    /// The engine and the settings agree in the end, whatever was refused on the way.
    void theLastOfSeveralOptionsUnderWayWins_data()
    {
        QTest::addColumn<int>("firstMib");
        QTest::addColumn<int>("secondMib");
        QTest::addColumn<int>("seqs");
        QTest::newRow("both are good") << 0 << 0 << 4;
        QTest::newRow("the first is refused") << (1 << 23) << 0 << 4;
        QTest::newRow("the second is refused") << 0 << (1 << 23) << 3;
    }

    void theLastOfSeveralOptionsUnderWayWins()
    {
        QFETCH(int, firstMib);
        QFETCH(int, secondMib);
        QFETCH(int, seqs);
        ModelState& model = m_workspace->model();
        QSignalSpy loaded(&model, &ModelState::loaded);
        model.load(QStringLiteral(VITRINE_TEST_DATA "/arch/llama.gguf"));
        QVERIFY(loaded.wait(kLoadMillis));
        EngineOptions options = m_settings->engineOptions();
        int answers = 0;
        const auto count = [&answers] { ++answers; };
        connect(&m_workspace->host(), &EngineHost::optionsChanged, this, count);
        connect(&m_workspace->host(), &EngineHost::optionsRefused, this, count);
        options.scheduler.maxNumSeqs = 3;
        options.kvCacheMib = firstMib;
        m_settings->setEngineOptions(options);
        options.scheduler.maxNumSeqs = 4;
        options.kvCacheMib = secondMib;
        m_settings->setEngineOptions(options);
        QTRY_VERIFY_WITH_TIMEOUT(answers >= 2, kLoadMillis);
        QTRY_COMPARE(model.info().maxNumSeqs, seqs);
        QCOMPARE(m_settings->engineOptions().scheduler.maxNumSeqs, seqs);
        QCOMPARE(Settings(*m_store).engineOptions().scheduler.maxNumSeqs, seqs);
    }

    /// Chats written otherwise than the model expects must not surprise anybody.
    void aModelWithoutAChatTemplateIsRemarkedOn()
    {
        QSignalSpy loaded(&m_workspace->model(), &ModelState::loaded);
        m_workspace->model().load(QStringLiteral(VITRINE_TEST_DATA "/arch/llama.gguf"));
        QVERIFY(loaded.wait(kLoadMillis));
        QVERIFY(m_window->banner().isVisible());
        const QString shown = shownMessages().join(QChar('\n'));
        QVERIFY2(shown.contains(QStringLiteral("no chat template")), qPrintable(shown));
    }

    void withoutAModelOptionsAreKeptAtOnce()
    {
        EngineOptions options = m_settings->engineOptions();
        options.scheduler.maxNumSeqs = 5;
        m_settings->setEngineOptions(options);
        QCOMPARE(Settings(*m_store).engineOptions().scheduler.maxNumSeqs, 5);
    }

    void theStatusBarNamesTheModelThatIsThereWhileAnotherLoads()
    {
        ModelInfo info;
        info.path = "/models/first.gguf";
        info.backend = "cpu";
        emit m_workspace->host().modelLoaded(info, LoadId{});
        m_workspace->model().load(QStringLiteral("/models/second.gguf"));
        QString shown;
        for (const QLabel* label : m_window->findChild<EngineStatusBar*>()->findChildren<QLabel*>())
            shown += label->text();
        QVERIFY2(shown.contains(QStringLiteral("first · cpu")), qPrintable(shown));
    }

    void aCardThatFailsIsToldInBannerAndStatusBar()
    {
        ModelInfo info;
        info.path = "/models/first.gguf";
        info.backend = "CPU";
        info.backendNote = BackendNote{CardProblem::Failed, "the device is lost"};
        emit m_workspace->host().optionsChanged(info, m_settings->engineOptions());
        QVERIFY(m_window->banner().isVisible());
        const QString told = shownMessages().join(QChar('\n'));
        QVERIFY2(told.contains(QStringLiteral("takes over all answers")), qPrintable(told));
        QString shown;
        QString tips;
        for (const QLabel* label : m_window->findChild<EngineStatusBar*>()->findChildren<QLabel*>()) {
            shown += label->text();
            tips += label->toolTip();
        }
        QVERIFY2(shown.contains(QStringLiteral("graphics card failed")), qPrintable(shown));
        QVERIFY2(tips.contains(QStringLiteral("the device is lost")), qPrintable(tips));
        const EngineOptionsPage page(m_settings->engineOptions(), info);
        const auto* note = page.findChild<QLabel*>(QStringLiteral("backendNote"));
        QVERIFY(note != nullptr && note->text().endsWith(QStringLiteral("\nthe device is lost")));
    }

    void aModelCanBeDroppedOntoTheWindow()
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(QStringLiteral("/nowhere/dropped.gguf"))});
        QSignalSpy failed(&m_workspace->model(), &ModelState::failed);
        QDragEnterEvent enter({400, 300}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(400, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &drop);
        QVERIFY(failed.wait(kLoadMillis));
        data.setUrls({QUrl::fromLocalFile(QStringLiteral("/nowhere/picture.png"))});
        QDragEnterEvent other({400, 300}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &other);
        QVERIFY(!other.isAccepted());
    }

    void aNarrowWindowShowsTheGlassAsATab()
    {
        auto* tabs = m_window->findChild<QTabBar*>(QStringLiteral("glass-tabs"));
        QList<QDockWidget*> glass;
        for (QDockWidget* dock : m_window->findChildren<QDockWidget*>()) {
            if (dock->features() & QDockWidget::DockWidgetClosable)
                glass << dock;
        }
        QCOMPARE(glass.size(), 3);
        QVERIFY(glass[0]->isVisible());
        m_window->resize(1000, 700);
        QTRY_VERIFY(!glass[0]->isVisible());
        QTRY_VERIFY(tabs->isVisible());
        QVERIFY(view()->isVisibleTo(m_window.get()) || composer()->isVisible());
        tabs->setCurrentIndex(1);
        QVERIFY(glass[0]->isVisible() && glass[1]->isVisible() && glass[2]->isVisible());
        QVERIFY(!composer()->isVisible());
        const int all = glass[0]->height() + glass[1]->height() + glass[2]->height();
        for (const QDockWidget* dock : glass) // none is pressed flat by the others
            QVERIFY2(dock->height() > all / 5, qPrintable(dock->windowTitle()));
        m_window->resize(1280, 800);
        QTRY_VERIFY(composer()->isVisible());
        QVERIFY(glass[0]->isVisible());
        QTRY_VERIFY(!tabs->isVisible());
    }

    void theLayoutIsRememberedAlsoFromANarrowWindow()
    {
        QDockWidget* closed = nullptr;
        for (QDockWidget* dock : m_window->findChildren<QDockWidget*>()) {
            if (dock->features() & QDockWidget::DockWidgetClosable)
                closed = dock;
        }
        const QString name = closed->objectName();
        closed->close();
        m_window->resize(900, 700);
        m_window->saveLayout(*m_store);
        m_window = std::make_unique<MainWindow>(*m_workspace);
        m_window->open(m_store.get(), {1280, 800});
        QVERIFY(!m_window->findChild<QDockWidget*>(name)->isVisible());
        m_window->findChild<AdaptiveLayout*>()->reset();
        QVERIFY(m_window->findChild<QDockWidget*>(name)->isVisible());
    }

    void theThemeChangesWithoutARestart()
    {
        book().append(rail()->current(), {});
        const ThemeSwitch theme(*m_settings);
        m_settings->setTheme(ThemeChoice::Dark);
        QTRY_COMPARE(shadeOf(m_window->palette()), Shade::Dark);
        m_settings->setTheme(ThemeChoice::Light);
        QTRY_COMPARE(shadeOf(m_window->palette()), Shade::Light);
    }
};

VITRINE_GUI_TEST_MAIN(TestMainWindow)
#include "test_main_window.moc"
