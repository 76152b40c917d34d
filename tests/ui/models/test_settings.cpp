// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/settings.h"

#include <QFile>
#include <QSettings>
#include <QTemporaryDir>
#include <QtTest>

#include <functional>

using namespace vitrine;
using namespace vitrine::ui;

class TestSettings : public QObject {
    Q_OBJECT
private:
    /// What a start makes of such a file.
    static void load(const QByteArray& text, const std::function<void(const Settings&)>& check)
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("vitrine.conf"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        QSettings store(path, QSettings::IniFormat);
        check(Settings(store));
    }

private slots:
    void whatIsSetIsThereAtTheNextStart()
    {
        const QTemporaryDir folder;
        QSettings store(folder.filePath(QStringLiteral("vitrine.conf")), QSettings::IniFormat);
        EngineOptions engine;
        engine.scheduler.blockSize = 32;
        engine.scheduler.watermark = 0.25;
        engine.scheduler.allocator = Allocator::ContiguousOracle;
        engine.scheduler.enablePrefixCaching = false;
        engine.kvCacheMib = 300;
        engine.backend = BackendChoice::Cpu;
        SamplingOptions sampling;
        sampling.temperature = 0;
        sampling.seed = ~std::uint64_t{0};
        {
            Settings settings(store);
            settings.setEngineOptions(engine);
            settings.keepEngineOptions(settings.engineOptions());
            settings.setSampling(sampling);
            settings.setTheme(ThemeChoice::Dark);
            settings.addRecentModel(QStringLiteral("a.gguf"));
        }
        const Settings settings(store);
        QVERIFY(settings.engineOptions() == engine);
        QVERIFY(settings.sampling() == sampling);
        QCOMPARE(settings.theme(), ThemeChoice::Dark);
        QCOMPARE(settings.recentModels(), QStringList{QStringLiteral("a.gguf")});
    }

    void theCommandLineIsNotKeptWhenAnotherOptionChanges()
    {
        const QTemporaryDir folder;
        QSettings store(folder.filePath(QStringLiteral("vitrine.conf")), QSettings::IniFormat);
        {
            Settings settings(store);
            EngineOptions options;
            options.threads = 3;
            settings.setEngineOptions(options);
            settings.keepEngineOptions(settings.engineOptions());
        }
        Settings settings(store);
        EngineOptions options = settings.engineOptions();
        options.threads = 1;
        options.scheduler.blockSize = 4;
        settings.overrideEngineOptions(options);
        options.scheduler.maxNumSeqs = 8;
        settings.setEngineOptions(options);
        settings.keepEngineOptions(settings.engineOptions());
        QVERIFY(settings.engineOptions() == options);
        const Settings next(store);
        QCOMPARE(next.engineOptions().threads, 3);
        QCOMPARE(next.engineOptions().scheduler.blockSize, 16);
        QCOMPARE(next.engineOptions().scheduler.maxNumSeqs, 8);
    }

    void whatTheEngineRefusesIsNeitherKeptNorShown()
    {
        const QTemporaryDir folder;
        QSettings store(folder.filePath(QStringLiteral("vitrine.conf")), QSettings::IniFormat);
        Settings settings(store);
        EngineOptions agreed;
        agreed.threads = 1;
        settings.overrideEngineOptions(agreed);
        EngineOptions refused = agreed;
        refused.kvCacheMib = 1 << 23;
        settings.setEngineOptions(refused);
        QCOMPARE(store.allKeys(), QStringList());
        settings.withdrawEngineOptions(settings.engineOptions());
        QVERIFY(settings.engineOptions() == agreed);
        settings.keepEngineOptions(settings.engineOptions());
        QCOMPARE(store.allKeys(), QStringList());
    }

    /// Answers come in the order of the questions, and later than further questions.
    void theLastOfSeveralOptionsUnderWayWins_data()
    {
        QTest::addColumn<bool>("firstIsGood");
        QTest::addColumn<bool>("secondIsGood");
        QTest::addColumn<int>("threads");
        QTest::newRow("both") << true << true << 3;
        QTest::newRow("the first alone") << true << false << 2;
        QTest::newRow("the second alone") << false << true << 3;
        QTest::newRow("none") << false << false << 1;
    }

