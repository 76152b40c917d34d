// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/kernels/cuda/device_buffer.h"

#include <numeric>

using namespace vitrine::kernels;
using namespace vitrine::kernels::cuda;

/// What is chosen on the card: experts, and the greatest logits.
class CudaChoiceTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { VITRINE_SKIP_WITHOUT_DEVICE(); }
    void expertsAreThoseOfTheGreatestLogits();
    void answersOfExpertsAreWeighed();
    void theGreatestAreFoundInOrder();
    void equalsNaNAndTooFewAreInOrderToo();
};

namespace {

/// Indices by value, the lower first among equals.
std::vector<std::int32_t> ranking(std::span<const float> values)
{
    std::vector<std::int32_t> order(values.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](std::int32_t a, std::int32_t b) {
        return values[static_cast<std::size_t>(a)] > values[static_cast<std::size_t>(b)];
    });
    return order;
}

/// Both calls: of chunks, then of their candidates.
struct Greatest {
    std::vector<float> values;
    std::vector<std::int32_t> ids;
};

Greatest greatest(const std::vector<float>& in, int rows, int chunk, int k, int threads)
{
    const int columns = static_cast<int>(in.size()) / rows;
    const int chunks = (columns + chunk - 1) / chunk;
    const auto size = [&](int perRow) { return static_cast<std::size_t>(rows * perRow); };
    const DeviceBuffer<float> values(in);
    const DeviceBuffer<float> someValues(size(chunks * k));
    const DeviceBuffer<std::int32_t> someIds(size(chunks * k));
    const DeviceBuffer<float> bestValues(size(k));
    const DeviceBuffer<std::int32_t> bestIds(size(k));
    testDevice().check(cuda::topK(launchOf(threads), {someValues.get(), someIds.get(), values.get(), nullptr,
                                                      rows, columns, chunk, k}));
    testDevice().check(cuda::topK(launchOf(threads), {bestValues.get(), bestIds.get(), someValues.get(),
                                                      someIds.get(), rows, chunks * k, chunks * k, k}));
    return {bestValues.download(), bestIds.download()};
}

} // namespace

void CudaChoiceTest::expertsAreThoseOfTheGreatestLogits()
{
    Random random(41);
    for (const int threads : kBlockWidths)
        for (const auto& [experts, used] : {std::pair{3, 1}, {4, 4}, {33, 8}, {128, 32}})
            for (const bool normalize : {false, true}) {
                constexpr int kRows = 5;
                const auto count = static_cast<std::size_t>(experts);
                const auto width = static_cast<std::size_t>(used);
                std::vector<float> logits = random.floats(kRows * count, 4);
                logits[count + 2] = logits[count]; // equals
                const DeviceBuffer<float> in(logits);
                const DeviceBuffer<std::int32_t> choice(kRows * width);
                const DeviceBuffer<float> weights(kRows * width);
                VITRINE_RUN(cuda::chooseExperts(launchOf(threads), {choice.get(), weights.get(), in.get(),
                                                                    kRows, experts, used, normalize}));
                const std::vector<std::int32_t> chosen = choice.download();
                const std::vector<float> weight = weights.download();
                for (std::size_t row = 0; row < kRows; ++row) {
                    const std::span<const float> ofRow = std::span(logits).subspan(row * count, count);
                    const std::vector<std::int32_t> order = ranking(ofRow);
                    double sum = 0;
                    for (std::size_t i = 0; i < (normalize ? width : count); ++i)
                        sum += std::exp(double{ofRow[static_cast<std::size_t>(order[i])]});
                    for (std::size_t i = 0; i < width; ++i) {
                        QCOMPARE(chosen[row * width + i], order[i]);
                        const double expected =
                            std::exp(double{ofRow[static_cast<std::size_t>(order[i])]}) / sum;
                        QVERIFY(std::abs(weight[row * width + i] - expected) <= 64 * kEpsilon * expected);
                    }
                }
            }
}

void CudaChoiceTest::answersOfExpertsAreWeighed()
{
    Random random(42);
    constexpr std::size_t kColumns = 70;
    const std::vector<float> answers = random.floats(2 * 3 * kColumns);
    const std::vector<float> weight = random.floats(2 * 3);
    const DeviceBuffer<float> in(answers);
    const DeviceBuffer<float> weights(weight);
    for (const int threads : kBlockWidths) {
        const DeviceBuffer<float> out(2 * kColumns);
        VITRINE_RUN(
            cuda::sumExperts(launchOf(threads), {out.get(), in.get(), weights.get(), 2, 3, kColumns}));
        const std::vector<float> actual = out.download();
        for (std::size_t i = 0; i < actual.size(); ++i) {
            double expected = 0;
            for (std::size_t visit = 0; visit < 3; ++visit) {
                const std::size_t row = i / kColumns * 3 + visit;
                expected += double{weight[row]} * answers[row * kColumns + i % kColumns];
            }
            QVERIFY(std::abs(actual[i] - expected) <= 8 * kEpsilon);
        }
    }
}

void CudaChoiceTest::theGreatestAreFoundInOrder()
{
    Random random(43);
    constexpr int kRows = 2;
    for (const int threads : kBlockWidths)
        for (const auto& [columns, chunk] : {std::pair{100, 40}, {320, 320}, {1000, 256}})
            for (const int k : {1, 7, kMaxTopK}) {
                const auto width = static_cast<std::size_t>(columns);
                const std::vector<float> in = random.floats(kRows * width);
                const Greatest found = greatest(in, kRows, chunk, k, threads);
                QVERIFY2(testDevice().failure().empty(), testDevice().failure().c_str());
                for (std::size_t row = 0; row < kRows; ++row) {
                    const std::span<const float> ofRow = std::span(in).subspan(row * width, width);
                    const std::vector<std::int32_t> order = ranking(ofRow);
                    for (std::size_t i = 0; i < static_cast<std::size_t>(k); ++i) {
                        QCOMPARE(found.ids[row * static_cast<std::size_t>(k) + i], order[i]);
                        QCOMPARE(found.values[row * static_cast<std::size_t>(k) + i],
                                 ofRow[static_cast<std::size_t>(order[i])]);
                    }
                }
            }
}

void CudaChoiceTest::equalsNaNAndTooFewAreInOrderToo()
{
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const std::vector<float> in{NAN, 1, 3, 3, kInfinity, -2, 1, -kInfinity};
    for (const int threads : kBlockWidths) {
        const Greatest found = greatest(in, 1, 3, 7, threads);
        QCOMPARE(found.ids, (std::vector<std::int32_t>{2, 3, 1, 6, 5, -1, -1}));
        QCOMPARE(found.values, (std::vector<float>{3, 3, 1, 1, -2, -kInfinity, -kInfinity}));
    }
}

QTEST_GUILESS_MAIN(CudaChoiceTest)
#include "test_cuda_choice.moc"
