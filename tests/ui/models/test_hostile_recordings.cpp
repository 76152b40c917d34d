// SPDX-License-Identifier: GPL-3.0-or-later
// Recordings whose sums are right and which no engine can have made.
#include "engine/trace/pool_checksum.h"
#include "engine/trace/record_codec.h"
#include "ui/models/batch_history.h"
#include "ui/models/metrics_history.h"
#include "ui/models/pool_mirror.h"
#include "ui/models/recorded_history.h"
#include "ui/models/recording_database.h"
#include "ui/models/recording_file.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <ctime>

using namespace vitrine;
using namespace vitrine::ui;

namespace {

using Events = std::vector<StepEvent>;
const FileProgress kAnyhow = [](double) { return true; };
constexpr SequenceId kFirst{1};
constexpr SequenceId kSecond{2};
constexpr BlockId kBlock{1};

PoolSnapshot freshPool(std::uint64_t step = 0)
{
    PoolSnapshot pool;
    pool.generation = 1;
    pool.step = step;
    pool.blockSize = 4;
    pool.blocks.resize(6);
    for (std::uint32_t block = 1; block < 6; ++block)
        pool.freeQueue.push_back(BlockId{block});
    pool.checksum = poolChecksum(pool);
    return pool;
}

/// Each step with the checksum that a liar would compute.
Recording recordingOf(const PoolSnapshot& pool, const std::vector<Events>& steps)
{
    PoolMirror mirror;
    (void)mirror.apply(pool);
    Recording recording;
    recording.start(pool);
    for (const Events& events : steps) {
        StepRecord record;
        record.generation = pool.generation;
        record.step = recording.newest()->growing->lastStep() + 1;
        record.beginSeconds = double(record.step);
        record.endSeconds = record.beginSeconds + 0.5;
        record.events = events;
        (void)mirror.apply(record);
        record.poolChecksum = mirror.checksum();
        recording.append(record);
    }
    return recording;
}

Events arrivals(int count)
{
    Events events;
    for (std::uint32_t id = 1; id <= std::uint32_t(count); ++id)
        events.push_back(event::Arrive{SequenceId{id}, 3, 0});
    return events;
}

/// Of this program alone, however many others run.
double secondsSince(std::clock_t begin)
{
    return double(std::clock() - begin) / CLOCKS_PER_SEC;
}

} // namespace

class TestHostileRecordings : public QObject {
    Q_OBJECT
private slots:
    void init() { m_path = m_folder.filePath("lying.vitrine-recording"); }
    void cleanup() { QFile::remove(m_path); }

    void whatIsSoundIsOpened()
    {
        const Events work{event::Alloc{kBlock, kFirst, 0}, event::Member{kFirst, MemberKind::Prefill, 3, 0},
                          event::Fill{kBlock, 3}};
        const Events end{event::Free{kBlock, kFirst, 0}, event::Finish{kFirst, EndReason::Stop}};
        QCOMPARE(refusal(recordingOf(freshPool(), {arrivals(1), work, end})), std::string("opened"));
    }

    void stepsThatNoEngineMakesAreRefused_data()
    {
        QTest::addColumn<int>("steps");
        for (int i = 0; i < int(lies().size()); ++i)
            QTest::addRow("%s", lies()[std::size_t(i)].first) << i;
    }
    void stepsThatNoEngineMakesAreRefused()
    {
        QFETCH(int, steps);
        const std::string line =
            refusal(recordingOf(freshPool(), {arrivals(2), lies()[std::size_t(steps)].second}));
        QVERIFY2(line.find("step 2") != std::string::npos, line.c_str());
    }

    void aBlockOfTwoThatIsCountedOnceIsRefused()
    {
        PoolSnapshot pool = freshPool(7);
        pool.blocks[1].refCount = 1;
        std::erase(pool.freeQueue, kBlock);
        pool.sequences = {{kFirst, {kBlock}, 0}, {kSecond, {kBlock}, 0}};
        pool.checksum = poolChecksum(pool);
        QVERIFY(refusal(recordingOf(pool, {{}})).find("step 7") != std::string::npos);
        pool.blocks[1].refCount = 2;
        pool.checksum = poolChecksum(pool);
        QCOMPARE(refusal(recordingOf(pool, {{}})), std::string("opened"));
        pool.freeQueue.pop_back(); // a block that is neither held nor free
        QVERIFY(refusal(recordingOf(pool, {{}})).find("step 7") != std::string::npos);
    }

