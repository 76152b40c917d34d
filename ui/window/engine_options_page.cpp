// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/engine_options_page.h"

#include "engine/option_limits.h"
#include "ui/models/backend_words.h"
#include "ui/theme/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QGroupBox>
#include <QLabel>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace vitrine::ui {
namespace {

QFormLayout* addGroup(QVBoxLayout& page, const QString& title)
{
    auto* group = new QGroupBox(title);
    page.addWidget(group);
    return new QFormLayout(group);
}

} // namespace

EngineOptionsPage::EngineOptionsPage(const EngineOptions& options, const ModelInfo& model, QWidget* parent)
    : QWidget(parent)
{
    auto* page = new QVBoxLayout(this);
    createMachineFields(*addGroup(*page, tr("Machine")), model);
    createCacheFields(*addGroup(*page, tr("KV cache")));
    createSchedulerFields(*addGroup(*page, tr("Scheduler")));
    auto* hint = new QLabel(tr("A new pool stops the answers under way; their text stays."), this);
    if (model.numBlocks > 0)
        hint->setText(tr("Now: %L1 blocks of %L2 tokens, %L3 MiB. ")
                          .arg(model.numBlocks)
                          .arg(model.blockSize)
                          .arg(static_cast<double>(model.kvCacheBytes) / (1 << 20), 0, 'f', 1) +
                      hint->text());
    hint->setFont(smallFont(font()));
    hint->setWordWrap(true);
    page->addWidget(hint);
    page->addStretch();
    alignLabels();
    set(options);
}

/// The groups are forms of their own; their fields stand in one column all the same.
void EngineOptionsPage::alignLabels()
{
    int width = 0;
    QList<QWidget*> labels;
    for (const QFormLayout* form : findChildren<QFormLayout*>()) {
        for (int row = 0; row < form->rowCount(); ++row) {
            if (const QLayoutItem* item = form->itemAt(row, QFormLayout::LabelRole))
                labels << item->widget();
        }
    }
    for (const QWidget* label : labels)
        width = std::max(width, label->sizeHint().width());
    for (QWidget* label : labels)
        label->setMinimumWidth(width);
}

void EngineOptionsPage::createMachineFields(QFormLayout& form, const ModelInfo& model)
{
    m_threads = addNumber(form, tr("&Threads"), 0, kMostThreads, tr("physical cores"),
                          tr("threads: kernel workers, the engine's own thread included"));
    m_backend = addChoice(form, tr("&Backend"), {tr("Automatic"), tr("CPU"), tr("CUDA")},
                          tr("backend: where the model is computed"));
    if (!model.backendNote)
        return;
    auto* note = new QLabel(describe(*model.backendNote), this);
    note->setObjectName(QStringLiteral("backendNote"));
    note->setTextFormat(Qt::PlainText);
    note->setFont(smallFont(font()));
    note->setWordWrap(true);
    form.addRow(new QLabel(this), note);
}

void EngineOptionsPage::createCacheFields(QFormLayout& form)
{
    m_kvCacheMib = addNumber(form, tr("&Size"), 0, kMostKvCacheMib, tr("from free memory"),
                             tr("kv_cache_mib: memory of the pool, where the number of blocks is not given"));
    m_kvCacheMib->setSuffix(tr(" MiB"));
    m_numBlocks = addNumber(form, tr("&Number of blocks"), 0, kMostBlocks, tr("from the size"),
                            tr("num_blocks: blocks of the pool, the null block included"));
    m_blockSize =
        addNumber(form, tr("Tokens in a bloc&k"), 1, kMostBlockSize, {}, tr("block_size: slots in a block"));
    m_kvCacheDtype = addChoice(form, tr("Number &format"), {tr("16 bit (f16)"), tr("32 bit (f32)")},
                               tr("kv_cache_dtype: how keys and values are stored"));
    m_allocator =
        addChoice(form, tr("&Allocator"),
                  {tr("Paged"), tr("Contiguous, greatest length"), tr("Contiguous, power of two"),
                   tr("Contiguous, exact length")},
                  tr("allocator: paged is what serving engines use; the others are for comparison"));
    m_prefixCaching = addSwitch(form, tr("&Prefix caching"),
                                tr("enable_prefix_caching: equal beginnings of prompts are computed once"));
    m_kvCache = addSwitch(form, tr("Keep keys and &values"),
                          tr("kv_cache: off, every step computes the whole sequence again; for comparison"));
}

