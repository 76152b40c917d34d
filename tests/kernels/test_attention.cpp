// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/attention.h"
#include "kernels/reference.h"
#include "tests/kernels/check.h"

#include <numeric>

using namespace vitrine::kernels;

class TestAttention : public QObject {
    Q_OBJECT

private slots:
    void equalsTheReference_data();
    void equalsTheReference();
    void bitsDependOnNeitherBlocksNorChunks_data();
    void bitsDependOnNeitherBlocksNorChunks();
    void spansComputedApartHaveTheSameBits_data() { listTargets(); }
    void spansComputedApartHaveTheSameBits();
    void rowsThatSeeNothingOfASpanLookNoFurtherThanTheirBlocks_data() { listTargets(); }
    void rowsThatSeeNothingOfASpanLookNoFurtherThanTheirBlocks();
    void blocksBeforeTheWindowMayHoldAnything_data() { listTargets(); }
    void blocksBeforeTheWindowMayHoldAnything();
    void bitsDependOnNeitherHeadsNorLength_data() { listTargets(); }
    void bitsDependOnNeitherHeadsNorLength();
    void storedHalvesAreRounded_data() { listTargets(); }
    void storedHalvesAreRounded();
    void greatScoresDoNotOverflow_data() { listTargets(); }
    void greatScoresDoNotOverflow();

private:
    void listTargets();
};

namespace {

SimdTarget targetAt(int index)
{
    return simdTargets()[static_cast<std::size_t>(index)];
}

struct Model {
    KvType type;
    std::size_t heads;
    std::size_t kvHeads;
    std::size_t headDim;
    std::size_t window = 0;
    float softCap = 0;
};

constexpr Model kStarter{KvType::F16, 9, 3, 64};
/// Small, for the tests that compute much; three heads in a group and half a register of 16 in a head, too.
constexpr Model kSmall{KvType::F16, 6, 2, 24};

/// The keys, values and queries of one sequence, the same for every way to store and compute them.
struct Sequence {
    Model model;
    std::size_t length;
    std::vector<float> keys;    ///< [position][kv_head][head_dim]
    std::vector<float> values;  ///< [position][kv_head][head_dim]
    std::vector<float> queries; ///< [position][head][head_dim]

    Sequence(Model m, std::size_t positions, float magnitude = 1)
        : model(m)
        , length(positions)
        , keys(Random(1).floats(positions * m.kvHeads * m.headDim, magnitude))
        , values(Random(2).floats(positions * m.kvHeads * m.headDim))
        , queries(Random(3).floats(positions * m.heads * m.headDim, magnitude))
    {
    }
};

/// `gap`: elements between two heads' keys, or values; blocks lie as far apart again.
KvLayout layoutOf(const Model& model, std::size_t blockSize, std::size_t gap)
{
    KvLayout layout = KvLayout::apart(model.type, model.kvHeads, model.headDim, blockSize);
    layout.headStride += gap;
    layout.blockStride += (model.kvHeads + 1) * gap;
    return layout;
}

/// The sequence's cache: blocks in random places, everything that is not written is NaN.
class Cache {
public:
    /// `gap`: elements between two heads' keys, or values.
    Cache(const Sequence& sequence, std::size_t blockSize, std::size_t length, std::size_t gap = 0)
        : m_sequence(sequence)
        , m_shape{layoutOf(sequence.model, blockSize, gap), sequence.model.heads,
                  1 / std::sqrt(static_cast<float>(sequence.model.headDim)), sequence.model.window,
                  sequence.model.softCap}
        , m_table((length + blockSize - 1) / blockSize)
        , m_keys(makeMemory())
        , m_values(makeMemory())
    {
        std::iota(m_table.begin(), m_table.end(), 1U); // block 0 stays unused, as the null block does
        Random random(static_cast<std::uint32_t>(blockSize));
        for (std::size_t i = m_table.size(); i > 1; --i)
            std::swap(m_table[i - 1], m_table[random.bits() % i]);
        for (std::size_t p = 0; p < length; ++p)
            store(p);
    }

