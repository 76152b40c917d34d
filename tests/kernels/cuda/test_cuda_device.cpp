// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/kernels/cuda/device_buffer.h"

#include <numeric>
#include <thread>

using namespace vitrine::kernels;
using namespace vitrine::kernels::cuda;

/// What a card does besides kernels: memory, the order of work, dense products, recordings. The same for the
/// shim's and for a real one, with its streams, cuBLAS and graphs.
class CudaDeviceTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { VITRINE_SKIP_WITHOUT_DEVICE(); }
    void memoryIsNaNAtFirstAndGivenBack();
    void smallInputsMayBeOverwrittenAtOnce();
    void muchIsUploadedBesideTheKernels();
    void copiesAndFillsKeepTheirOrder();
    void productsFollowTheirDefinition_data();
    void productsFollowTheirDefinition();
    void whatIsRecordedIsDoneWhenReplayed();
    void aSecondDeviceLeavesTheFirstAlone();
};

namespace {

/// As the type stores it, and what it then is.
struct Stored {
    std::vector<std::byte> bytes;
    std::vector<double> values;
};

template<class T, class Encode, class Decode>
Stored storedAs(const std::vector<float>& values, Encode encode, Decode decode)
{
    Stored stored{std::vector<std::byte>(values.size() * sizeof(T)), {}};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const T code = encode(values[i]);
        std::memcpy(stored.bytes.data() + i * sizeof(T), &code, sizeof(T));
        stored.values.push_back(double{decode(code)});
    }
    return stored;
}

Stored stored(const std::vector<float>& values, DenseType type)
{
    if (type == DenseType::F16)
        return storedAs<std::uint16_t>(values, floatToHalf, halfToFloat);
    if (type == DenseType::BF16)
        return storedAs<std::uint16_t>(values, floatToBfloat, bfloatToFloat);
    return storedAs<float>(values, std::identity(), std::identity());
}

/// Of one row of weights and one input.
double dot(const Stored& weights, std::size_t row, const Stored& in, std::size_t input, std::size_t columns)
{
    const double* w = weights.values.data() + row * columns;
    return std::inner_product(w, w + columns, in.values.data() + input * columns, 0.0);
}

} // namespace

void CudaDeviceTest::memoryIsNaNAtFirstAndGivenBack()
{
    Device& card = testDevice();
    constexpr std::size_t kMuch = std::size_t{64} << 20;
    const std::size_t before = card.freeBytes();
    {
        const DeviceBuffer<float> fresh(kMuch / sizeof(float));
        QVERIFY(fresh.get() != nullptr && reinterpret_cast<std::uintptr_t>(fresh.get()) % 16 == 0);
        QVERIFY(card.freeBytes() <= before - kMuch);
        float last = 0;
        card.download(&last, fresh.get() + kMuch / sizeof(float) - 1, sizeof(last));
        QVERIFY(std::isnan(last));
    }
    QVERIFY(card.freeBytes() > before - kMuch);
    QVERIFY(card.allocate(std::size_t{1} << 46) == nullptr); // too much is no failure
    QVERIFY2(card.failure().empty(), card.failure().c_str());
}

void CudaDeviceTest::smallInputsMayBeOverwrittenAtOnce()
{
    Device& card = testDevice();
    constexpr std::size_t kCount = 1000;
    const DeviceBuffer<std::int32_t> to(8 * kCount);
    std::vector<std::int32_t> from(kCount);
    for (int part = 0; part < 8; ++part) {
        std::ranges::fill(from, part);
        card.upload(to.get() + std::size_t(part) * kCount, from.data(), kCount * sizeof(from[0]));
    }
    const std::vector<std::int32_t> arrived = to.download();
    for (std::size_t i = 0; i < arrived.size(); ++i)
        QCOMPARE(arrived[i], std::int32_t(i / kCount));
}

/// More than a card's two buffers take, and no whole number of them.
void CudaDeviceTest::muchIsUploadedBesideTheKernels()
{
    Device& card = testDevice();
    std::vector<std::uint32_t> from((std::size_t{21} << 20) / sizeof(std::uint32_t) + 3);
    std::iota(from.begin(), from.end(), 1U);
    const std::vector<std::uint32_t> sent = from;
    const DeviceBuffer<std::uint32_t> bulk(from.size());
    const DeviceBuffer<std::uint32_t> copied(from.size());
    card.uploadBulk(bulk.get(), from.data(), from.size() * sizeof(from[0]));
    std::ranges::fill(from, 0U);
    card.finishUploads();
    card.copy(copied.get(), bulk.get(), from.size() * sizeof(from[0]));
    QVERIFY(copied.download() == sent);
}

void CudaDeviceTest::copiesAndFillsKeepTheirOrder()
{
    Device& card = testDevice();
    constexpr std::size_t kCount = 100'000;
    const DeviceBuffer<std::byte> first(kCount);
    const DeviceBuffer<std::byte> second(kCount);
    for (int round = 1; round <= 50; ++round) {
        card.fill(first.get(), static_cast<std::uint8_t>(round), kCount);
        card.copy(second.get(), first.get(), kCount);
        card.fill(first.get(), 0, kCount);
    }
    QVERIFY(std::ranges::all_of(first.download(), [](std::byte b) { return b == std::byte{0}; }));
    QVERIFY(std::ranges::all_of(second.download(), [](std::byte b) { return b == std::byte{50}; }));
}

void CudaDeviceTest::productsFollowTheirDefinition_data()
{
    QTest::addColumn<int>("type");
    QTest::addColumn<int>("columns");
    QTest::addColumn<int>("inputs");
    QTest::addColumn<int>("stride");
    for (const DenseType type : {DenseType::F32, DenseType::F16, DenseType::BF16})
        for (const int columns : {1, 33, 64, 576})
            for (const int inputs : {1, 17, 40})
                for (const int stride : {37, 64, 129}) // of results that have 37 rows
                    QTest::addRow("type %d, %d columns, %d inputs, stride %d", int(type), columns, inputs,
                                  stride)
                        << int(type) << columns << inputs << stride;
}

