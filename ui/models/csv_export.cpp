// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/export_file.h"
#include "ui/models/export_words.h"
#include "ui/models/recorded_history.h"
#include "ui/models/recording_export.h"

#include <algorithm>

namespace vitrine::ui {

namespace {

constexpr std::uint64_t kProgressSteps = 1024;

const char* nameOf(MemberKind kind)
{
    constexpr const char* kNames[] = {"prefill", "decode", "recompute", "padding"};
    return kNames[std::size_t(kind)];
}

const char* nameOf(PreemptReason reason)
{
    constexpr const char* kNames[] = {"capacity", "priority", "forced", "cache_lost"};
    return kNames[std::size_t(reason)];
}

/// One event's row after part and step: event,sequence,block,position,kind,tokens,cached,samples,need,have,
/// value.
class EventRow {
public:
    QByteArray operator()(const event::Arrive& e)
    {
        return row("arrive", id(e.sequence), {}, {}, {}, number(e.promptTokens), {}, {}, {}, {},
                   QByteArray::number(e.seconds, 'f', 6));
    }
    QByteArray operator()(const event::Member& e)
    {
        return row("member", id(e.sequence), {}, {}, nameOf(e.kind), number(e.tokens), number(e.cached),
                   e.samples ? "1" : "0");
    }
    QByteArray operator()(const event::Alloc& e)
    {
        return row("alloc", id(e.sequence), id(e.block), number(e.position));
    }
    QByteArray operator()(const event::Grant& e)
    {
        return row("grant", id(e.sequence), {}, {}, {}, {}, {}, {}, {}, {}, number(e.finalSlots));
    }
    QByteArray operator()(const event::Share& e)
    {
        return row("share", id(e.sequence), id(e.block), number(e.position));
    }
    QByteArray operator()(const event::Fill& e)
    {
        return row("fill", {}, id(e.block), {}, {}, {}, {}, {}, {}, {}, number(e.filled));
    }
    QByteArray operator()(const event::Publish& e)
    {
        return row("publish", {}, id(e.block), {}, {}, {}, {}, {}, {}, {}, QByteArray::number(e.hash, 16));
    }
    QByteArray operator()(const event::Evict& e) { return row("evict", {}, id(e.block)); }
    QByteArray operator()(const event::Free& e)
    {
        return row("free", id(e.sequence), id(e.block), number(e.position));
    }
    QByteArray operator()(const event::Copy& e)
    {
        return row("copy", {}, id(e.target), {}, {}, {}, {}, {}, {}, {}, id(e.source));
    }
    QByteArray operator()(const event::Preempt& e)
    {
        return row("preempt", id(e.sequence), {}, {}, nameOf(e.reason), {}, {}, {}, {}, {},
                   number(e.freedBlocks));
    }
    QByteArray operator()(const event::Wait& e)
    {
        return row("wait", id(e.sequence), {}, {}, exportWord(e.reason), {}, {}, {}, number(e.need),
                   number(e.have));
    }
    QByteArray operator()(const event::Finish& e)
    {
        const std::string_view reason = finishReason(e.reason);
        return row("finish", id(e.sequence), {}, {}, QByteArray(reason.data(), qsizetype(reason.size())));
    }

private:
    template<typename Id>
    static QByteArray id(Id value)
    {
        return QByteArray::number(value.value);
    }
    static QByteArray number(std::int32_t value) { return QByteArray::number(value); }
    static QByteArray row(const QByteArray& event, const QByteArray& sequence, const QByteArray& block = {},
                          const QByteArray& position = {}, const QByteArray& kind = {},
                          const QByteArray& tokens = {}, const QByteArray& cached = {},
                          const QByteArray& samples = {}, const QByteArray& need = {},
                          const QByteArray& have = {}, const QByteArray& value = {})
    {
        return QByteArrayList{event,  sequence, block, position, kind, tokens,
                              cached, samples,  need,  have,     value}
            .join(',');
    }
};

QByteArray stepRow(std::size_t part, const StepFigures& step)
{
    QByteArrayList fields{QByteArray::number(qulonglong(part)), QByteArray::number(qulonglong(step.step)),
                          QByteArray::number(step.beginSeconds, 'f', 6),
                          QByteArray::number(step.endSeconds, 'f', 6)};
    for (const std::int32_t value :
         {step.tokenBudget, step.prefillTokens, step.recomputeTokens, step.decodeTokens, step.sampledTokens,
          step.members, step.padding, step.running, step.waiting, step.preemptions, step.planMicros,
          step.forwardMicros, step.sampleMicros})
        fields << QByteArray::number(value);
    fields << QByteArray::number(double(step.kvCacheUsage), 'f', 6);
    return fields.join(',') + '\n';
}

/// `each` gets the part's number, from 1, and each of its records.
template<typename Each>
Result<void> walk(const Recording& recording, const ExportFile& file, const FileProgress& progress,
                  const Each& each)
{
    std::uint64_t all = 1;
    for (const RecordingPart& part : recording.parts())
        all += part.stepCount();
    std::uint64_t done = 0;
    for (std::size_t p = 0; p < recording.parts().size(); ++p) {
        const RecordingPart& part = recording.parts()[p];
        for (std::size_t i = 0; i < part.segmentCount(); ++i) {
            SegmentReader reader(part.segment(i).snapshotStep, part.generation);
            while (reader.step() < part.segment(i).lastStep()) {
                const Result<StepRecord> record = reader.next(part.segment(i));
                if (!record)
                    return tl::unexpected(record.error());
                each(p + 1, *record);
                if (++done % kProgressSteps == 0 && !progress(double(done) / double(all)))
                    return tl::unexpected(stoppedError());
                if (!file.good())
                    return {};
            }
        }
    }
    return {};
}

} // namespace

Result<void> exportStepsCsv(const RecordingContents& contents, const QString& path,
                            const FileProgress& progress)
{
    ExportFile file(path);
    file.write("part,step,begin_s,end_s,token_budget,prefill_tokens,recompute_tokens,decode_tokens,"
               "sampled_tokens,members,padding,running,waiting,preemptions,plan_us,forward_us,sample_us,"
               "kv_cache_usage\n");
    for (std::size_t p = 0; p < contents.recording.parts().size(); ++p) {
        const RecordingPart& part = contents.recording.parts()[p];
        if (!part.hasSteps())
            continue;
        const double share = 1.0 / double(contents.recording.parts().size());
        std::uint64_t done = 0;
        bool stopped = false;
        const auto told = [&](std::uint64_t more) {
            done += more;
            stopped = !progress(share * (double(p) + double(done) / double(part.stepCount())));
            return !stopped && file.good();
        };
        const auto each = [&](const StepRecord& record, const PoolMirror& pool) {
            StepFigures step = stepFigures(record);
            step.kvCacheUsage = float(pool.kvCacheUsage());
            file.write(stepRow(p + 1, step));
        };
        if (const Result<void> walked = check(part, told, each); !walked && file.good())
            return tl::unexpected(stopped ? stoppedError() : walked.error());
    }
    return file.finish();
}

Result<void> exportEventsCsv(const RecordingContents& contents, const QString& path,
                             const FileProgress& progress)
{
    ExportFile file(path);
    file.write("part,step,event,sequence,block,position,kind,tokens,cached,samples,need,have,value\n");
    const auto each = [&file](std::size_t part, const StepRecord& record) {
        const QByteArray place =
            QByteArray::number(qulonglong(part)) + ',' + QByteArray::number(qulonglong(record.step)) + ',';
        for (const StepEvent& event : record.events)
            file.write(place + std::visit(EventRow(), event) + '\n');
    };
    if (const Result<void> walked = walk(contents.recording, file, progress, each); !walked)
        return walked;
    return file.finish();
}

} // namespace vitrine::ui
