// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/model_page.h"

#include "engine/option_limits.h"
#include "ui/models/backend_words.h"
#include "ui/models/model_state.h"
#include "ui/models/settings.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/theme.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <span>

namespace vitrine::ui {
namespace {

/// Wide enough for the sentence about the pool.
constexpr int kColumns = 88;

QString dataSize(std::uint64_t bytes)
{
    return QLocale().formattedDataSize(static_cast<qint64>(bytes), 1);
}

/// "Q4_1 63.3 MiB, Q8_0 28.7 MiB, F32 137.3 KiB"
QString describeTypes(const ModelSurvey& survey)
{
    QStringList types;
    for (const TensorTypeShare& share :
         std::span(survey.tensorTypes).first(std::min(survey.tensorTypes.size(), kShownTypes)))
        types << QStringLiteral("%1 %2").arg(QString::fromStdString(share.type), dataSize(share.bytes));
    return types.join(QStringLiteral(", "));
}

QString describeLayers(const ModelSpec& spec)
{
    QString text = ModelPage::tr("%L1 of width %L2").arg(spec.layerCount).arg(spec.embeddingLength);
    if (spec.hasExperts())
        text += ModelPage::tr(", %L1 of %L2 experts for each token")
                    .arg(spec.experts.used)
                    .arg(spec.experts.count);
    return text;
}

QString describeHeads(const ModelSpec& spec)
{
    return ModelPage::tr("%L1 for queries, %L2 for keys and values, of %L3 each")
        .arg(spec.headCount)
        .arg(spec.kvHeadCount)
        .arg(spec.headDim);
}

QString describeTotal(const MemoryEstimate& memory)
{
    const QString total = dataSize(static_cast<std::uint64_t>(memory.total()));
    const QString room = dataSize(static_cast<std::uint64_t>(memory.room.bytes()));
    if (memory.room.onCard)
        return ModelPage::tr("%1 of %2 that are free on the graphics card").arg(total, room);
    return memory.room.bytes() > 0 ? ModelPage::tr("%1 of %2 that are available").arg(total, room) : total;
}

QString sentence(const std::string& text)
{
    QString shown = QString::fromStdString(text);
    if (!shown.isEmpty())
        shown[0] = shown[0].toUpper();
    return shown;
}

} // namespace

ModelPage::ModelPage(ModelState& model, Settings& settings, QWidget* parent, OpenCardFn openTheCard)
    : QDialog(parent)
    , m_model(model)
    , m_settings(settings)
    , m_preview(new ModelPreview(model, this, std::move(openTheCard)))
    , m_name(new QLabel(this))
    , m_path(new ElidedLabel(this, Qt::ElideMiddle))
    , m_notice(new QLabel(this))
    , m_memory(new QGroupBox(tr("Memory"), this))
    , m_poolSize(new QSpinBox(this))
    , m_load(new QPushButton(tr("&Load"), this))
{
    setWindowTitle(tr("Model"));
    auto* facts = new QFormLayout;
    createFacts(*facts);
    createMemory(*new QFormLayout(m_memory));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    QPushButton* choose = buttons->addButton(tr("&Other file…"), QDialogButtonBox::ActionRole);
    buttons->addButton(m_load, QDialogButtonBox::ActionRole);
    m_load->setDefault(true);
    layOut(facts, buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(choose, &QPushButton::clicked, this, &ModelPage::choose);
    connect(m_load, &QPushButton::clicked, this, &ModelPage::load);
    connect(m_poolSize, &QSpinBox::valueChanged, this, &ModelPage::refreshMemory);
    connect(m_preview, &ModelPreview::changed, this, &ModelPage::refresh);
    connect(&model, &ModelState::changed, this, &ModelPage::followModel);
    refresh();
    followModel();
}

/// Until a file is chosen here, the one that loads or is there.
void ModelPage::followModel()
{
    if (!m_preview->path().isEmpty())
        refreshMemory();
    else if (m_model.isLoading())
        open(m_model.loadingPath());
    else if (m_model.isLoaded())
        open(QString::fromStdString(m_model.info().path));
}

/// Whether loading would change anything.
bool ModelPage::isNews() const
{
    return m_preview->path() != QString::fromStdString(m_model.info().path) ||
           options() != m_settings.engineOptions();
}

void ModelPage::layOut(QFormLayout* facts, QWidget* buttons)
{
    QFont large = font();
    large.setPointSizeF(font().pointSizeF() * 1.4);
    m_name->setFont(large);
    m_name->setTextFormat(Qt::PlainText); // what a file says is no markup
    m_name->setWordWrap(true);
    m_path->setFont(smallFont(font()));
    setTextColor(*m_path, quietText(palette()));
    m_notice->setObjectName(QStringLiteral("notice"));
    m_notice->setTextFormat(Qt::PlainText);
    m_notice->setWordWrap(true);
    m_notice->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kGroupGap, kGroupGap, kGroupGap, kGroupGap);
    layout->setSpacing(kGap);
    layout->addWidget(m_name);
    layout->addWidget(m_path);
    layout->addWidget(m_notice);
    layout->addSpacing(kGap);
    layout->addLayout(facts);
    layout->addSpacing(kGap);
    layout->addWidget(m_memory);
    layout->addStretch();
    layout->addWidget(buttons);
    setMinimumWidth(columnWidth(fontMetrics(), kColumns));
}

QLabel* ModelPage::addRow(QFormLayout& form, const QString& label)
{
    auto* value = new ElidedLabel(this); // a file's text may be long
    value->setAccessibleName(label);
    form.addRow(label, value);
    return value;
}

void ModelPage::createFacts(QFormLayout& form)
{
    m_architecture = addRow(form, tr("Architecture"));
    m_parameters = addRow(form, tr("Parameters"));
    m_file = addRow(form, tr("File"));
    m_tensorTypes = addRow(form, tr("Tensors"));
    m_layers = addRow(form, tr("Layers"));
    m_heads = addRow(form, tr("Heads"));
    m_context = addRow(form, tr("Context"));
    m_tokenizer = addRow(form, tr("Tokenizer"));
    m_chatTemplate = addRow(form, tr("Chat template"));
}

void ModelPage::createMemory(QFormLayout& form)
{
    m_poolSize->setRange(0, kMostKvCacheMib);
    const std::int32_t blocks = m_settings.engineOptions().scheduler.numBlocks;
    m_poolSize->setSpecialValueText(blocks > 0 ? tr("%L1 blocks, as set").arg(blocks)
                                               : tr("from free memory"));
    m_poolSize->setSuffix(tr(" MiB"));
    m_poolSize->setGroupSeparatorShown(true);
    m_poolSize->setSingleStep(64);
    m_poolSize->setValue(static_cast<int>(m_settings.engineOptions().kvCacheMib));
    m_poolSize->setToolTip(tr("kv_cache_mib: memory of the pool that all chats share"));
    form.addRow(tr("&Size of the KV cache"), m_poolSize);
    m_weights = addRow(form, tr("Weights"));
    m_kvCache = addRow(form, tr("KV cache"));
    m_longestChat = addRow(form, tr("Longest chat"));
    m_activations = addRow(form, tr("Largest step"));
    m_total = addRow(form, tr("Together"));
    auto* hint = new QLabel(tr("Loading stops the answers under way; their text stays."), this);
    hint->setFont(smallFont(font()));
    form.addRow(hint);
}

void ModelPage::open(const QString& path)
{
    m_preview->open(path, options());
}

void ModelPage::choose()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Look at a model"), m_preview->path(),
                                                      tr("GGUF models (*.gguf);;All files (*)"));
    if (!path.isEmpty())
        open(path);
}

