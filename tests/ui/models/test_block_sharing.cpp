// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/glass_scene.h"
#include "ui/glass/timeline_canvas.h"
#include "ui/models/block_map_model.h"
#include "ui/models/block_sharing.h"
#include "ui/models/chat_controller.h"
#include "ui/models/chat_list_model.h"
#include "ui/models/chat_title.h"
#include "ui/models/pool_mirror.h"
#include "ui/models/pool_sentence.h"
#include "ui/models/step_events.h"
#include "ui/models/title_list.h"

#include <QApplication>
#include <QSignalSpy>
#include <QtTest>

#include <algorithm>
#include <optional>
#include <random>
#include <set>

using namespace vitrine;
using namespace vitrine::ui;
using namespace vitrine::test;

namespace {

constexpr std::int32_t kPrompt = 64; ///< tokens in common: four blocks

/// Chats 1 … `sharers` begin alike, those up to `all` do not.
void askAlike(GlassScene& scene, int sharers, int all)
{
    for (int chat = 1; chat <= all; ++chat) {
        scene.ask(chat, kPrompt + 40, 400, chat <= sharers ? kPrompt : 0);
        scene.advance(3);
    }
}

std::vector<BlockId> sharedBlocks(const PoolMirror& pool)
{
    std::vector<BlockId> blocks;
    for (std::uint32_t block = 1; block < static_cast<std::uint32_t>(pool.numBlocks()); ++block)
        if (pool.block(BlockId{block}).refCount > 1)
            blocks.push_back(BlockId{block});
    return blocks;
}

/// In the table of the first that holds it, before all blocks that are its own.
bool standAtTheBeginning(const PoolMirror& pool, const std::vector<BlockId>& shared)
{
    return std::ranges::all_of(shared, [&](BlockId block) {
        for (const BlockId entry : pool.table(pool.owners(block).front())) {
            if (entry == block)
                return true;
            if (entry != kNullBlock && pool.block(entry).refCount == 1)
                return false;
        }
        return false;
    });
}

/// A snapshot that is not the engine's.
void show(GlassModel& glass, PoolSnapshot wrong)
{
    auto batch = std::make_shared<StepBatch>();
    batch->snapshot = std::make_shared<const PoolSnapshot>(std::move(wrong));
    glass.apply(batch);
}

/// All that looks into tables.
QString lookAt(const GlassModel& glass)
{
    QString text = poolSentence(glass) + holdingsOf(glass, 1) + holdingsOf(glass, 2);
    const BlockMapModel map(glass);
    for (int block = 0; block < map.blockCount(); ++block)
        text += map.details(BlockId{static_cast<std::uint32_t>(block)}).text();
    return text;
}

} // namespace

class TestBlockSharing : public QObject {
    Q_OBJECT
private slots:
    void whoSharesIsWhatCountingOneByOneFinds()
    {
        GlassScene scene(smallPool(Allocator::Paged));
        std::mt19937 random(7);
        int shared = 0;
        for (int step = 0; step < 2000; ++step) {
            stepAtRandom(scene, random);
            const PoolMirror& pool = scene.glass().pool();
            const std::optional<BlockSharing> sharing = blockSharing(pool);
            std::set<SequenceId> sharers;
            std::set<std::vector<SequenceId>> groups;
            const std::vector<BlockId> blocks = sharedBlocks(pool);
            for (const BlockId block : blocks) {
                const auto owners = pool.owners(block);
                sharers.insert(owners.begin(), owners.end());
                groups.insert({owners.begin(), owners.end()});
            }
            QCOMPARE(sharing.has_value(), !blocks.empty() && standAtTheBeginning(pool, blocks));
            if (!sharing)
                continue;
            ++shared;
            QCOMPARE(sharing->blocks, static_cast<std::int32_t>(blocks.size()));
            QVERIFY(std::ranges::equal(sharing->sharers, sharers));
            QCOMPARE(sharing->isOneGroup, groups.size() == 1);
            QCOMPARE(holdersOf(pool, blocks), sharing->sharers);
        }
        QVERIFY(shared > 200);
    }

    void theSentenceNamesWhoShares_data()
    {
        QTest::addColumn<int>("sharers");
        QTest::addColumn<int>("all");
        QTest::addColumn<QString>("text");
        QTest::newRow("all") << 5 << 5 << QStringLiteral("shared by all 5 requests: 16 saved.");
        QTest::newRow("all but one") << 4 << 5 << QStringLiteral("shared by 4 of 5 requests, not by “");
        QTest::newRow("two") << 2 << 5 << QStringLiteral("shared by “");
        QTest::newRow("some") << 3 << 8 << QStringLiteral("shared by 3 of 8 requests: 8 saved.");
    }

