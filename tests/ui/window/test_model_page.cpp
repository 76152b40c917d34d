// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/failing_backend.h"
#include "ui/models/model_state.h"
#include "ui/models/settings.h"
#include "ui/window/model_page.h"

#include <QGroupBox>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QtTest>

#include <semaphore>

using namespace vitrine;
using namespace vitrine::ui;

class ModelPageTest : public QObject {
    Q_OBJECT
private slots:
    void init();
    void withoutAModelItAsksForAFile();
    void factsWarningsAndMemoryAreShownBeforeLoading();
    void aLargerPoolIsRefusedBeforeLoading();
    void loadingTakesThePoolThatWasChosen();
    void aModelThatIsLoadingIsShown();
    void whatIsThereNeedsNoLoading();
    void aLoadThatFailsLeavesTheModelAndItsPool();
    void aFileThatIsNoModelIsRefusedWithItsReason();
    void theNewestFileIsShown();
    void theMemoryIsThatOfTheCardWhereItWouldCompute();
    void aModelOnTheCardLeavesItForTheNextOne();
    void theCardIsLookedAtOnceItsModelHasLeft();
    void itIsNotLookedAtWhileAModelLoads();

private:
    [[nodiscard]] QString text(const char* accessibleName) const;
    [[nodiscard]] QPushButton* loadButton() const;
    [[nodiscard]] QString notice() const;
    void show(const QString& path);
    void startHost(OpenCardFn openTheCard);

    QTemporaryDir m_folder;
    std::unique_ptr<QSettings> m_store;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<EngineHost> m_host;
    std::unique_ptr<ModelState> m_model;
    std::unique_ptr<ModelPage> m_page;
};

namespace {

const QString kTinyModel = VITRINE_TEST_DATA "/arch/llama.gguf";
constexpr int kPatienceMillis = 60000;

} // namespace

void ModelPageTest::init()
{
    m_page.reset();
    m_model.reset();
    m_host.reset();
    m_store = std::make_unique<QSettings>(m_folder.filePath("settings.ini"), QSettings::IniFormat);
    m_store->clear();
    m_settings = std::make_unique<Settings>(*m_store);
    EngineOptions options;
    options.threads = 1;
    options.kvCacheMib = 2;
    m_settings->overrideEngineOptions(options);
    m_host = std::make_unique<EngineHost>(options);
    m_model = std::make_unique<ModelState>(*m_host);
    m_page = std::make_unique<ModelPage>(*m_model, *m_settings);
}

QString ModelPageTest::text(const char* accessibleName) const
{
    for (const QLabel* label : m_page->findChildren<QLabel*>())
        if (label->accessibleName() == QLatin1String(accessibleName))
            return label->text();
    return {};
}

QPushButton* ModelPageTest::loadButton() const
{
    for (QPushButton* button : m_page->findChildren<QPushButton*>())
        if (button->text() == QLatin1String("&Load"))
            return button;
    return nullptr;
}

QString ModelPageTest::notice() const
{
    const auto* label = m_page->findChild<QLabel*>("notice");
    return label == nullptr || label->isHidden() ? QString() : label->text();
}

void ModelPageTest::show(const QString& path)
{
    m_page->open(path);
    const ModelPreview* preview = m_page->findChild<ModelPreview*>();
    QTRY_VERIFY_WITH_TIMEOUT(!preview->isReading() && (preview->survey() || preview->refusal()),
                             kPatienceMillis);
}

/// Another one, without a page.
void ModelPageTest::startHost(OpenCardFn openTheCard)
{
    m_page.reset();
    m_model.reset();
    m_host = std::make_unique<EngineHost>(m_settings->engineOptions(), nullptr, std::move(openTheCard));
    m_model = std::make_unique<ModelState>(*m_host);
}

void ModelPageTest::withoutAModelItAsksForAFile()
{
    QVERIFY(notice().contains("GGUF"));
    QVERIFY(!loadButton()->isEnabled());
    QVERIFY(!m_page->findChild<QGroupBox*>()->isEnabled());
}

