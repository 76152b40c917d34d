// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/command_line.h"

#include <QRegularExpression>
#include <QTemporaryFile>
#include <QTest>

using namespace vitrine::test;

/// Texts and names of files, of every option that takes one: what --help shows is what is tried.
class CliArgumentsTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void everyTextIsCheckedAsWhatItIs();
    void anEmptyNameOfAFileIsWrongUsage_data();
    void anEmptyNameOfAFileIsWrongUsage();
    void aTextThatIsNoUtf8IsWrongUsage_data();
    void aTextThatIsNoUtf8IsWrongUsage();
    void theFirstBadByteOfATextIsNamed_data();
    void theFirstBadByteOfATextIsNamed();
    void aFileThatIsNoUtf8IsAnError_data();
    void aFileThatIsNoUtf8IsAnError();
    void aTextMayBeEmpty();

private:
    QTemporaryFile m_messages;
};

namespace {

const QString kModel = QStringLiteral(VITRINE_TEST_DATA "/arch/llama.gguf");

struct TextOption {
    QString command;
    QString name; ///< "--model", or of a positional its name
    QString kind; ///< "FILE", "UTF-8"; empty: taken as it is
};

QStringList subcommands()
{
    QStringList names;
    const QString help = QString::fromUtf8(runCli({"--help"}).output).section("Subcommands:", 1);
    for (const QString& line : help.split('\n', Qt::SkipEmptyParts))
        names << line.trimmed().section(' ', 0, 0);
    return names;
}

QList<TextOption> textOptions()
{
    static const QRegularExpression line("^ +(?:-\\w,)?(--[\\w-]+|\\w+) TEXT(?::(\\S+))?",
                                         QRegularExpression::MultilineOption);
    QList<TextOption> options;
    for (const QString& command : subcommands()) {
        const QString help = QString::fromUtf8(runCli({command, "--help"}).output);
        for (auto match = line.globalMatch(help); match.hasNext();) {
            const QRegularExpressionMatch found = match.next();
            options.append({command, found.captured(1), found.captured(2)});
        }
    }
    return options;
}

void addRows(const char* kind)
{
    QTest::addColumn<QStringList>("arguments");
    for (const TextOption& option : textOptions()) {
        const bool isNamed = option.name.startsWith("--");
        if (option.kind == QLatin1String(kind))
            QTest::addRow("%s %s", qPrintable(option.command), qPrintable(option.name))
                << (isNamed ? QStringList{option.command, option.name} : QStringList{option.command});
    }
}

/// In `$bad`, as no QString can hold it.
CliRun runWithBadText(const QString& bytes, const QStringList& arguments)
{
    return runInShell(QStringLiteral("exec \"$0\" \"$@\" \"$(printf '%1')\"").arg(bytes), arguments);
}

void isWrongUsage(const CliRun& run, const QByteArray& says)
{
    QVERIFY2(run.exitCode == 2, run.errors);
    QCOMPARE(run.output, QByteArray());
    QCOMPARE(run.errorLines().size(), 2); // what is wrong, and where help is
    QVERIFY2(run.errors.contains(says), run.errors);
}

} // namespace

void CliArgumentsTest::initTestCase()
{
    QVERIFY(m_messages.open());
    m_messages.write(R"([{"role":"user","content":"hi"}])");
    m_messages.close();
}

void CliArgumentsTest::everyTextIsCheckedAsWhatItIs()
{
    const QList<TextOption> options = textOptions();
    QVERIFY(options.size() > 20);
    for (const TextOption& option : options)
        QVERIFY2(!option.kind.isEmpty() || option.name == "--ids",
                 qPrintable(option.command + " " + option.name));
}

void CliArgumentsTest::anEmptyNameOfAFileIsWrongUsage_data()
{
    addRows("FILE");
}

void CliArgumentsTest::anEmptyNameOfAFileIsWrongUsage()
{
    QFETCH(QStringList, arguments);
    isWrongUsage(runCli(arguments + QStringList{""}), "the name is empty");
}

void CliArgumentsTest::aTextThatIsNoUtf8IsWrongUsage_data()
{
    addRows("UTF-8");
}

void CliArgumentsTest::aTextThatIsNoUtf8IsWrongUsage()
{
    QFETCH(QStringList, arguments);
    isWrongUsage(runWithBadText("gr\\374n", arguments), "'gr\\xfcn' is no UTF-8 at byte 3");
}

void CliArgumentsTest::theFirstBadByteOfATextIsNamed_data()
{
    QTest::addColumn<QString>("bytes");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* name, const char* bytes, const char* says) {
        QTest::newRow(name) << QString(bytes) << QByteArray(says);
    };
    row("behind good characters", "\\303\\274\\342\\202\\254\\377", "at byte 6");
    row("a character cut short", "ab\\342\\202", "at byte 3");
    row("an overlong form", "\\300\\200", "at byte 1");
    row("a surrogate", "x\\355\\240\\200", "at byte 2");
    row("beyond the last character", "\\364\\220\\200\\200", "at byte 1");
}

void CliArgumentsTest::theFirstBadByteOfATextIsNamed()
{
    QFETCH(QString, bytes);
    QFETCH(QByteArray, says);
    isWrongUsage(runWithBadText(bytes, {"run", "-m", kModel, "-p"}), says);
}

void CliArgumentsTest::aFileThatIsNoUtf8IsAnError_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("prompt") << QStringList{"run", "-m", kModel, "-f"};
    QTest::newRow("text") << QStringList{"perplexity", "-m", kModel, "-f"};
    QTest::newRow("text to tokenize") << QStringList{"tokenize", "-m", kModel, "--file"};
    QTest::newRow("messages") << QStringList{"template", "-m", kModel, "--messages"};
    QTest::newRow("template") << QStringList{"template", "--messages", m_messages.fileName(), "--template"};
}

void CliArgumentsTest::aFileThatIsNoUtf8IsAnError()
{
    QFETCH(QStringList, arguments);
    const CliRun run = runInShell("printf 'gr\\374n' | \"$0\" \"$@\" /dev/stdin", arguments);
    QCOMPARE(run.exitCode, 1);
    QCOMPARE(run.output, QByteArray());
    QCOMPARE(run.errors, QByteArray("vitrine-cli: /dev/stdin: is no text in UTF-8: byte 3 belongs to no "
                                    "character (convert it)\n"));
}

void CliArgumentsTest::aTextMayBeEmpty()
{
    const CliRun run = runCli({"tokenize", "-m", kModel, "--text", "", "--json"});
    QVERIFY2(run.exitCode == 0, run.errors);
    QCOMPARE(run.output, QByteArray("{\"ids\":[]}\n"));
}

QTEST_GUILESS_MAIN(CliArgumentsTest)
#include "test_cli_arguments.moc"
