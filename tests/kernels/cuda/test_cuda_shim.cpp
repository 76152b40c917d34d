// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/host/cuda_host.h"
#include "tests/kernels/cuda/device_buffer.h"
#include "tests/kernels/cuda/shim_kernels.h"

using namespace vitrine;
using namespace vitrine::kernels::cuda;

/// The shim runs kernels as CUDA does, and reports what would hang or spoil a card.
class CudaShimTest : public QObject {
    Q_OBJECT
private slots:
    void threadsAndBlocksAreNumberedInThreeDimensions();
    void lanesExchangeValues();
    void atomicsAddUp();
    void halvesRoundAsOurOwn();
    void sharedMemoryIsPoisonedBetweenBlocks();
    void aGridWithoutBlocksIsNothingToDo();
    void mistakesAreReported_data();
    void mistakesAreReported();
    void racesAreSeenByTheThreadSanitizer();
};

void CudaShimTest::threadsAndBlocksAreNumberedInThreeDimensions()
{
    const DeviceBuffer<int> numbers(2 * 3 * 2 * 64);
    VITRINE_RUN(numberThreads(numbers.get()));
    const std::vector<int> values = numbers.download();
    for (int i = 0; i < static_cast<int>(values.size()); ++i)
        QCOMPARE(values[static_cast<std::size_t>(i)], i % 64 + 1000 * (i / 64));
}

void CudaShimTest::lanesExchangeValues()
{
    const DeviceBuffer<int> shuffled(3 * 32);
    VITRINE_RUN(shuffle(shuffled.get()));
    const std::vector<int> lanes = shuffled.download();
    for (std::size_t i = 0; i < 32; ++i) {
        const int lane = static_cast<int>(i);
        QCOMPARE(lanes[3 * i], lane ^ 5);
        QCOMPARE(lanes[3 * i + 1], lane + 30 < 32 ? lane + 30 : lane);
        QCOMPARE(lanes[3 * i + 2], 7);
    }
}

void CudaShimTest::atomicsAddUp()
{
    const DeviceBuffer<int> total(std::vector<int>{0});
    const DeviceBuffer<float> sum(std::vector<float>{0});
    VITRINE_RUN(countInTwoPlaces(total.get(), sum.get()));
    QCOMPARE(total.download().front(), 288);
    QCOMPARE(sum.download().front(), 144.0F);
}

void CudaShimTest::halvesRoundAsOurOwn()
{
    for (std::uint32_t bits = 0; bits < 0x1'0000; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        const float value = __half2float({half});
        QVERIFY(value == kernels::halfToFloat(half) || std::isnan(value));
        // Also what lies between two halves, a float's step from the middle.
        for (const float between : {value * (1 + 0x1p-11F), value * (1 + 0x1.8p-11F)})
            if (!std::isnan(between))
                QCOMPARE(__float2half(between).bits, kernels::floatToHalf(between));
        const float wide = __bfloat162float({half});
        for (const float between : {wide, wide * (1 + 0x1p-8F), wide * (1 + 0x1.8p-8F)})
            if (!std::isnan(between))
                QCOMPARE(__float2bfloat16(between).bits, kernels::floatToBfloat(between));
    }
    QVERIFY(std::isnan(__half2float(__float2half(NAN))));
}

void CudaShimTest::sharedMemoryIsPoisonedBetweenBlocks()
{
    const DeviceBuffer<int> stale(2);
    VITRINE_RUN(readStaleShared(stale.get()));
    QCOMPARE(stale.download(), (std::vector<int>{-1, -1}));
}

void CudaShimTest::aGridWithoutBlocksIsNothingToDo()
{
    VITRINE_RUN(nothingToDo());
}

void CudaShimTest::mistakesAreReported_data()
{
    using Run = Status (*)();
    QTest::addColumn<Run>("run");
    QTest::addColumn<QString>("part");
    QTest::newRow("a thread leaves early")
        << Run(leaveEarly) << "barrier divergence: 63 wait at shim_kernels.cu";
    QTest::newRow("half a warp shuffles") << Run(shuffleWithHalfAWarp) << "barrier divergence: 16 wait";
    QTest::newRow("a barrier in a branch") << Run(waitInABranch) << "barrier divergence";
    QTest::newRow("a part of the mask")
        << Run(shuffleWithPartOfTheMask) << "partial warp mask at shim_kernels.cu";
    QTest::newRow("a grid that is too high") << Run(tooManyRows) << "2147483647 x 65535 x 65535";
    QTest::newRow("too much shared memory") << Run(tooMuchSharedMemory) << "48 KiB";
}

void CudaShimTest::mistakesAreReported()
{
    using Run = Status (*)();
    QFETCH(Run, run);
    QFETCH(QString, part);
    QVERIFY(run() != 0);
    const QString failure = QString::fromStdString(cuda_host::lastFailure());
    QVERIFY2(failure.contains(part), qPrintable(failure));
}

void CudaShimTest::racesAreSeenByTheThreadSanitizer()
{
    if (!qEnvironmentVariableIsSet("VITRINE_RUN_RACE"))
        QSKIP("set VITRINE_RUN_RACE: the thread sanitizer must end this test");
    const DeviceBuffer<int> out(32);
    VITRINE_RUN(trustShuffleToOrderMemory(out.get()));
}

QTEST_GUILESS_MAIN(CudaShimTest)
#include "test_cuda_shim.moc"
