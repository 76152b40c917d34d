// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/glass_scene.h"
#include "tests/support/small_disk.h"
#include "ui/models/batch_history.h"
#include "ui/models/panel_tables.h"
#include "ui/models/recorded_history.h"
#include "ui/models/recording_export.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include <map>
#include <vector>

using namespace vitrine;
using namespace vitrine::test;
using namespace vitrine::ui;

namespace {

const FileProgress kAnyhow = [](double) { return true; };

QByteArray contentsOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestRecordingExport : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        m_contents = {aboutNow(m_scene.glass().model(), EngineOptions{}, m_scene.directory()),
                      m_scene.glass().recording()};
    }

    /// As Perfetto reads it: each event has its fields, and slices of a thread nest.
    void aTraceIsWhatPerfettoReads()
    {
        const QString path = m_folder.filePath("trace.json");
        QVERIFY(exportChromeTrace(m_contents, path, kAnyhow));
        QJsonParseError fault;
        const QJsonDocument document = QJsonDocument::fromJson(contentsOf(path), &fault);
        QVERIFY2(fault.error == QJsonParseError::NoError, qPrintable(fault.errorString()));
        const QJsonArray events = document.object()["traceEvents"].toArray();
        std::map<QString, int> kinds;
        std::map<int, std::vector<std::pair<double, double>>> slices;
        std::map<QString, int> counters;
        for (const QJsonValue& value : events) {
            const QJsonObject event = value.toObject();
            ++kinds[event["ph"].toString()];
            QVERIFY(event.contains("pid") && event.contains("tid") && !event["name"].toString().isEmpty());
            QVERIFY(event["ph"] == "M" || event["ts"].isDouble());
            if (event["ph"] == "X") {
                QVERIFY(event["dur"].toDouble(-1) >= 0);
                slices[event["tid"].toInt()].push_back({event["ts"].toDouble(), event["dur"].toDouble()});
            }
            if (event["ph"] == "C")
                ++counters[event["name"].toString()];
        }
        const BatchHistory& batches = m_scene.glass().batches();
        QCOMPARE(slices.size(), batches.rows().size() + 1);
        QCOMPARE(counters["KV cache use"], int(batches.steps().size()));
        QCOMPARE(counters["requests"], int(batches.steps().size()));
        QVERIFY(counters["tokens/s"] > 0);
        QVERIFY(kinds["i"] > 0); // preemptions and ends
        for (auto& [thread, of] : slices) {
            double end = 0;
            for (const auto& [begin, length] : of)
                if (thread != 0) {
                    QVERIFY2(begin >= end - 0.01, qPrintable(QString::number(thread)));
                    end = begin + length;
                }
        }
    }

    void stepsAreOneRowEach()
    {
        const QString path = m_folder.filePath("steps.csv");
        QVERIFY(exportStepsCsv(m_contents, path, kAnyhow));
        const QList<QByteArray> lines = contentsOf(path).trimmed().split('\n');
        const auto& steps = m_scene.glass().batches().steps();
        QCOMPARE(lines.size(), qsizetype(steps.size()) + 1);
        const QList<QByteArray> names = lines[0].split(',');
        for (qsizetype i = 1; i < lines.size(); ++i) {
            const QList<QByteArray> fields = lines[i].split(',');
            const StepFigures& step = steps[std::size_t(i - 1)];
            QCOMPARE(fields.size(), names.size());
            QCOMPARE(fields[names.indexOf("step")].toULongLong(), qulonglong(step.step));
            QCOMPARE(lines[i], QByteArray("1,") + stepRow(step).join(',').toUtf8()); // as the panel says it
            QCOMPARE(fields[names.indexOf("decode_tokens")].toInt(), step.decodeTokens);
            QCOMPARE(fields[names.indexOf("waiting_requests")].toInt(), step.waiting);
            QVERIFY(std::abs(fields[names.indexOf("kv_cache_usage_ratio")].toDouble() -
                             double(step.kvCacheUsage)) < 1e-5);
        }
    }

    void eventsAreOneRowEach()
    {
        const QString path = m_folder.filePath("events.csv");
        QVERIFY(exportEventsCsv(m_contents, path, kAnyhow));
        const QList<QByteArray> lines = contentsOf(path).trimmed().split('\n');
        const qsizetype columns = lines[0].split(',').size();
        const QList<QByteArray> names = lines[0].split(',');
        std::map<QByteArray, int> kinds;
        QByteArray head; // of the queue, which comes before those that stand behind it
        int behind = 0;
        for (const QByteArray& line : lines) {
            const QList<QByteArray> fields = line.split(',');
            QCOMPARE(fields.size(), columns);
            ++kinds[fields[2]];
            const QByteArray reason = fields[2] == "wait" ? fields[names.indexOf("kind")] : QByteArray();
            if (reason == "capacity")
                QVERIFY(fields[names.indexOf("need")].toInt() > fields[names.indexOf("have")].toInt());
            if (reason == "behind_head") {
                QCOMPARE(fields[names.indexOf("value")], head);
                ++behind;
            } else if (!reason.isEmpty()) {
                head = fields[names.indexOf("sequence")];
            }
        }
        QVERIFY(behind > 0);
        for (const char* kind : {"arrive", "member", "alloc", "fill", "free", "wait", "finish", "preempt"})
            QVERIFY2(kinds[kind] > 0, kind);
        QCOMPARE(kinds["arrive"], int(m_scene.glass().batches().rows().size()));
    }

    /// What is exported row by row leaves out no step, however many there are.
    void theWalkTellsOfEachStepOnce()
    {
        const RecordingPart& part = m_contents.recording.parts().back();
        std::uint64_t told = 0, seen = 0;
        const auto progress = [&told](std::uint64_t steps) {
            told += steps;
            return true;
        };
        QVERIFY(check(part, progress, [&](const StepRecord&, const PoolMirror&) { ++seen; }));
        QCOMPARE(seen, part.stepCount());
        QCOMPARE(told, seen); // also what is left at the end of a segment
    }

    void whatCannotBeWrittenIsTold()
    {
        for (const auto writer : {exportChromeTrace, exportStepsCsv, exportEventsCsv}) {
            const Result<void> done = writer(m_contents, m_folder.filePath("no/where"), kAnyhow);
            QVERIFY(!done);
            QVERIFY2(done.error().what.find("No such file") != std::string::npos,
                     done.error().line().c_str());
        }
        for (const auto writer : {exportChromeTrace, exportStepsCsv, exportEventsCsv}) {
            const Result<void> folder = writer(m_contents, m_folder.path(), kAnyhow);
            QVERIFY(!folder);
            QVERIFY2(folder.error().what.find("Is a directory") != std::string::npos,
                     folder.error().line().c_str());
        }
        const Result<void> stopped =
            exportEventsCsv(m_contents, m_folder.filePath("stopped"), [](double) { return false; });
        QVERIFY(stopped || isStopped(stopped.error()));
    }

    /// Whole or not at all, wherever the room ends.
    void aFullDiskLeavesWhatWasThere()
    {
        const QString path = m_folder.filePath("table");
        for (const auto writer : {exportChromeTrace, exportStepsCsv, exportEventsCsv}) {
            QVERIFY(writer(m_contents, path, kAnyhow));
            const qint64 whole = QFileInfo(path).size();
            const QByteArray before = contentsOf(path);
            for (const qint64 room : {qint64(0), qint64(1000), whole / 2, whole - 1}) {
                const SmallDisk disk{rlim_t(room)};
                const Result<void> written = writer(m_contents, path, kAnyhow);
                QVERIFY(!written);
                QVERIFY2(written.error().what.find("File too large") != std::string::npos,
                         written.error().line().c_str());
                QCOMPARE(contentsOf(path), before);
            }
        }
        QFile::remove(path);
        QVERIFY(QDir(m_folder.path()).entryList({"table*"}, QDir::Files | QDir::Hidden).isEmpty());
    }

private:
    GlassScene m_scene{SceneKind::Pressure};
    QTemporaryDir m_folder;
    RecordingContents m_contents;
};

QTEST_GUILESS_MAIN(TestRecordingExport)
#include "test_recording_export.moc"