    /// The blocks before the window of `position` become the null block, which holds NaN.
    void releaseBefore(std::size_t position)
    {
        const std::size_t end = position + 1;
        const std::size_t begin = m_shape.window > 0 && end > m_shape.window ? end - m_shape.window : 0;
        std::fill_n(m_table.begin(), begin / m_shape.layout.blockSize, 0U);
    }

    /// Rows first … first + rows of one kv head's group, as one work item.
    [[nodiscard]] ExactFloats attend(std::size_t kvHead, std::size_t first, std::size_t rows) const
    {
        ExactFloats out(rows * groupFloats());
        ExactFloats scratch(attentionScratchFloats(m_shape));
        AttentionItem item = itemOf(kvHead, first, rows);
        item.out = out.data();
        item.outStride = groupFloats();
        attention(m_shape, memory(), item, scratch.span());
        return out;
    }

    /// The same, each span of keys on its own, the last first.
    [[nodiscard]] ExactFloats attendInSpans(std::size_t kvHead, std::size_t first, std::size_t rows) const
    {
        ExactFloats out(rows * groupFloats());
        ExactFloats scratch(attentionScratchFloats(m_shape));
        AttentionItem item = itemOf(kvHead, first, rows);
        item.out = out.data();
        item.outStride = groupFloats();
        const std::size_t partialFloats =
            attentionPartialFloats(rows * (m_shape.heads / m_shape.layout.kvHeads), m_shape.layout.headDim);
        ExactFloats partials(attentionSpans(item) * partialFloats);
        for (std::size_t span = attentionSpans(item); span-- > 0;)
            attendSpan(m_shape, memory(), item, span, scratch.span(),
                       partials.span().subspan(span * partialFloats, partialFloats));
        mergeSpans(m_shape, item, partials.span(), scratch.span());
        return out;
    }

    [[nodiscard]] std::vector<double> reference(std::size_t kvHead, std::size_t first, std::size_t rows) const
    {
        std::vector<double> out(rows * groupFloats());
        vitrine::kernels::reference::attention(m_shape, memory(), itemOf(kvHead, first, rows), out);
        return out;
    }

    [[nodiscard]] KvMemory memory() const { return {m_keys.get(), m_values.get()}; }
    [[nodiscard]] const AttentionShape& shape() const { return m_shape; }
    [[nodiscard]] std::size_t groupFloats() const
    {
        return m_shape.heads / m_shape.layout.kvHeads * m_shape.layout.headDim;
    }

private:
    [[nodiscard]] std::unique_ptr<std::byte[]> makeMemory() const
    {
        const KvLayout& layout = m_shape.layout;
        const std::size_t size = layout.headStart(m_table.size() + 1, 0) * layout.elementBytes();
        std::unique_ptr<std::byte[]> memory(new std::byte[size]);
        std::fill_n(memory.get(), size, std::byte{0xFF}); // NaN as halves and as floats
        return memory;
    }

    void store(std::size_t position)
    {
        const KvLayout& layout = m_shape.layout;
        const std::size_t width = layout.kvHeads * layout.headDim;
        const std::size_t slot =
            m_table[position / layout.blockSize] * layout.blockSize + position % layout.blockSize;
        storeKv(layout, memory(), static_cast<std::int64_t>(slot),
                std::span(m_sequence.keys).subspan(position * width, width),
                std::span(m_sequence.values).subspan(position * width, width));
    }

    [[nodiscard]] AttentionItem itemOf(std::size_t kvHead, std::size_t first, std::size_t rows) const
    {
        AttentionItem item;
        item.blockTable = m_table;
        item.kvHead = kvHead;
        item.firstPosition = first;
        item.rows = rows;
        item.queryStride = m_shape.heads * m_shape.layout.headDim;
        item.queries = m_sequence.queries.data() + first * item.queryStride + kvHead * groupFloats();
        return item;
    }

