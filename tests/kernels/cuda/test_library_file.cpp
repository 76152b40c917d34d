// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/library_file.h"

#include <QFile>
#include <QLibraryInfo>
#include <QTemporaryDir>
#include <QTest>

#include <elf.h>
#include <sys/stat.h>

using vitrine::kernels::cuda::faultOf;

/// A file is looked at before the loader gets it. The sound one is Qt's, which is there on every machine.
class LibraryFileTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void aWholeLibraryIsSound();
    void aPartOfOneIsNone_data();
    void aPartOfOneIsNone();
    void aLibraryForAnotherMachineIsNamedSo_data();
    void aLibraryForAnotherMachineIsNamedSo();
    void tablesThatLieOutsideAreSeen_data();
    void tablesThatLieOutsideAreSeen();
    void whatIsNoLibraryIsToldApart_data();
    void whatIsNoLibraryIsToldApart();

private:
    [[nodiscard]] std::string faultOfBytes(const QByteArray& bytes);

    QTemporaryDir m_folder;
    QString m_sound = QLibraryInfo::path(QLibraryInfo::LibrariesPath) + QStringLiteral("/libQt6Core.so.6");
    QByteArray m_bytes;
};

std::string LibraryFileTest::faultOfBytes(const QByteArray& bytes)
{
    QFile file(m_folder.filePath("library.so"));
    if (!file.open(QFile::WriteOnly) || file.write(bytes) != bytes.size())
        return "the test cannot write";
    file.close();
    return faultOf(file.fileName().toStdString());
}

void LibraryFileTest::initTestCase()
{
    QFile file(m_sound);
    QVERIFY2(file.open(QFile::ReadOnly), qPrintable(m_sound));
    m_bytes = file.readAll();
    QVERIFY(m_bytes.size() > 1 << 20);
}

void LibraryFileTest::aWholeLibraryIsSound()
{
    QCOMPARE(faultOf(m_sound.toStdString()), std::string());
    QCOMPARE(faultOfBytes(m_bytes), std::string());
}

void LibraryFileTest::aPartOfOneIsNone_data()
{
    QTest::addColumn<qsizetype>("length");
    const qsizetype size = m_bytes.size();
    for (const qsizetype length :
         {qsizetype{0}, qsizetype{1}, qsizetype{16}, qsizetype{63}, qsizetype{64}, qsizetype{200},
          qsizetype{4096}, qsizetype{500'000}, size / 2, size - 4096, size - 1})
        QTest::addRow("%lld of its bytes", static_cast<long long>(length)) << length;
}

void LibraryFileTest::aPartOfOneIsNone()
{
    QFETCH(qsizetype, length);
    const std::string fault = faultOfBytes(m_bytes.first(length));
    const bool hasHeader = length >= 64;
    QCOMPARE(fault, hasHeader ? "is cut off: it has " + std::to_string(length) + " bytes"
                              : std::string("is no library"));
}

void LibraryFileTest::aLibraryForAnotherMachineIsNamedSo_data()
{
    QTest::addColumn<int>("offset");
    QTest::newRow("word size") << int(EI_CLASS);
    QTest::newRow("byte order") << int(EI_DATA);
    QTest::newRow("processor") << int(offsetof(Elf64_Ehdr, e_machine));
}

void LibraryFileTest::aLibraryForAnotherMachineIsNamedSo()
{
    QFETCH(int, offset);
    QByteArray bytes = m_bytes;
    bytes[offset] = char(bytes[offset] ^ 3); // 32 and 64 bits, little and big are 1 and 2
    QCOMPARE(faultOfBytes(bytes), std::string("is a library for another kind of machine"));
}

void LibraryFileTest::tablesThatLieOutsideAreSeen_data()
{
    QTest::addColumn<int>("offset");
    QTest::newRow("segments") << int(offsetof(Elf64_Ehdr, e_phoff));
    QTest::newRow("sections") << int(offsetof(Elf64_Ehdr, e_shoff));
    QTest::newRow("first segment") << int(sizeof(Elf64_Ehdr) + offsetof(Elf64_Phdr, p_filesz));
}

/// So far that adding a length would come around to the beginning.
void LibraryFileTest::tablesThatLieOutsideAreSeen()
{
    QFETCH(int, offset);
    QByteArray bytes = m_bytes;
    bytes.replace(offset, 8, QByteArray(8, '\xff'));
    const std::string fault = faultOfBytes(bytes);
    QVERIFY2(fault.starts_with("is cut off"), fault.c_str());
}

void LibraryFileTest::whatIsNoLibraryIsToldApart_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("fault");
    const QString pipe = m_folder.filePath("pipe.so");
    QCOMPARE(mkfifo(qPrintable(pipe), 0600), 0);
    QTest::newRow("nothing") << m_folder.filePath("none.so") << "is not there";
    QTest::newRow("a pipe") << pipe << "is no regular file";
    QTest::newRow("a folder") << m_folder.path() << "is no regular file";
    QTest::newRow("a device") << "/dev/zero"
                              << "is no regular file";
    QTest::newRow("a text") << VITRINE_SOURCE_DIR "/README.md"
                            << "is no library";
}

void LibraryFileTest::whatIsNoLibraryIsToldApart()
{
    QFETCH(QString, path);
    QFETCH(QString, fault);
    QCOMPARE(QString::fromStdString(faultOf(path.toStdString())), fault);
}

QTEST_APPLESS_MAIN(LibraryFileTest)
#include "test_library_file.moc"
