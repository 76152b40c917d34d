// SPDX-License-Identifier: GPL-3.0-or-later
// What a long context adds to a chat's step, beside the time that reading its keys and values from memory
// takes. bench_context MODEL [context = 8000] [threads = 0: all]
#include "benchmarks/engine/bench_engine.h"
#include "engine/backend/cpu/machine_limits.h"

namespace {

using namespace vitrine;
using namespace vitrine::benchmarks;

constexpr std::int32_t kSteps = 100;

/// The median of the steps of one chat that has `context` tokens.
double decodeMilliseconds(BenchEngine& engine, std::uint32_t id, std::int32_t context)
{
    engine.submit(id, engine.makeRequest(context, id, kSteps));
    std::vector<double> steps;
    for (BenchEngine::Step step; engine.step(step);)
        steps.push_back(step.milliseconds);
    if (steps.size() < kSteps)
        giveUp("a chat of " + std::to_string(context) + " tokens took only " + std::to_string(steps.size()) +
               " steps");
    std::sort(steps.end() - kSteps / 2, steps.end()); // the last ones are decodes
    return *(steps.end() - kSteps / 4);
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 2) {
        std::fputs("usage: bench_context MODEL [context] [threads]\n", stderr);
        return 2;
    }
    const std::int32_t context = argc > 2 ? std::atoi(argv[2]) : 8000;
    EngineOptions options;
    options.threads = argc > 3 ? std::atoi(argv[3]) : 0;
    BenchEngine engine(argv[1], options);
    const ModelInfo& info = engine.info();
    const double bytes = static_cast<double>(info.kvCacheBytes) / info.numBlocks / info.blockSize * context;
    const double empty = decodeMilliseconds(engine, 1, 2);
    const double full = decodeMilliseconds(engine, 2, context);
    const double limit =
        measureLimits(info.threads, static_cast<std::size_t>(bytes)).readBytesPerSecond / 1000;
    std::printf("a step at no context %.2f ms, at %d tokens %.2f ms; K and V: %.0f MB\n"
                "read at %.1f GB/s of %.1f that the machine reads: %.0f %%\n",
                empty, context, full, bytes / 1e6, bytes / (full - empty) / 1e6, limit / 1e6,
                100 * bytes / (full - empty) / limit);
}
