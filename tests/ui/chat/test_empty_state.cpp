// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/failing_backend.h"
#include "ui/chat/empty_state.h"
#include "ui/models/model_state.h"

#include <QAction>
#include <QLabel>
#include <QtTest>

using namespace vitrine;
using namespace vitrine::ui;

/// What stands where there is no chat yet.
class EmptyStateTest : public QObject {
    Q_OBJECT
private slots:
    void withoutAModelItSaysHowToGetOne();
    void aModelThatCouldNotBeLoadedIsNotAskedForAgain();
};

namespace {

constexpr int kPatienceMillis = 60000;

/// Texts that are not hidden, though the window is.
QString textsOf(const EmptyState& state)
{
    QString texts;
    for (const QLabel* label : state.findChildren<QLabel*>())
        if (label->isVisibleTo(&state))
            texts += label->text() + QChar('\n');
    return texts;
}

} // namespace

void EmptyStateTest::withoutAModelItSaysHowToGetOne()
{
    EngineHost host({});
    const ModelState model(host);
    QAction open;
    const EmptyState state(model, &open);
    QVERIFY2(textsOf(state).contains("./run.sh"), qPrintable(textsOf(state)));
}

void EmptyStateTest::aModelThatCouldNotBeLoadedIsNotAskedForAgain()
{
    EngineOptions options;
    options.backend = BackendChoice::Cuda;
    EngineHost host(options, nullptr, test::offerNone({CardProblem::NoDevice, {}}));
    ModelState model(host);
    QAction open;
    const EmptyState state(model, &open);
    QSignalSpy failed(&model, &ModelState::failed);
    model.load(VITRINE_TEST_DATA "/arch/llama.gguf");
    QVERIFY(failed.wait(kPatienceMillis));
    const QString texts = textsOf(state);
    QVERIFY2(texts.contains(
                 "could not be loaded: no graphics card can be used: there is no graphics card. Any other"),
             qPrintable(texts));
    QVERIFY2(!texts.contains("./run.sh"), qPrintable(texts));
}

QTEST_MAIN(EmptyStateTest)
#include "test_empty_state.moc"