/// The pool as chosen here, and everything else as set.
EngineOptions ModelPage::options() const
{
    EngineOptions options = m_settings.engineOptions();
    if (options.kvCacheMib == m_poolSize->value())
        return options;
    options.kvCacheMib = m_poolSize->value();
    options.scheduler.numBlocks = 0;
    return options;
}

void ModelPage::load()
{
    m_model.load(m_preview->path(), options());
    accept();
}

void ModelPage::refresh()
{
    const std::optional<ModelSurvey>& survey = m_preview->survey();
    m_name->setText(survey ? QString::fromStdString(survey->name) : tr("No model"));
    m_path->setText(m_preview->path());
    m_path->setToolTip(m_preview->path());
    showFacts(survey.value_or(ModelSurvey{}));
    const std::optional<Error> refusal = m_preview->refusal();
    if (m_preview->path().isEmpty())
        setNotice(tr("Choose a GGUF file to see what it is."), false);
    else if (refusal)
        setNotice(tr("It cannot be loaded: %1").arg(QString::fromStdString(refusal->line())), true);
    else if (!survey)
        setNotice(tr("Reading the file…"), false);
    refreshMemory();
}

void ModelPage::showFacts(const ModelSurvey& survey)
{
    const QString none = QStringLiteral("–");
    const auto show = [&](QLabel* label, const QString& text) {
        label->setText(text.isEmpty() ? none : text);
    };
    show(m_architecture, QString::fromStdString(survey.architecture));
    show(m_parameters, survey.parameterCount == 0 ? QString() : QLocale().toString(survey.parameterCount));
    show(m_file, survey.fileBytes == 0
                     ? QString()
                     : tr("%1, GGUF version %2").arg(dataSize(survey.fileBytes)).arg(survey.ggufVersion));
    show(m_tensorTypes, describeTypes(survey));
    show(m_layers, survey.spec ? describeLayers(*survey.spec) : QString());
    show(m_heads, survey.spec ? describeHeads(*survey.spec) : QString());
    show(m_context, survey.spec ? tr("%Ln token(s)", nullptr, survey.spec->contextLength) : QString());
    show(m_tokenizer, QString::fromStdString(survey.tokenizer));
    show(m_chatTemplate, QString::fromStdString(survey.chatTemplate));
}

