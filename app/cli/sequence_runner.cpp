// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sequence_runner.h"

#include "engine/batch_builder.h"

#include <algorithm>
#include <string>

namespace vitrine::cli {
namespace {

/// Rows of logits computed at once: enough to reuse the output layer's weights, 12 MB for a vocabulary of
/// 49,152.
constexpr std::int32_t kLogitRows = 64;

} // namespace

SequenceRunner::SequenceRunner(LoadedModel& loaded)
    : m_loaded(loaded)
{
}

Result<void> SequenceRunner::run(std::span<const TokenId> tokens, std::int32_t firstPosition,
                                 const OnLogits& onLogits)
{
    const auto length = static_cast<std::int32_t>(tokens.size());
    const ModelSpec& spec = m_loaded.model->spec();
    if (length > m_loaded.scheduler.maxModelLen)
        return fail(std::to_string(length) + " tokens are more than the context of " +
                        std::to_string(m_loaded.scheduler.maxModelLen),
                    m_loaded.info.path, "use fewer tokens, or a larger KV cache");
    for (TokenId token : tokens)
        if (token < 0 || token >= spec.vocabSize)
            return fail("token id " + std::to_string(token) + " is outside the vocabulary of " +
                            std::to_string(spec.vocabSize),
                        m_loaded.info.path);
    for (std::int32_t begin = 0; begin < length;) {
        const std::int32_t end = std::min(length, begin + m_loaded.scheduler.maxNumBatchedTokens);
        fillBatch(tokens, begin, end, firstPosition);
        m_loaded.model->forward(m_batch);
        handOver(onLogits);
        begin = end;
    }
    return {};
}

void SequenceRunner::fillBatch(std::span<const TokenId> tokens, std::int32_t begin, std::int32_t end,
                               std::int32_t firstPosition)
{
    const TableShape shape(m_loaded.scheduler);
    m_batch.clear();
    appendToBatch(tokens, onlyTable(shape, end, m_loaded.scheduler.maxModelLen), begin, end, shape, m_batch);
    for (std::int32_t position = std::max(begin, firstPosition); position < end; ++position)
        m_batch.logitRows.push_back(position - begin);
}

void SequenceRunner::handOver(const OnLogits& onLogits)
{
    const auto wanted = static_cast<std::int32_t>(m_batch.logitRows.size());
    const auto vocab = static_cast<std::size_t>(m_loaded.model->spec().vocabSize);
    for (std::int32_t first = 0; first < wanted; first += kLogitRows) {
        const std::int32_t count = std::min(kLogitRows, wanted - first);
        const std::span<const float> logits = m_loaded.model->logits(first, count);
        for (std::int32_t i = 0; i < count; ++i) {
            const std::int32_t row = m_batch.logitRows[static_cast<std::size_t>(first + i)];
            onLogits(m_batch.positions[static_cast<std::size_t>(row)],
                     logits.subspan(static_cast<std::size_t>(i) * vocab, vocab));
        }
    }
}

} // namespace vitrine::cli
