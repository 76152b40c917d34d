// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/part_file.h"
#include "ui/models/recording_database.h"
#include "ui/models/recording_file.h"

#include <QFileInfo>
#include <QSqlError>

#include <algorithm>

namespace vitrine::ui {

namespace {

QMap<QString, QString> aboutRows(const RecordingAbout& about)
{
    const ModelInfo& model = about.model;
    QMap<QString, QString> rows{
        {QStringLiteral("saved_at"), about.savedAt.toString(Qt::ISODate)},
        {QStringLiteral("program"), about.program},
        {QStringLiteral("model.name"), QString::fromStdString(model.name)},
        {QStringLiteral("model.architecture"), QString::fromStdString(model.architecture)},
        {QStringLiteral("model.tensor_types"), QString::fromStdString(model.tensorTypes)},
        {QStringLiteral("model.backend"), QString::fromStdString(model.backend)},
        {QStringLiteral("model.threads"), QString::number(model.threads)},
        {QStringLiteral("model.parameters"), QString::number(model.parameterCount)},
        {QStringLiteral("model.file_bytes"), QString::number(model.fileBytes)},
        {QStringLiteral("model.kv_cache_bytes"), QString::number(model.kvCacheBytes)},
        {QStringLiteral("model.context_length"), QString::number(model.contextLength)},
        {QStringLiteral("model.token_budget"), QString::number(model.tokenBudget)},
        {QStringLiteral("model.max_num_seqs"), QString::number(model.maxNumSeqs)},
    };
    for (auto at = about.options.begin(); at != about.options.end(); ++at)
        rows.insert(QStringLiteral("option.") + at.key(), at.value());
    return rows;
}

/// Qt binds a null QString as NULL.
QString storable(const QString& text)
{
    return text.isNull() ? QLatin1String("") : QString::fromUtf8(text.left(kMostRecordedText).toUtf8());
}

QByteArray asBlob(const Bytes& bytes)
{
    return QByteArray::fromRawData(reinterpret_cast<const char*>(bytes.data()), qsizetype(bytes.size()));
}

/// Fills an empty database; the first thing that fails is lastError().
class Filler {
public:
    Filler(RecordingConnection& connection, const FileProgress& progress)
        : m_connection(connection)
        , m_progress(progress)
    {
    }

    [[nodiscard]] bool fill(const RecordingContents& contents)
    {
        // The file has no name yet that anybody knows: nothing has to be undone.
        return run(QStringLiteral("PRAGMA page_size = 4096")) &&
               run(QStringLiteral("PRAGMA journal_mode = OFF")) &&
               run(QStringLiteral("PRAGMA synchronous = OFF")) && makeTables() &&
               run(QStringLiteral("BEGIN")) && fillAbout(contents.about) && fillChats(contents.about) &&
               fillParts(contents.recording) && fillSum() && run(QStringLiteral("COMMIT"));
    }
    [[nodiscard]] const QString& lastError() const { return m_error; }
    [[nodiscard]] bool stopped() const { return m_stopped; }

private:
    bool noted(const QSqlQuery& query, bool good)
    {
        if (!good)
            m_error = query.lastError().databaseText();
        return good;
    }
    bool run(const QString& statement)
    {
        QSqlQuery query(m_connection.database());
        return noted(query, query.exec(statement));
    }
    bool insert(const QString& table, const QVariantList& values)
    {
        QStringList places(values.size(), QStringLiteral("?"));
        QSqlQuery query(m_connection.database());
        if (!noted(query, query.prepare(QStringLiteral("INSERT INTO %1 VALUES (%2)")
                                            .arg(table, places.join(QLatin1Char(','))))))
            return false;
        for (const QVariant& value : values) {
            query.addBindValue(value);
            if (value.typeId() == QMetaType::LongLong)
                m_sum.add(value.toLongLong());
            else if (value.typeId() == QMetaType::QByteArray)
                m_sum.add(value.toByteArray());
            else
                m_sum.add(value.toString());
        }
        return noted(query, query.exec());
    }

