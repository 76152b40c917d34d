// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/reference.h"
#include "tests/kernels/cuda/device_buffer.h"

using namespace vitrine::kernels;
using namespace vitrine::kernels::cuda;

/// What comes between the products with W_q, W_k, W_v and attention.
class CudaRopeTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { VITRINE_SKIP_WITHOUT_DEVICE(); }
    void anglesHoldInLongContexts();
    void headsAreFinishedAndStored_data();
    void headsAreFinishedAndStored();
};

namespace {

constexpr float kNormEpsilon = 1e-6F;

struct Case {
    const char* name;
    int headDim;
    int heads;
    int kvHeads;
    int pairs; ///< 0: no rotation
    bool interleaved;
    bool bias;
    bool norm;
    KvType type;
};

const Case kCases[] = {
    {"plain", 16, 2, 1, 0, true, false, false, KvType::F32},
    {"interleaved", 16, 4, 2, 8, true, false, false, KvType::F32},
    {"half split", 64, 4, 2, 32, false, false, false, KvType::F32},
    {"a part of the head", 80, 2, 2, 16, false, false, false, KvType::F32},
    {"bias", 32, 2, 1, 16, false, true, false, KvType::F32},
    {"norm", 128, 2, 1, 64, false, false, true, KvType::F32},
    {"bias, norm, half floats", 256, 2, 2, 128, true, true, true, KvType::F16},
};

class Scene {
public:
    explicit Scene(const Case& scene)
        : m_case(scene)
        , m_query(m_random.floats(at(kTokens * scene.heads * scene.headDim)))
        , m_key(m_random.floats(at(kTokens * scene.kvHeads * scene.headDim)))
        , m_value(m_random.floats(m_key.size()))
        , m_queryBias(m_random.floats(at(scene.heads * scene.headDim)))
        , m_keyBias(m_random.floats(at(scene.kvHeads * scene.headDim)))
        , m_valueBias(m_random.floats(m_keyBias.size()))
        , m_queryNorm(m_random.floats(at(scene.headDim)))
        , m_keyNorm(m_random.floats(at(scene.headDim)))
        , m_cosines(at(kTokens * scene.pairs))
        , m_sines(m_cosines.size())
    {
        for (std::size_t i = 0; i < m_cosines.size(); ++i) {
            m_cosines[i] = std::cos(static_cast<float>(i));
            m_sines[i] = std::sin(static_cast<float>(i));
        }
    }

    void run(int threads);
    QString difference() const;

private:
    static constexpr int kTokens = 3;
    static constexpr int kLayers = 2;
    static constexpr int kBlockSize = 4;
    static constexpr int kBlocks = 3;

    [[nodiscard]] std::vector<std::int64_t> tokenSlots() const { return {9, 4, 11}; }
    [[nodiscard]] KvPool pool(void* data) const
    {
        return {data, m_case.type, m_case.kvHeads, m_case.headDim, kBlockSize, kLayers};
    }
    /// One head as it must become.
    [[nodiscard]] std::vector<double> finished(const std::vector<float>& all, int token, int head, int heads,
                                               const std::vector<float>& bias, const std::vector<float>* norm,
                                               bool rotates) const;
    [[nodiscard]] float stored(std::size_t element) const
    {
        return m_case.type == KvType::F16 ? halfToFloat(at<std::uint16_t>(element)) : at<float>(element);
    }
    template<class T>
    [[nodiscard]] T at(std::size_t element) const
    {
        T value;
        std::memcpy(&value, m_pages.data() + element * sizeof(T), sizeof(T));
        return value;
    }
    static std::size_t at(int value) { return static_cast<std::size_t>(value); }
    [[nodiscard]] QString differenceOfStored(int token, int head, bool isValue) const;

