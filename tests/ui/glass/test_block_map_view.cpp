// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/glass_scene.h"
#include "ui/glass/block_grid.h"
#include "ui/glass/block_map_view.h"
#include "ui/models/pool_mirror.h"

#include <QScrollBar>
#include <QSignalSpy>
#include <QtTest>

using namespace vitrine;
using namespace vitrine::ui;
using namespace vitrine::test;

namespace {

std::vector<BlockCell> cellsOf(const BlockMapModel& model)
{
    std::vector<BlockCell> cells;
    for (int block = 0; block < model.blockCount(); ++block)
        cells.push_back(model.cell(BlockId{static_cast<std::uint32_t>(block)}));
    return cells;
}

void show(QWidget& widget, QSize size)
{
    widget.resize(size);
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
}

/// Without the keyboard's rectangle, which only one view can have.
QImage pictureOf(BlockMapView& view)
{
    view.clearFocus();
    return view.viewport()->grab().toImage();
}

} // namespace

class TestBlockMapView : public QObject {
    Q_OBJECT
private slots:
    void everyCellIsWhereItIsLookedFor_data()
    {
        QTest::addColumn<int>("blocks");
        QTest::addColumn<QSize>("view");
        QTest::newRow("one block") << 1 << QSize(300, 200);
        QTest::newRow("few") << 60 << QSize(420, 300);
        QTest::newRow("as many as fit") << 1400 << QSize(404, 270);
        QTest::newRow("more than fit") << 20'000 << QSize(404, 270);
        QTest::newRow("narrower than a cell") << 100 << QSize(5, 200);
    }

    void everyCellIsWhereItIsLookedFor()
    {
        QFETCH(int, blocks);
        QFETCH(QSize, view);
        const BlockGrid grid(blocks, view);
        for (int block = 0; block < blocks; ++block) {
            QCOMPARE(grid.blockAt(grid.cellRect(block).center()), block);
            QVERIFY(block == 0 || !grid.cellRect(block).intersects(grid.cellRect(block - 1)));
        }
        QCOMPARE(grid.blockAt(grid.cellRect(blocks - 1).bottomRight() + QPoint(grid.cellSize(), 0)), -1);
        QCOMPARE(grid.blocksIn(0, grid.height()), std::pair(0, blocks));
    }

