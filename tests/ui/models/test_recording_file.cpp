// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/recorded_run.h"
#include "tests/support/small_disk.h"
#include "ui/models/recording_database.h"
#include "ui/models/recording_file.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QtTest>

#include <sys/stat.h>

#include <csignal>
#include <ctime>
#include <functional>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

using namespace vitrine;
using namespace vitrine::test;
using namespace vitrine::ui;

namespace {

const FileProgress kAnyhow = [](double) { return true; };

RecordingAbout someAbout()
{
    RecordingAbout about;
    about.savedAt = QDateTime::fromString("2026-11-30T07:00:00Z", Qt::ISODate);
    about.program = "vitrine 0.1";
    about.model.name = "tiny";
    about.model.threads = 2;
    about.model.kvCacheBytes = 1234;
    about.options = describeOptions({});
    about.chats = {{1, "Überblick", 0}, {2, "zwei", 5}};
    about.chatOfSequence = {{1, 1}, {2, 2}, {3, 1}};
    return about;
}

bool sameRecording(const Recording& a, const Recording& b)
{
    if (a.parts().size() != b.parts().size())
        return false;
    for (std::size_t p = 0; p < a.parts().size(); ++p) {
        const RecordingPart& left = a.parts()[p];
        const RecordingPart& right = b.parts()[p];
        bool same = left.generation == right.generation && left.blockSize == right.blockSize &&
                    left.numBlocks == right.numBlocks && left.segmentCount() == right.segmentCount();
        for (std::size_t i = 0; same && i < left.segmentCount(); ++i) {
            const RecordingSegment& x = left.segment(i);
            const RecordingSegment& y = right.segment(i);
            same = x.snapshotStep == y.snapshotStep && x.records == y.records && x.follows == y.follows &&
                   *x.snapshot == *y.snapshot && x.steps == y.steps;
        }
        if (!same)
            return false;
    }
    return true;
}

bool sameAbout(const RecordingAbout& a, const RecordingAbout& b)
{
    return a.savedAt == b.savedAt && a.program == b.program && a.model.name == b.model.name &&
           a.model.threads == b.model.threads && a.model.kvCacheBytes == b.model.kvCacheBytes &&
           a.options == b.options && a.chats == b.chats && a.chatOfSequence == b.chatOfSequence;
}

QByteArray contentsOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

std::string refusal(const QString& path)
{
    const Result<RecordingContents> opened = openRecording(path, kAnyhow);
    return opened ? "opened" : opened.error().line();
}

} // namespace

class TestRecordingFile : public QObject {
    Q_OBJECT
private:
    /// With one bit changed, `offset` bytes behind the middle of a segment.
    RecordingContents lying(std::size_t offset) const
    {
        RecordingContents contents = m_contents;
        const RecordingPart& part = m_contents.recording.parts().front();
        Recording recording;
        for (std::size_t i = 0; i < part.segmentCount(); ++i) {
            auto segment = std::make_shared<RecordingSegment>(part.segment(i));
            if (i == 1)
                segment->steps[segment->steps.size() / 2 + offset] ^= 1;
            recording.add(part.generation, part.blockSize, part.numBlocks, segment);
        }
        contents.recording = recording;
        return contents;
    }

private slots:
    void initTestCase()
    {
        const RecordedRun run(10, 1200, true);
        m_contents = {someAbout(), run.recording()};
        m_file = m_folder.filePath("a.vitrine-recording");
        const Result<void> saved = saveRecording(m_contents, m_file, kAnyhow);
        QVERIFY2(saved, saved ? "" : saved.error().line().c_str());
        m_bytes = contentsOf(m_file);
    }

    void openedIsWhatWasSaved()
    {
        const Result<RecordingContents> opened = openRecording(m_file, kAnyhow);
        QVERIFY2(opened, opened ? "" : opened.error().line().c_str());
        QVERIFY(sameRecording(opened->recording, m_contents.recording));
        QVERIFY(sameAbout(opened->about, m_contents.about));
        SequenceDirectory directory;
        opened->about.describe(directory);
        QCOMPARE(directory.label(SequenceId{2}).title, QString("zwei"));
        QCOMPARE(directory.label(SequenceId{3}).colorSlot, 0);
        QCOMPARE(directory.label(SequenceId{9}).chat, qint64(0));
    }