    void theLastOfSeveralOptionsUnderWayWins()
    {
        QFETCH(bool, firstIsGood);
        QFETCH(bool, secondIsGood);
        QFETCH(int, threads);
        const QTemporaryDir folder;
        QSettings store(folder.filePath(QStringLiteral("vitrine.conf")), QSettings::IniFormat);
        Settings settings(store);
        EngineOptions options;
        options.threads = 1;
        settings.setEngineOptions(options);
        settings.keepEngineOptions(options);
        const auto answer = [&settings](const EngineOptions& asked, bool good) {
            good ? settings.keepEngineOptions(asked) : settings.withdrawEngineOptions(asked);
        };
        EngineOptions first = options, second = options;
        first.threads = 2;
        second.threads = 3;
        settings.setEngineOptions(first);
        settings.setEngineOptions(second);
        answer(first, firstIsGood);
        QVERIFY(settings.engineOptions() == second); // still under way
        answer(second, secondIsGood);
        QCOMPARE(settings.engineOptions().threads, threads);
        QCOMPARE(Settings(store).engineOptions().threads, threads);
    }

    void aDemonstrationKeepsNothing()
    {
        const QTemporaryDir folder;
        QSettings store(folder.filePath(QStringLiteral("vitrine.conf")), QSettings::IniFormat);
        Settings settings(store);
        settings.keepNothing();
        settings.addRecentModel(QStringLiteral("a.gguf"));
        EngineOptions engine;
        engine.threads = 2;
        settings.setEngineOptions(engine);
        settings.keepEngineOptions(settings.engineOptions());
        settings.setSampling(SamplingOptions{.temperature = 0});
        settings.setSystemPrompt(QStringLiteral("Be brief."));
        settings.setTheme(ThemeChoice::Dark);
        settings.setReduceMotion(true);
        settings.setLargeType(true);
        QCOMPARE(settings.engineOptions().threads, 2);
        QCOMPARE(settings.recentModels().size(), 1);
        QCOMPARE(store.allKeys(), QStringList());
    }

    void aBadValueCountsAsNotStored_data()
    {
        QTest::addColumn<QByteArray>("line");
        for (const char* line : {"block_size=0",
                                 "block_size=-16",
                                 "block_size=4097",
                                 "block_size=4294967312",
                                 "block_size=many",
                                 "num_blocks=1",
                                 "num_blocks=-1",
                                 "max_num_seqs=0",
                                 "max_num_seqs=65537",
                                 "max_num_batched_tokens=0",
                                 "max_num_batched_tokens=16777217",
                                 "max_model_len=-1",
                                 "max_model_len=268435457",
                                 "batching=2",
                                 "allocator=4",
                                 "allocator=-1",
                                 "scheduling_policy=17",
                                 "kv_cache_dtype=2",
                                 "backend=3",
                                 "backend=cuda",
                                 "watermark=1",
                                 "watermark=-0.1",
                                 "watermark=nan",
                                 "watermark=1e400",
                                 "kv_cache_mib=-1",
                                 "kv_cache_mib=9223372036854775807",
                                 "threads=-1",
                                 "threads=1000000",
                                 "threads=@Variant(\\0\\0)",
                                 "threads=1, 2"})
            QTest::newRow(line) << QByteArray(line);
    }

    void aBadValueCountsAsNotStored()
    {
        QFETCH(QByteArray, line);
        load("[engine]\n" + line + "\nenable_chunked_prefill=false\n", [](const Settings& settings) {
            EngineOptions expected;
            expected.scheduler.enableChunkedPrefill = false; // the others of the file are taken
            QVERIFY(settings.engineOptions() == expected);
        });
    }

    void aBadSamplingValueCountsAsNotStored_data()
    {
        QTest::addColumn<QByteArray>("line");
        for (const char* line :
             {"temperature=-1", "temperature=1e300", "temperature=nan", "top_k=-1", "top_p=0", "top_p=1.5",
              "min_p=2", "repetition_penalty=0", "seed=-1", "seed=x"})
            QTest::newRow(line) << QByteArray(line);
    }

    void aBadSamplingValueCountsAsNotStored()
    {
        QFETCH(QByteArray, line);
        load("[sampling]\n" + line + '\n',
             [](const Settings& settings) { QVERIFY(settings.sampling() == SamplingOptions{}); });
    }

    void aFileOfGarbageGivesTheDefaults()
    {
        load(QByteArray("[window]\ntheme=9\n[models]\nrecent=@Invalid()\n\0\xff[[[=\n", 53),
             [](const Settings& settings) {
                 QVERIFY(settings.engineOptions() == EngineOptions{});
                 QCOMPARE(settings.theme(), ThemeChoice::System);
                 QVERIFY(settings.recentModels().isEmpty());
             });
    }
};

QTEST_GUILESS_MAIN(TestSettings)
#include "test_settings.moc"
