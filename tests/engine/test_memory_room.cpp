// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/memory_room.h"
#include "tests/support/engine_requests.h"
#include "tests/support/memory_limit.h"
#include "tests/support/sanitized.h"
#include "tests/support/stepped_engine.h"

#include <QTest>

#include <new>

using namespace vitrine;
using namespace vitrine::test;

/// Of the machine's memory and the process's limit the smaller one counts, and is the one that is named.
class MemoryRoomTest : public QObject {
    Q_OBJECT
private slots:
    void theSmallerOneCountsAndIsNamed();
    void whatIsGivenAwayIsNotThereAndWhatIsThereStaysKnown();
    void theLimitOfThisProcessIsSeen();
    void wantOfMemoryIsSaidInWords();
    void aRefusedLoadNamesTheLimit();
    void thePoolThatNobodyGaveASizeFitsUnderTheLimit();
};

namespace {

constexpr std::int64_t kMib = std::int64_t{1} << 20;

} // namespace

void MemoryRoomTest::theSmallerOneCountsAndIsNamed()
{
    QCOMPARE((MemoryRoom{120 * kMib, 0}.text()), std::string("120 MiB of memory are available"));
    QCOMPARE((MemoryRoom{120 * kMib, 500 * kMib}.text()), std::string("120 MiB of memory are available"));
    QCOMPARE((MemoryRoom{500 * kMib, 120 * kMib}.text()),
             std::string("the limit of the address space (ulimit -v) leaves 120 MiB"));
    QCOMPARE((MemoryRoom{0, 120 * kMib}.bytes()), 120 * kMib);
    QCOMPARE(MemoryRoom{}.bytes(), std::int64_t{0});
}

void MemoryRoomTest::whatIsGivenAwayIsNotThereAndWhatIsThereStaysKnown()
{
    const MemoryRoom room = MemoryRoom{100, 0}.without(30);
    QCOMPARE(room.machineBytes, std::int64_t{70});
    QCOMPARE(room.addressBytes, std::int64_t{0});
    QCOMPARE(room.without(1000).machineBytes, std::int64_t{1});
    QCOMPARE(room.without(-30).machineBytes, std::int64_t{100});
}

void MemoryRoomTest::theLimitOfThisProcessIsSeen()
{
    if (kSanitized)
        QSKIP("a sanitizer's shadow memory does not live with a limit on addresses");
    const MemoryLimit limit(std::size_t{50} << 20);
    const std::int64_t room = memoryRoom().addressBytes;
    QVERIFY2(room > 40 * kMib && room <= 51 * kMib, std::to_string(room).c_str());
}

void MemoryRoomTest::wantOfMemoryIsSaidInWords()
{
    const std::string reason = reasonOf(std::bad_alloc());
    QVERIFY2(reason.starts_with("there is not enough memory"), reason.c_str());
    QVERIFY(reason.find("bad_alloc") == std::string::npos);
    QCOMPARE(reasonOf(std::runtime_error("another one")), std::string("another one"));
}

void MemoryRoomTest::aRefusedLoadNamesTheLimit()
{
    if (kSanitized)
        QSKIP("a sanitizer's shadow memory does not live with a limit on addresses");
    EngineOptions options = smallEngine();
    options.kvCacheMib = 64;
    options.scheduler.numBlocks = 0;
    SteppedEngine engine(options);
    {
        const MemoryLimit little(std::size_t{32} << 20);
        engine.load(kTinyModel);
    }
    QCOMPARE(engine.loadFailures.size(), std::size_t(1));
    const std::string line = engine.loadFailures.front().error.line();
    QVERIFY2(line.find("ulimit -v") != std::string::npos, line.c_str());
}

void MemoryRoomTest::thePoolThatNobodyGaveASizeFitsUnderTheLimit()
{
    if (kSanitized)
        QSKIP("a sanitizer's shadow memory does not live with a limit on addresses");
    EngineOptions options = smallEngine();
    options.scheduler.numBlocks = 0;
    SteppedEngine engine(options);
    {
        const MemoryLimit some(std::size_t{100} << 20);
        engine.load(kTinyModel);
    }
    QVERIFY(engine.loadFailures.empty());
    QVERIFY(poolIsWhole(engine));
}

QTEST_GUILESS_MAIN(MemoryRoomTest)
#include "test_memory_room.moc"
