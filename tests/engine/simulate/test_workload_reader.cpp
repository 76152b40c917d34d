// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/workload_reader.h"
#include "tests/support/sanitized.h"

#include <QTemporaryDir>
#include <QtTest>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

using namespace vitrine;

namespace {

Result<Workload> read(const std::string& text)
{
    std::istringstream in(text);
    return readWorkload(in, "t.csv");
}

QString errorOf(const std::string& text)
{
    const auto workload = read(text);
    return workload ? QString("read") : QString::fromStdString(workload.error().line());
}

std::string trace(const char* name)
{
    return std::string(VITRINE_REFERENCE_DIR "/../traces/") + name;
}

/// Empty ones.
class EndlessLines : public std::streambuf {
    int_type underflow() override
    {
        setg(m_text.data(), m_text.data(), m_text.data() + m_text.size());
        return '\n';
    }
    std::string m_text = std::string(1 << 16, '\n');
};

std::int32_t commonStart(const std::vector<TokenId>& a, const std::vector<TokenId>& b)
{
    return std::int32_t(std::ranges::mismatch(a, b).in1 - a.begin());
}

} // namespace

class TestWorkloadReader : public QObject {
    Q_OBJECT
private slots:
    void readsItsOwnColumnsInAnyOrder()
    {
        const auto workload = read("prompt_tokens, arrival_s ,max_new_tokens\n10,0,3\n20,1.5,4\n");
        QVERIFY(workload.has_value());
        QCOMPARE(workload->requests.size(), std::size_t(2));
        QCOMPARE(workload->requests[1].arrivalSeconds, 1.5);
        QCOMPARE(workload->requests[1].promptTokens, 20);
        QCOMPARE(workload->requests[1].answerTokens, 4);
    }

    void forgivesLineEndsMarksAndBlankLines()
    {
        const auto workload = read("\xEF\xBB\xBF"
                                   "arrival_s,prompt_tokens,max_new_tokens\r\n0,10,3\r\n\r\n0,11,4");
        QVERIFY(workload.has_value());
        QCOMPARE(workload->requests.back().answerTokens, 4);
    }

    void promptsOfOnePrefixBeginWithTheSameTokens()
    {
        const auto workload = read("arrival_s,prompt_tokens,max_new_tokens,prefix_id,prefix_tokens\n"
                                   "0,10,3,7,6\n0,12,3,7,6\n0,10,3,8,6\n0,10,3,,\n");
        QVERIFY(workload.has_value());
        const auto first = workload->promptIds(0);
        QCOMPARE(first.size(), std::size_t(10));
        QCOMPARE(commonStart(first, workload->promptIds(1)), 6);
        QCOMPARE(commonStart(first, workload->promptIds(2)), 0);
        QCOMPARE(commonStart(first, workload->promptIds(3)), 0);
    }

    void readsAzureTimesToTheLastDigit()
    {
        const auto workload = read("TIMESTAMP,ContextTokens,GeneratedTokens\n"
                                   "2023-11-16 23:59:59.9799600,4808,10\n2023-11-17 00:00:00.0319600,3180,8");
        QVERIFY(workload.has_value());
        QCOMPARE(workload->requests[0].arrivalSeconds, 0.0);
        QVERIFY(std::abs(workload->requests[1].arrivalSeconds - 0.052) < 1e-9);
    }

    void readsMooncakeChunks()
    {
        const auto workload =
            read("{\"timestamp\": 0, \"input_length\": 1000, \"output_length\": 6, \"hash_ids\": [1, 2]}\n"
                 "{\"timestamp\": 1500, \"input_length\": 700, \"output_length\": 4, \"hash_ids\": [1, 3]}");
        QVERIFY(workload.has_value());
        QCOMPARE(workload->requests[1].arrivalSeconds, 1.5);
        QCOMPARE(workload->promptIds(0).size(), std::size_t(1000));
        QCOMPARE(commonStart(workload->promptIds(0), workload->promptIds(1)), 512);
    }

    void mooncakeLinesWithoutChunksShareNothing()
    {
        const std::string line = "{\"timestamp\": 0, \"input_length\": 1000, \"output_length\": 6}\n";
        const auto workload = read(line + line);
        QVERIFY(workload.has_value());
        QCOMPARE(commonStart(workload->promptIds(0), workload->promptIds(1)), 0);
    }

