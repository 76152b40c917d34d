// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/export_file.h"
#include "ui/models/export_words.h"
#include "ui/models/panel_tables.h"
#include "ui/models/recorded_history.h"
#include "ui/models/recording_export.h"

namespace vitrine::ui {

namespace {

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
                   number(e.have), e.head == SequenceId{} ? QByteArray() : id(e.head));
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

/// One file: its headings, and what `rows` says of each step.
template<typename Rows>
Result<void> writeCsv(const RecordingContents& contents, const QString& path, const FileProgress& progress,
                      const QByteArray& headings, const Rows& rows)
{
    ExportFile file(path);
    file.write(headings + '\n');
    const auto told = [&](double share) { return progress(share) && file.good(); };
    const auto each = [&](int part, const StepRecord& record, const PoolMirror& pool) {
        file.write(rows(QByteArray::number(part), record, pool));
    };
    const Result<void> walked = checkAll(contents.recording, told, each);
    return walked || !file.good() ? file.finish() : walked;
}

} // namespace

Result<void> exportStepsCsv(const RecordingContents& contents, const QString& path,
                            const FileProgress& progress)
{
    const auto rows = [](const QByteArray& part, const StepRecord& record, const PoolMirror& pool) {
        StepFigures step = stepFigures(record);
        step.kvCacheUsage = float(pool.kvCacheUsage());
        return part + ',' + stepRow(step).join(QLatin1Char(',')).toUtf8() + '\n';
    };
    const QByteArray headings = "part," + stepHeadings().join(QLatin1Char(',')).toUtf8();
    return writeCsv(contents, path, progress, headings, rows);
}

Result<void> exportEventsCsv(const RecordingContents& contents, const QString& path,
                             const FileProgress& progress)
{
    const auto rows = [](const QByteArray& part, const StepRecord& record, const PoolMirror&) {
        const QByteArray place = part + ',' + QByteArray::number(qulonglong(record.step)) + ',';
        QByteArray lines;
        for (const StepEvent& event : record.events)
            lines += place + std::visit(EventRow(), event) + '\n';
        return lines;
    };
    return writeCsv(contents, path, progress,
                    "part,step,event,sequence,block,position,kind,tokens,cached,samples,need,have,value",
                    rows);
}

} // namespace vitrine::ui