    const Sequence& m_sequence;
    AttentionShape m_shape;
    std::vector<std::uint32_t> m_table;
    std::unique_ptr<std::byte[]> m_keys;
    std::unique_ptr<std::byte[]> m_values;
};

} // namespace

void TestAttention::listTargets()
{
    QTest::addColumn<int>("target");
    int index = 0;
    for (const SimdTarget& target : simdTargets())
        QTest::newRow(target.name.c_str()) << index++;
}

void TestAttention::equalsTheReference_data()
{
    QTest::addColumn<int>("target");
    QTest::addColumn<int>("type");
    QTest::addColumn<int>("heads");
    QTest::addColumn<int>("kvHeads");
    QTest::addColumn<int>("headDim");
    QTest::addColumn<int>("length");
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("window");
    QTest::addColumn<float>("softCap");
    const auto add = [](int target, KvType type, int heads, int kvHeads, int headDim, int length, int rows,
                        int window = 0, float softCap = 0) {
        QTest::addRow("%s %s heads=%d/%d head_dim=%d length=%d rows=%d window=%d soft_cap=%g",
                      simdTargets()[std::size_t(target)].name.c_str(), type == KvType::F16 ? "f16" : "f32",
                      heads, kvHeads, headDim, length, rows, window, double(softCap))
            << target << int(type) << heads << kvHeads << headDim << length << rows << window << softCap;
    };
    for (int target = 0; target < int(simdTargets().size()); ++target)
        for (const KvType type : {KvType::F16, KvType::F32}) {
            for (const int headDim : {8, 16, 24, 64, 72, 80, 128, 256})
                add(target, type, 2, 1, headDim, 70, 3);
            for (const int group : {1, 2, 3, 4, 5, 6, 7, 8, 9, 16})
                add(target, type, 2 * group, 2, 16, 65, 2);
            for (const int length : {1, 15, 16, 17, 63, 64, 65, 511, 512, 513, 1100})
                add(target, type, 9, 3, 64, length, 1);
            add(target, type, 9, 3, 64, 130, 130);
            add(target, type, 4, 4, 32, 600, 100);
            for (const int window : {1, 8, 63, 64, 65, 300, 511, 512, 513, 2000})
                add(target, type, 6, 2, 24, 1100, 90, window);
            add(target, type, 6, 2, 24, 100, 20, 0, 0.5F);
            add(target, type, 6, 2, 24, 600, 20, 77, 50.0F);
        }
}

/// A score's error is at most about head_dim * epsilon * sum |q k| * scale; weights that add up to 1 carry
/// twice that and the roundings of the sums over keys into the output, times the greatest value. A soft-cap's
/// hyperbolic tangent is good to 4 in the last place, and never steeper than 1.
void TestAttention::equalsTheReference()
{
    QFETCH(int, target);
    QFETCH(int, type);
    QFETCH(int, heads);
    QFETCH(int, kvHeads);
    QFETCH(int, headDim);
    QFETCH(int, length);
    QFETCH(int, rows);
    QFETCH(int, window);
    QFETCH(float, softCap);
    const OnTarget on(targetAt(target));
    const Sequence sequence({KvType(type), std::size_t(heads), std::size_t(kvHeads), std::size_t(headDim),
                             std::size_t(window), softCap},
                            std::size_t(length));
    const Cache cache(sequence, 16, std::size_t(length));
    const double scoreError = headDim * kEpsilon * headDim * static_cast<double>(cache.shape().scale);
    const double greatestScore = headDim * static_cast<double>(cache.shape().scale);
    const double capError =
        softCap > 0 ? 8 * kEpsilon * std::min(greatestScore, static_cast<double>(softCap)) : 0;
    const double tolerance = 2 * (scoreError + capError) + (length + 10) * kEpsilon;
    const auto first = std::size_t(length - rows);
    for (std::size_t kvHead = 0; kvHead < std::size_t(kvHeads); ++kvHead)
        VITRINE_VERIFY_EMPTY(firstDifference(cache.attend(kvHead, first, std::size_t(rows)),
                                             cache.reference(kvHead, first, std::size_t(rows)),
                                             [&](std::size_t) { return tolerance; }));
}

