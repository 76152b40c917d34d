// SPDX-License-Identifier: GPL-3.0-or-later
// Where each block stands, and the ways to it: orders, keyboard, zoom, scrolling.
#include "engine/report.h"
#include "tests/support/glass_scene.h"
#include "tests/support/shown_block_map.h"
#include "ui/glass/block_grid.h"
#include "ui/models/pool_mirror.h"

#include <QScrollBar>
#include <QSignalSpy>
#include <QWheelEvent>

#include <numeric>

using namespace vitrine;
using namespace vitrine::ui;
using namespace vitrine::test;

namespace {

BlockGrid gridOf(const QList<int>& lanes, QSize view, int zoom)
{
    std::vector<BlockLane> rows;
    for (const int blocks : lanes)
        rows.push_back({SequenceId{static_cast<std::uint32_t>(rows.size() + 1)}, blocks});
    return BlockGrid(rows, view, lanes.size() > 1 ? QSize(100, 16) : QSize(), zoom);
}

} // namespace

class TestBlockMapNavigation : public QObject {
    Q_OBJECT
private slots:
    void everyCellIsWhereItIsLookedFor_data()
    {
        QTest::addColumn<QList<int>>("lanes");
        QTest::addColumn<QSize>("view");
        QTest::addColumn<int>("zoom");
        QTest::newRow("one block") << QList<int>{1} << QSize(300, 200) << 0;
        QTest::newRow("few") << QList<int>{60} << QSize(420, 300) << 0;
        QTest::newRow("as many as fit") << QList<int>{1400} << QSize(404, 270) << 0;
        QTest::newRow("more than fit") << QList<int>{15'000} << QSize(404, 270) << 0;
        QTest::newRow("merged") << QList<int>{20'001} << QSize(404, 270) << 0;
        QTest::newRow("merged, closer") << QList<int>{20'001} << QSize(404, 270) << 2;
        QTest::newRow("merged, single blocks") << QList<int>{20'001} << QSize(404, 270) << 12;
        QTest::newRow("narrower than a cell") << QList<int>{100} << QSize(5, 200) << 0;
        QTest::newRow("tables") << QList<int>{40, 3, 1, 77, 200} << QSize(404, 270) << 0;
        QTest::newRow("many tables") << QList<int>(300, 50) << QSize(404, 270) << 0;
        QTest::newRow("large tables") << QList<int>{9'000, 30, 12'345} << QSize(404, 270) << 1;
    }

    void everyCellIsWhereItIsLookedFor()
    {
        QFETCH(QList<int>, lanes);
        QFETCH(QSize, view);
        QFETCH(int, zoom);
        const BlockGrid grid = gridOf(lanes, view, zoom);
        int blocks = 0;
        for (int cell = 0; cell < grid.cells(); ++cell) {
            QCOMPARE(grid.cellAt(grid.cellRect(cell).center()), cell);
            QVERIFY(cell == 0 || !grid.cellRect(cell).intersects(grid.cellRect(cell - 1)));
            const auto [place, count] = grid.blocksOf(cell);
            for (int i = 0; i < count; ++i)
                QCOMPARE(grid.cellOf({place.lane, place.index + i}), cell);
            blocks += count;
            QCOMPARE(grid.cellBelow(cell, 0), cell);
        }
        QCOMPARE(blocks, std::accumulate(lanes.begin(), lanes.end(), 0));
        QCOMPARE(grid.cellAt(grid.cellRect(grid.cells() - 1).bottomRight() + QPoint(grid.cellSize(), 0)), -1);
        QCOMPARE(grid.cellsIn(0, grid.height()), std::pair(0, grid.cells()));
        for (int top = 0; top + 50 < grid.height(); top += 37) {
            const auto [first, end] = grid.cellsIn(top, top + 50);
            for (int cell = 0; cell < grid.cells(); ++cell) {
                const QRect rect = grid.cellRect(cell);
                if (rect.bottom() >= top && rect.top() < top + 50)
                    QVERIFY(cell >= first && cell < end);
            }
        }
    }

    void thePoolFitsWhereItCan()
    {
        const BlockGrid grid = gridOf({1400}, {404, 270}, 0);
        QVERIFY(grid.height() <= 270);
        QVERIFY(grid.cellRect(grid.columns() - 1).right() < 404);
        QCOMPARE(grid.merge(), 1);
        QVERIFY(gridOf({16'000}, {404, 270}, 0).height() > 270);
    }

    void aboveSixteenThousandBlocksCellsAreMergedAndZoomLeadsToSingleOnes()
    {
        for (const int blocks : {16'001, 200'000, 1'000'000}) {
            BlockGrid grid = gridOf({blocks}, {404, 270}, 0);
            QVERIFY(grid.merge() > 1);
            QVERIFY(grid.height() <= 270);
            QVERIFY(grid.cellSize() >= BlockGrid::kMergedCell);
            int merge = grid.merge();
            for (int zoom = 1; zoom <= grid.mostZoom(); ++zoom) {
                const BlockGrid closer = gridOf({blocks}, {404, 270}, zoom);
                QCOMPARE(closer.zoom(), zoom);
                QCOMPARE(closer.merge(), std::max(1, merge / 2));
                merge = closer.merge();
            }
            QCOMPARE(merge, 1);
            QCOMPARE(gridOf({blocks}, {404, 270}, grid.mostZoom()).cellSize(), BlockGrid::kLargestCell);
        }
    }

    void everyOrderShowsWhatThePoolHolds()
    {
        GlassScene scene(SceneKind::EightChats);
        const PoolMirror& pool = scene.glass().pool();
        BlockArrangement order;
        order.update(pool, BlockOrder::Address);
        QCOMPARE(order.places(), pool.numBlocks());
        order.update(pool, BlockOrder::Sequence);
        QCOMPARE(qint64{order.places()}, pool.tableEntries());
        const auto [sequence, table] = *pool.tables().rbegin();
        const auto shared = order.find(pool, table.front(), sequence, 0);
        QVERIFY(shared && order.lanes()[static_cast<std::size_t>(shared->lane)].sequence == sequence);
        QVERIFY(pool.block(table.front()).refCount > 1); // stands in other lanes too
        QCOMPARE(order.find(pool, table.front())->lane, 0);
        order.update(pool, BlockOrder::Eviction);
        QCOMPARE(order.places(), scene.engine().scheduler().pool().freeBlocks());
        QCOMPARE(order.block(pool, {0, 0}), pool.freeQueue().front());
        QVERIFY(!order.find(pool, table.front()));
    }

    void theSelectionSurvivesAnotherOrder()
    {
        GlassScene scene(SceneKind::EightChats);
        BlockMapView view(&scene.glass());
        show(view, {400, 300});
        view.setFocus();
        const BlockId held = scene.glass().pool().tables().begin()->second.back();
        view.setCurrentBlock(held);
        QTest::keyClick(&view, Qt::Key_S);
        QCOMPARE(view.order(), BlockOrder::Sequence);
        QCOMPARE(view.currentBlock(), held);
        QTest::keyClick(&view, Qt::Key_Left);
        const auto before = *std::prev(scene.glass().pool().tables().begin()->second.end(), 2);
        QCOMPARE(view.currentBlock(), before); // its neighbour in the table
        QTest::keyClick(&view, Qt::Key_E);     // is not free: stands nowhere here
        QCOMPARE(view.currentBlock(), before);
        QTest::keyClick(&view, Qt::Key_A);
        QCOMPARE(view.currentBlock(), before);
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(view.currentBlock(), BlockId{before.value + 1});
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

    void theTextOfABlockIsAskedForAndShownWhileItIsTrue()
    {
        GlassScene scene(SceneKind::EightChats);
        const PoolMirror& pool = scene.glass().pool();
        BlockMapView view(&scene.glass());
        show(view, {400, 300});
        view.setFocus();
        QSignalSpy wanted(&view, &BlockMapView::textWanted);
        const BlockId block = pool.tables().begin()->second.back(); // still being written
        const auto lookAtIt = [&] {
            view.setCurrentBlock(BlockId{block.value - 1});
            QTest::keyClick(&view, Qt::Key_Right);
            QCOMPARE(view.currentBlock(), block);
        };
        lookAtIt();
        QCOMPARE(wanted.back().front().value<BlockId>(), block);
        auto content = std::make_shared<BlockText>();
        content->block = block;
        content->generation = pool.generation();
        content->step = pool.step();
        content->tokens = {1, 2};
        content->text = "two <b>words</b> ";
        content->text.append(5000, 'x');
        view.setBlockText(content);
        QVERIFY(view.accessibleDescription().contains(QStringLiteral("“two <b>words</b>")));
        QVERIFY(view.accessibleDescription().size() < 1000);
        const auto asked = wanted.count();
        lookAtIt();
        QCOMPARE(wanted.count(), asked); // it is known

        scene.advance(2); // one more token is in it now
        lookAtIt();
        QCOMPARE(wanted.count(), asked + 1);
        QVERIFY(!view.accessibleDescription().contains(QStringLiteral("words")));
        scene.glass().setCursor(pool.step() - 1);
        lookAtIt();
        QCOMPARE(wanted.count(), asked + 1);
        QVERIFY(view.accessibleDescription().contains(QStringLiteral("newest step only")));
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

    /// At most so many cells are painted for a page: what 20 pages a second depend on. Painting one takes
    /// about 2 µs here.
    void aMillionBlocksScroll()
    {
        constexpr qint64 kMostCells = 10'000;
        SchedulerOptions options;
        options.numBlocks = 1'000'000;
        GlassScene scene(options);
        scene.ask(1, 400, 20);
        BlockMapView view(&scene.glass());
        show(view, {800, 600});
        QCOMPARE(view.verticalScrollBar()->maximum(), 0); // all of it in merged cells
        scene.advance(3);
        for (int zoom = 0; zoom <= view.grid().mostZoom(); ++zoom) {
            view.setZoom(zoom);
            qint64 painted = view.paintedCells();
            QElapsedTimer timer;
            timer.start();
            for (int page = 0; page < 10; ++page)
                view.verticalScrollBar()->setValue(view.verticalScrollBar()->maximum() * page / 9);
            qInfo("%d blocks in a cell: %.1f ms a page", view.grid().merge(), double(timer.elapsed()) / 10);
            QVERIFY(view.paintedCells() - painted < 10 * kMostCells);
            view.verticalScrollBar()->setValue(0);
            painted = view.paintedCells();
            scene.advance(2, 1);
            QVERIFY(view.paintedCells() - painted < 40); // what changed
        }
        QCOMPARE(view.grid().merge(), 1);
    }

    void zoomingKeepsWhatIsUnderThePointer()
    {
        SchedulerOptions options;
        options.numBlocks = 100'000;
        GlassScene scene(options);
        BlockMapView view(&scene.glass());
        show(view, {400, 300});
        const QPoint pointer(200, 150);
        const auto blocksAt = [&](QPoint point) {
            const int cell = view.grid().cellAt(point + QPoint(0, view.verticalScrollBar()->value()));
            return cell < 0 ? std::pair(-1, 0)
                            : std::pair(view.grid().blocksOf(cell).first.index,
                                        view.grid().columns() * view.grid().merge());
        };
        const auto [aim, widest] = blocksAt(pointer);
        QWheelEvent closer(pointer, view.viewport()->mapToGlobal(pointer), {}, {0, 120}, Qt::NoButton,
                           Qt::ControlModifier, Qt::NoScrollPhase, false);
        for (int i = 0; i < 8; ++i)
            QCoreApplication::sendEvent(view.viewport(), &closer);
        QCOMPARE(view.zoom(), 8);
        // The row stays; where in it the pointer is changes with the number of blocks in a row.
        QVERIFY(std::abs(blocksAt(pointer).first - aim) < 2 * widest);
        QTest::keyClick(&view, Qt::Key_0);
        QCOMPARE(view.zoom(), 0);
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
        QCOMPARE(view.grid().cells(), 30);
        QVERIFY(!view.currentBlock());
    }
};

QTEST_MAIN(TestBlockMapNavigation)
#include "test_block_map_navigation.moc"
