// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/reference.h"
#include "tests/kernels/cuda/device_buffer.h"

using namespace vitrine::kernels;
using namespace vitrine::kernels::cuda;

/// Attention over paged keys with all that can go wrong around them: slots that nobody wrote are NaN, entries
/// of the tables that no row needs are -1, blocks lie anywhere.
class CudaAttentionTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { VITRINE_SKIP_WITHOUT_DEVICE(); }
    void answersEqualTheReference_data();
    void answersEqualTheReference();
};

namespace {

struct Case {
    const char* name;
    int headDim;
    int heads;
    int kvHeads;
    int blockSize;
    std::vector<std::pair<int, int>> sequences; ///< computed before, rows of this batch
    int window = 0;
    float softCap = 0;
    int keysPerPart = 0; ///< 0: items are not split
    KvType type = KvType::F32;
};

const Case kCases[] = {
    {"one key", 16, 1, 1, 16, {{0, 1}}},
    {"one tile less one", 16, 2, 1, 16, {{30, 1}}},
    {"one tile", 16, 2, 1, 16, {{31, 1}}},
    {"one tile and one", 16, 2, 1, 16, {{32, 1}}},
    {"blocks of one", 16, 2, 2, 1, {{9, 2}}},
    {"blocks of seven", 24, 4, 2, 7, {{40, 1}, {3, 5}}},
    {"a prompt from its beginning", 64, 4, 2, 16, {{0, 37}}},
    {"a later part of a prompt beside decodes", 32, 6, 2, 16, {{33, 19}, {70, 1}, {0, 1}, {5, 1}}},
    {"many heads of one kv head", 16, 20, 1, 16, {{17, 2}}},
    {"the widest head", 256, 2, 1, 16, {{20, 3}}},
    {"an unusual head", 80, 3, 3, 16, {{50, 1}}},
    {"a window", 16, 4, 2, 16, {{90, 1}, {60, 20}}, 17},
    {"a window of one", 16, 2, 2, 16, {{40, 3}}, 1},
    {"a soft cap", 16, 4, 2, 16, {{40, 3}}, 0, 5.0F},
    {"half floats", 64, 4, 2, 16, {{40, 1}, {0, 20}}, 0, 0, 0, KvType::F16},
    {"split", 16, 4, 2, 16, {{200, 1}, {10, 1}, {95, 2}}, 0, 0, 64},
    {"split unevenly", 32, 4, 1, 16, {{150, 1}}, 0, 0, 37, KvType::F16},
    {"split with a window that whole parts are outside of", 16, 4, 2, 16, {{200, 1}}, 40, 3.0F, 32},
};

/// The same keys and values in the processor's layout and in the card's.
class Scene {
public:
    explicit Scene(const Case& scene)
        : m_case(scene)
    {
        for (const auto& [before, rows] : scene.sequences)
            addSequence(before + rows);
        m_layout = KvLayout::apart(scene.type, at(scene.kvHeads), at(scene.headDim), at(scene.blockSize));
        m_keys.resize(m_blocks * m_layout.blockStride * m_layout.elementBytes(), std::byte{0xff});
        m_values = m_keys;
        m_pool = {nullptr, scene.type, scene.kvHeads, scene.headDim, scene.blockSize, kLayers};
        m_pages.resize(m_blocks * m_pool.blockBytes(), std::byte{0xff});
        for (std::size_t s = 0; s < scene.sequences.size(); ++s)
            fill(s, scene.sequences[s].first + scene.sequences[s].second);
        for (const auto& [before, rows] : scene.sequences)
            m_rows += rows;
        m_queries = m_random.floats(at(m_rows * scene.heads * scene.headDim), 2);
    }

    [[nodiscard]] std::vector<double> expected();
    [[nodiscard]] std::vector<float> computed(int threads);

private:
    static constexpr int kLayers = 3;
    static constexpr int kLayer = 1; // K and V of the others are NaN

    static std::size_t at(int value) { return static_cast<std::size_t>(value); }
    [[nodiscard]] float scale() const { return 1 / std::sqrt(static_cast<float>(m_case.headDim)); }
    [[nodiscard]] int group() const { return m_case.heads / m_case.kvHeads; }