void EngineOptionsPage::createSchedulerFields(QFormLayout& form)
{
    m_maxNumSeqs = addNumber(form, tr("Sequences in a s&tep"), 1, kMostSequences, {},
                             tr("max_num_seqs: size of the batch"));
    m_tokenBudget = addNumber(form, tr("Token b&udget of a step"), 1, kMostBatchedTokens, {},
                              tr("max_num_batched_tokens: prompt chunks and decodes together"));
    m_maxModelLen = addNumber(form, tr("Tokens in a se&quence"), 0, kMostModelLen, tr("the model's context"),
                              tr("max_model_len: prompt and answer together"));
    m_batching =
        addChoice(form, tr("Bat&ching"), {tr("Continuous"), tr("Static")},
                  tr("batching: static keeps a batch until its longest answer ends; for comparison"));
    m_policy = addChoice(form, tr("&Order"), {tr("First come, first served"), tr("By priority")},
                         tr("scheduling_policy: who is admitted first"));
    m_chunkedPrefill = addSwitch(form, tr("Chunked prefi&ll"),
                                 tr("enable_chunked_prefill: long prompts in pieces, so that others go on"));
    m_watermark = new QDoubleSpinBox(this);
    m_watermark->setRange(0, kMostWatermark * 100);
    m_watermark->setDecimals(1);
    m_watermark->setSuffix(tr(" %"));
    m_watermark->setToolTip(tr("watermark: share of the pool kept free when a sequence is admitted"));
    form.addRow(tr("&Watermark"), m_watermark);
}

QSpinBox* EngineOptionsPage::addNumber(QFormLayout& form, const QString& label, int low, int high,
                                       const QString& zero, const QString& tip)
{
    auto* field = new QSpinBox(this);
    field->setRange(low, high);
    field->setSpecialValueText(zero);
    field->setGroupSeparatorShown(true);
    field->setToolTip(tip);
    form.addRow(label, field);
    return field;
}

QComboBox* EngineOptionsPage::addChoice(QFormLayout& form, const QString& label, const QStringList& choices,
                                        const QString& tip)
{
    auto* field = new QComboBox(this);
    field->addItems(choices);
    field->setToolTip(tip);
    form.addRow(label, field);
    return field;
}

QCheckBox* EngineOptionsPage::addSwitch(QFormLayout& form, const QString& label, const QString& tip)
{
    auto* field = new QCheckBox(label, this);
    field->setToolTip(tip);
    form.addRow(new QLabel(this), field);
    return field;
}

void EngineOptionsPage::set(const EngineOptions& options)
{
    m_options = options;
    const SchedulerOptions& scheduler = options.scheduler;
    m_threads->setValue(options.threads);
    m_backend->setCurrentIndex(static_cast<int>(options.backend));
    m_kvCacheMib->setValue(static_cast<int>(options.kvCacheMib));
    m_numBlocks->setValue(scheduler.numBlocks);
    m_blockSize->setValue(scheduler.blockSize);
    m_kvCacheDtype->setCurrentIndex(static_cast<int>(options.kvCacheDtype));
    m_allocator->setCurrentIndex(static_cast<int>(scheduler.allocator));
    m_prefixCaching->setChecked(scheduler.enablePrefixCaching);
    m_kvCache->setChecked(scheduler.kvCache);
    m_maxNumSeqs->setValue(scheduler.maxNumSeqs);
    m_tokenBudget->setValue(scheduler.maxNumBatchedTokens);
    m_maxModelLen->setValue(scheduler.maxModelLen);
    m_batching->setCurrentIndex(static_cast<int>(scheduler.batching));
    m_policy->setCurrentIndex(static_cast<int>(scheduler.schedulingPolicy));
    m_chunkedPrefill->setChecked(scheduler.enableChunkedPrefill);
    m_watermark->setValue(scheduler.watermark * 100);
}

EngineOptions EngineOptionsPage::options() const
{
    EngineOptions options = m_options;
    SchedulerOptions& scheduler = options.scheduler;
    options.threads = m_threads->value();
    options.backend = static_cast<BackendChoice>(m_backend->currentIndex());
    options.kvCacheMib = m_kvCacheMib->value();
    scheduler.numBlocks = m_numBlocks->value();
    scheduler.blockSize = m_blockSize->value();
    options.kvCacheDtype = static_cast<KvCacheDtype>(m_kvCacheDtype->currentIndex());
    scheduler.allocator = static_cast<Allocator>(m_allocator->currentIndex());
    scheduler.enablePrefixCaching = m_prefixCaching->isChecked();
    scheduler.kvCache = m_kvCache->isChecked();
    scheduler.maxNumSeqs = m_maxNumSeqs->value();
    scheduler.maxNumBatchedTokens = m_tokenBudget->value();
    scheduler.maxModelLen = m_maxModelLen->value();
    scheduler.batching = static_cast<Batching>(m_batching->currentIndex());
    scheduler.schedulingPolicy = static_cast<SchedulingPolicy>(m_policy->currentIndex());
    scheduler.enableChunkedPrefill = m_chunkedPrefill->isChecked();
    scheduler.watermark = m_watermark->value() / 100;
    return options;
}

} // namespace vitrine::ui
