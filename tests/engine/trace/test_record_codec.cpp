// SPDX-License-Identifier: GPL-3.0-or-later
// Records and snapshots as bytes: the same again; and bytes that are none, which the sanitizers watch too.
#include "engine/trace/record_codec.h"
#include "tests/support/random_workload.h"

#include <QtTest>

#include <random>

using namespace vitrine;
using namespace vitrine::test;

namespace {

bool sameEvents(const StepRecord& a, const StepRecord& b)
{
    Bytes left, right;
    encode(a, a.step - 1, left);
    encode(b, b.step - 1, right);
    return left == right && a.events.size() == b.events.size();
}

/// Of all kinds that a random run has.
std::vector<StepRecord> someRecords(std::vector<PoolSnapshot>& snapshots)
{
    std::vector<StepRecord> records;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        WorkloadRunner runner(randomMode(seed));
        runner.afterStep = [&] {
            records.push_back(runner.engine().lastRecord());
            if (records.size() % 9 == 0)
                snapshots.push_back(runner.engine().scheduler().snapshot());
        };
        std::uint64_t random = seed;
        for (int i = 0; i < 150; ++i)
            runner.run(randomOperation(random));
    }
    return records;
}

Bytes damaged(Bytes bytes, std::mt19937& random)
{
    if (random() % 4 == 0)
        bytes.resize(random() % (bytes.size() + 1));
    for (unsigned i = 0; !bytes.empty() && i <= random() % 4; ++i)
        bytes[random() % bytes.size()] = std::uint8_t(random());
    return bytes;
}

} // namespace

class TestRecordCodec : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        m_records = someRecords(m_snapshots);
        QVERIFY(m_records.size() > 500 && m_snapshots.size() > 50);
    }

    void recordsAreTheSameAgain()
    {
        std::size_t kinds = 0;
        for (const StepRecord& record : m_records) {
            Bytes bytes;
            encode(record, record.step - 1, bytes);
            ByteReader reader(bytes);
            const Result<StepRecord> again = decodeRecord(reader, record.step - 1, record.generation);
            QVERIFY(again && reader.left() == 0);
            QCOMPARE(again->step, record.step);
            QCOMPARE(again->poolChecksum, record.poolChecksum);
            QCOMPARE(again->beginSeconds, record.beginSeconds);
            QVERIFY(sameEvents(*again, record));
            for (const StepEvent& event : record.events)
                kinds |= std::size_t{1} << event.index();
        }
        QCOMPARE(kinds, (std::size_t{1} << std::variant_size_v<StepEvent>)-1);
    }

    void snapshotsAreTheSameAgain()
    {
        for (PoolSnapshot snapshot : m_snapshots) {
            const Result<PoolSnapshot> again = decodeSnapshot(encode(snapshot));
            QVERIFY(again);
            snapshot.pasts.resize(snapshot.blocks.size()); // not known
            QVERIFY(*again == snapshot);
        }
    }

    void aFreePoolTakesNoRoom()
    {
        PoolSnapshot snapshot;
        snapshot.blockSize = 16;
        snapshot.blocks.resize(1'000'000);
        for (std::uint32_t i = 1; i < snapshot.blocks.size(); ++i)
            snapshot.freeQueue.push_back(BlockId{i});
        QVERIFY(encode(snapshot).size() < 64);
        QVERIFY(decodeSnapshot(encode(snapshot)));
    }

    void damageIsRefusedOrMakesSense()
    {
        std::mt19937 random(11);
        int refused = 0;
        for (int i = 0; i < 20'000; ++i) {
            const StepRecord& record = m_records[random() % m_records.size()];
            Bytes bytes;
            encode(record, record.step - 1, bytes);
            bytes = damaged(std::move(bytes), random);
            ByteReader reader(bytes);
            const Result<StepRecord> again = decodeRecord(reader, record.step - 1, 0);
            refused += again ? 0 : 1;
            QVERIFY(!again || again->events.size() <= bytes.size());
            bytes = damaged(encode(m_snapshots[random() % m_snapshots.size()]), random);
            const Result<PoolSnapshot> snapshot = decodeSnapshot(bytes);
            QVERIFY(!snapshot || snapshot->freeQueue.size() <= snapshot->blocks.size());
        }
        QVERIFY(refused > 1000);
    }

    void whatSaysThatItIsHugeTakesNoMemory()
    {
        for (const Bytes& bytes :
             {Bytes(64, 0xFF), Bytes{0, 0, 16, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x7F},
              Bytes{}}) {
            QVERIFY(!decodeSnapshot(bytes));
            ByteReader reader(bytes);
            QVERIFY(!decodeRecord(reader, 0, 0));
        }
    }

private:
    std::vector<StepRecord> m_records;
    std::vector<PoolSnapshot> m_snapshots;
};

QTEST_APPLESS_MAIN(TestRecordCodec)
#include "test_record_codec.moc"
