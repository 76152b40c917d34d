// SPDX-License-Identifier: GPL-3.0-or-later
// What the first graphics card can do at most, through the same library as the engine: copying memory, and a
// large product of BF16 matrices (F16 where it has no others). One line of JSON; exit 77 and the reason where
// there is no card.
#include "kernels/cuda/open_card.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <vector>

using namespace vitrine::kernels::cuda;

namespace {

constexpr int kRepeats = 10;
constexpr int kBest = 3;
constexpr std::size_t kCopyBytes = std::size_t{2} << 30;
constexpr int kMatrix = 8192;

/// The best of some tries, as everything that disturbs makes a limit look lower.
double seconds(Device& card, void* any, const std::function<void()>& work)
{
    char byte = 0;
    double best = 1e9;
    for (int i = 0; i <= kBest; ++i) { // the first one warms up
        const auto start = std::chrono::steady_clock::now();
        for (int k = 0; k < kRepeats; ++k)
            work();
        card.download(&byte, any, 1); // waits
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        if (i > 0)
            best = std::min(best, taken.count() / kRepeats);
    }
    return best;
}

double copyRate(Device& card)
{
    void* const from = card.allocate(kCopyBytes);
    void* const to = card.allocate(kCopyBytes);
    const double rate =
        2.0 * kCopyBytes / seconds(card, to, [&] { card.copy(to, from, kCopyBytes); }); // read and written
    card.release(to);
    card.release(from);
    return rate;
}

/// Multiplications and additions a second, of numbers that look random.
double productRate(Device& card, DenseType type)
{
    constexpr std::size_t elements = std::size_t{kMatrix} * kMatrix;
    std::vector<std::uint16_t> values(elements);
    std::uint32_t state = 1;
    for (std::uint16_t& value : values) {
        state = state * 1664525 + 1013904223;
        value = static_cast<std::uint16_t>(0x3c00 | (state >> 16 & 0x80ff)); // ±2^-7 … 2^-5
    }
    void* const weights = card.allocate(elements * sizeof(std::uint16_t));
    void* const in = card.allocate(elements * sizeof(std::uint16_t));
    void* const out = card.allocate(elements * sizeof(float));
    for (void* to : {weights, in})
        card.upload(to, values.data(), elements * sizeof(std::uint16_t));
    const DenseProduct product{.out = static_cast<float*>(out),
                               .weights = weights,
                               .in = in,
                               .type = type,
                               .rows = kMatrix,
                               .columns = kMatrix,
                               .inputs = kMatrix,
                               .outStride = kMatrix};
    const double taken = seconds(card, out, [&] { card.multiply(product); });
    for (void* memory : {out, in, weights})
        card.release(memory);
    return 2.0 * kMatrix * elements / taken;
}

} // namespace

int main()
{
    CardProblem reason{};
    std::string detail;
    const std::unique_ptr<Device> card = openCard(reason, detail);
    if (!card) {
        std::fprintf(stderr, "no graphics card can be used (reason %d): %s\n", static_cast<int>(reason),
                     detail.c_str());
        return 77;
    }
    const double copied = copyRate(*card);
    const bool hasBfloat = card->info().major >= 8;
    const double multiplied = productRate(*card, hasBfloat ? DenseType::BF16 : DenseType::F16);
    if (!card->failure().empty()) {
        std::fprintf(stderr, "the card has failed: %s\n", card->failure().c_str());
        return 1;
    }
    std::printf("{\"device\":\"%s\",\"capability\":\"%d.%d\",\"multiprocessors\":%d,\"memory_bytes\":%zu,"
                "\"copy_gb_s\":%.1f,\"product_type\":\"%s\",\"product_tflop_s\":%.1f}\n",
                card->info().name.c_str(), card->info().major, card->info().minor,
                card->info().multiprocessors, card->info().totalBytes, copied / 1e9,
                hasBfloat ? "BF16" : "F16", multiplied / 1e12);
    return 0;
}