void TestAttention::bitsDependOnNeitherBlocksNorChunks_data()
{
    QTest::addColumn<int>("target");
    QTest::addColumn<int>("type");
    QTest::addColumn<int>("window");
    QTest::addColumn<float>("softCap");
    for (int target = 0; target < int(simdTargets().size()); ++target)
        for (const KvType type : {KvType::F16, KvType::F32})
            for (const auto& [window, softCap] : {std::pair{0, 0.0F}, {70, 2.0F}})
                QTest::addRow("%s %s window=%d soft_cap=%g", targetAt(target).name.c_str(),
                              type == KvType::F16 ? "f16" : "f32", window, double(softCap))
                    << target << int(type) << window << softCap;
}

void TestAttention::bitsDependOnNeitherBlocksNorChunks()
{
    QFETCH(int, target);
    QFETCH(int, type);
    QFETCH(int, window);
    QFETCH(float, softCap);
    const OnTarget on(targetAt(target));
    constexpr std::size_t kLength = 530; // beyond a span of keys
    Model model = kSmall;
    model.type = KvType(type);
    model.window = std::size_t(window);
    model.softCap = softCap;
    const Sequence sequence(model, kLength);
    const ExactFloats expected = Cache(sequence, 16, kLength).attend(1, 0, kLength);
    for (const auto& [blockSize, gap] :
         {std::pair<std::size_t, std::size_t>{1, 0}, {5, 3}, {8, 0}, {16, 7000}, {48, 0}, {1024, 32}}) {
        const Cache cache(sequence, blockSize, kLength, gap);
        for (const std::size_t chunk : {17, 512})
            for (std::size_t first = 0; first < kLength; first += chunk) {
                const std::size_t rows = std::min(chunk, kLength - first);
                const std::span<const float> same =
                    expected.constSpan().subspan(first * cache.groupFloats(), rows * cache.groupFloats());
                QVERIFY2(sameBits(cache.attend(1, first, rows).constSpan(), same),
                         qPrintable(
                             QString("block size %1, gap %2, chunk %3").arg(blockSize).arg(gap).arg(chunk)));
            }
    }
}

/// One token at a time, with no later keys in the cache yet, as decoding does.
void TestAttention::spansComputedApartHaveTheSameBits()
{
    QFETCH(int, target);
    const OnTarget on(targetAt(target));
    constexpr std::size_t kLength = 1300;
    // One token at the beginning, before and after the ends of spans, and many whose first or last keys lie
    // in different spans.
    const std::pair<std::size_t, std::size_t> kRanges[] = {{0, 1}, {511, 1}, {512, 1}, {1299, 1}, {480, 100}};
    for (const std::size_t window : {0, 50, 512, 700}) {
        Model model = kSmall;
        model.window = window;
        const Sequence sequence(model, kLength);
        const Cache cache(sequence, 16, kLength);
        for (const auto& [first, rows] : kRanges)
            QVERIFY2(sameBits(cache.attendInSpans(1, first, rows).constSpan(),
                              cache.attend(1, first, rows).constSpan()),
                     qPrintable(QString("window %1, from %2").arg(window).arg(first)));
    }
}

/// Many query heads for one of keys: the first rows of a few tokens end where a span does.
void TestAttention::rowsThatSeeNothingOfASpanLookNoFurtherThanTheirBlocks()
{
    QFETCH(int, target);
    const OnTarget on(targetAt(target));
    constexpr std::size_t kLength = 514;
    const Sequence sequence({KvType::F16, 64, 1, 16}, kLength);
    for (const std::size_t blockSize : {5, 16}) {
        const Cache cache(sequence, blockSize, kLength);
        for (const std::size_t first : {509, 510})
            QVERIFY(sameBits(cache.attendInSpans(0, first, 4).constSpan(),
                             cache.attend(0, first, 4).constSpan()));
    }
}