    void theSentenceNamesWhoShares()
    {
        QFETCH(int, sharers);
        QFETCH(int, all);
        QFETCH(QString, text);
        GlassScene scene(SceneKind::Loaded);
        askAlike(scene, sharers, all);
        const QString sentence = poolSentence(scene.glass());
        QVERIFY2(sentence.contains(QStringLiteral("4 block(s), marked in the corner, are ") + text),
                 qPrintable(sentence));
        if (sharers == 4)
            QVERIFY2(sentence.contains(shortTitle(scene.directory().chatLabel(5).title)),
                     qPrintable(sentence));
    }

    void groupsAreCalledGroups()
    {
        GlassScene scene(SceneKind::Loaded);
        const auto ask = [&](int chat, std::int32_t shared) {
            scene.ask(chat, 2 * kPrompt, 400, shared);
            scene.advance(3);
        };
        for (int chat = 1; chat <= 4; ++chat)
            ask(chat, chat < 3 ? kPrompt : 2 * kPrompt - 16);
        QVERIFY(!blockSharing(scene.glass().pool())->isOneGroup);
        QString sentence = poolSentence(scene.glass());
        QVERIFY2(sentence.contains(QStringLiteral("are shared in groups, among all 4 requests: ")),
                 qPrintable(sentence));
        ask(5, 0);
        sentence = poolSentence(scene.glass());
        QVERIFY2(sentence.contains(QStringLiteral("in groups, among 4 of 5 requests, not by “")),
                 qPrintable(sentence));
    }

    void aBlockNamesItsHoldersButNoHundred()
    {
        GlassScene scene(SceneKind::Loaded);
        askAlike(scene, 15, 15);
        const PoolMirror& pool = scene.glass().pool();
        const BlockId shared = sharedBlocks(pool).front();
        QCOMPARE(pool.owners(shared).size(), 15u);
        const QString text = BlockMapModel(scene.glass()).details(shared).text();
        QCOMPARE(text.count(QStringLiteral("(sequence ")), 12);
        QVERIFY2(text.contains(QStringLiteral("and 3 more")), qPrintable(text));
    }

    void whoHoldsAMarkedBlockIsMarkedToo()
    {
        GlassScene scene(SceneKind::Loaded);
        askAlike(scene, 3, 5);
        const PoolMirror& pool = scene.glass().pool();
        TimelineCanvas canvas(&scene.glass());
        canvas.layOut({600, 300}, QApplication::font(), QApplication::palette());
        canvas.refresh();
        QVERIFY(canvas.markedHolders().empty());
        scene.glass().selection().setBlocks({sharedBlocks(pool).front()});
        canvas.refresh();
        QCOMPARE(canvas.markedHolders().size(), 3u);
        const auto label = [&](std::size_t row) {
            const auto& layout = canvas.layout();
            const int top = layout.stripsBottom + static_cast<int>(row) * layout.rowHeight;
            return canvas.describeAt({4, top + layout.rowHeight / 2});
        };
        for (std::size_t row = 0; row < 5; ++row)
            QCOMPARE(label(row).contains(QStringLiteral("Dot: holds a block that is marked")),
                     std::ranges::count(canvas.markedHolders(), canvas.rows()[row]) > 0);
        scene.glass().selection().setBlocks({pool.tables().rbegin()->second.back()});
        canvas.refresh();
        QCOMPARE(canvas.markedHolders(), std::vector{pool.tables().rbegin()->first});
        // A mark of a larger pool that is no more.
        scene.glass().selection().setBlocks({BlockId{4'000'000}});
        QVERIFY(markedHolders(scene.glass()).empty());
    }

