// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/engine_requests.h"
#include "tests/support/reference.h"
#include "tests/support/sanitized.h"
#include "tests/support/stepped_engine.h"

#include <QTest>

#include <filesystem>
#include <fstream>

using namespace vitrine;
using namespace vitrine::test;

namespace {

constexpr std::int64_t kMib = std::int64_t{1} << 20;

/// A line of /proc/self/status, which counts in KiB.
std::int64_t statusBytes(const std::string& key)
{
    std::ifstream file("/proc/self/status");
    for (std::string word; file >> word;)
        if (std::int64_t kib = 0; word == key + ":" && file >> kib)
            return kib << 10;
    return -1;
}

bool isMapped(const std::string& fileName)
{
    std::ifstream file("/proc/self/maps");
    for (std::string line; std::getline(file, line);)
        if (line.ends_with("/" + fileName))
            return true;
    return false;
}

} // namespace

/// In a program of its own, as the greatest resident size counts from its start.
class LoadMemoryTest : public QObject {
    Q_OBJECT
private slots:
    void aModelIsHeldOnceWhileItIsLoadedAndItsFileNotAtAllAfterwards();
};

void LoadMemoryTest::aModelIsHeldOnceWhileItIsLoadedAndItsFileNotAtAllAfterwards()
{
    if (kSanitized)
        QSKIP("a sanitizer's shadow memory is resident too");
    const std::filesystem::path path = starterModelPath().toStdString();
    if (!std::filesystem::exists(path))
        QSKIP("the starter model is not there");
    const auto fileBytes = static_cast<std::int64_t>(std::filesystem::file_size(path));
    const std::int64_t before = statusBytes("VmRSS");
    SteppedEngine engine(smallEngine());
    engine.load(path);
    QCOMPARE(engine.loads.size(), std::size_t(1));
    const std::int64_t after = statusBytes("VmRSS");
    QVERIFY(after - before > fileBytes / 2); // what is measured is there
    QVERIFY2(statusBytes("VmHWM") - after <= 30 * kMib,
             qPrintable(QString("%1 MiB more").arg((statusBytes("VmHWM") - after) / kMib)));
    QVERIFY(after - before <= fileBytes + 60 * kMib);
    QVERIFY(!isMapped(path.filename()));
}

QTEST_GUILESS_MAIN(LoadMemoryTest)
#include "test_load_memory.moc"
