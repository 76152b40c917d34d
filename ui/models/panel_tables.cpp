// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/panel_tables.h"

#include "ui/models/batch_history.h"
#include "ui/models/export_words.h"
#include "ui/models/glass_model.h"
#include "ui/models/pool_mirror.h"
#include "ui/models/recorded_pool.h"

#include <algorithm>
#include <memory>

namespace vitrine::ui {

namespace {

const auto number = [](auto value) { return DataTable::number(value); };

/// Microseconds are told apart after any time.
QString seconds(double value)
{
    return QString::number(value, 'f', 6);
}

QStringList spanRow(const BatchSpan& span, const BatchHistory& history, const StepRange& steps)
{
    const std::uint64_t first = std::max(span.first, steps.first);
    const std::uint64_t last = std::min(span.end() - 1, steps.last);
    const StepFigures* begin = history.at(first);
    const StepFigures* end = history.at(last);
    const BatchCell& cell = span.cell;
    const auto wait = cell.wait();
    return {number(quint64{first}),
            number(quint64{last}),
            begin ? seconds(begin->beginSeconds) : QString(),
            end ? seconds(end->endSeconds) : QString(),
            QLatin1String(exportWord(cell.phase)),
            number(cell.tokens),
            number(cell.cached),
            wait ? QString(QLatin1String(exportWord(wait->reason))) : QString(),
            wait ? number(wait->need) : QString(),
            wait ? number(wait->have) : QString(),
            cell.head == SequenceId{} ? QString() : number(quint64{cell.head.value})};
}

void addBars(DataTable& table, const QString& name, const LatencyHistogram& histogram)
{
    for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
        const bool isOpen = i + 1 == histogram.counts.size() && histogram.isOpen;
        table.rows.push_back({name, number(histogram.edge(i) * 1000),
                              isOpen ? QString() : number(histogram.edge(i + 1) * 1000),
                              number(histogram.counts[i])});
    }
}

} // namespace

QStringList stepHeadings()
{
    QStringList headings;
    for (const char* heading :
         {"step", "begin_s", "end_s", "running_requests", "waiting_requests", "batch_size", "padding_rows",
          "token_budget", "prefill_tokens", "decode_tokens", "recompute_tokens", "sampled_tokens",
          "preemptions", "kv_cache_usage_ratio", "plan_us", "forward_us", "sample_us"})
        headings << QLatin1String(heading);
    return headings;
}

QStringList stepRow(const StepFigures& step)
{
    return {number(quint64{step.step}),   seconds(step.beginSeconds),
            seconds(step.endSeconds),     number(step.running),
            number(step.waiting),         number(step.members),
            number(step.padding),         number(step.tokenBudget),
            number(step.prefillTokens),   number(step.decodeTokens),
            number(step.recomputeTokens), number(step.sampledTokens),
            number(step.preemptions),     number(static_cast<double>(step.kvCacheUsage)),
            number(step.planMicros),      number(step.forwardMicros),
            number(step.sampleMicros)};
}

DataTable stepTable(const GlassModel& glass, const StepRange& steps)
{
    DataTable table{.headings = stepHeadings(), .rows = {}};
    const BatchHistory& history = glass.batches();
    for (auto step = history.stepsFrom(steps.first);
         step != history.steps().end() && step->step <= steps.last; ++step)
        table.rows.push_back(stepRow(*step));
    return table;
}

DataTable spanTable(const GlassModel& glass, const StepRange& steps)
{
    DataTable table;
    for (const char* heading :
         {"sequence", "chat", "first_step", "last_step", "begin_s", "end_s", "phase", "tokens_per_step",
          "cached_tokens", "wait_reason", "wait_need", "wait_have", "wait_behind_sequence"})
        table.headings << QLatin1String(heading);
    const BatchHistory& history = glass.batches();
    for (const SequenceRow* row : history.rowsIn(steps.first, steps.last))
        for (auto span = row->spansFrom(steps.first); span != row->spans.end() && span->first <= steps.last;
             ++span)
            table.rows.push_back(QStringList{number(quint64{row->sequence.value}),
                                             glass.directory().label(row->sequence).title} +
                                 spanRow(*span, history, steps));
    return table;
}

