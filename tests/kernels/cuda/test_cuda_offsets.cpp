// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/kernels/cuda/device_buffer.h"

#include <numeric>
#include <sys/mman.h>

using namespace vitrine::kernels;
using namespace vitrine::kernels::cuda;

/// Pools and matrices of more than 2^32 elements: offsets in them are counted in 64 bits. Only on the shim,
/// where memory that nobody touches costs nothing.
class CudaOffsetsTest : public QObject {
    Q_OBJECT
private slots:
    void keysAndValuesFarAwayAreStoredAndRead();
    void rowsFarAwayAreRead();
    void moreVisitsThanAGridIsHigh();
};

namespace {

constexpr std::size_t kFar = std::size_t{1} << 32; ///< elements of 16 bits

/// Zeros, 16 GiB or so of them.
class SparseMemory {
public:
    SparseMemory()
        : m_data(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                      -1, 0))
    {
    }
    ~SparseMemory()
    {
        if (exists())
            munmap(m_data, kBytes);
    }
    Q_DISABLE_COPY_MOVE(SparseMemory)

    [[nodiscard]] bool exists() const { return m_data != MAP_FAILED; }
    [[nodiscard]] std::uint16_t* get() const { return static_cast<std::uint16_t*>(m_data); }

private:
    static constexpr std::size_t kBytes = 2 * kFar + (std::size_t{1} << 20);
    void* m_data;
};

} // namespace

void CudaOffsetsTest::keysAndValuesFarAwayAreStoredAndRead()
{
    const SparseMemory memory;
    if (!memory.exists())
        QSKIP("no 8 GiB of addresses");
    constexpr int kDim = 8;
    const KvPool pool{memory.get(), KvType::F16, 1, kDim, 16, 2};
    const auto block = static_cast<std::uint32_t>(kFar / pool.blockStride());
    const std::vector<float> query(kDim, 1.0F);
    const std::vector<float> value{1, 2, 3, 4, 5, 6, 7, 8};
    const DeviceBuffer<float> queries(query), keys(query), values(value);
    const DeviceBuffer<std::int64_t> slotOfToken(std::vector<std::int64_t>{std::int64_t{block} * 16});
    VITRINE_RUN(cuda::finishQkv(launchOf(32), {.query = queries.get(),
                                               .key = keys.get(),
                                               .value = values.get(),
                                               .slotMapping = slotOfToken.get(),
                                               .pool = pool,
                                               .layer = 1,
                                               .tokens = 1,
                                               .heads = 1}));
    const std::size_t key = kFar + pool.layerStride();
    QCOMPARE(memory.get()[key], floatToHalf(1));
    QCOMPARE(memory.get()[key + pool.valueOffset() + 7], floatToHalf(8));

    const DeviceBuffer<std::uint32_t> tables(std::vector<std::uint32_t>{block});
    const DeviceBuffer<cuda::AttentionItem> items(
        std::vector<cuda::AttentionItem>{{.rows = 1, .heads = 1, .end = 1}});
    const DeviceBuffer<float> out(kDim);
    VITRINE_RUN(cuda::attention(launchOf(32), {.out = out.get(),
                                               .query = queries.get(),
                                               .pool = pool,
                                               .tables = tables.get(),
                                               .items = items.get(),
                                               .merges = nullptr,
                                               .partialOut = nullptr,
                                               .partialMaxima = nullptr,
                                               .partialSums = nullptr,
                                               .layer = 1,
                                               .itemCount = 1,
                                               .itemQueries = 1,
                                               .heads = 1}));
    QCOMPARE(out.download(), value);
}

void CudaOffsetsTest::rowsFarAwayAreRead()
{
    const SparseMemory memory;
    if (!memory.exists())
        QSKIP("no 8 GiB of addresses");
    constexpr int kColumns = 64;
    constexpr int kRow = static_cast<int>(kFar / kColumns);
    for (std::size_t c = 0; c < kColumns; ++c)
        memory.get()[kFar + c] = floatToHalf(static_cast<float>(c));
    const WeightMatrix table{memory.get(), TensorType::F16, kRow + 1, kColumns};
    std::vector<float> expected(kColumns);
    std::iota(expected.begin(), expected.end(), 0.0F);

    const DeviceBuffer<std::int32_t> tokens(std::vector<std::int32_t>{kRow});
    const DeviceBuffer<float> embedded(kColumns);
    VITRINE_RUN(cuda::embed(launchOf(32), {embedded.get(), table, tokens.get(), 1, 1.0F}));
    QCOMPARE(embedded.download(), expected);

    const DeviceBuffer<std::uint16_t> tile(kColumns);
    VITRINE_RUN(cuda::dequantize(launchOf(32), {tile.get(), table, kRow, 1, NarrowType::F16}));
    QCOMPARE(tile.download().back(), floatToHalf(kColumns - 1));

    const WeightMatrix expert{memory.get(), TensorType::F16, kColumns, kColumns};
    const DeviceBuffer<std::int32_t> choice(std::vector<std::int32_t>{kRow / kColumns});
    const DeviceBuffer<float> ones(std::vector<float>(kColumns, 1.0F));
    const DeviceBuffer<float> products(kColumns);
    VITRINE_RUN(cuda::chosenMatVec(launchOf(32), {products.get(), expert, ones.get(), choice.get(), 1, 1}));
    QCOMPARE(products.download().front(), 63.0F * 64 / 2);
}

void CudaOffsetsTest::moreVisitsThanAGridIsHigh()
{
    constexpr int kVisits = 65535 + 3;
    const std::vector<float> weights{2, 3};
    std::vector<float> in(kVisits / 2);
    std::iota(in.begin(), in.end(), 0.0F);
    std::vector<std::int32_t> choice(kVisits);
    for (std::size_t v = 0; v < choice.size(); ++v)
        choice[v] = static_cast<std::int32_t>(v % 2);
    const DeviceBuffer<float> matrices(weights), inputs(in), out(kVisits);
    const DeviceBuffer<std::int32_t> choices(choice);
    VITRINE_RUN(cuda::chosenMatVec(
        launchOf(32),
        {out.get(), {matrices.get(), TensorType::F32, 1, 1}, inputs.get(), choices.get(), kVisits, 2}));
    const std::vector<float> products = out.download();
    for (std::size_t v = 0; v < products.size(); ++v)
        QCOMPARE(products[v], weights[v % 2] * in[v / 2]);
}

QTEST_GUILESS_MAIN(CudaOffsetsTest)
#include "test_cuda_offsets.moc"