void ModelPage::refreshMemory()
{
    showMemory();
    growToContents();
}

void ModelPage::showMemory()
{
    const std::optional<ModelSurvey>& survey = m_preview->survey();
    const bool loadable = survey && survey->spec;
    m_memory->setEnabled(loadable);
    for (QLabel* label : {m_kvCache, m_longestChat, m_activations, m_total})
        label->setText(QStringLiteral("–"));
    m_weights->setText(survey ? dataSize(survey->weightBytes) : QStringLiteral("–"));
    m_load->setEnabled(false);
    if (!loadable)
        return;
    QStringList remarks;
    for (const std::string& warning : survey->warnings)
        remarks << sentence(warning) + QChar('.');
    const std::optional<MemoryPlan> plan = m_preview->memory(options());
    if (!plan)
        return setNotice(remarks.join(QChar('\n')), false);
    const Result<MemoryEstimate>& memory = plan->estimate;
    if (plan->note && isUnexpected(plan->note->problem))
        remarks << describe(*plan->note) << tr("The processor would compute.");
    if (!memory) {
        setNotice(tr("Loading it now is not possible: %1").arg(QString::fromStdString(memory.error().line())),
                  true);
        return;
    }
    setNotice(remarks.join(QChar('\n')), false);
    m_kvCache->setText(tr("%1: %L2 blocks of %L3 tokens")
                           .arg(dataSize(static_cast<std::uint64_t>(memory->kvCache)))
                           .arg(memory->scheduler.numBlocks)
                           .arg(memory->scheduler.blockSize));
    m_longestChat->setText(tr("%Ln token(s)", nullptr, memory->scheduler.maxModelLen));
    m_activations->setText(tr("%1: %L2 tokens")
                               .arg(dataSize(static_cast<std::uint64_t>(memory->activations)))
                               .arg(memory->scheduler.maxNumBatchedTokens));
    m_total->setText(describeTotal(*memory));
    m_load->setEnabled(isNews() && !m_model.isLoading());
}

void ModelPage::setNotice(const QString& text, bool refused)
{
    m_notice->setText(text);
    m_notice->setVisible(!text.isEmpty());
    setTextColor(*m_notice, refused ? errorColor(palette()) : warningColor(palette()));
}

/// Wrapped lines need more height than the dialog was opened with.
void ModelPage::growToContents()
{
    layout()->activate();
    resize(width(), std::max(height(), layout()->totalHeightForWidth(width())));
}

} // namespace vitrine::ui