DataTable blockTable(const PoolMirror& pool, std::uint32_t first, std::uint32_t end)
{
    DataTable table;
    for (const char* heading : {"block", "state", "filled_slots", "slots", "references", "hashed",
                                "sequences", "last_owner_sequence", "last_step"})
        table.headings << QLatin1String(heading);
    for (std::uint32_t i = first; i < end; ++i) {
        const BlockId block{i};
        QStringList owners;
        for (const SequenceId owner : pool.owners(block))
            owners << QString::number(owner.value);
        const BlockState& state = pool.block(block);
        const bool isHashed = state.hashed;
        const QString word = block == kNullBlock   ? QStringLiteral("null")
                             : !pool.isFree(block) ? QStringLiteral("active")
                             : isHashed            ? QStringLiteral("cached")
                                                   : QStringLiteral("free");
        table.rows.push_back({number(quint64{i}), word, number(state.filled), number(pool.blockSize()),
                              number(static_cast<qint64>(owners.size())), number(isHashed ? 1 : 0),
                              owners.join(QLatin1Char(' ')), number(quint64{pool.lastOwner(block).value}),
                              number(quint64{pool.lastStep(block)})});
    }
    return table;
}

QByteArray blocksCsv(const PoolMirror& pool)
{
    constexpr std::uint32_t kRows = 4096;
    const auto end = static_cast<std::uint32_t>(pool.numBlocks());
    QByteArray csv = toCsv(blockTable(pool, 0, std::min(kRows, end)));
    for (std::uint32_t first = kRows; first < end; first += kRows)
        csv += rowsToCsv(blockTable(pool, first, std::min(first + kRows, end)));
    return csv;
}

std::function<QByteArray()> blocksCsvLater(const GlassModel& glass)
{
    const std::uint64_t step = glass.shownStep();
    const RecordingPart* recorded = glass.recording().part(glass.pool().generation());
    if (!recorded || !recorded->segmentOf(step))
        return [pool = std::make_shared<const PoolMirror>(glass.pool())] { return blocksCsv(*pool); };
    return [part = std::make_shared<const RecordingPart>(*recorded), step] {
        RecordedPool pool;
        return pool.moveTo(*part, step) ? blocksCsv(pool.pool()) : QByteArray();
    };
}

DataTable throughputTable(const ThroughputSeries& series)
{
    DataTable table;
    for (const char* heading :
         {"middle_s", "interval_s", "generated_tokens_per_s", "prompt_tokens_per_s", "batch_size",
          "preemptions", "plan_ms", "forward_ms", "sample_ms", "longest_step_ms"})
        table.headings << QLatin1String(heading);
    for (const auto& [chat, curve] : series.chats)
        table.headings << QStringLiteral("generated_tokens_per_s: %1").arg(curve.label.title);
    for (qsizetype i = 0; i < series.size(); ++i) {
        QStringList row{number(series.seconds[i]),      number(series.intervalSeconds),
                        number(series.decodeRate[i]),   number(series.prefillRate[i]),
                        number(series.batchSize[i]),    number(series.preemptions[i]),
                        number(series.planMillis[i]),   number(series.forwardMillis[i]),
                        number(series.sampleMillis[i]), number(series.longestMillis[i])};
        for (const auto& [chat, curve] : series.chats)
            row << number(curve.tokensPerSecond[i]);
        table.rows.push_back(row);
    }
    return table;
}

DataTable latencyTable(const LatencyHistogram& ttft, const LatencyHistogram& itl,
                       const LatencyHistogram& tpot)
{
    DataTable table;
    table.headings = {QStringLiteral("metric"), QStringLiteral("from_ms"), QStringLiteral("to_ms"),
                      QStringLiteral("count")};
    addBars(table, QStringLiteral("TTFT"), ttft);
    addBars(table, QStringLiteral("ITL"), itl);
    addBars(table, QStringLiteral("TPOT"), tpot);
    return table;
}

} // namespace vitrine::ui
