// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/kv_budget.h"

#include "engine/cache/table_shape.h"
#include "engine/model/layer_groups.h"
#include "engine/option_limits.h"
#include "engine/schedule/submission.h"

#include <algorithm>
#include <limits>
#include <string>

namespace vitrine {
namespace {

constexpr std::int64_t kMib = std::int64_t{1} << 20;
/// The rest of the program (activations, logits, the window) needs memory too.
constexpr std::int64_t kMemoryReserve = 128 * kMib;

std::string mibText(std::int64_t bytes)
{
    return std::to_string((bytes + kMib - 1) / kMib) + " MiB";
}

/// Kept for cuBLAS, logits, tiles of weights, and the desktop that may be on the same card: at least a tenth,
/// and so much where that leaves half.
constexpr std::int64_t kCardReserve = 512 * kMib;

std::int64_t shareOfCard(std::int64_t freeBytes)
{
    return freeBytes - std::max(freeBytes / 10, std::min(freeBytes / 2, kCardReserve));
}

/// Also from a pool that is asked for.
std::int64_t leastReserve(MemoryRoom room)
{
    return room.onCard ? std::min(kMemoryReserve, room.machineBytes / 4) : kMemoryReserve;
}

std::int64_t defaultPoolBytes(const ModelSpec& spec, std::int64_t blockBytes, const SchedulerOptions& options,
                              MemoryRoom room)
{
    const std::int64_t wholeRows =
        std::int64_t{spec.contextLength / options.blockSize + 1} * options.blockSize;
    const std::int64_t contextBlocks = TableShape(options).blocksAtMost(wholeRows);
    if (room.onCard) { // which is there for the model alone
        const std::int64_t wanted = (options.maxNumSeqs * contextBlocks + 1) * blockBytes;
        return room.bytes() > 0 ? std::min(wanted, shareOfCard(room.bytes())) : wanted;
    }
    const std::int64_t wanted = std::max((contextBlocks + 1) * blockBytes, kDefaultKvBytes);
    return room.bytes() > 0 ? std::min(wanted, room.bytes() / 2) : wanted;
}

/// An addition to a float sum takes about three and a half times as long as one of 8-bit products (measured
/// on AVX-512).
std::int32_t attentionKeysPerToken(const ModelSpec& spec)
{
    constexpr std::int64_t kHalvesOfFloatCost = 7;
    const std::int64_t embedding = spec.embeddingLength;
    const std::int64_t weights =
        embedding * (2 * std::int64_t{spec.queryLength()} + 2 * std::int64_t{spec.kvLength()} +
                     3 * std::int64_t{spec.feedForwardLength} * std::max(1, spec.experts.used));
    const std::int64_t key = 2 * std::int64_t{spec.queryLength()}; // its score, its value
    return static_cast<std::int32_t>(std::max<std::int64_t>(1, 2 * weights / (kHalvesOfFloatCost * key)));
}

std::int64_t passBytesOnProcessor(const ModelSpec& spec, std::int32_t rows)
{
    const std::int64_t width =
        std::int64_t{2} * spec.embeddingLength + std::int64_t{2} * spec.queryLength() +
        std::int64_t{2} * spec.kvLength() + std::int64_t{2} * spec.feedForwardLength +
        spec.rope.dims * static_cast<std::int64_t>(spec.rope.tables.size()) +
        (spec.hasExperts() ? std::int64_t{3} * spec.embeddingLength + spec.experts.count : 0);
    return rows * width * static_cast<std::int64_t>(sizeof(float)) * 3 / 2;
}

/// What CudaBackend reserves for a pass: each visit of an expert has rows of its own, and the widest rows are
/// there as 16-bit floats too.
std::int64_t passBytesOnCard(const ModelSpec& spec, const SchedulerOptions& options)
{
    const std::int64_t embedding = spec.embeddingLength;
    const std::int64_t feedForward = spec.feedForwardLength;
    const std::int64_t used = std::max(1, spec.experts.used);
    const std::int64_t widths = 2 * embedding + 2 * std::int64_t{spec.queryLength()} +
                                2 * std::int64_t{spec.kvLength()} + used * 2 * feedForward +
                                std::max(embedding, feedForward) / 2 +
                                (spec.hasExperts() ? used * (embedding + 2) + spec.experts.count : 0) +
                                spec.rope.dims * static_cast<std::int64_t>(spec.rope.tables.size());
    const std::int64_t logitRows =
        std::min({options.maxNumSeqs, options.maxNumBatchedTokens, kMostLogitRowsOnCard});
    return static_cast<std::int64_t>(sizeof(float)) *
           (options.maxNumBatchedTokens * widths + logitRows * (spec.vocabSize + embedding));
}

} // namespace

std::int64_t activationBytes(const ModelSpec& spec, const SchedulerOptions& options, bool onCard)
{
    return onCard ? passBytesOnCard(spec, options) : passBytesOnProcessor(spec, options.maxNumBatchedTokens);
}

Result<SchedulerOptions> fitKvCache(const ModelSpec& spec, const EngineOptions& wanted, MemoryRoom room)
{
    SchedulerOptions fitted = wanted.scheduler;
    if (fitted.blockSize < 1)
        return fail(std::to_string(fitted.blockSize) + " slots in a block", "--block-size",
                    "ask for at least 1");
    const std::int64_t activations = activationBytes(spec, fitted, room.onCard);
    if (room.bytes() > 0 && activations > room.bytes() / 2)
        return fail("a token budget of " + std::to_string(fitted.maxNumBatchedTokens) + " takes " +
                        mibText(activations) + " for activations and " + room.text(),
                    "--max-num-batched-tokens", "ask for a smaller one");
    room = room.without(activations);
    const std::int64_t blockBytes = kvBlockBytes(spec, {1, fitted.blockSize, wanted.kvCacheDtype});
    fitted.windows = groupLayers(spec).windows;
    std::int64_t blocks = fitted.numBlocks;
    if (blocks == 0 && wanted.kvCacheMib > 0)
        blocks = wanted.kvCacheMib * kMib / blockBytes;
    else if (blocks == 0)
        blocks = std::min<std::int64_t>(kMostBlocks,
                                        defaultPoolBytes(spec, blockBytes, fitted, room) / blockBytes);
    const std::int32_t least = fitted.layerGroups() + 1; // a row, and the null block
    if (blocks < least)
        return fail("a KV cache of " + std::to_string(blocks) +
                        " blocks is too small: one block is the null block, a block takes " +
                        mibText(blockBytes),
                    "--num-blocks / --kv-cache-mib", "ask for at least " + std::to_string(least) + " blocks");
    if (room.machineBytes > 0 && blocks > (room.machineBytes - leastReserve(room)) / blockBytes)
        return fail("a KV cache of " + std::to_string(blocks) + " blocks takes " +
                        mibText(blocks * blockBytes) + " and " +
                        MemoryRoom{room.machineBytes, 0, room.onCard}.text(),
                    "--num-blocks / --kv-cache-mib", "ask for a smaller one");
    if (blocks > kMostBlocks)
        return fail("a KV cache of " + std::to_string(blocks) + " blocks is out of range",
                    "--num-blocks / --kv-cache-mib",
                    "ask for at most " + std::to_string(kMostBlocks) + " blocks");
    fitted.numBlocks = static_cast<std::int32_t>(blocks);
    fitted.attentionKeysPerToken = attentionKeysPerToken(spec);
    const std::int32_t poolTokens = TableShape(fitted).tokensWithin(blocks - 1);
    const std::int32_t askedLength = fitted.maxModelLen > 0 ? fitted.maxModelLen : spec.contextLength;
    fitted.maxModelLen = std::min({askedLength, spec.contextLength, poolTokens});
    if (Result<void> good = checkOptions(fitted); !good)
        return tl::unexpected(good.error());
    return fitted;
}

} // namespace vitrine
