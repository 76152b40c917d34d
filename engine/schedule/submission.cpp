// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/submission.h"

#include "engine/option_limits.h"

#include <algorithm>
#include <limits>
#include <string>

namespace vitrine {

namespace {

std::string number(std::int64_t value)
{
    return std::to_string(value);
}

Result<void> checkRange(const char* option, std::int64_t value, std::int64_t least, std::int64_t most)
{
    if (value >= least && value <= most)
        return {};
    return fail(number(value) + " is out of range", option,
                "choose " + number(least) + " to " + number(most));
}

/// Ascending, as the last group is the one that the others' entries hang on; 0 is the widest.
Result<void> checkWindows(std::span<const std::int32_t> windows)
{
    const auto most = std::numeric_limits<std::int32_t>::max();
    Result<void> result = checkRange("layer groups", std::int64_t(windows.size()), 1, kMostLayerGroups);
    std::int32_t before = 1;
    for (const std::int32_t window : windows) {
        if (result && window != 0)
            result = checkRange("window", window, before, most);
        before = window == 0 ? most : window;
    }
    return result;
}

/// Where context and pool end a sequence of unlimited length. A prompt that fills the pool still gets its one
/// token, which nobody has to store.
std::int64_t mostThatFits(std::int64_t prompt, const SchedulerOptions& options, const TableShape& shape)
{
    std::int64_t most = std::max<std::int64_t>(shape.tokensWithin(options.numBlocks - 1), prompt + 1);
    if (options.maxModelLen > 0)
        most = std::min<std::int64_t>(most, options.maxModelLen);
    return std::min<std::int64_t>(most, std::numeric_limits<std::int32_t>::max());
}

Result<void> checkContext(std::int64_t prompt, std::int64_t answer, const SchedulerOptions& options,
                          const TableShape& shape)
{
    if (options.maxModelLen == 0 || prompt + std::max<std::int64_t>(answer, 1) <= options.maxModelLen)
        return {};
    if (options.maxModelLen == 1)
        return fail("a context of 1 token has no room for a prompt and its answer", "max_model_len",
                    "set it to at least " + number(prompt + std::max<std::int64_t>(answer, 1)));
    if (prompt >= options.maxModelLen) {
        const bool isPools = options.maxModelLen >= shape.tokensWithin(options.numBlocks - 1);
        const std::string what = "a prompt of " + number(prompt) + " tokens does not fit into a context of " +
                                 number(options.maxModelLen);
        const std::string shorten = "shorten it to at most " + number(options.maxModelLen - 1) + " tokens";
        return isPools ? fail(what + ", for which the KV cache has room", "num_blocks",
                              shorten + ", or give the KV cache more memory")
                       : fail(what, "max_model_len", shorten);
    }
    return fail("prompt " + number(prompt) + " + max_tokens " + number(answer) +
                    " is more than the context of " + number(options.maxModelLen) + " tokens",
                "max_model_len",
                "set max_tokens to at most " + number(options.maxModelLen - prompt) + ", or 0 for what fits");
}

Result<void> checkPool(const KvDemand& demand, const SchedulerOptions& options, const KvAllocator& allocator)
{
    const std::int64_t need = allocator.blocksAtMost(demand);
    const std::int64_t have = options.numBlocks - 1;
    if (need <= have)
        return {};
    const std::string prompt = number(demand.promptTokens);
    const std::string wanted = demand.maxTokens > 0
                                   ? "prompt " + prompt + " + max_tokens " + number(demand.maxTokens)
                                   : "a prompt of " + prompt;
    const std::int64_t most = allocator.shape().tokensWithin(have);
    const std::string what = wanted + " tokens needs " + number(need) + " blocks of " +
                             number(options.blockSize) + ", the pool has " + number(have);
    const std::string enlarge = "set num_blocks to at least " + number(need + 1);
    if (most == 0)
        return fail(what + ": too few for any prompt", "num_blocks", enlarge);
    return fail(what, "num_blocks", "shorten it to " + number(most) + " tokens in all, or " + enlarge);
}

} // namespace

Result<void> checkOptions(const SchedulerOptions& options)
{
    const auto most = std::numeric_limits<std::int32_t>::max();
    Result<void> result = checkRange("block_size", options.blockSize, 1, kMostBlockSize);
    if (result)
        result = checkRange("num_blocks", options.numBlocks, 2, kMostBlocks);
    if (result)
        result = checkRange("max_num_seqs", options.maxNumSeqs, 1, most);
    if (result)
        result = checkRange("max_num_batched_tokens", options.maxNumBatchedTokens, 1, most);
    if (result)
        result = checkRange("attention_keys_per_token", options.attentionKeysPerToken, 1, most);
    if (result)
        result = checkRange("max_model_len", options.maxModelLen, 0, most);
    if (result)
        result = checkWindows(options.windows);
    if (result && !(options.watermark >= 0 && options.watermark <= kMostWatermark))
        result = fail("must be from 0 to 0.99", "watermark", "0.01 keeps 1 % of the pool free");
    const double stretch = options.maxStepStretch;
    if (result && stretch != 0 && !(stretch >= 1 && stretch <= kMostStepStretch))
        result = fail("must be 0 or from 1 to 1000000", "max_step_stretch", "0 is no limit");
    return result;
}

Result<std::int32_t> maxTotalTokens(std::int64_t prompt, std::int32_t maxTokens,
                                    const SchedulerOptions& options, const KvAllocator& allocator)
{
    if (prompt == 0)
        return fail("the prompt is empty", "prompt", "give at least one token");
    if (maxTokens < 0)
        return fail(number(maxTokens) + " is negative", "max_tokens", "0 means as many as fit");
    if (auto fits = checkContext(prompt, maxTokens, options, allocator.shape()); !fits)
        return tl::unexpected(fits.error());
    if (!options.enableChunkedPrefill && prompt > options.maxNumBatchedTokens)
        return fail("a prompt of " + number(prompt) + " tokens exceeds the token budget of " +
                        number(options.maxNumBatchedTokens) + " and may not be computed in chunks",
                    "max_num_batched_tokens",
                    "turn enable_chunked_prefill on, or raise it to the prompt's length");
    const KvDemand demand{{}, std::int32_t(prompt), maxTokens};
    if (auto fits = checkPool(demand, options, allocator); !fits)
        return tl::unexpected(fits.error());
    const std::int64_t most = mostThatFits(prompt, options, allocator.shape());
    return std::int32_t(maxTokens > 0 ? std::min(prompt + maxTokens, most) : most);
}

} // namespace vitrine
