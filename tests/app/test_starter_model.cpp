// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/command_line.h"
#include "tests/support/reference.h"

#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstring>

using namespace vitrine::test;

/// The starter model, whole, through the program that users run: text, logits and perplexity against the
/// references.
class StarterModelTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void conversationsBecomeTheReferencesTextAndIds_data() { addConversations(); }
    void conversationsBecomeTheReferencesTextAndIds();
    void theBestTokenIsTheReferencesWhereFloatIsDecided_data() { addConversations(); }
    void theBestTokenIsTheReferencesWhereFloatIsDecided();
    void theTwentyBestLogitsAreAsExactAsThePeers();
    void perplexityOfTheLicenceIsTheReferences();
    void aQuestionIsAnsweredAndTheEndTokenDoesNotShow();

private:
    void addConversations();
    QVector<float> logits(const QStringList& ids);
    static QStringList ids(const QJsonArray& array);

    QTemporaryDir m_folder;
    QJsonArray m_conversations;
    QVector<double> m_errors; ///< over the twenty best logits of each conversation's first answer token
    QVector<double> m_peerErrors;
};

namespace {

double median(QVector<double> values)
{
    std::ranges::sort(values);
    return values.size() % 2 ? values[values.size() / 2]
                             : (values[values.size() / 2 - 1] + values[values.size() / 2]) / 2;
}

} // namespace

void StarterModelTest::initTestCase()
{
    VITRINE_SKIP_WITHOUT(starterModelPath());
}

void StarterModelTest::addConversations()
{
    QTest::addColumn<QJsonObject>("conversation");
    m_conversations = readJson(referencePath("smollm2/chat.json")).array();
    if (m_conversations.isEmpty())
        QSKIP("../shared/reference/smollm2/chat.json is not there");
    for (const QJsonValue& value : m_conversations)
        QTest::newRow(qPrintable(value.toObject()["user"].toString())) << value.toObject();
}

QStringList StarterModelTest::ids(const QJsonArray& array)
{
    QStringList list;
    for (const QJsonValue& id : array)
        list << QString::number(id.toInt());
    return list;
}

QVector<float> StarterModelTest::logits(const QStringList& ids)
{
    const QString path = m_folder.filePath("logits.f32");
    const CliRun run = runCli({"logits", "-m", starterModelPath(), "--ids", ids.join(','), "-o", path});
    const QByteArray bytes = readAll(path);
    QVector<float> values(bytes.size() / qsizetype(sizeof(float)));
    std::memcpy(values.data(), bytes.constData(), static_cast<std::size_t>(bytes.size()));
    return run.exitCode == 0 ? values : QVector<float>();
}

void StarterModelTest::conversationsBecomeTheReferencesTextAndIds()
{
    QFETCH(QJsonObject, conversation);
    const QString messages = m_folder.filePath("messages.json");
    QFile file(messages);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(
        QJsonDocument(QJsonArray{QJsonObject{{"role", "user"}, {"content", conversation["user"]}}}).toJson());
    file.close();
    const CliRun rendered = runCli({"template", "-m", starterModelPath(), "--messages", messages});
    QCOMPARE(QString::fromUtf8(rendered.output), conversation["prompt"].toString());

    QFile text(m_folder.filePath("prompt.txt"));
    QVERIFY(text.open(QIODevice::WriteOnly));
    text.write(rendered.output);
    text.close();
    const CliRun tokens = runCli({"tokenize", "-m", starterModelPath(), "--file", text.fileName(), "--json"});
    QCOMPARE(tokens.json()["ids"].toArray(), conversation["ids"].toArray());
}

void StarterModelTest::theBestTokenIsTheReferencesWhereFloatIsDecided()
{
    constexpr double kDecided = 0.3;
    QFETCH(QJsonObject, conversation);
    const QJsonArray answer = conversation["greedy"].toArray();
    const QJsonArray margins = conversation["greedy_margin"].toArray();
    const QStringList prompt = ids(conversation["ids"].toArray());
    const QVector<float> all = logits(prompt + ids(answer));
    QVERIFY(!all.isEmpty());
    const qsizetype vocabulary = all.size() / (prompt.size() + answer.size());
    for (qsizetype step = 0; step < answer.size(); ++step) {
        const auto row = all.begin() + (prompt.size() - 1 + step) * vocabulary;
        const auto best = std::max_element(row, row + vocabulary) - row;
        if (margins[step].toDouble() >= kDecided)
            QCOMPARE(int(best), answer[step].toInt());
    }
    double error = 0;
    double power = 0;
    const auto first = all.begin() + (prompt.size() - 1) * vocabulary;
    for (const QJsonValue& entry : conversation["top20"].toArray()) {
        const double truth = entry.toArray()[1].toDouble();
        const double ours = first[entry.toArray()[0].toInt()];
        error += (ours - truth) * (ours - truth);
        power += truth * truth;
    }
    m_errors << error / power;
    m_peerErrors << conversation["peer_top20_nmse"].toDouble();
}

void StarterModelTest::theTwentyBestLogitsAreAsExactAsThePeers()
{
    if (m_errors.isEmpty())
        QSKIP("no conversation was compared");
    qInfo("median error %.3g, the peer's %.3g", median(m_errors), median(m_peerErrors));
    QVERIFY(median(m_errors) <= median(m_peerErrors));
}

void StarterModelTest::perplexityOfTheLicenceIsTheReferences()
{
    const QString licence = QStringLiteral("/usr/share/common-licenses/GPL-3");
    VITRINE_SKIP_WITHOUT(licence);
    const CliRun run = runCli({"perplexity", "-m", starterModelPath(), "-f", licence, "-c", "512", "--json"});
    const double perplexity = run.json()["perplexity"].toDouble();
    qInfo("perplexity %.4f over %d tokens", perplexity, run.json()["tokens"].toInt());
    QVERIFY2(std::abs(perplexity - 18.3) <= 0.15, run.output + run.errors);
}

void StarterModelTest::aQuestionIsAnsweredAndTheEndTokenDoesNotShow()
{
    const CliRun run = runCli(
        {"run", "-m", starterModelPath(), "-p", "Say hello.", "-n", "60", "--temperature", "0", "--json"});
    QCOMPARE(run.exitCode, 0);
    const QString text = run.json()["text"].toString();
    QVERIFY(!text.trimmed().isEmpty());
    QVERIFY(!text.contains("<|im_end|>"));
}

QTEST_GUILESS_MAIN(StarterModelTest)
#include "test_starter_model.moc"
