// SPDX-License-Identifier: GPL-3.0-or-later
// The tokenizers against the answers of independent programs (shared/reference).
#include "tests/support/load.h"
#include "tests/support/reference.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QtTest>

#include <map>

using namespace vitrine;

namespace {

using Tokens = std::vector<TokenId>;

Tokens toTokens(const QJsonArray& array)
{
    Tokens tokens;
    for (const QJsonValue& id : array)
        tokens.push_back(id.toInt());
    return tokens;
}

Tokens toTokens(const QByteArray& line)
{
    Tokens tokens;
    for (const QByteArray& id : line.simplified().split(' ')) {
        if (!id.isEmpty())
            tokens.push_back(id.toInt());
    }
    return tokens;
}

QList<QByteArray> splitTexts(const QByteArray& bytes)
{
    const QByteArray separator = "\n__ggml_vocab_test__\n";
    QList<QByteArray> texts;
    qsizetype done = 0;
    for (qsizetype at = bytes.indexOf(separator); at >= 0; at = bytes.indexOf(separator, done)) {
        texts.append(bytes.mid(done, at - done));
        done = at + separator.size();
    }
    texts.append(bytes.mid(done));
    return texts;
}

QString shown(const Tokens& tokens)
{
    QStringList ids;
    for (TokenId token : tokens)
        ids += QString::number(token);
    return ids.join(QLatin1Char(' '));
}

} // namespace

class TestTokenizerReference : public QObject {
    Q_OBJECT
private slots:
    void vocabulariesGiveTheReferenceTokens_data();
    void vocabulariesGiveTheReferenceTokens();
    void starterModelGivesTheReferenceTokens();
    void starterModelGivesTheReferenceTokensOfItsChats();
    void starterModelKnowsItsSpecialTokens();
};

void TestTokenizerReference::vocabulariesGiveTheReferenceTokens_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"gpt-2", "llama-bpe", "qwen2", "llama-spm", "phi-3"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void TestTokenizerReference::vocabulariesGiveTheReferenceTokens()
{
    QFETCH(QString, name);
    const QString path = test::referencePath(QStringLiteral("tokenizer/ggml-vocab-%1.gguf").arg(name));
    VITRINE_SKIP_WITHOUT(path);
    const auto tokenizer = test::loadTokenizer(path);
    for (const std::string& warning : tokenizer->warnings())
        qInfo("%s", warning.c_str());
    const QList<QByteArray> texts = splitTexts(test::readAll(path + QStringLiteral(".inp")));
    const QList<QByteArray> answers = test::readAll(path + QStringLiteral(".out")).split('\n');
    QVERIFY(texts.size() > 40);
    QVERIFY(answers.size() >= texts.size());
    for (qsizetype i = 0; i < texts.size(); ++i) {
        const Tokens tokens = tokenizer->tokenize(texts[i].toStdString());
        QVERIFY2(
            tokens == toTokens(answers[i]),
            qPrintable(QStringLiteral("text %1: %2, expected %3").arg(i).arg(shown(tokens), answers[i])));
        QCOMPARE(tokenizer->detokenize(tokens), texts[i].toStdString());
    }
}

void TestTokenizerReference::starterModelGivesTheReferenceTokens()
{
    VITRINE_SKIP_WITHOUT(test::starterModelPath());
    const QString answers = test::referencePath(QStringLiteral("smollm2/tokenizer.json"));
    VITRINE_SKIP_WITHOUT(answers);
    const auto tokenizer = test::loadTokenizer(test::starterModelPath());
    QVERIFY(tokenizer->warnings().empty());
    const QJsonArray cases = test::readJson(answers).array();
    QVERIFY(cases.size() > 30);
    for (const QJsonValue& value : cases) {
        const std::string text = value[QStringLiteral("text")].toString().toStdString();
        const bool special = value[QStringLiteral("special")].toBool();
        const Tokens expected = toTokens(value[QStringLiteral("ids")].toArray());
        const Tokens tokens = tokenizer->tokenize(text, {.parseSpecial = special});
        QVERIFY2(tokens == expected,
                 (text + ": " + shown(tokens).toStdString() + ", expected " + shown(expected).toStdString())
                     .c_str());
    }
}

void TestTokenizerReference::starterModelGivesTheReferenceTokensOfItsChats()
{
    VITRINE_SKIP_WITHOUT(test::starterModelPath());
    const QString answers = test::referencePath(QStringLiteral("smollm2/chat.json"));
    VITRINE_SKIP_WITHOUT(answers);
    const auto tokenizer = test::loadTokenizer(test::starterModelPath());
    const QJsonArray chats = test::readJson(answers).array();
    QVERIFY(!chats.isEmpty());
    for (const QJsonValue& chat : chats) {
        const Tokens tokens = tokenizer->tokenize(chat[QStringLiteral("prompt")].toString().toStdString(),
                                                  {.addBos = true, .parseSpecial = true});
        QCOMPARE(shown(tokens), shown(toTokens(chat[QStringLiteral("ids")].toArray())));
    }
}

void TestTokenizerReference::starterModelKnowsItsSpecialTokens()
{
    VITRINE_SKIP_WITHOUT(test::starterModelPath());
    const auto tokenizer = test::loadTokenizer(test::starterModelPath());
    const Vocabulary& vocabulary = tokenizer->vocabulary();
    QCOMPARE(vocabulary.size(), 49152u);
    QCOMPARE(vocabulary.bos(), std::optional(1));
    QCOMPARE(vocabulary.eos(), std::optional(2));
    QVERIFY(!vocabulary.addsBos());
    QCOMPARE(Tokens(vocabulary.endTokens().begin(), vocabulary.endTokens().end()), (Tokens{0, 2}));
    QVERIFY(!vocabulary.isShown(1));
    QVERIFY(vocabulary.isShown(9690));
    QCOMPARE(vocabulary.bytes(9690), std::string_view("system"));
}

QTEST_APPLESS_MAIN(TestTokenizerReference)
#include "test_tokenizer_reference.moc"
