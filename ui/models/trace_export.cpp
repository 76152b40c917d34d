// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/export_file.h"
#include "ui/models/export_words.h"
#include "ui/models/recorded_history.h"
#include "ui/models/recording_export.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace vitrine::ui {

namespace {

constexpr int kEngineThread = 0; ///< sequences are numbered from 1
constexpr std::size_t kProgressSteps = 1024;

double micros(double seconds)
{
    return seconds * 1e6;
}

class TraceWriter {
public:
    TraceWriter(ExportFile& file, const RecordingAbout& about)
        : m_file(file)
        , m_about(about)
    {
        m_about.describe(m_directory);
        m_file.write("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n");
    }

    void beginPart(int process)
    {
        m_process = process;
        name("process_name", kEngineThread,
             QStringLiteral("pool %1, %2").arg(process).arg(QString::fromStdString(m_about.model.name)));
        name("thread_name", kEngineThread, QStringLiteral("engine"));
    }

    void step(const StepFigures& step)
    {
        const QJsonObject args{{"step", qint64(step.step)},        {"batch", step.members},
                               {"tokens", step.scheduledTokens()}, {"budget", step.tokenBudget},
                               {"running", step.running},          {"waiting", step.waiting}};
        slice(kEngineThread, QStringLiteral("step"), step.beginSeconds, step.endSeconds, args);
        double at = step.beginSeconds;
        for (const auto& [part, length] :
             {std::pair{"plan", step.planMicros}, std::pair{"forward", step.forwardMicros},
              std::pair{"sample", step.sampleMicros}}) {
            // What is inside must not stand out: times were rounded.
            const double end = std::min(step.endSeconds, at + length * 1e-6);
            if (end > at)
                slice(kEngineThread, QLatin1String(part), at, end, {});
            at = end;
        }
        counter("KV cache use", step.endSeconds, {{"percent", 100.0 * double(step.kvCacheUsage)}});
        counter("requests", step.endSeconds, {{"running", step.running}, {"waiting", step.waiting}});
    }

    void rates(const MetricsBin& bin)
    {
        constexpr double kSeconds = MetricsHistory::kBinSeconds;
        counter("tokens/s", double(bin.index) * kSeconds,
                {{"generated", bin.sampledTokens / kSeconds}, {"prompt", bin.prefillTokens / kSeconds}});
    }

    void row(const SequenceRow& row, const BatchHistory& history)
    {
        const int thread = int(row.sequence.value);
        const ChatLabel label = m_directory.label(row.sequence);
        name("thread_name", thread,
             label.chat == 0 ? QStringLiteral("sequence %1").arg(thread)
                             : QStringLiteral("%1 (sequence %2)").arg(label.title).arg(thread));
        for (const BatchSpan& span : row.spans) {
            const StepFigures* first = history.at(span.first);
            const StepFigures* last = history.at(span.end() - 1);
            if (first && last)
                slice(thread, QLatin1String(exportWord(span.cell.phase)), first->beginSeconds,
                      last->endSeconds, argsOf(span));
        }
        for (const Preemption& preemption : row.preemptions)
            if (const StepFigures* step = history.at(preemption.step))
                instant(thread, QStringLiteral("preempted"), step->beginSeconds);
        if (const StepFigures* step = row.end ? history.at(row.end->step) : nullptr) {
            const std::string_view reason = finishReason(row.end->reason);
            instant(thread, QLatin1String(reason.data(), qsizetype(reason.size())), step->endSeconds);
        }
    }

    void end() { m_file.write("\n]}\n"); }

private:
    static QJsonObject argsOf(const BatchSpan& span)
    {
        QJsonObject args{{"steps", qint64(span.count)}, {"first step", qint64(span.first)}};
        if (const auto wait = span.cell.wait()) {
            args["for"] = QLatin1String(exportWord(wait->reason));
            args["need"] = wait->need;
            args["have"] = wait->have;
            if (wait->head != SequenceId{})
                args["behind sequence"] = qint64(wait->head.value);
        } else if (!isWaiting(span.cell.phase)) {
            args["tokens a step"] = span.cell.tokens;
            args["cached"] = span.cell.cached;
        }
        return args;
    }

    void event(QJsonObject fields)
    {
        fields["pid"] = m_process;
        m_file.write(m_first ? "" : ",\n");
        m_first = false;
        m_file.write(QJsonDocument(fields).toJson(QJsonDocument::Compact));
    }
    void name(const char* kind, int thread, const QString& text)
    {
        event({{"ph", "M"}, {"name", kind}, {"tid", thread}, {"args", QJsonObject{{"name", text}}}});
    }
    void slice(int thread, const QString& what, double begin, double end, const QJsonObject& args)
    {
        event({{"ph", "X"},
               {"name", what},
               {"tid", thread},
               {"ts", micros(begin)},
               {"dur", micros(end - begin)},
               {"args", args}});
    }
    void instant(int thread, const QString& what, double seconds)
    {
        event({{"ph", "i"}, {"s", "t"}, {"name", what}, {"tid", thread}, {"ts", micros(seconds)}});
    }
    void counter(const char* what, double seconds, const QJsonObject& values)
    {
        event(
            {{"ph", "C"}, {"name", what}, {"tid", kEngineThread}, {"ts", micros(seconds)}, {"args", values}});
    }

    ExportFile& m_file;
    const RecordingAbout& m_about;
    SequenceDirectory m_directory;
    int m_process = 0;
    bool m_first = true;
};

/// False: stopped.
bool writePart(TraceWriter& writer, const RecordedHistory& history, const std::function<bool(double)>& told)
{
    std::size_t done = 0;
    for (const StepFigures& step : history.batches.steps()) {
        writer.step(step);
        if (++done % kProgressSteps == 0 && !told(double(done) / double(history.batches.steps().size())))
            return false;
    }
    for (const MetricsBin& bin : history.metrics.bins())
        writer.rates(bin);
    for (const auto& [sequence, row] : history.batches.rows())
        writer.row(row, history.batches);
    return true;
}

} // namespace

Result<void> exportChromeTrace(const RecordingContents& contents, const QString& path,
                               const FileProgress& progress)
{
    ExportFile file(path);
    TraceWriter writer(file, contents.about);
    const double parts = double(contents.recording.parts().size());
    int process = 0;
    for (const RecordingPart& part : contents.recording.parts()) {
        if (!part.hasSteps())
            continue;
        bool stopped = false;
        std::uint64_t replayed = 0;
        const auto told = [&](double share) {
            stopped = !progress((process + share) / parts);
            return !stopped && file.good();
        };
        const auto toldReplay = [&](std::uint64_t more) {
            replayed += more;
            return told(0.5 * double(replayed) / double(part.stepCount()));
        };
        const Result<RecordedHistory> history = replay(contents.recording, part.generation, toldReplay);
        if (!history && file.good())
            return tl::unexpected(stopped ? stoppedError() : history.error());
        if (!history)
            break;
        writer.beginPart(++process);
        if (!writePart(writer, *history, [&](double share) { return told(0.5 * share); }) && stopped)
            return tl::unexpected(stoppedError());
    }
    writer.end();
    return file.finish();
}

} // namespace vitrine::ui