    void aSequenceOfAChatThatDoesNotExistIsRefused()
    {
        RecordingContents contents{{}, recordingOf(freshPool(), {arrivals(1)})};
        contents.about.chats = {{1, "one", 0}};
        contents.about.chatOfSequence = {{1, 77}};
        const std::string line = refusal(contents);
        QVERIFY2(line.find("a chat that does not exist") != std::string::npos, line.c_str());
    }

    /// Older versions saved so what had lost its beginning. All later segments must be what they say.
    void aFirstSegmentThatFollowsOneThatIsGoneBeginsTheRecording()
    {
        const PoolSnapshot pool = freshPool(7);
        QVERIFY(saveRecording({{}, recordingOf(pool, {{}, {}})}, m_path, kAnyhow));
        change("UPDATE segment SET follows = 1");
        const Result<RecordingContents> opened = openRecording(m_path, kAnyhow);
        QVERIFY2(opened, opened ? "" : opened.error().line().c_str());
        const RecordingPart& part = opened->recording.parts().front();
        QCOMPARE(part.firstStep(), std::uint64_t(8));
        QCOMPARE(part.lastStep(), std::uint64_t(9));
        QVERIFY(!part.segment(0).follows);
    }

    /// A pool of four million free blocks takes few bytes in a file, and a second to walk through.
    void thousandsOfVastPoolsAreRefusedAsTheyAreRead()
    {
        const Recording small = recordingOf(freshPool(), {arrivals(1)});
        const auto segment = std::make_shared<RecordingSegment>(small.parts().front().segment(0));
        Recording recording;
        for (std::uint32_t generation = 1; generation <= 2000; ++generation)
            recording.add(generation, 4, 6, segment);
        QVERIFY(saveRecording({{}, recording}, m_path, kAnyhow));
        change("UPDATE part SET num_blocks = 4194304");
        QVERIFY(QFileInfo(m_path).size() < 1'000'000);
        double reached = 0;
        const Result<RecordingContents> opened = openRecording(m_path, [&reached](double share) {
            reached = std::max(reached, share);
            return true;
        });
        QVERIFY(!opened);
        QVERIFY2(opened.error().line().find("more blocks than") != std::string::npos,
                 opened.error().line().c_str());
        QVERIFY2(reached < 0.01, "none is walked through");
    }

    /// And none is recorded that could not be opened.
    void manyVastPoolsAreForgottenWhereTheyAreTooMany()
    {
        Recording recording;
        for (std::uint32_t generation = 1; generation <= 40; ++generation) {
            RecordingStart pool;
            pool.generation = generation;
            pool.blockSize = 4;
            pool.numBlocks = kMaxRecordedBlocks;
            pool.snapshot = Bytes(40);
            recording.start(std::move(pool));
            StepRecord record;
            record.generation = generation;
            record.step = 1;
            recording.append(record);
        }
        QCOMPARE(recording.newest()->generation, 40u);
        std::int64_t sparse = 0;
        for (const RecordingPart& part : recording.parts())
            for (std::size_t i = 0; i < part.segmentCount(); ++i)
                sparse += part.segment(i).sparseBlocks(part.numBlocks);
        QVERIFY(sparse <= Recording::kMostSparseBlocks);
        QVERIFY(recording.parts().size() >= 15);
    }

    /// A step with a million members takes as long as a million members, and not as their square.
    void aStepOfAMillionMembersIsReadInItsTime()
    {
        constexpr std::uint32_t kMany = 1'000'000;
        Events events;
        for (std::uint32_t id = kMany; id > 0; --id)
            events.push_back(event::Member{SequenceId{id}, MemberKind::Decode, 1, 0, true});
        const Recording recording = recordingOf(freshPool(7), {events});
        const std::clock_t begin = std::clock();
        const Result<RecordedHistory> history = replay(recording, 1, [](std::uint64_t) { return true; });
        QVERIFY(history);
        QCOMPARE(history->metrics.totals().sampledTokens, qint64(kMany));
        QVERIFY(history->metrics.bins().front().bySequence.size() <= MetricsBin::kMostSequences);
        QVERIFY(secondsSince(begin) < 10);
    }