    void refusesWithLineAndColumn_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("begins");
        const std::string own = "arrival_s,prompt_tokens,max_new_tokens\n";
        const auto row = [](const char* name, const std::string& text, const char* begins) {
            QTest::newRow(name) << QByteArray::fromStdString(text) << QString(begins);
        };
        row("empty", "", "t.csv: the file is empty");
        row("header only", own, "t.csv: the file holds no request");
        row("no header", "0,10,3\n", "t.csv:1:1: neither a header with known columns nor a JSON object: '0,");
        row("damaged JSON", "\"timestamp\": 0, \"input_length\": 5}\n",
            "t.csv:1:1: neither a header with known columns nor a JSON object: '\"timestamp");
        row("damaged JSON behind spaces", "  {\"timestamp\": 0,\n", "t.csv:1:1: not a JSON object");
        row("UTF-16",
            std::string("\xFF\xFE"
                        "a\0r\0",
                        6),
            "t.csv:1:1: this is no text in UTF-8");
        row("UTF-16 without a mark", std::string("a\0r\0r\0", 6), "t.csv:1:1: this is no text in UTF-8");
        row("binary",
            std::string("\x7F"
                        "ELF\x02\x01\x01\0\0",
                        9),
            "t.csv:1:1: this is no text in UTF-8");
        row("missing column", "arrival_s,prompt_tokens\n0,1\n",
            "t.csv:1:1: the column max_new_tokens is missing");
        row("half a prefix", "arrival_s,prompt_tokens,max_new_tokens,prefix_id\n",
            "t.csv:1:1: prefix_id and prefix_");
        row("column twice", "arrival_s,prompt_tokens,max_new_tokens,arrival_s\n",
            "t.csv:1:40: the column is there");
        row("too few fields", own + "0,10,3\n0,10\n", "t.csv:3:1: 2 fields where the header has 3");
        row("too many fields", own + "0,10,3,4\n", "t.csv:2:1: 4 fields");
        row("negative tokens", own + "0,-10,3\n", "t.csv:2:3: -10 is out of range");
        row("no tokens", own + "0,10,0\n", "t.csv:2:6: 0 is out of range");
        row("huge tokens", own + "0,10,17000000\n", "t.csv:2:6: 17000000 is out of range");
        row("beyond 64 bits", own + "0,99999999999999999999,3\n",
            "t.csv:2:3: '99999999999999999999' is too large");
        row("not a number", own + "0,10,three\n", "t.csv:2:6: 'three' is not a whole number");
        row("half a number", own + "0,10,3.5\n", "t.csv:2:6: '3.5' is not a whole number");
        row("empty field", own + "0,,3\n", "t.csv:2:3: '' is not a whole number");
        row("negative time", own + "-1,10,3\n", "t.csv:2:1: '-1' is out of range");
        row("no time", own + "nan,10,3\n", "t.csv:2:1: 'nan' is not a time");
        row("infinite time", own + "inf,10,3\n", "t.csv:2:1: 'inf' is not a time");
        row("huge time", own + "1e300,10,3\n", "t.csv:2:1: '1e300' is out of range");
        row("unsorted", own + "5,10,3\n4,10,3\n", "t.csv:3:1: the request arrives before the one above");
        row("control characters", own + std::string("0,10,\x01\x1b[31m\n"),
            "t.csv:2:6: '\\x01\\x1b[31m' is not");
        row("prefix longer than prompt",
            "arrival_s,prompt_tokens,max_new_tokens,prefix_id,prefix_tokens\n0,5,1,1,6\n",
            "t.csv:2:9: 6 is out of range");
        const std::string azure = "TIMESTAMP,ContextTokens,GeneratedTokens\n";
        row("azure time", azure + "yesterday,1,1\n", "t.csv:2:1: not a time");
        row("azure month 13", azure + "2023-13-16 18:17:03.9,1,1\n", "t.csv:2:1: not a time");
        row("azure fraction", azure + "2023-11-16 18:17:03.9x,1,1\n", "t.csv:2:1: not a time");
        row("azure before the first", azure + "2023-11-16 18:17:03,1,1\n2023-11-16 18:17:02,1,1\n",
            "t.csv:3:1: the request arrives before the first");
        row("not JSON", "{\"timestamp\": 0\n", "t.csv:1:1: not a JSON object");
        row("a JSON list", "[{\"timestamp\": 0}]\n", "t.csv:1:1: a JSON list");
        row("deep JSON", std::string(100'000, '{'), "t.csv:1:1: not a JSON object");
        row("no length", "{\"timestamp\": 0, \"output_length\": 6}", "t.csv:1:1: input_length is missing");
        row("negative length", "{\"timestamp\": 0, \"input_length\": -5, \"output_length\": 6}",
            "t.csv:1:18: input_length is out of range");
        row("too many chunks",
            "{\"timestamp\": 0, \"input_length\": 512, \"output_length\": 6, \"hash_ids\": [1, 2]}",
            "t.csv:1:59: hash_ids has 2 entries where a prompt of 512 tokens has 1: one for each 512");
        row("too few chunks",
            "{\"timestamp\": 0, \"input_length\": 512, \"output_length\": 6, \"hash_ids\": [1]}\n"
            "{\"timestamp\": 0, \"input_length\": 1025, \"output_length\": 6, \"hash_ids\": [1, 2]}",
            "t.csv:2:60: hash_ids has 2 entries where a prompt of 1025 tokens has 3: one for each 512");
        row("no chunks in the list",
            "{\"timestamp\": 0, \"input_length\": 1, \"output_length\": 6, \"hash_ids\": []}",
            "t.csv:1:57: hash_ids has 0 entries");
        row("chunk that is no number",
            "{\"timestamp\": 0, \"input_length\": 512, \"output_length\": 6, \"hash_ids\": [-1]}",
            "t.csv:1:59: hash_ids is not a list");
        row("endless line", std::string(2'000'000, 'x'), "t.csv:1:1048576: the line is longer");
    }

    void refusesWithLineAndColumn()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, begins);
        const QString error = errorOf(text.toStdString());
        QVERIFY2(error.startsWith(begins), qPrintable(error));
        QVERIFY(!error.contains('\n'));
    }