    void leavesNothingBeside()
    {
        QCOMPARE(QDir(m_folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 1);
    }

    /// Flipped bits, cut ends, bytes of elsewhere: refused, or nothing that matters was hit.
    void whatIsDamagedIsRefused()
    {
        std::mt19937_64 random(7);
        const QString path = m_folder.filePath("damaged");
        int refused = 0;
        constexpr int kTries = 1500;
        for (int i = 0; i < kTries; ++i) {
            QByteArray bytes = m_bytes;
            const auto place = [&] { return qsizetype(random() % std::uint64_t(bytes.size())); };
            // Half of the places in the first pages: the tables, the tree, what is about.
            const qsizetype at = i % 2 ? place() : place() % 16384;
            switch (i % 5) {
            case 0:
                bytes.truncate(at);
                break;
            case 1:
                for (int byte = 0; byte < 64 && at + byte < bytes.size(); ++byte)
                    bytes[at + byte] = bytes[place()];
                break;
            default:
                bytes[at] = char(bytes[at] ^ (1 << (random() % 8)));
            }
            write(path, bytes);
            const Result<RecordingContents> opened = openRecording(path, kAnyhow);
            if (!opened) {
                ++refused;
                QVERIFY(opened.error().line().find('\n') == std::string::npos);
                continue;
            }
            QVERIFY2(sameRecording(opened->recording, m_contents.recording) &&
                         sameAbout(opened->about, m_contents.about),
                     qPrintable(QString("try %1, at %2").arg(i).arg(at)));
        }
        QFile::remove(path);
        QVERIFY2(refused > kTries / 2, qPrintable(QString::number(refused)));
    }

    /// Not damage by chance: every sum is right, and yet the steps are not those of a pool.
    void whatContradictsItselfIsRefused()
    {
        constexpr std::size_t kTries = 24;
        const QString path = m_folder.filePath("lying");
        std::size_t refused = 0;
        for (std::size_t offset = 0; offset < kTries; ++offset) {
            QVERIFY(saveRecording(lying(offset), path, kAnyhow));
            const std::string line = refusal(path);
            QVERIFY2(line == "opened" || line.find("step") != std::string::npos, line.c_str());
            refused += line != "opened"; // a duration, or a token's number, is as good as another
        }
        QFile::remove(path);
        QVERIFY2(refused > kTries / 4, qPrintable(QString::number(refused)));
    }

    void absurdNumbersAreRefusedInNoTime()
    {
        const QString path = m_folder.filePath("absurd");
        const char* const changes[] = {
            "UPDATE part SET num_blocks = 2000000000",
            "UPDATE part SET block_size = 0",
            "UPDATE part SET generation = -1",
            "UPDATE segment SET records = 4000000000",
            "UPDATE segment SET records = records + 1",
            "UPDATE segment SET snapshot_step = -5",
            "UPDATE segment SET part = 7",
            "UPDATE segment SET steps = 'text'",
            "UPDATE segment SET steps = zeroblob(200000000) WHERE rowid = 1",
            "UPDATE segment SET snapshot = x'ffffffffffffffffff'",
            "UPDATE about SET value = NULL WHERE 0; DELETE FROM about",
            "DELETE FROM segment",
            "CREATE VIEW more AS SELECT 1",
            "CREATE TRIGGER t AFTER INSERT ON chat BEGIN SELECT 1; END",
            "DROP TABLE chat",
        };
        for (const char* change : changes) {
            write(path, m_bytes);
            {
                QSqlDatabase database = QSqlDatabase::addDatabase("QSQLITE", "change");
                database.setDatabaseName(path);
                QVERIFY(database.open());
                QSqlQuery(database).exec("PRAGMA synchronous = OFF"); // nobody waits for the disk
                for (const QString& statement : QString::fromLatin1(change).split(';')) {
                    if (statement.contains("BEGIN"))
                        QSqlQuery(database).exec(QString::fromLatin1(change));
                    else if (!statement.contains("END"))
                        QSqlQuery(database).exec(statement);
                }
                database.close();
            }
            QSqlDatabase::removeDatabase("change");
            const std::clock_t begin = std::clock(); // of this program alone, however many others run
            const std::string line = refusal(path);
            QVERIFY2(line.find("opened") == std::string::npos, change);
            QVERIFY2(std::clock() - begin < 5 * CLOCKS_PER_SEC, change);
        }
        QFile::remove(path);
    }

    void aFileWithoutStepsIsRefused()
    {
        const QString path = m_folder.filePath("nothing");
        write(path, m_bytes);
        {
            QSqlDatabase database = QSqlDatabase::addDatabase("QSQLITE", "empty");
            database.setDatabaseName(path);
            QVERIFY(database.open());
            QSqlQuery query(database);
            for (const char* table : {"chat", "sequence", "part", "segment"})
                QVERIFY(query.exec(QString("DELETE FROM %1").arg(table)));
            RecordingSum sum; // that it is right makes the file no better
            QVERIFY(query.exec("SELECT key, value FROM about WHERE key <> 'sha256' ORDER BY rowid"));
            while (query.next()) {
                sum.add(query.value(0).toString());
                sum.add(query.value(1).toString());
            }
            query.finish();
            QVERIFY(query.exec(QString("UPDATE about SET value = '%1' WHERE key = 'sha256'").arg(sum.hex())));
            database.close();
        }
        QSqlDatabase::removeDatabase("empty");
        const std::string line = refusal(path);
        QVERIFY2(line.find("it has no steps") != std::string::npos, line.c_str());
        QFile::remove(path);
    }

    void aPipeIsRefusedAtOnce()
    {
        const QString path = m_folder.filePath("pipe");
        QCOMPARE(mkfifo(path.toLocal8Bit().constData(), 0600), 0);
        QVERIFY(QString::fromStdString(refusal(path)).contains("it is a pipe"));
        QFile::remove(path);
    }

    void whatIsForeignIsRefusedByName()
    {
        const QString path = m_folder.filePath("foreign");
        write(path, {});
        QVERIFY(QString::fromStdString(refusal(path)).contains("not a recording"));
        write(path,
              "GGUF and so on, long enough to have a header of a hundred bytes; but it has none, and that is "
              "seen at once.");
        QVERIFY(QString::fromStdString(refusal(path)).contains("not a recording"));
        QFile::remove(path);
        {
            QSqlDatabase other = QSqlDatabase::addDatabase("QSQLITE", "other");
            other.setDatabaseName(path);
            QVERIFY(other.open());
            QVERIFY(QSqlQuery(other).exec("CREATE TABLE chat (id INTEGER)"));
            other.close();
        }
        QSqlDatabase::removeDatabase("other");
        QVERIFY(QString::fromStdString(refusal(path)).contains("not a recording"));
        QFile::remove(path);
        QVERIFY(QString::fromStdString(refusal(path)).contains("cannot be read"));
        QVERIFY(QString::fromStdString(refusal(m_folder.path())).contains("cannot be read"));
    }

    void aNewerSchemaIsRefusedByName()
    {
        const QString path = m_folder.filePath("newer");
        QByteArray bytes = m_bytes;
        bytes[63] = 3; // user_version
        write(path, bytes);
        const QString line = QString::fromStdString(refusal(path));
        QVERIFY2(line.contains("schema 3") && line.contains("newer Vitrine"), qPrintable(line));
        QFile::remove(path);
    }

    /// It is in no sum: whatever becomes of it, the file is refused, or read as ever. Schema 1 lacks the
    /// reasons for waiting that came with schema 2, and nothing else.
    void noSchemaNumberChangesWhatIsRead()
    {
        const QString path = m_folder.filePath("schema");
        QCOMPARE(m_bytes.mid(60, 4), QByteArray("\0\0\0\2", 4)); // user_version
        for (const char schema : {1, 2})
            for (int bit = 0; bit < 32; ++bit) {
                QByteArray bytes = m_bytes;
                bytes[63] = schema;
                bytes[60 + bit / 8] = char(bytes[60 + bit / 8] ^ (0x80 >> bit % 8));
                write(path, bytes);
                const bool isKnown =
                    bytes.mid(60, 3) == QByteArray(3, '\0') && (bytes[63] == 1 || bytes[63] == 2);
                const Result<RecordingContents> opened = openRecording(path, kAnyhow);
                QCOMPARE(opened.has_value(), isKnown);
                QVERIFY(!opened || (sameRecording(opened->recording, m_contents.recording) &&
                                    sameAbout(opened->about, m_contents.about)));
            }
        write(path, QByteArray(m_bytes).replace(60, 4, QByteArray("\0\0\0\1", 4)));
        QCOMPARE(refusal(path), std::string("opened"));
        QFile::remove(path);
    }

    /// Wherever the room ends: in the tables, in a segment, in the last page.
    void aFullDiskLeavesWhatWasThere()
    {
        const QString path = m_folder.filePath("full");
        write(path, "before");
        for (const qint64 room : {qint64(0), qint64(100), qint64(4096), qint64(40'000), m_bytes.size() / 2,
                                  m_bytes.size() - 4096, m_bytes.size() - 1}) {
            const Error error = [&] {
                const SmallDisk disk{rlim_t(room)};
                const Result<void> saved = saveRecording(m_contents, path, kAnyhow);
                return saved ? Error{} : saved.error();
            }();
            QVERIFY2(error.what.find("File too large") != std::string::npos,
                     qPrintable(QString("%1 bytes: ").arg(room) + QString::fromStdString(error.line())));
            QCOMPARE(contentsOf(path), QByteArray("before"));
        }
        const SmallDisk enough{rlim_t(m_bytes.size())};
        QVERIFY(saveRecording(m_contents, path, kAnyhow));
        QCOMPARE(openRecording(path, kAnyhow)->recording.bytes(),
                 openRecording(m_file, kAnyhow)->recording.bytes());
        QFile::remove(path);
        leavesNothingBeside();
    }

    /// Whenever the process is killed, there is the old file or the new one; what lies beside it goes with
    /// the next.
    void aKilledProcessLeavesAWholeFile()
    {
        const QString path = m_folder.filePath("killed.vitrine-recording");
        QVERIFY(saveRecording(m_contents, path, kAnyhow));
        for (int i = 0; i < 12; ++i) {
            const pid_t saver = fork();
            if (saver == 0) {
                for (;;)
                    (void)saveRecording(m_contents, path, kAnyhow);
            }
            QTest::qSleep(5 + 11 * i);
            kill(saver, SIGKILL);
            QCOMPARE(waitpid(saver, nullptr, 0), saver);
            const Result<RecordingContents> opened = openRecording(path, kAnyhow);
            QVERIFY2(opened, opened ? "" : opened.error().line().c_str());
            QVERIFY(sameRecording(opened->recording, m_contents.recording));
        }
        QVERIFY(saveRecording(m_contents, path, kAnyhow));
        QFile::remove(path);
        leavesNothingBeside();
    }

    void whatIsNoFileIsNotReplaced()
    {
        const QString pipe = m_folder.filePath("pipe");
        QCOMPARE(mkfifo(pipe.toLocal8Bit().constData(), 0600), 0);
        for (const QString& path : {m_folder.path(), pipe}) {
            const Result<void> saved = saveRecording(m_contents, path, kAnyhow);
            QVERIFY(!saved);
            QVERIFY(saved.error().what.find("cannot be written") != std::string::npos);
            QVERIFY(!QFileInfo(path).isFile());
        }
        QFile::remove(pipe);
        leavesNothingBeside();
    }

    void aLinkStaysALink()
    {
        const QString file = m_folder.filePath("file"), link = m_folder.filePath("link");
        write(file, "before");
        QVERIFY(QFile::link(file, link));
        QVERIFY(saveRecording(m_contents, link, kAnyhow));
        QVERIFY(QFileInfo(link).isSymLink());
        QVERIFY(openRecording(file, kAnyhow));
        QFile::remove(file); // a link to what is not there yet is followed too
        QVERIFY(saveRecording(m_contents, link, kAnyhow));
        QVERIFY(QFileInfo(link).isSymLink());
        QVERIFY(openRecording(file, kAnyhow));
        QFile::remove(link);
        QFile::remove(file);
    }

    void aFileThatMayNotBeWrittenIsNotReplaced()
    {
        if (geteuid() == 0)
            QSKIP("the administrator may write everything");
        const QString path = m_folder.filePath("kept");
        write(path, "before");
        QVERIFY(QFile::setPermissions(path, QFile::ReadOwner));
        const Result<void> saved = saveRecording(m_contents, path, kAnyhow);
        QVERIFY(!saved);
        QVERIFY2(saved.error().what.find("Permission denied") != std::string::npos,
                 saved.error().line().c_str());
        QCOMPARE(contentsOf(path), QByteArray("before"));
        QFile::remove(path);
    }

    /// While it is read; once it is read, nothing of the file is needed any more.
    void aFileThatChangesWhileItIsReadIsRefusedOrIsWhatItWas()
    {
        const QString path = m_folder.filePath("changes");
        const auto meanwhile = [&](const std::function<void()>& change) {
            write(path, m_bytes);
            int calls = 0;
            const Result<RecordingContents> opened = openRecording(path, [&](double) {
                if (++calls == 2)
                    change();
                return true;
            });
            QVERIFY2(opened ? sameRecording(opened->recording, m_contents.recording)
                            : opened.error().line().find('\n') == std::string::npos,
                     opened ? "another recording" : opened.error().line().c_str());
        };
        meanwhile([&] { QFile::resize(path, 5000); });
        meanwhile([&] { QFile::resize(path, 0); });
        meanwhile([&] { QFile::remove(path); });
        meanwhile([&] { write(path, QByteArray(m_bytes.size(), 'x')); });
        meanwhile([&] { (void)saveRecording(lying(3), path, kAnyhow); });
        QFile::remove(path);
    }

    void oneFileCanBeOpenedTwiceAndFromAFolderThatCannotBeWritten()
    {
        const QString path = m_folder.filePath("twice");
        write(path, m_bytes);
        QVERIFY(QFile::setPermissions(path, QFile::ReadOwner));
        int inner = 0;
        const Result<RecordingContents> outer = openRecording(path, [&](double) {
            inner += inner == 0 && openRecording(path, kAnyhow) ? 1 : 0;
            return true;
        });
        QVERIFY(outer && inner == 1);
        QFile::remove(path);
    }

    void aFolderThatIsNotThereIsTheReason()
    {
        const Result<void> saved = saveRecording(m_contents, m_folder.filePath("no/where"), kAnyhow);
        QVERIFY(!saved);
        QVERIFY2(saved.error().what.find("No such file") != std::string::npos, saved.error().line().c_str());
    }

    void bothCanBeStopped()
    {
        int calls = 0;
        const FileProgress stop = [&calls](double) { return ++calls < 3; };
        const Result<void> saved = saveRecording(m_contents, m_folder.filePath("stopped"), stop);
        QVERIFY(!saved && isStopped(saved.error()));
        calls = 0;
        const Result<RecordingContents> opened = openRecording(m_file, stop);
        QVERIFY(!opened && isStopped(opened.error()));
        leavesNothingBeside();
    }

    void nothingIsNotSaved()
    {
        const Result<void> saved = saveRecording(RecordingContents{}, m_folder.filePath("empty"), kAnyhow);
        QVERIFY(!saved);
        QVERIFY(saved.error().what.find("nothing to save") != std::string::npos);
    }

private:
    QTemporaryDir m_folder;
    QString m_file;
    RecordingContents m_contents;
    QByteArray m_bytes;
};

QTEST_GUILESS_MAIN(TestRecordingFile)
#include "test_recording_file.moc"