    bool makeTables()
    {
        for (const QString& table : recordingTables())
            if (!run(table))
                return false;
        return run(QStringLiteral("PRAGMA application_id = %1").arg(kRecordingApplicationId)) &&
               run(QStringLiteral("PRAGMA user_version = %1").arg(kRecordingSchema));
    }
    bool fillAbout(const RecordingAbout& about)
    {
        const QMap<QString, QString> rows = aboutRows(about);
        for (auto at = rows.begin(); at != rows.end(); ++at)
            if (!insert(QStringLiteral("about"), {at.key(), storable(at.value())}))
                return false;
        return true;
    }
    bool fillChats(const RecordingAbout& about)
    {
        for (const ChatLabel& chat : about.chats)
            if (!insert(QStringLiteral("chat"), {chat.chat, storable(chat.title), qlonglong(chat.colorSlot)}))
                return false;
        QList<std::uint32_t> sequences = about.chatOfSequence.keys();
        std::ranges::sort(sequences);
        for (const std::uint32_t sequence : sequences)
            if (!insert(QStringLiteral("sequence"),
                        {qlonglong(sequence), qlonglong(about.chatOfSequence[sequence])}))
                return false;
        return true;
    }
    bool fillParts(const Recording& recording)
    {
        m_bytes = double(recording.bytes());
        qlonglong id = 0;
        for (const RecordingPart& part : recording.parts())
            if (part.hasSteps() &&
                !insert(QStringLiteral("part"), {++id, qlonglong(part.generation), qlonglong(part.blockSize),
                                                 qlonglong(part.numBlocks)}))
                return false;
        id = 0;
        for (const RecordingPart& part : recording.parts())
            if (part.hasSteps() && !fillSegments(part, ++id))
                return false;
        return true;
    }
    bool fillSegments(const RecordingPart& part, qlonglong partId)
    {
        for (std::size_t i = 0; i < part.segmentCount(); ++i) {
            const RecordingSegment& segment = part.segment(i);
            if (segment.records == 0)
                continue;
            const bool follows = i > 0 && segment.follows; // what it followed may have left the memory
            m_written += double(segment.bytes());
            m_stopped = !m_progress(std::min(1.0, m_written / m_bytes));
            if (m_stopped ||
                !insert(QStringLiteral("segment"),
                        {++m_segmentId, partId, qlonglong(segment.snapshotStep), qlonglong(segment.records),
                         qlonglong(follows ? 1 : 0), asBlob(*segment.snapshot), asBlob(segment.steps)}))
                return false;
        }
        return true;
    }
    bool fillSum()
    {
        const QString sum = m_sum.hex();
        return insert(QStringLiteral("about"), {QStringLiteral("sha256"), sum});
    }

    RecordingConnection& m_connection;
    const FileProgress& m_progress;
    RecordingSum m_sum;
    QString m_error;
    qlonglong m_segmentId = 0;
    double m_bytes = 1;
    double m_written = 0;
    bool m_stopped = false;
};

Error cannotBeWritten(const QString& path, const QString& reason)
{
    return {"the recording cannot be written: " + reason.toStdString(), path.toStdString(),
            "choose a folder that can be written and has room"};
}

/// SQLite says that it failed, the system why.
QString reasonOf(PartFile& file, const QString& said)
{
    const QString reason = file.probe(QFileInfo(file.path()).size() + (1 << 17));
    return reason.isEmpty() ? said : reason;
}

Result<void> fillFile(const RecordingContents& contents, PartFile& file, const FileProgress& progress)
{
    QString said;
    {
        RecordingConnection connection(file.path(), RecordingConnection::Access::Fill);
        Filler filler(connection, progress);
        if (connection.open() && filler.fill(contents))
            return {};
        if (filler.stopped())
            return tl::unexpected(stoppedError());
        said = filler.lastError().isEmpty() ? connection.database().lastError().databaseText()
                                            : filler.lastError();
    }
    return tl::unexpected(cannotBeWritten(file.target(), reasonOf(file, said)));
}

} // namespace

Result<void> saveRecording(const RecordingContents& contents, const QString& path,
                           const FileProgress& progress)
{
    if (!contents.recording.hasSteps())
        return fail("there is nothing to save: no step was recorded", path.toStdString());
    PartFile file(path);
    if (!file.good())
        return tl::unexpected(cannotBeWritten(file.target(), file.reason()));
    if (const Result<void> filled = fillFile(contents, file, progress); !filled)
        return filled;
    if (!file.finish())
        return tl::unexpected(cannotBeWritten(file.target(), file.reason()));
    return {};
}

Error stoppedError()
{
    return {"stopped", {}, {}};
}

bool isStopped(const Error& error)
{
    return error == stoppedError();
}

} // namespace vitrine::ui