    const Case& m_case;
    Random m_random{31};
    std::vector<float> m_query, m_key, m_value;
    std::vector<float> m_queryBias, m_keyBias, m_valueBias;
    std::vector<float> m_queryNorm, m_keyNorm;
    std::vector<float> m_cosines, m_sines;
    std::vector<float> m_finishedQuery;
    std::vector<std::byte> m_pages;
};

void Scene::run(int threads)
{
    const DeviceBuffer<float> query(m_query), key(m_key), value(m_value);
    const DeviceBuffer<float> queryBias(m_queryBias), keyBias(m_keyBias), valueBias(m_valueBias);
    const DeviceBuffer<float> queryNorm(m_queryNorm), keyNorm(m_keyNorm);
    const DeviceBuffer<float> cosines(m_cosines), sines(m_sines);
    std::vector<std::int64_t> slotsOfGroups;
    for (const std::int64_t slot : tokenSlots())
        slotsOfGroups.insert(slotsOfGroups.end(), {-1, slot}); // that of another group of layers first
    const DeviceBuffer<std::int64_t> slotsOfTokens(slotsOfGroups);
    const DeviceBuffer<std::byte> pages(pool(nullptr).blockBytes() * kBlocks);
    const auto biasOf = [&](const DeviceBuffer<float>& bias) { return m_case.bias ? bias.get() : nullptr; };
    const auto normOf = [&](const DeviceBuffer<float>& norm) { return m_case.norm ? norm.get() : nullptr; };
    testDevice().check(
        cuda::finishQkv(launchOf(threads), {.query = query.get(),
                                            .key = key.get(),
                                            .value = value.get(),
                                            .queryBias = biasOf(queryBias),
                                            .keyBias = biasOf(keyBias),
                                            .valueBias = biasOf(valueBias),
                                            .queryNorm = normOf(queryNorm),
                                            .keyNorm = normOf(keyNorm),
                                            .cosines = m_case.pairs > 0 ? cosines.get() : nullptr,
                                            .sines = sines.get(),
                                            .slotMapping = slotsOfTokens.get() + 1,
                                            .slotStride = 2,
                                            .pool = pool(pages.get()),
                                            .layer = 1,
                                            .tokens = kTokens,
                                            .heads = m_case.heads,
                                            .pairs = m_case.pairs,
                                            .interleaved = m_case.interleaved,
                                            .epsilon = kNormEpsilon}));
    m_finishedQuery = query.download();
    m_pages = pages.download();
}

std::vector<double> Scene::finished(const std::vector<float>& all, int token, int head, int heads,
                                    const std::vector<float>& bias, const std::vector<float>* norm,
                                    bool rotates) const
{
    const std::size_t dim = at(m_case.headDim);
    std::vector<float> values(all.begin() + (token * heads + head) * m_case.headDim,
                              all.begin() + (token * heads + head + 1) * m_case.headDim);
    for (std::size_t d = 0; m_case.bias && d < dim; ++d)
        values[d] += bias[at(head) * dim + d];
    std::vector<double> out(values.begin(), values.end());
    if (m_case.norm && norm) {
        reference::rmsNorm(values, *norm, kNormEpsilon, out);
        values.assign(out.begin(), out.end());
    }
    if (rotates && m_case.pairs > 0) {
        const auto ofToken = [&](const std::vector<float>& angles) {
            return std::span(angles).subspan(at(token * m_case.pairs), at(m_case.pairs));
        };
        reference::rope(m_case.interleaved ? RopeKind::Norm : RopeKind::NeoX, ofToken(m_cosines),
                        ofToken(m_sines), dim, values, out);
    }
    return out;
}

QString Scene::differenceOfStored(int token, int head, bool isValue) const
{
    const std::vector<double> expected =
        finished(isValue ? m_value : m_key, token, head, m_case.kvHeads, isValue ? m_valueBias : m_keyBias,
                 isValue ? nullptr : &m_keyNorm, !isValue);
    const std::int64_t slot = tokenSlots()[at(token)];
    const KvPool place = pool(nullptr);
    const std::size_t first = place.keyAt(static_cast<std::size_t>(slot / kBlockSize), 1, head,
                                          static_cast<int>(slot % kBlockSize)) +
                              (isValue ? place.valueOffset() : 0);
    std::vector<float> actual;
    for (std::size_t d = 0; d < expected.size(); ++d)
        actual.push_back(stored(first + d));
    const double rounding = m_case.type == KvType::F16 ? 0x1p-11 : 0;
    return firstDifference(actual, expected, [&](std::size_t i) {
        return (static_cast<double>(expected.size()) + 16) * kEpsilon * 4 + rounding * std::abs(expected[i]);
    });
}

QString Scene::difference() const
{
    for (int token = 0; token < kTokens; ++token) {
        for (int head = 0; head < m_case.heads; ++head) {
            const std::vector<double> expected =
                finished(m_query, token, head, m_case.heads, m_queryBias, &m_queryNorm, true);
            const std::span<const float> actual =
                std::span(m_finishedQuery)
                    .subspan(at((token * m_case.heads + head) * m_case.headDim), at(m_case.headDim));
            const QString wrong = firstDifference(actual, expected, [&](std::size_t) {
                return (static_cast<double>(expected.size()) + 16) * kEpsilon * 4; // values are below 4
            });
            if (!wrong.isEmpty())
                return QString("query of token %1, head %2: ").arg(token).arg(head) + wrong;
        }
        for (int head = 0; head < m_case.kvHeads; ++head)
            for (const bool isValue : {false, true})
                if (const QString wrong = differenceOfStored(token, head, isValue); !wrong.isEmpty())
                    return QString("%1 of token %2, head %3: ")
                               .arg(isValue ? "value" : "key")
                               .arg(token)
                               .arg(head) +
                           wrong;
    }
    return {};
}

} // namespace