void TestAttention::blocksBeforeTheWindowMayHoldAnything()
{
    QFETCH(int, target);
    const OnTarget on(targetAt(target));
    constexpr std::size_t kLength = 1100;
    Model model = kSmall;
    model.window = 70;
    const Sequence sequence(model, kLength);
    for (const std::size_t blockSize : {8, 16, 48}) {
        const Cache whole(sequence, blockSize, kLength);
        for (const auto& [first, rows] : {std::pair<std::size_t, std::size_t>{75, 1}, {500, 90}, {1099, 1}}) {
            Cache cache(sequence, blockSize, kLength);
            cache.releaseBefore(first);
            QVERIFY(
                sameBits(cache.attend(1, first, rows).constSpan(), whole.attend(1, first, rows).constSpan()));
        }
    }
}

void TestAttention::bitsDependOnNeitherHeadsNorLength()
{
    QFETCH(int, target);
    const OnTarget on(targetAt(target));
    constexpr std::size_t kLength = 530;
    for (const std::size_t window : {0, 60}) {
        Model model = kSmall;
        model.window = window;
        const Sequence sequence(model, kLength);
        const Cache whole(sequence, 16, kLength);
        const ExactFloats expected = whole.attend(1, 0, kLength);
        for (std::size_t position = 0; position < kLength; position += position < 70 ? 1 : 23) {
            const Cache cache(sequence, 16, position + 1);
            const std::span<const float> same =
                expected.constSpan().subspan(position * cache.groupFloats(), cache.groupFloats());
            QVERIFY2(sameBits(cache.attend(1, position, 1).constSpan(), same),
                     qPrintable(QString("window %1, position %2").arg(window).arg(position)));
        }
    }
}

void TestAttention::storedHalvesAreRounded()
{
    QFETCH(int, target);
    const OnTarget on(targetAt(target));
    const KvLayout layout = KvLayout::apart(KvType::F16, 2, 24, 16);
    const ExactFloats key(Random(5).floats(48, 3));
    ExactFloats value(Random(6).floats(48, 1e-5F)); // many become denormal halves
    value[0] = 1e6F;
    const std::size_t elements = layout.blockStride;
    std::unique_ptr<std::uint16_t[]> memory(new std::uint16_t[2 * elements]());
    storeKv(
        layout,
        {reinterpret_cast<std::byte*>(memory.get()), reinterpret_cast<std::byte*>(memory.get() + elements)},
        5, key.constSpan(), value.constSpan());
    for (std::size_t h = 0; h < 2; ++h)
        for (std::size_t d = 0; d < 24; ++d) {
            const std::size_t start = layout.headStart(0, h);
            QCOMPARE(memory[start + d * 16 + 5], floatToHalf(key[h * 24 + d]));
            QCOMPARE(memory[elements + start + 5 * 24 + d], floatToHalf(value[h * 24 + d]));
        }
    QCOMPARE(std::count_if(memory.get(), memory.get() + 2 * elements, [](auto half) { return half != 0; }),
             96);
}

void TestAttention::greatScoresDoNotOverflow()
{
    QFETCH(int, target);
    const OnTarget on(targetAt(target));
    Model model = kStarter;
    model.type = KvType::F32;
    const Sequence sequence(model, 600, 300); // scores of tens of thousands
    const Cache cache(sequence, 16, 600);
    const ExactFloats out = cache.attend(0, 500, 100);
    const std::vector<double> expected = cache.reference(0, 500, 100);
    for (std::size_t i = 0; i < out.size(); ++i)
        QVERIFY(std::isfinite(out[i]) && std::abs(out[i]) <= 1.0001F);
    // Scores of 1e5 have an error of 1e-2, and so have the few weights that matter.
    VITRINE_VERIFY_EMPTY(firstDifference(out, expected, [](std::size_t) { return 0.1; }));
}

QTEST_APPLESS_MAIN(TestAttention)
#include "test_attention.moc"
