// SPDX-License-Identifier: GPL-3.0-or-later
// What the block map paints, and that it paints no more than that.
#include "tests/support/glass_scene.h"
#include "tests/support/shown_block_map.h"
#include "ui/glass/block_painter.h"
#include "ui/models/pool_mirror.h"
#include "ui/theme/motion.h"

#include <QPaintEvent>
#include <QPainter>
#include <QSignalSpy>

#include <algorithm>

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

/// Of how many rectangles each paint event of a widget is.
struct PaintedRegions : QObject {
    explicit PaintedRegions(QWidget& watched) { watched.installEventFilter(this); }
    bool eventFilter(QObject*, QEvent* event) override
    {
        if (event->type() == QEvent::Paint)
            counts.push_back(static_cast<QPaintEvent*>(event)->region().rectCount());
        return false;
    }
    std::vector<int> counts;
};

} // namespace

class TestBlockMapPainting : public QObject {
    Q_OBJECT
private slots:
    void inEveryOrderPaintingWhatChangedGivesTheWholePicture_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("order");
        for (const auto order : {BlockOrder::Sequence, BlockOrder::Eviction}) {
            const int index = static_cast<int>(order);
            QTest::addRow("shared prefixes %d", index) << static_cast<int>(SceneKind::EightChats) << index;
            QTest::addRow("preemption %d", index) << static_cast<int>(SceneKind::Pressure) << index;
            QTest::addRow("contiguous %d", index) << static_cast<int>(SceneKind::Contiguous) << index;
        }
        QTest::newRow("contiguous by address")
            << static_cast<int>(SceneKind::Contiguous) << static_cast<int>(BlockOrder::Address);
    }

    void inEveryOrderPaintingWhatChangedGivesTheWholePicture()
    {
        QFETCH(int, kind);
        QFETCH(int, order);
        GlassScene scene(static_cast<SceneKind>(kind));
        BlockMapView watched(&scene.glass());
        watched.setOrder(static_cast<BlockOrder>(order));
        show(watched, {400, 300});
        for (int i = 0; i < 25; ++i) {
            if (i % 5 == 0)
                scene.ask(i % 7, 90, 30, 48);
            scene.advance(5, 2);
            BlockMapView fresh(&scene.glass());
            fresh.setOrder(static_cast<BlockOrder>(order));
            show(fresh, {400, 300});
            QCOMPARE(pictureOf(watched), pictureOf(fresh));
        }
    }

    void mergedCellsCountTheirBlocks()
    {
        GlassScene scene(SceneKind::Vast);
        BlockMapModel model(scene.glass());
        BlockMix sum;
        std::vector<BlockId> blocks;
        for (std::uint32_t block = 0; block < 200'000; ++block) {
            blocks.push_back(BlockId{block});
            if (blocks.size() < 64)
                continue;
            const BlockMix mix = model.mix(blocks);
            sum.blocks += mix.blocks;
            sum.active += mix.active;
            sum.cached += mix.cached;
            sum.shared += mix.shared;
            blocks.clear();
        }
        const PoolFigures& figures = scene.glass().figures();
        QCOMPARE(sum.blocks, figures.usableBlocks);
        QCOMPARE(sum.active, figures.activeBlocks);
        QCOMPARE(sum.cached, figures.cachedBlocks);
        QCOMPARE(sum.shared, figures.sharedBlocks);
    }

    void ofAContiguousRunEachSlotIsShownOnce()
    {
        GlassScene scene(SceneKind::Contiguous);
        const BlockMapModel model(scene.glass());
        const PoolFigures& figures = scene.glass().figures();
        std::int64_t used = 0;
        std::int64_t reserved = 0;
        std::int64_t internal = 0;
        for (std::uint32_t block = 1; block < 400; ++block) {
            const BlockCell& cell = model.cell(BlockId{block});
            QCOMPARE(cell.granted, cell.kind == BlockKind::Active);
            if (!cell.granted)
                continue;
            used += cell.filled;
            reserved += cell.reserved;
            internal += figures.blockSize - cell.filled - cell.reserved;
        }
        QVERIFY(used > 0 && reserved > 0 && internal > 0);
        QCOMPARE(used, figures.usedSlots);
        QCOMPARE(reserved, figures.reservedSlots);
        QCOMPARE(internal, figures.internalSlots());
        QCOMPARE(used + reserved + internal + figures.freeSlots(), figures.totalSlots());
    }

    /// Every block that is free can be seen to be one, in both themes, and less than one that is used.
    void cleanBlocksAreOutlined_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::addColumn<bool>("merged");
        for (const bool dark : {false, true}) {
            QTest::addRow("%s", dark ? "dark" : "light") << dark << false;
            QTest::addRow("%s, merged", dark ? "dark" : "light") << dark << true;
        }
    }

    void cleanBlocksAreOutlined()
    {
        QFETCH(bool, dark);
        QFETCH(bool, merged);
        QPalette palette;
        palette.setColor(QPalette::Base, dark ? QColor(0x14, 0x18, 0x1c) : QColor(Qt::white));
        palette.setColor(QPalette::Text, dark ? QColor(0xf0, 0xf0, 0xf0) : QColor(0x20, 0x20, 0x20));
        const GlassColors colors = glassColors(palette);
        QImage image(16, 16, QImage::Format_RGB32);
        image.fill(colors.background);
        QPainter painter(&image);
        const BlockPainter paint(colors, 16);
        const QRect cell(2, 2, 12, 12);
        if (merged)
            paint.paint(painter, cell, BlockMix{.blocks = 16});
        else
            paint.paint(painter, cell, BlockCell{.kind = BlockKind::Clean});
        for (int i = 2; i < 14; ++i)
            for (const QPoint at : {QPoint(i, 2), QPoint(i, 13), QPoint(2, i), QPoint(13, i)})
                QVERIFY(contrast(image.pixelColor(at), colors.background) >= 3);
        QCOMPARE(image.pixelColor(8, 8), colors.background);
        // The smallest have a point.
        paint.paint(painter, QRect(0, 0, 5, 5), BlockCell{.kind = BlockKind::Clean});
        QVERIFY(contrast(image.pixelColor(2, 2), colors.background) >= 3);
        QVERIFY(contrast(image.pixelColor(0, 0), colors.background) < 1.5);
    }

    void whatIsChosenAndMarkedIsSurrounded()
    {
        GlassScene scene(SceneKind::EightChats);
        BlockMapView view(&scene.glass());
        show(view, {400, 300});
        const QImage plain = pictureOf(view);
        scene.glass().selection().selectChat(3);
        const QImage chosen = pictureOf(view);
        QVERIFY(chosen != plain);
        const qint64 painted = view.paintedCells();
        scene.glass().selection().setBlocks({scene.glass().pool().tables().begin()->second.back()});
        QVERIFY(pictureOf(view) != chosen);
        QCOMPARE(view.paintedCells() - painted, 1);
        scene.glass().selection().clear();
        QCOMPARE(pictureOf(view), plain);
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

    void cellsThatChangedFarFromEachOtherAreOneRectangle()
    {
        GlassScene scene(SceneKind::EightChats);
        BlockMapView view(&scene.glass());
        show(view, {400, 300});
        PaintedRegions regions(*view.viewport());
        for (int i = 0; i < 20; ++i) {
            scene.advance(7, 7);
            QCoreApplication::processEvents();
        }
        QVERIFY(!regions.counts.empty());
        QCOMPARE(std::ranges::max(regions.counts), 1);
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

    void whatHappensToABlockMovesForAMoment()
    {
        GlassScene scene(SceneKind::Loaded);
        BlockMapView view(&scene.glass());
        show(view, {400, 300});
        view.setMotion(true);
        bool seen = false;
        for (int i = 0; i < 50 && !seen; ++i) { // not where the machine stands still for all of its moment
            scene.ask(1, 40, 30);
            scene.advance(1);
            QVERIFY(view.isMoving());
            const QImage moving = view.viewport()->grab().toImage();
            QTRY_VERIFY(!view.isMoving());
            seen = moving != view.viewport()->grab().toImage();
        }
        QVERIFY(seen);
        view.setMotion(false); // nothing moves then
        view.setMotion(true);
        scene.advance(1);
        view.setMotion(false);
        BlockMapView fresh(&scene.glass());
        show(fresh, {400, 300});
        QCOMPARE(pictureOf(view), pictureOf(fresh));

        view.setMotion(true);
        scene.ask(2, 40, 30);
        scene.advance(1);
        QVERIFY(view.isMoving());
        Motion::shared().setReduced(true);
        QVERIFY(!view.isMoving());
        scene.ask(3, 40, 30);
        scene.advance(1);
        QVERIFY(!view.isMoving());
        Motion::shared().setReduced(false);
    }

    /// What differs after a jump has not happened just now.
    void aJumpToAnotherMomentMovesNothing()
    {
        GlassScene scene(SceneKind::Pressure);
        BlockMapView view(&scene.glass());
        show(view, {400, 300});
        view.setMotion(true);
        const std::uint64_t newest = scene.glass().shownStep();
        scene.glass().setCursor(newest - 100);
        QVERIFY(!view.isMoving());
        for (int step = 0; step < 40 && !view.isMoving(); ++step)
            scene.glass().moveCursor(1);
        QVERIFY(view.isMoving());
        view.setMotion(false);
        view.setMotion(true);
        scene.glass().moveCursor(-30);
        QVERIFY(!view.isMoving());
        scene.glass().setCursor(std::nullopt);
        QVERIFY(!view.isMoving());
    }

    void newColoursOfAChatAreShownWithTheNextFrame()
    {
        GlassScene scene(SceneKind::TwoChats);
        BlockMapView view(&scene.glass());
        show(view, {400, 300});
        const QImage before = pictureOf(view);
        scene.directory().describeChat({1, QStringLiteral("other"), 6});
        QTRY_VERIFY(pictureOf(view) != before);
    }

    void whatChangedWhileHiddenIsSeenAlsoWhereTheMapComesBackInAnotherSize()
    {
        GlassScene scene(SceneKind::EightChats);
        QWidget window;
        auto* view = new BlockMapView(&scene.glass(), &window);
        view->setMotion(false);
        view->setGeometry(0, 0, 400, 300);
        window.resize(500, 500);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.hide();
        scene.advance(40);
        scene.glass().selection().selectChat(2);
        view->resize(380, 310);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        BlockMapView fresh(&scene.glass());
        show(fresh, {380, 310});
        QCOMPARE(pictureOf(*view), pictureOf(fresh));
    }

    void newColoursOfAChatAreNotPaintedWhereNobodySeesThem()
    {
        GlassScene scene(SceneKind::TwoChats);
        BlockMapView view(&scene.glass());
        show(view, {400, 300});
        view.hide();
        const qint64 painted = view.paintedCells();
        QSignalSpy labels(&scene.glass(), &GlassModel::labelsChanged);
        scene.directory().describeChat({1, QStringLiteral("other"), 6});
        QTRY_COMPARE(labels.count(), 1);
        QCOMPARE(view.paintedCells(), painted);
        show(view, {400, 300});
        BlockMapView fresh(&scene.glass());
        show(fresh, {400, 300});
        QCOMPARE(pictureOf(view), pictureOf(fresh));
    }
};

QTEST_MAIN(TestBlockMapPainting)
#include "test_block_map_painting.moc"