void CudaRopeTest::anglesHoldInLongContexts()
{
    const std::vector<double> frequencies{1, 0.3, 1e-4};
    const std::vector<std::int32_t> positions{0, 1, 131071, 2000000000};
    const DeviceBuffer<double> onDevice(frequencies);
    const DeviceBuffer<std::int32_t> tokens(positions);
    const DeviceBuffer<float> cosines(12);
    const DeviceBuffer<float> sines(12);
    VITRINE_RUN(cuda::ropeAngles(launchOf(32),
                                 {cosines.get(), sines.get(), onDevice.get(), tokens.get(), 4, 3, 0.5F}));
    for (std::size_t t = 0; t < positions.size(); ++t) {
        std::vector<float> cosine(3);
        std::vector<float> sine(3);
        vitrine::kernels::ropeAngles(positions[t], frequencies, 0.5F, cosine, sine);
        const auto within = [](std::size_t) { return 2 * kEpsilon; };
        const std::vector<float> allCosines = cosines.download();
        const std::vector<float> allSines = sines.download();
        VITRINE_VERIFY_EMPTY(firstDifference(std::span(allCosines).subspan(3 * t, 3), cosine, within));
        VITRINE_VERIFY_EMPTY(firstDifference(std::span(allSines).subspan(3 * t, 3), sine, within));
    }
}

void CudaRopeTest::headsAreFinishedAndStored_data()
{
    QTest::addColumn<int>("index");
    for (int i = 0; i < static_cast<int>(std::size(kCases)); ++i)
        QTest::newRow(kCases[i].name) << i;
}

void CudaRopeTest::headsAreFinishedAndStored()
{
    QFETCH(int, index);
    for (const int threads : kBlockWidths) {
        Scene scene(kCases[index]);
        scene.run(threads);
        QVERIFY2(testDevice().failure().empty(), testDevice().failure().c_str());
        VITRINE_VERIFY_EMPTY(scene.difference());
    }
}

QTEST_GUILESS_MAIN(CudaRopeTest)
#include "test_cuda_rope.moc"
