// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/record_codec.h"
#include "ui/models/recorded_history.h"
#include "ui/models/recording_database.h"
#include "ui/models/recording_file.h"

#include <QFile>
#include <QSqlError>
#include <QtEndian>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>
#include <system_error>

namespace vitrine::ui {

namespace {

// No program has recorded so many; a file that says so lies.
constexpr int kMostAboutRows = 256;
constexpr int kMostChats = 100'000;
constexpr int kMostSequences = 4'000'000;
constexpr int kMostParts = 10'000;
constexpr qint64 kLeast = std::numeric_limits<qint64>::min();
constexpr qint64 kMost = std::numeric_limits<qint64>::max();
constexpr int kMostSegments = 1'000'000;

/// Reading is this part of the work, replaying the rest.
constexpr double kReadShare = 0.3;

constexpr const char* kDamagedAdvice = "save it again, if there is what it was made from";

Error damaged(const QString& path, const std::string& what)
{
    return {"the recording is damaged: " + what, path.toStdString(), kDamagedAdvice};
}

/// What SQLite's header says (sqlite.org/fileformat.html), before SQLite itself is asked.
Result<void> checkHeader(QFile& file)
{
    constexpr qsizetype kHeaderBytes = 100;
    const std::string path = file.fileName().toStdString();
    if (std::error_code none; std::filesystem::is_fifo(path, none) || std::filesystem::is_socket(path, none))
        return fail("the recording cannot be read: it is a pipe", path, "choose a .vitrine-recording file");
    if (!file.open(QIODevice::ReadOnly))
        return fail("the recording cannot be read: " + file.errorString().toStdString(), path);
    const QByteArray header = file.read(kHeaderBytes);
    const auto at = [&header](int offset) { return qFromBigEndian<quint32>(header.constData() + offset); };
    if (header.size() < kHeaderBytes || !header.startsWith("SQLite format 3") ||
        at(68) != quint32(kRecordingApplicationId))
        return fail("this is not a recording of Vitrine", path, "choose a .vitrine-recording file");
    const quint32 schema = at(60); // note: in no sum, so nothing but this refusal may depend on it
    if (schema > quint32(kRecordingSchema))
        return fail("the recording has schema " + std::to_string(schema) + "; this Vitrine reads up to " +
                        std::to_string(kRecordingSchema),
                    path, "open it with a newer Vitrine");
    const auto stored = qFromBigEndian<quint16>(header.constData() + 16);
    const qint64 bytes = qint64(stored == 1 ? 65'536 : stored) * at(28);
    if (schema == 0)
        return tl::unexpected(damaged(file.fileName(), "its schema is 0"));
    if (bytes != file.size())
        return tl::unexpected(damaged(file.fileName(), "it has " + std::to_string(file.size()) +
                                                           " bytes instead of " + std::to_string(bytes)));
    if (file.size() > kMaxRecordingBytes)
        return fail("the recording is too large: " + std::to_string(file.size() >> 20) + " MiB of at most " +
                        std::to_string(kMaxRecordingBytes >> 20),
                    path);
    return {};
}

/// Reads the tables. The first thing that is wrong ends it and is the fault.
class TableReader {
public:
    TableReader(RecordingConnection& connection, const FileProgress& progress)
        : m_connection(connection)
        , m_progress(progress)
        , m_contents{{}, Recording(std::size_t(4 * kMaxRecordingBytes))}
    {
    }

    bool read()
    {
        return checkTables() && readAbout() && readChats() && readSequences() && readParts() &&
               readSegments() && (m_sum.hex() == m_storedSum || wrong("its sum is another"));
    }
    [[nodiscard]] const std::string& fault() const { return m_fault; }
    [[nodiscard]] bool stopped() const { return m_stopped; }
    [[nodiscard]] RecordingContents takeContents() { return std::move(m_contents); }

private:
    struct PartRow {
        std::uint32_t generation;
        std::int32_t blockSize;
        std::int32_t numBlocks;
    };

    bool wrong(const std::string& what)
    {
        if (m_fault.empty())
            m_fault = what;
        return false;
    }

    /// `each` gives false to end it.
    template<typename Each>
    bool rows(const QString& statement, int most, const Each& each)
    {
        QSqlQuery query = m_connection.query();
        if (!query.exec(statement))
            return wrong(query.lastError().databaseText().toStdString());
        int count = 0;
        while (query.next()) {
            if (++count > most)
                return wrong("it has too many rows");
            if (!each(query))
                return wrong("a row makes no sense");
        }
        return query.lastError().type() == QSqlError::NoError ||
               wrong(query.lastError().databaseText().toStdString());
    }

    bool integer(const QSqlQuery& row, int column, qint64 least, qint64 most, qint64& value)
    {
        const QVariant stored = row.value(column);
        value = stored.toLongLong();
        m_sum.add(value);
        return stored.typeId() == QMetaType::LongLong && value >= least && value <= most;
    }
    bool text(const QSqlQuery& row, int column, QString& value)
    {
        const QVariant stored = row.value(column);
        value = stored.toString();
        m_sum.add(value);
        return stored.typeId() == QMetaType::QString && value.size() <= kMostRecordedText;
    }
    bool blob(const QSqlQuery& row, int column, Bytes& bytes)
    {
        const QVariant stored = row.value(column);
        const QByteArray value = stored.toByteArray();
        m_sum.add(value);
        m_bytes += value.size();
        bytes.assign(value.begin(), value.end());
        return stored.typeId() == QMetaType::QByteArray && m_bytes <= kMaxRecordingBytes;
    }

    bool checkTables()
    {
        QStringList found;
        return rows(QStringLiteral("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"), 16,
                    [&](const QSqlQuery& row) {
                        found << row.value(0).toString();
                        return true;
                    }) &&
               (found == recordingTables() || wrong("its tables are not those of a recording"));
    }
    bool readAbout()
    {
        QMap<QString, QString> stored;
        const auto read = [&](const QSqlQuery& row) {
            if (row.value(0).toString() == QLatin1String("sha256")) {
                m_storedSum = row.value(1).toString();
                return true;
            }
            QString key, value;
            const bool good = text(row, 0, key) && text(row, 1, value);
            stored.insert(key, value);
            return good;
        };
        if (!rows(QStringLiteral("SELECT key, value FROM about ORDER BY rowid"), kMostAboutRows, read))
            return false;
        takeAbout(stored);
        return true;
    }
    void takeAbout(const QMap<QString, QString>& stored)
    {
        RecordingAbout& about = m_contents.about;
        const auto word = [&stored](const char* key) {
            return stored.value(QLatin1String(key)).toStdString();
        };
        const auto number = [&stored](const char* key) { return stored.value(QLatin1String(key)).toInt(); };
        about.savedAt = QDateTime::fromString(stored.value(QStringLiteral("saved_at")), Qt::ISODate);
        about.program = stored.value(QStringLiteral("program"));
        ModelInfo& model = about.model;
        model.name = word("model.name");
        model.architecture = word("model.architecture");
        model.tensorTypes = word("model.tensor_types");
        model.backend = word("model.backend");
        model.threads = number("model.threads");
        model.parameterCount = stored.value(QStringLiteral("model.parameters")).toULongLong();
        model.fileBytes = stored.value(QStringLiteral("model.file_bytes")).toULongLong();
        model.kvCacheBytes = stored.value(QStringLiteral("model.kv_cache_bytes")).toULongLong();
        model.contextLength = number("model.context_length");
        model.tokenBudget = number("model.token_budget");
        model.maxNumSeqs = number("model.max_num_seqs");
        const QString option = QStringLiteral("option.");
        for (auto at = stored.lowerBound(option); at != stored.end() && at.key().startsWith(option); ++at)
            about.options.insert(at.key().mid(option.size()), at.value());
    }
    bool readChats()
    {
        return rows(QStringLiteral("SELECT id, title, color FROM chat ORDER BY rowid"), kMostChats,
                    [&](const QSqlQuery& row) {
                        ChatLabel chat;
                        qint64 id = 0, color = 0;
                        const bool good = integer(row, 0, kLeast, kMost, id) && text(row, 1, chat.title) &&
                                          integer(row, 2, -1, 1 << 20, color);
                        chat.chat = id;
                        chat.colorSlot = int(color);
                        m_contents.about.chats.push_back(chat);
                        return good && m_chats.insert(id).second;
                    });
    }
    bool readSequences()
    {
        return rows(QStringLiteral("SELECT id, chat FROM sequence ORDER BY rowid"), kMostSequences,
                    [&](const QSqlQuery& row) {
                        qint64 id = 0, chat = 0;
                        const bool good = integer(row, 0, 0, std::numeric_limits<std::uint32_t>::max(), id) &&
                                          integer(row, 1, kLeast, kMost, chat);
                        const bool isNew = !m_contents.about.chatOfSequence.contains(std::uint32_t(id));
                        m_contents.about.chatOfSequence.insert(std::uint32_t(id), chat);
                        if (good && !m_chats.contains(chat))
                            return wrong("a sequence is of a chat that does not exist");
                        return good && isNew;
                    });
    }
    bool readParts()
    {
        const auto read = [&](const QSqlQuery& row) {
            qint64 id = 0, generation = 0, blockSize = 0, numBlocks = 0;
            const bool good = integer(row, 0, std::ssize(m_parts) + 1, std::ssize(m_parts) + 1, id) &&
                              integer(row, 1, m_parts.empty() ? 0 : qint64(m_parts.back().generation) + 1,
                                      std::numeric_limits<std::uint32_t>::max(), generation) &&
                              integer(row, 2, 1, kMaxRecordedBlockSize, blockSize) &&
                              integer(row, 3, 1, kMaxRecordedBlocks, numBlocks);
            m_parts.push_back({std::uint32_t(generation), std::int32_t(blockSize), std::int32_t(numBlocks)});
            return good;
        };
        return rows(QStringLiteral("SELECT id, generation, block_size, num_blocks FROM part ORDER BY rowid"),
                    kMostParts, read);
    }
    /// SQLite takes the length of a blob from the row's header: none is read that is too long.
    bool readSegments()
    {
        const QString statement =
            QStringLiteral("SELECT part, snapshot_step, records, follows, "
                           "CASE WHEN length(snapshot) <= %1 THEN snapshot END, "
                           "CASE WHEN length(steps) <= %1 THEN steps END, id FROM segment ORDER BY rowid")
                .arg(kMaxRecordingBytes / 4);
        return rows(statement, kMostSegments, [&](const QSqlQuery& row) { return readSegment(row); }) &&
               (!m_parts.empty() || wrong("it has no steps")) &&
               (m_part + 1 == std::ssize(m_parts) || wrong("a part has no steps"));
    }
    bool readSegment(const QSqlQuery& row)
    {
        m_stopped = !m_progress(kReadShare * std::min(1.0, double(m_bytes) / double(kMaxRecordingBytes)));
        if (m_stopped)
            return false;
        auto segment = std::make_shared<RecordingSegment>();
        auto snapshot = std::make_shared<Bytes>();
        qint64 id = 0, part = 0, step = 0, records = 0, follows = 0;
        ++m_segments; // note: in the order in which the sum was made
        const bool good = integer(row, 6, m_segments, m_segments, id) &&
                          integer(row, 0, std::max<qint64>(m_part + 1, 1), m_part + 2, part) &&
                          integer(row, 1, 0, qint64(kMaxRecordedStep), step) &&
                          integer(row, 2, 1, Recording::kMostSegmentSteps, records) &&
                          integer(row, 3, 0, 1, follows) && blob(row, 4, *snapshot) &&
                          blob(row, 5, segment->steps) && part <= std::ssize(m_parts);
        if (!good)
            return false;
        // Older versions said so of a first one too, where what it followed had left the memory. It has its
        // snapshot as all have: the part begins with it.
        segment->follows = follows != 0 && part == m_part + 1;
        m_part = part - 1;
        const PartRow& of = m_parts[std::size_t(m_part)];
        segment->snapshotStep = std::uint64_t(step);
        segment->records = std::uint32_t(records);
        segment->snapshot = std::move(snapshot);
        m_sparseBlocks += segment->sparseBlocks(of.numBlocks);
        if (m_sparseBlocks > Recording::kMostSparseBlocks)
            return wrong("its pools have more blocks than so few bytes can be of");
        m_contents.recording.add(of.generation, of.blockSize, of.numBlocks, std::move(segment));
        return true;
    }

    RecordingConnection& m_connection;
    const FileProgress& m_progress;
    RecordingContents m_contents;
    RecordingSum m_sum;
    QString m_storedSum;
    std::set<qint64> m_chats;
    std::vector<PartRow> m_parts;
    qint64 m_part = -1; ///< of the newest segment
    qint64 m_segments = 0;
    qint64 m_bytes = 0;
    qint64 m_sparseBlocks = 0;
    std::string m_fault;
    bool m_stopped = false;
};

Result<RecordingContents> readTables(const QString& path, const FileProgress& progress)
{
    RecordingConnection connection(path, RecordingConnection::Access::Read);
    if (!connection.open())
        return fail("the recording cannot be read: " +
                        connection.database().lastError().databaseText().toStdString(),
                    path.toStdString());
    TableReader reader(connection, progress);
    if (reader.read())
        return reader.takeContents();
    if (reader.stopped())
        return tl::unexpected(stoppedError());
    return tl::unexpected(damaged(path, reader.fault()));
}

} // namespace

Result<RecordingContents> openRecording(const QString& path, const FileProgress& progress)
{
    QFile file(path);
    if (const Result<void> header = checkHeader(file); !header)
        return tl::unexpected(header.error());
    file.close();
    Result<RecordingContents> contents = readTables(path, progress);
    if (!contents)
        return contents;
    const auto toldCheck = [&](double share) { return progress(kReadShare + (1 - kReadShare) * share); };
    if (const Result<void> checked = checkAll(contents->recording, toldCheck); !checked) {
        Error error = checked.error();
        if (!isStopped(error))
            error.where = path.toStdString();
        return tl::unexpected(error);
    }
    return contents;
}

} // namespace vitrine::ui