    void refusesWhatIsNoFile()
    {
        const QTemporaryDir folder;
        QVERIFY(!readWorkload(folder.path().toStdString()));
        QVERIFY(!readWorkload(folder.filePath("missing.csv").toStdString()));
    }

    void aPipeIsReadAndOneWithoutAWriterIsRefused()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("pipe").toStdString();
        QCOMPARE(mkfifo(path.c_str(), 0600), 0);
        const auto nobody = readWorkload(path, std::chrono::milliseconds(50));
        QVERIFY(!nobody);
        QVERIFY(nobody.error().line().find("nobody writes to it") != std::string::npos);
        std::thread writer([&path] {
            std::ofstream out(path);
            out << "arrival_s,prompt_tokens,max_new_tokens\n" << std::flush;
            for (int i = 0; i < 50'000; ++i)
                out << i << ",10,3\n";
        });
        const auto workload = readWorkload(path);
        writer.join();
        QVERIFY2(workload, workload ? "" : workload.error().line().c_str());
        QCOMPARE(workload->requests.size(), std::size_t(50'000));
    }

    /// What is short lies in the pipe when its writer has gone already.
    void aWriterMayHaveGoneBeforeThePipeIsRead()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("pipe").toStdString();
        QCOMPARE(mkfifo(path.c_str(), 0600), 0);
        const auto readWritten = [&path](const std::string& text) {
            std::thread writer([&] { std::ofstream(path) << text; });
            const int kept = ::open(path.c_str(), O_RDONLY | O_NONBLOCK);
            writer.join(); // has written and closed, as the pipe had a reader
            const auto workload = readWorkload(path, std::chrono::seconds(1));
            ::close(kept);
            return workload;
        };
        const auto two = readWritten("arrival_s,prompt_tokens,max_new_tokens\n0,10,3\n1,10,3\n");
        QVERIFY2(two, two ? "" : two.error().line().c_str());
        QCOMPARE(two->requests.size(), std::size_t(2));
    }

    void aWriterThatWritesNothingIsNotWaitedFor()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("pipe").toStdString();
        QCOMPARE(mkfifo(path.c_str(), 0600), 0);
        std::thread writer([&path] { std::ofstream{path}; });
        const auto nothing = readWorkload(path);
        writer.join();
        QVERIFY(!nothing);
        QVERIFY2(nothing.error().line().find("the file is empty") != std::string::npos,
                 nothing.error().line().c_str());
    }