void ModelPageTest::factsWarningsAndMemoryAreShownBeforeLoading()
{
    show(kTinyModel);
    QCOMPARE(text("Architecture"), QString("llama"));
    QVERIFY(text("Tensors").contains("F32"));
    QVERIFY(text("Context").contains("512"));
    QVERIFY(text("KV cache").contains("blocks"));
    QVERIFY(!text("Together").isEmpty());
    QVERIFY2(notice().contains("template"), qPrintable(notice())); // it has none
    QVERIFY(loadButton()->isEnabled());
    QVERIFY(!m_model->isLoading());
}

void ModelPageTest::aLargerPoolIsRefusedBeforeLoading()
{
    show(kTinyModel);
    auto* size = m_page->findChild<QSpinBox*>();
    size->setValue(size->maximum()); // a tebibyte
    QVERIFY2(notice().contains("MiB"), qPrintable(notice()));
    QVERIFY(!loadButton()->isEnabled());
    size->setValue(4);
    QVERIFY(loadButton()->isEnabled());
}

void ModelPageTest::loadingTakesThePoolThatWasChosen()
{
    show(kTinyModel);
    m_page->findChild<QSpinBox*>()->setValue(4);
    QSignalSpy loaded(m_model.get(), &ModelState::loaded);
    QSignalSpy options(m_model.get(), &ModelState::optionsLoaded);
    loadButton()->click();
    QTRY_COMPARE_WITH_TIMEOUT(loaded.count(), 1, kPatienceMillis);
    QCOMPARE(options.count(), 1);
    QVERIFY(m_model->info().kvCacheBytes > 3u << 20 && m_model->info().kvCacheBytes <= 4u << 20);
    QCOMPARE(m_page->result(), int(QDialog::Accepted));
}

void ModelPageTest::aModelThatIsLoadingIsShown()
{
    QSignalSpy loaded(m_model.get(), &ModelState::loaded);
    m_model->load(kTinyModel); // after the page was opened
    QTRY_COMPARE_WITH_TIMEOUT(text("Architecture"), QString("llama"), kPatienceMillis);
    QTRY_COMPARE_WITH_TIMEOUT(loaded.count(), 1, kPatienceMillis);
}

void ModelPageTest::whatIsThereNeedsNoLoading()
{
    QSignalSpy loaded(m_model.get(), &ModelState::loaded);
    m_model->load(kTinyModel);
    QTRY_COMPARE_WITH_TIMEOUT(loaded.count(), 1, kPatienceMillis);
    show(kTinyModel);
    QVERIFY(!loadButton()->isEnabled());
    m_page->findChild<QSpinBox*>()->setValue(4);
    QVERIFY(loadButton()->isEnabled() && loadButton()->isDefault());
}

void ModelPageTest::aLoadThatFailsLeavesTheModelAndItsPool()
{
    QSignalSpy loaded(m_model.get(), &ModelState::loaded);
    QSignalSpy failed(m_model.get(), &ModelState::failed);
    QSignalSpy options(m_model.get(), &ModelState::optionsLoaded);
    m_model->load(kTinyModel);
    QTRY_COMPARE_WITH_TIMEOUT(loaded.count(), 1, kPatienceMillis);
    const QString copy = m_folder.filePath("gone.gguf");
    QVERIFY(QFile::copy(QStringLiteral(VITRINE_TEST_DATA "/arch/qwen2.gguf"), copy));
    show(copy);
    m_page->findChild<QSpinBox*>()->setValue(4);
    QVERIFY(QFile::remove(copy));
    loadButton()->click();
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, kPatienceMillis);
    QCOMPARE(options.count(), 0);
    QCOMPARE(m_model->loadedName(), QString("llama"));
    QVERIFY(m_model->info().kvCacheBytes <= 2u << 20);
}

void ModelPageTest::aFileThatIsNoModelIsRefusedWithItsReason()
{
    show(QStringLiteral(VITRINE_TEST_DATA "/arch/llama.json"));
    QVERIFY2(notice().contains("llama.json"), qPrintable(notice()));
    QVERIFY(!loadButton()->isEnabled());
    show(m_folder.filePath("nothing.gguf"));
    QVERIFY2(notice().contains("nothing.gguf"), qPrintable(notice()));
    QVERIFY(!loadButton()->isEnabled());
}