    void theRailMarksWhoHoldsAMarkedBlock()
    {
        GlassScene scene(SceneKind::Loaded);
        EngineHost host{EngineOptions{}};
        ChatBook book;
        ChatController controller(host, book);
        for (int chat = 1; chat <= 5; ++chat)
            QCOMPARE(book.add(QStringLiteral("chat"), {}), ChatId{chat}); // as the scene counts them
        ChatListModel list(controller, scene.glass());
        QSignalSpy changed(&list, &QAbstractItemModel::dataChanged);
        askAlike(scene, 3, 5);
        scene.glass().selection().setBlocks({sharedBlocks(scene.glass().pool()).front()});
        QVERIFY(changed.count() > 0);
        for (int chat = 1; chat <= 5; ++chat) {
            const QModelIndex row = list.indexOf(ChatId{chat});
            QCOMPARE(row.data(ChatListModel::HoldsRole).toBool(), chat <= 3);
            QCOMPARE(row.data(Qt::ToolTipRole).toString().contains(QStringLiteral("shared with")), chat <= 3);
            QCOMPARE(row.data(Qt::ToolTipRole).toString().contains(QStringLiteral("Dot: holds")), chat <= 3);
        }
        scene.glass().selection().setBlocks({});
        QVERIFY(!list.index(4).data(ChatListModel::HoldsRole).toBool());
    }

    void aChatTellsWhatItHoldsAndWithWhom()
    {
        GlassScene scene(SceneKind::Loaded);
        askAlike(scene, 3, 4);
        const QString shares = holdingsOf(scene.glass(), 1);
        QVERIFY2(shares.startsWith(QStringLiteral("holds 8 block(s), 4 of them shared with “")),
                 qPrintable(shares));
        QVERIFY(!shares.contains(shortTitle(scene.directory().chatLabel(1).title)));
        QCOMPARE(holdingsOf(scene.glass(), 4), QStringLiteral("holds 7 block(s)"));
        QCOMPARE(holdingsOf(scene.glass(), 99), QString());
    }

    void titlesAreListedInOneWay()
    {
        const QString a = quoted(QStringLiteral("A")), b = quoted(QStringLiteral("B"));
        QCOMPARE(listed({}, 0), QString());
        QCOMPARE(listed({a}, 1), QStringLiteral("“A”"));
        QCOMPARE(listed({a, b}, 2), QStringLiteral("“A” and “B”"));
        QVERIFY(listed({a, b}, 5).startsWith(QStringLiteral("“A”, “B” and 3 ")));
        QVERIFY(listed({a, b, a, a, a}, 5).startsWith(QStringLiteral("“A”, “B” and 3 ")));
        StepEvents events;
        events.prompts = {a, b};
        events.ended = {a};
        const QStringList sentences = eventSentences(events);
        QVERIFY2(sentences.front().endsWith(QStringLiteral("(“A” and “B”).")), qPrintable(sentences.front()));
        QCOMPARE(sentences.back(), QStringLiteral("“A”."));
    }

    void whatAChatSharesWithItselfIsCountedOnce()
    {
        GlassScene scene(SceneKind::Loaded);
        for (int answer = 0; answer < 2; ++answer) {
            scene.ask(1, kPrompt + 40, 400, kPrompt);
            scene.advance(3);
        }
        QCOMPARE(sharedBlocks(scene.glass().pool()).size(), 4u);
        const auto held = static_cast<std::int32_t>(scene.glass().pool().tableEntries()) - 4;
        QCOMPARE(holdingsOf(scene.glass(), 1), QStringLiteral("holds %1 block(s)").arg(held));
    }

    void aPoolThatContradictsItselfIsNamedAndLookedAt()
    {
        for (const SceneKind kind : {SceneKind::EightChats, SceneKind::Contiguous}) {
            GlassScene scene(kind);
            GlassModel& glass = scene.glass();
            PoolSnapshot far = scene.engine().snapshot(); // its second table names a block that is not there
            QVERIFY(far.sequences.size() > 2);
            far.sequences[1].blockTable.assign(3, BlockId{4'000'000});
            show(glass, far);
            QVERIFY(glass.health().mismatchStep);
            QVERIFY(!lookAt(glass).isEmpty());
            PoolSnapshot nobodys = scene.engine().snapshot(); // blocks that are counted and that nobody holds
            for (const BlockId block : nobodys.sequences[1].blockTable)
                nobodys.blocks[block.value].refCount = 2;
            std::erase_if(nobodys.sequences,
                          [](const SequenceState& s) { return s.sequence.value % 2 == 0; });
            show(glass, nobodys);
            QVERIFY(glass.health().mismatchStep);
            QVERIFY(!lookAt(glass).isEmpty());
            scene.advance(5); // steps that fit the engine's pool alone
            QVERIFY(!lookAt(glass).isEmpty());
            show(glass, scene.engine().snapshot());
            QVERIFY(!glass.health().mismatchStep);
        }
    }
};

QTEST_MAIN(TestBlockSharing)
#include "test_block_sharing.moc"