/// Results between the rows of others, scaled, written or added.
void CudaDeviceTest::productsFollowTheirDefinition()
{
    QFETCH(int, type);
    QFETCH(int, columns);
    QFETCH(int, inputs);
    QFETCH(int, stride);
    if (type == int(DenseType::BF16) && testDevice().info().major < 8)
        QSKIP("this card does not multiply BF16");
    constexpr int kRows = 37;
    constexpr float kScale = 0.5F;
    Random random(static_cast<unsigned>(columns * 100 + inputs));
    const auto count = [](int a, int b) { return static_cast<std::size_t>(a) * static_cast<std::size_t>(b); };
    const Stored weights = stored(random.floats(count(kRows, columns)), DenseType(type));
    const Stored in = stored(random.floats(count(inputs, columns)), DenseType(type));
    const std::vector<float> before = random.floats(count(inputs, stride));
    const DeviceBuffer<std::byte> weightsThere(weights.bytes);
    const DeviceBuffer<std::byte> inThere(in.bytes);
    for (const bool add : {false, true}) {
        const DeviceBuffer<float> out(before);
        testDevice().multiply({.out = out.get(),
                               .weights = weightsThere.get(),
                               .in = inThere.get(),
                               .type = DenseType(type),
                               .rows = kRows,
                               .columns = columns,
                               .inputs = inputs,
                               .outStride = stride,
                               .scale = kScale,
                               .add = add});
        const std::vector<float> after = out.download();
        QVERIFY2(testDevice().failure().empty(), testDevice().failure().c_str());
        for (std::size_t t = 0; t < std::size_t(inputs); ++t)
            for (std::size_t r = 0; r < std::size_t(stride); ++r) {
                const std::size_t place = t * std::size_t(stride) + r;
                const double old = double{before[place]};
                if (r >= kRows) {
                    QCOMPARE(after[place], before[place]);
                    continue;
                }
                const double expected =
                    kScale * dot(weights, r, in, t, std::size_t(columns)) + (add ? old : 0.0);
                QVERIFY2(std::abs(after[place] - expected) <= 1e-4 * (1 + std::abs(expected)),
                         qPrintable(QString("%1, not %2").arg(after[place]).arg(expected)));
            }
    }
}

/// Kernels, products, copies and fills, on the memory of then with the numbers of now.
void CudaDeviceTest::whatIsRecordedIsDoneWhenReplayed()
{
    Device& card = testDevice();
    constexpr std::size_t kCount = 32;
    const DeviceBuffer<float> weights(std::vector<float>(kCount * kCount, 1));
    const DeviceBuffer<float> in(std::vector<float>(kCount, 1));
    const DeviceBuffer<float> out(std::vector<float>(kCount, 0));
    const DeviceBuffer<float> copied(std::vector<float>(kCount, 7));
    const DeviceBuffer<std::byte> filled(std::vector<std::byte>(kCount, std::byte{7}));
    const auto work = [&] {
        card.multiply({.out = out.get(),
                       .weights = weights.get(),
                       .in = in.get(),
                       .rows = kCount,
                       .columns = kCount,
                       .inputs = 1,
                       .outStride = kCount,
                       .add = true});
        card.check(card.kernels().scaleAndCap(launchOf(32), {out.get(), kCount, 2, 0}));
        card.copy(copied.get(), out.get(), kCount * sizeof(float));
        card.fill(filled.get(), 9, kCount);
    };
    work(); // the first of a kind may prepare something, which a recording must not
    QCOMPARE(copied.download().front(), 64.0F);
    QVERIFY(card.beginRecording());
    work();
    const std::unique_ptr<Recording> recording = card.endRecording();
    QVERIFY(recording != nullptr);
    QVERIFY2(card.failure().empty(), card.failure().c_str());
    QCOMPARE(copied.download().front(), 64.0F); // nothing was done
    card.fill(filled.get(), 7, kCount);
    const std::vector<float> twos(kCount, 2);
    card.upload(in.get(), twos.data(), kCount * sizeof(float));
    card.replay(*recording);
    QCOMPARE(copied.download(), std::vector<float>(kCount, 2 * (64 + 64)));
    card.replay(*recording);
    QCOMPARE(copied.download(), std::vector<float>(kCount, 2 * (256 + 64)));
    QCOMPARE(filled.download(), std::vector<std::byte>(kCount, std::byte{9}));
    QVERIFY2(card.failure().empty(), card.failure().c_str());
}

/// It may come and go, on a thread of its own, while the first is recording.
void CudaDeviceTest::aSecondDeviceLeavesTheFirstAlone()
{
    Device& card = testDevice();
    constexpr std::size_t kCount = 1000;
    const DeviceBuffer<std::byte> filled(std::vector<std::byte>(kCount, std::byte{7}));
    QVERIFY(card.beginRecording());
    card.fill(filled.get(), 9, kCount);
    std::thread([] { (void)openTestDeviceAgain(); }).join();
    const std::unique_ptr<Recording> recording = card.endRecording();
    QVERIFY(recording != nullptr);
    QCOMPARE(filled.download(), std::vector<std::byte>(kCount, std::byte{7}));
    card.replay(*recording);
    QCOMPARE(filled.download(), std::vector<std::byte>(kCount, std::byte{9}));
    QVERIFY2(card.failure().empty(), card.failure().c_str());
}

QTEST_GUILESS_MAIN(CudaDeviceTest)
#include "test_cuda_device.moc"