    void addSequence(int length)
    {
        const std::size_t blocks = at((length + m_case.blockSize - 1) / m_case.blockSize);
        std::vector<std::uint32_t> table;
        for (std::size_t b = 0; b < blocks; ++b)
            table.push_back(static_cast<std::uint32_t>(m_blocks + blocks - b)); // backwards, from 1
        m_blocks += blocks + 1;
        m_fullTables.push_back(table);
    }
    void fill(std::size_t sequence, int length)
    {
        for (int position = 0; position < length; ++position) {
            const std::vector<float> key = m_random.floats(at(m_case.kvHeads * m_case.headDim));
            const std::vector<float> value = m_random.floats(key.size());
            const std::uint32_t block = m_fullTables[sequence][at(position / m_case.blockSize)];
            const int slot = position % m_case.blockSize;
            storeKv(m_layout, {m_keys.data(), m_values.data()}, std::int64_t{block} * m_case.blockSize + slot,
                    key, value);
            for (int head = 0; head < m_case.kvHeads; ++head)
                for (int d = 0; d < m_case.headDim; ++d) {
                    const std::size_t element = m_pool.keyAt(block, kLayer, head, slot) + at(d);
                    put(element, key[at(head * m_case.headDim + d)]);
                    put(element + m_pool.valueOffset(), value[at(head * m_case.headDim + d)]);
                }
        }
    }
    void put(std::size_t element, float value)
    {
        const std::uint16_t half = floatToHalf(value);
        if (m_case.type == KvType::F16)
            std::memcpy(m_pages.data() + 2 * element, &half, sizeof half);
        else
            std::memcpy(m_pages.data() + 4 * element, &value, sizeof value);
    }
    /// -1 where no row looks.
    [[nodiscard]] std::vector<std::uint32_t> hostileTable(std::size_t sequence) const
    {
        std::vector<std::uint32_t> table = m_fullTables[sequence];
        const int firstSeen =
            m_case.window > 0 ? std::max(0, m_case.sequences[sequence].first - m_case.window + 1) : 0;
        std::fill_n(table.begin(), firstSeen / m_case.blockSize, std::uint32_t(-1));
        table.insert(table.end(), 3, std::uint32_t(-1));
        return table;
    }
    void plan();
    void addItem(cuda::AttentionItem item);