    void aWriterThatFallsSilentIsNotWaitedForWithoutEnd()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("pipe").toStdString();
        QCOMPARE(mkfifo(path.c_str(), 0600), 0);
        const int silent = ::open(path.c_str(), O_RDWR); // as a writer that keeps it open
        const std::string text = "arrival_s,prompt_tokens,max_new_tokens\n0,10,3\n";
        QCOMPARE(::write(silent, text.data(), text.size()), ssize_t(text.size()));
        const auto part = readWorkload(path, std::chrono::milliseconds(50));
        ::close(silent);
        QVERIFY(!part);
        QVERIFY2(part.error().line().find("nothing more comes") != std::string::npos,
                 part.error().line().c_str());
    }

    void aShortFileComesThroughAPipe()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("pipe").toStdString();
        QCOMPARE(mkfifo(path.c_str(), 0600), 0);
        for (int round = 0; round < 100; ++round) {
            std::thread writer([&path] {
                std::ofstream(path) << "arrival_s,prompt_tokens,max_new_tokens\n0,10,3\n1,10,3\n";
            });
            const auto workload = readWorkload(path);
            writer.join();
            QVERIFY2(workload, workload ? "" : workload.error().line().c_str());
            QCOMPARE(workload->requests.size(), std::size_t(2));
        }
    }

    void endlessStreamsEnd()
    {
        const auto zeros = readWorkload("/dev/zero");
        QVERIFY(!zeros);
        QVERIFY(zeros.error().line().find("the line is longer than 1 MiB") != std::string::npos);
        QVERIFY(!readWorkload("/dev/null"));
        QVERIFY(!readWorkload("/dev/urandom"));
        EndlessLines lines;
        std::istream in(&lines);
        const auto workload = readWorkload(in, "endless");
        QVERIFY(!workload);
        QVERIFY2(workload.error().line().find("more than 20000000 lines") != std::string::npos,
                 workload.error().line().c_str());
    }

    void readsAMillionRows()
    {
        const std::size_t rows = test::kSanitized ? 50'000 : 1'000'000;
        std::string text = "arrival_s,prompt_tokens,max_new_tokens\n";
        for (std::size_t i = 0; i < rows; ++i)
            text += std::to_string(i) + ",100,10\n";
        const auto workload = read(text);
        QVERIFY(workload.has_value());
        QCOMPARE(workload->requests.size(), rows);
    }

    void keepsWhatIsAskedFor()
    {
        auto workload = read("arrival_s,prompt_tokens,max_new_tokens\n0,10,3\n0,90,20\n0,11,4\n0,12,4\n");
        workload->keep(100, 2);
        QCOMPARE(workload->requests.size(), std::size_t(2));
        QCOMPARE(workload->requests[1].promptTokens, 11);
        QCOMPARE(workload->longestTotal(), std::int64_t(15));
    }

    void readsTheRealTraces()
    {
        if (!std::ifstream(trace("AzureLLMInferenceTrace_conv.csv")))
            QSKIP("the traces are not on this machine");
        const auto conversations = readWorkload(trace("AzureLLMInferenceTrace_conv.csv"));
        QCOMPARE(conversations->requests.size(), std::size_t(19'366));
        QVERIFY(std::abs(conversations->requests.back().arrivalSeconds - 3'501.72) < 0.01);
        QCOMPARE(readWorkload(trace("AzureLLMInferenceTrace_code.csv"))->requests.size(), std::size_t(8'819));
        QCOMPARE(readWorkload(trace("mooncake_synthetic_trace.jsonl"))->requests.size(), std::size_t(3'993));
        QCOMPARE(readWorkload(trace("mixed-64.csv"))->requests.size(), std::size_t(64));
    }
};

QTEST_APPLESS_MAIN(TestWorkloadReader)
#include "test_workload_reader.moc"