void ModelPageTest::theNewestFileIsShown()
{
    m_page->open(kTinyModel);
    show(QStringLiteral(VITRINE_TEST_DATA "/arch/qwen2.gguf"));
    QCOMPARE(text("Architecture"), QString("qwen2"));
    QTest::qWait(100);
    QCOMPARE(text("Architecture"), QString("qwen2"));
}

void ModelPageTest::theMemoryIsThatOfTheCardWhereItWouldCompute()
{
    const auto card = std::make_shared<test::CardPlan>();
    m_page = std::make_unique<ModelPage>(*m_model, *m_settings, nullptr, test::offerCard(card));
    show(kTinyModel);
    QVERIFY2(text("Together").endsWith("of 1.0 GiB that are free on the graphics card"),
             qPrintable(text("Together")));
    card->memoryBytes = 100'000;
    show(kTinyModel);
    QVERIFY2(text("Together").endsWith("that are available"), qPrintable(text("Together")));
    QVERIFY2(notice().contains("The graphics card cannot take the model.\nthe weights take"),
             qPrintable(notice()));
    QVERIFY(loadButton()->isEnabled());
}

void ModelPageTest::aModelOnTheCardLeavesItForTheNextOne()
{
    const auto card = std::make_shared<test::CardPlan>();
    startHost(test::offerCard(card));
    QSignalSpy loaded(m_model.get(), &ModelState::loaded);
    m_model->load(kTinyModel);
    QTRY_COMPARE_WITH_TIMEOUT(loaded.count(), 1, kPatienceMillis);
    card->memoryBytes = 1 << 20; // what the model has left
    m_page = std::make_unique<ModelPage>(*m_model, *m_settings, nullptr, test::offerCard(card));
    show(QStringLiteral(VITRINE_TEST_DATA "/arch/qwen2.gguf"));
    QVERIFY2(text("Together").endsWith("of 1.0 GiB that are free on the graphics card"),
             qPrintable(text("Together")));
    QCOMPARE(card->opened, 1); // it is not looked at beside the model
}

void ModelPageTest::theCardIsLookedAtOnceItsModelHasLeft()
{
    const auto card = std::make_shared<test::CardPlan>();
    startHost(test::offerCard(card));
    QSignalSpy loaded(m_model.get(), &ModelState::loaded);
    m_model->load(kTinyModel);
    QTRY_COMPARE_WITH_TIMEOUT(loaded.count(), 1, kPatienceMillis);
    m_page = std::make_unique<ModelPage>(*m_model, *m_settings, nullptr, test::offerCard(card));
    show(kTinyModel);
    QCOMPARE(card->opened, 1);
    card->memoryBytes = std::int64_t{2} << 30;
    EngineOptions options = m_settings->engineOptions();
    options.backend = BackendChoice::Cpu;
    m_host->setOptions(options);
    QTRY_VERIFY_WITH_TIMEOUT(text("Together").endsWith("of 2.0 GiB that are free on the graphics card"),
                             kPatienceMillis);
    QCOMPARE(card->opened, 2);
    QCOMPARE(card->mostAtOnce, 1);
}

void ModelPageTest::itIsNotLookedAtWhileAModelLoads()
{
    const auto card = std::make_shared<test::CardPlan>();
    std::binary_semaphore mayLoad(0);
    startHost([&] {
        mayLoad.acquire();
        return test::offerCard(card)();
    });
    QSignalSpy loaded(m_model.get(), &ModelState::loaded);
    m_model->load(kTinyModel);
    const auto ofPage = std::make_shared<test::CardPlan>();
    m_page = std::make_unique<ModelPage>(*m_model, *m_settings, nullptr, test::offerCard(ofPage));
    show(kTinyModel);
    QCOMPARE(text("Together"), QString("–"));
    QVERIFY2(!notice().contains("Reading"), qPrintable(notice()));
    mayLoad.release();
    QTRY_COMPARE_WITH_TIMEOUT(loaded.count(), 1, kPatienceMillis);
    QVERIFY2(text("Together").endsWith("of 1.0 GiB that are free on the graphics card"),
             qPrintable(text("Together")));
    QCOMPARE(ofPage->opened, 0);
}

QTEST_MAIN(ModelPageTest)
#include "test_model_page.moc"