    const Case& m_case;
    Random m_random{21};
    std::size_t m_blocks = 1;
    std::vector<std::vector<std::uint32_t>> m_fullTables;
    KvLayout m_layout;
    std::vector<std::byte> m_keys;
    std::vector<std::byte> m_values;
    KvPool m_pool;
    std::vector<std::byte> m_pages;
    int m_rows = 0;
    std::vector<float> m_queries;
    std::vector<std::uint32_t> m_tables;
    std::vector<cuda::AttentionItem> m_items;
    std::vector<AttentionMerge> m_merges;
    std::int32_t m_partials = 0;
};

std::vector<double> Scene::expected()
{
    std::vector<double> out(m_queries.size());
    const AttentionShape shape{m_layout, at(m_case.heads), scale(), at(m_case.window), m_case.softCap};
    std::size_t row = 0;
    for (std::size_t s = 0; s < m_case.sequences.size(); ++s) {
        const auto [before, rows] = m_case.sequences[s];
        for (std::size_t kvHead = 0; kvHead < at(m_case.kvHeads); ++kvHead) {
            const std::size_t stride = at(m_case.heads * m_case.headDim);
            const std::size_t width = at(group() * m_case.headDim);
            vitrine::kernels::AttentionItem item;
            item.blockTable = m_fullTables[s];
            item.kvHead = kvHead;
            item.firstPosition = at(before);
            item.rows = at(rows);
            item.queries = m_queries.data() + row * stride + kvHead * width;
            item.queryStride = stride;
            std::vector<double> part(at(rows) * width);
            reference::attention(shape, {m_keys.data(), m_values.data()}, item, part);
            for (std::size_t r = 0; r < at(rows); ++r)
                std::copy_n(part.begin() + static_cast<std::ptrdiff_t>(r * width), width,
                            out.begin() + static_cast<std::ptrdiff_t>((row + r) * stride + kvHead * width));
        }
        row += at(rows);
    }
    return out;
}

void Scene::plan()
{
    std::int32_t row = 0;
    for (std::size_t s = 0; s < m_case.sequences.size(); ++s) {
        const auto [before, rows] = m_case.sequences[s];
        const auto table = static_cast<std::int32_t>(m_tables.size());
        const std::vector<std::uint32_t> entries = hostileTable(s);
        for (const std::uint32_t entry : entries)
            m_tables.insert(m_tables.end(),
                            {std::uint32_t(-1), entry}); // that of another group of layers first
        for (int head = 0; head < group(); head += kMaxQueries) {
            const int heads = std::min(group() - head, kMaxQueries);
            const int perItem = kMaxQueries / heads;
            for (int r = 0; r < rows; r += perItem) {
                const int count = std::min(perItem, rows - r);
                addItem({row + r, count, before + r, table, head, heads, 0, before + r + count, -1});
            }
        }
        row += rows;
    }
    m_items.push_back({}); // of no rows: nothing happens
}

void Scene::addItem(cuda::AttentionItem item)
{
    if (m_case.keysPerPart == 0 || item.end <= m_case.keysPerPart)
        return m_items.push_back(item);
    AttentionMerge merge{item.row, item.rows, item.firstHead, item.heads, m_partials, 0};
    for (int begin = 0; begin < item.end; begin += m_case.keysPerPart, ++merge.parts) {
        cuda::AttentionItem part = item;
        part.begin = begin;
        part.end = std::min(begin + m_case.keysPerPart, item.end);
        part.partial = m_partials;
        m_partials += item.rows * item.heads;
        m_items.push_back(part);
    }
    m_merges.push_back(merge);
}

std::vector<float> Scene::computed(int threads)
{
    if (m_items.empty())
        plan();
    const DeviceBuffer<std::byte> pages(m_pages);
    const DeviceBuffer<float> queries(m_queries);
    const DeviceBuffer<std::uint32_t> tables(m_tables);
    const DeviceBuffer<cuda::AttentionItem> items(m_items);
    const DeviceBuffer<AttentionMerge> merges(m_merges);
    const std::size_t partials = at(m_partials * m_case.kvHeads);
    const DeviceBuffer<float> partialOut(partials * at(m_case.headDim));
    const DeviceBuffer<float> partialMaxima(partials);
    const DeviceBuffer<float> partialSums(partials);
    const DeviceBuffer<float> out(m_queries.size());
    KvPool pool = m_pool;
    pool.data = pages.get();
    int queriesOfItem = 0;
    for (const cuda::AttentionItem& item : m_items)
        queriesOfItem = std::max(queriesOfItem, item.rows * item.heads);
    testDevice().check(cuda::attention(launchOf(threads), {.out = out.get(),
                                                           .query = queries.get(),
                                                           .pool = pool,
                                                           .tables = tables.get() + 1,
                                                           .tableStride = 2,
                                                           .items = items.get(),
                                                           .merges = merges.get(),
                                                           .partialOut = partialOut.get(),
                                                           .partialMaxima = partialMaxima.get(),
                                                           .partialSums = partialSums.get(),
                                                           .layer = kLayer,
                                                           .itemCount = static_cast<int>(m_items.size()),
                                                           .mergeCount = static_cast<int>(m_merges.size()),
                                                           .itemQueries = queriesOfItem,
                                                           .heads = m_case.heads,
                                                           .window = m_case.window,
                                                           .scale = scale(),
                                                           .softCap = m_case.softCap}));
    return out.download();
}

} // namespace

void CudaAttentionTest::answersEqualTheReference_data()
{
    QTest::addColumn<int>("index");
    for (int i = 0; i < static_cast<int>(std::size(kCases)); ++i)
        QTest::newRow(kCases[i].name) << i;
}

void CudaAttentionTest::answersEqualTheReference()
{
    QFETCH(int, index);
    const Case& scene = kCases[index];
    Scene on(scene);
    const std::vector<double> expected = on.expected();
    int keys = 0;
    for (const auto& [before, rows] : scene.sequences)
        keys = std::max(keys, before + rows);
    // Queries are within 2, keys and values within 1: a score is off by headDim eps of 2 sqrt(headDim), a
    // weight by as much of itself, and so is the answer; sums over keys come on top.
    const double dim = scene.headDim;
    const double tolerance = (2 * dim * std::sqrt(dim) + keys + 8) * kEpsilon;
    for (const int threads : kBlockWidths) {
        const std::vector<float> actual = on.computed(threads);
        QVERIFY2(testDevice().failure().empty(), testDevice().failure().c_str());
        VITRINE_VERIFY_EMPTY(firstDifference(actual, expected, [&](std::size_t) { return tolerance; }));
    }
}

QTEST_GUILESS_MAIN(CudaAttentionTest)
#include "test_cuda_attention.moc"