    void thePoolFitsWhereItCan()
    {
        const BlockGrid grid(1400, {404, 270});
        QVERIFY(grid.height() <= 270);
        QVERIFY(grid.cellRect(grid.columns() - 1).right() < 404);
        QVERIFY(BlockGrid(20'000, {404, 270}).height() > 270);
    }

    void onlyChangedCellsArePainted()
    {
        GlassScene scene(SceneKind::EightChats);
        BlockMapView view(&scene.glass());
        show(view, {400, 300});
        for (int i = 0; i < 60; ++i) {
            const auto before = cellsOf(view.model());
            const qint64 painted = view.paintedCells();
            scene.advance(1, 1);
            const auto after = cellsOf(view.model());
            qint64 changed = 0;
            for (std::size_t block = 0; block < after.size(); ++block)
                changed += !(before[block] == after[block]);
            QCOMPARE(view.paintedCells() - painted, changed);
            QVERIFY(changed < 60);
        }
    }

    void paintingWhatChangedGivesTheWholePicture_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("shared prefixes") << static_cast<int>(SceneKind::EightChats);
        QTest::newRow("preemption") << static_cast<int>(SceneKind::Pressure);
    }

    void paintingWhatChangedGivesTheWholePicture()
    {
        QFETCH(int, kind);
        GlassScene scene(static_cast<SceneKind>(kind));
        BlockMapView watched(&scene.glass());
        show(watched, {400, 300});
        for (int i = 0; i < 30; ++i) {
            scene.advance(7, 3);
            BlockMapView fresh(&scene.glass());
            show(fresh, {400, 300});
            QCOMPARE(pictureOf(watched), pictureOf(fresh));
        }
    }

    void aHiddenMapPaintsNothingAndIsRightWhenShownAgain()
    {
        GlassScene scene(SceneKind::EightChats);
        BlockMapView view(&scene.glass());
        show(view, {400, 300});
        view.hide();
        const qint64 painted = view.paintedCells();
        scene.advance(40);
        QCOMPARE(view.paintedCells(), painted);
        show(view, {400, 300});
        BlockMapView fresh(&scene.glass());
        show(fresh, {400, 300});
        QCOMPARE(pictureOf(view), pictureOf(fresh));
    }

    void newColoursOfAChatAreShownAtOnce()
    {
        GlassScene scene(SceneKind::TwoChats);
        BlockMapView view(&scene.glass());
        show(view, {400, 300});
        const QImage before = pictureOf(view);
        scene.directory().describeChat({1, QStringLiteral("other"), 6});
        QVERIFY(pictureOf(view) != before);
    }

    void newColoursOfAChatAreNotPaintedWhereNobodySeesThem()
    {
        GlassScene scene(SceneKind::TwoChats);
        BlockMapView view(&scene.glass());
        show(view, {400, 300});
        view.hide();
        const qint64 painted = view.paintedCells();
        scene.directory().describeChat({1, QStringLiteral("other"), 6});
        QCOMPARE(view.paintedCells(), painted);
        show(view, {400, 300});
        BlockMapView fresh(&scene.glass());
        show(fresh, {400, 300});
        QCOMPARE(pictureOf(view), pictureOf(fresh));
    }

    void theKeyboardReachesEveryCell()
    {
        GlassScene scene(SceneKind::TwoChats);
        BlockMapView view(&scene.glass());
        show(view, {400, 300});
        view.setFocus();
        QTest::keyClick(&view, Qt::Key_Home);
        QCOMPARE(view.currentBlock(), kNullBlock);
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(view.currentBlock(), BlockId{1});
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(view.currentBlock(), BlockId{1 + static_cast<std::uint32_t>(view.grid().columns())});
        QVERIFY(view.accessibleDescription().startsWith(QStringLiteral("Block ")));
        QTest::keyClick(&view, Qt::Key_End);
        QCOMPARE(view.currentBlock(), BlockId{1399});
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(view.currentBlock(), BlockId{1399});
        QSignalSpy activated(&view, &BlockMapView::blockActivated);
        QTest::keyClick(&view, Qt::Key_Return);
        QCOMPARE(activated.count(), 1);
    }

    void theCurrentCellIsScrolledIntoView()
    {
        GlassScene scene(SceneKind::TwoChats);
        BlockMapView view(&scene.glass());
        show(view, {120, 100});
        QVERIFY(view.verticalScrollBar()->maximum() > 0);
        view.setCurrentBlock(BlockId{1399});
        QCOMPARE(view.verticalScrollBar()->value(), view.verticalScrollBar()->maximum());
        const QRect cell = view.grid().cellRect(1399).translated(0, -view.verticalScrollBar()->value());
        QVERIFY(view.viewport()->rect().contains(cell));
    }

    void aMillionBlocksScroll()
    {
        SchedulerOptions options;
        options.numBlocks = 1'000'000;
        GlassScene scene(options);
        scene.ask(1, 400, 20);
        BlockMapView view(&scene.glass());
        show(view, {800, 600});
        const qint64 painted = view.paintedCells();
        view.verticalScrollBar()->setValue(view.verticalScrollBar()->maximum() / 2);
        QVERIFY(view.paintedCells() - painted < 10'000);
        scene.advance(5);
        QVERIFY(view.paintedCells() - painted < 10'000);
    }

    void aNewPoolIsLaidOutAnew()
    {
        GlassScene scene(SceneKind::TwoChats);
        BlockMapView view(&scene.glass());
        show(view, {400, 300});
        view.setCurrentBlock(BlockId{1399});
        WorkloadEngine other(SchedulerOptions{.numBlocks = 30});
        auto batch = std::make_shared<StepBatch>();
        batch->snapshot = std::make_shared<const PoolSnapshot>(other.snapshot());
        scene.glass().apply(batch);
        QCOMPARE(view.grid().blocks(), 30);
        QVERIFY(!view.currentBlock());
    }
};

QTEST_MAIN(TestBlockMapView)
#include "test_block_map_view.moc"
