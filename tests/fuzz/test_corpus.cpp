// SPDX-License-Identifier: GPL-3.0-or-later
// The inputs of a fuzzer's corpus, seeds and former findings, once each.
#include "tests/fuzz/fuzz_target.h"

#include <QDir>
#include <QtTest>

class TestCorpus : public QObject {
    Q_OBJECT
private slots:
    void isReadOrRefused_data()
    {
        QTest::addColumn<QString>("path");
        const QDir folder(QStringLiteral(VITRINE_TEST_DATA "/fuzz/" VITRINE_CORPUS));
        for (const QFileInfo& file : folder.entryInfoList(QDir::Files))
            QTest::newRow(qPrintable(file.fileName())) << file.filePath();
    }

    void isReadOrRefused()
    {
        QFETCH(QString, path);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.constData()),
                               static_cast<std::size_t>(bytes.size()));
    }
};

QTEST_APPLESS_MAIN(TestCorpus)
#include "test_corpus.moc"