    /// Who got a victim's blocks is found without looking through all that was freed for each victim.
    void manyVictimsOfManyBlocksAreToldApartInTheirTime()
    {
        constexpr std::uint32_t kMany = 200'000;
        StepRecord record;
        record.step = 1;
        for (std::uint32_t i = 1; i <= kMany; ++i) {
            record.events.push_back(event::Free{BlockId{i}, SequenceId{i}, 0});
            record.events.push_back(event::Preempt{SequenceId{i}, PreemptReason::Capacity, 1});
        }
        record.events.push_back(event::Alloc{BlockId{9}, SequenceId{kMany + 1}, 0});
        BatchHistory history;
        const std::clock_t begin = std::clock();
        history.apply(record);
        QVERIFY(secondsSince(begin) < 5);
        QCOMPARE(history.row(SequenceId{9})->preemptions.front().takenBy.value, kMany + 1);
        QCOMPARE(history.row(SequenceId{8})->preemptions.front().takenBy.value, 0u);
    }

private:
    static std::vector<std::pair<const char*, Events>> lies()
    {
        const event::Alloc alloc{kBlock, kFirst, 0};
        const event::Free free{kBlock, kFirst, 0};
        Events many;
        for (int i = 0; i < 100; ++i)
            many.push_back(event::Member{kFirst, MemberKind::Prefill, 1 << 24, 0});
        return {
            {"given back twice", {alloc, free, free}},
            {"given back by another", {alloc, event::Free{kBlock, kSecond, 0}}},
            {"taken twice", {alloc, event::Alloc{kBlock, kSecond, 0}}},
            {"shared though it holds nothing", {event::Share{kBlock, kFirst, 0}}},
            {"written though it is free", {event::Fill{kBlock, 2}}},
            {"written beyond its end", {alloc, event::Fill{kBlock, 5}}},
            {"published before it is full", {alloc, event::Fill{kBlock, 3}, event::Publish{kBlock, 9}}},
            {"evicted though nothing is kept", {event::Evict{kBlock}}},
            {"copied from nowhere", {alloc, event::Copy{BlockId{2}, kBlock}}},
            {"ended with its blocks", {alloc, event::Finish{kFirst, EndReason::Stop}}},
            {"thrown out with its blocks", {alloc, event::Preempt{kFirst, PreemptReason::Forced, 1}}},
            {"held by nobody", {event::Alloc{kBlock, SequenceId{0}, 0}}},
            {"arrived twice", {event::Arrive{kFirst, 1, 0}}},
            {"ended twice", {event::Finish{kFirst, EndReason::Stop}, event::Finish{kFirst, EndReason::Stop}}},
            {"a member that never came", {event::Member{SequenceId{9}, MemberKind::Decode, 1, 0}}},
            {"who waits never came", {event::Wait{SequenceId{9}, WaitReason::Capacity, 1, 0}}},
            {"who waits behind one who never came",
             {event::Wait{kFirst, WaitReason::BehindHead, 1, 0, SequenceId{9}}}},
            {"a block for one who never came", {event::Alloc{kBlock, SequenceId{9}, 0}}},
            {"more tokens than there can be", many},
        };
    }

    /// What the file says, with the sum that a liar would compute.
    void change(const char* statement) const
    {
        {
            QSqlDatabase database = QSqlDatabase::addDatabase("QSQLITE", "lie");
            database.setDatabaseName(m_path);
            QVERIFY(database.open());
            QSqlQuery query(database);
            QVERIFY(query.exec(statement));
            RecordingSum sum;
            for (const char* select :
                 {"SELECT key, value FROM about WHERE key <> 'sha256' ORDER BY rowid",
                  "SELECT id, generation, block_size, num_blocks FROM part ORDER BY rowid",
                  "SELECT id, part, snapshot_step, records, follows, snapshot, steps FROM segment"}) {
                QVERIFY(query.exec(select));
                while (query.next())
                    for (int column = 0; query.value(column).isValid(); ++column)
                        add(sum, query.value(column));
            }
            QVERIFY(query.exec(QString("UPDATE about SET value = '%1' WHERE key = 'sha256'").arg(sum.hex())));
            database.close();
        }
        QSqlDatabase::removeDatabase("lie");
    }

    static void add(RecordingSum& sum, const QVariant& value)
    {
        if (value.typeId() == QMetaType::LongLong)
            sum.add(value.toLongLong());
        else if (value.typeId() == QMetaType::QByteArray)
            sum.add(value.toByteArray());
        else
            sum.add(value.toString());
    }

    std::string refusal(const RecordingContents& contents)
    {
        if (!saveRecording(contents, m_path, kAnyhow))
            return "not saved";
        const Result<RecordingContents> opened = openRecording(m_path, kAnyhow);
        return opened ? "opened" : opened.error().line();
    }
    std::string refusal(const Recording& recording) { return refusal(RecordingContents{{}, recording}); }

    QTemporaryDir m_folder;
    QString m_path;
};

QTEST_GUILESS_MAIN(TestHostileRecordings)
#include "test_hostile_recordings.moc"
