// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/model_bar.h"

#include "ui/models/model_state.h"
#include "ui/models/settings.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>

namespace vitrine::ui {
namespace {

constexpr int kProgressSteps = 1000;

QString parameters(std::uint64_t count)
{
    const double millions = static_cast<double>(count) / 1e6;
    return millions < 1000 ? ModelBar::tr("%L1 M parameters").arg(millions, 0, 'f', 1)
                           : ModelBar::tr("%L1 B parameters").arg(millions / 1000, 0, 'f', 2);
}

QString describe(LoadStage stage)
{
    switch (stage) {
    case LoadStage::ReadingFile:
        return ModelBar::tr("reading the file");
    case LoadStage::PreparingWeights:
        return ModelBar::tr("preparing weights");
    }
    return {};
}

} // namespace

ModelBar::ModelBar(ModelState& model, Settings& settings, const QList<QAction*>& actions, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_settings(settings)
    , m_recent(new QMenu(tr("Open &recent"), this))
    , m_name(new QToolButton(this))
    , m_facts(new ElidedLabel(this))
    , m_progress(new QProgressBar(this))
    , m_cancel(new QPushButton(tr("Cancel"), this))
{
    layOut(actions);
    connect(&model, &ModelState::changed, this, &ModelBar::refresh);
    connect(&settings, &Settings::recentModelsChanged, this, &ModelBar::refreshRecent);
    connect(m_cancel, &QPushButton::clicked, &model, &ModelState::cancel);
    refreshRecent();
    refresh();
}

void ModelBar::layOut(const QList<QAction*>& actions)
{
    auto* menu = new QMenu(this);
    menu->addActions(actions);
    menu->addMenu(m_recent);
    m_name->setMenu(menu);
    m_name->setPopupMode(QToolButton::InstantPopup);
    m_name->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_name->setAutoRaise(true);
    m_name->setIcon(themedIcon(QStringLiteral("model")));
    m_name->setToolTip(tr("The model that answers; open another one"));
    m_progress->setRange(0, kProgressSteps);
    m_progress->setTextVisible(false);
    m_progress->setFixedSize(120, 8);
    m_progress->setAccessibleName(tr("Model loading"));

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(kGap, 4, kGap, 4);
    layout->setSpacing(kGap);
    layout->addWidget(m_name);
    layout->addWidget(m_facts, 1);
    layout->addWidget(m_progress);
    layout->addWidget(m_cancel);
}

void ModelBar::refresh()
{
    const bool loading = m_model.isLoading();
    const QString name = m_model.name();
    m_name->setText(name.isEmpty() ? tr("No model") : fontMetrics().elidedText(name, Qt::ElideMiddle, 320));
    m_facts->setText(factsLine());
    m_facts->setToolTip(m_model.isLoaded()
                            ? QString::fromStdString(m_model.info().name + "\n" + m_model.info().path)
                            : QString());
    m_facts->setFont(smallFont(font()));
    setTextColor(*m_facts, quietText(palette()));
    m_progress->setVisible(loading);
    m_progress->setValue(static_cast<int>(m_model.progress() * kProgressSteps));
    m_cancel->setVisible(loading);
}

QString ModelBar::factsLine() const
{
    if (m_model.isLoading())
        return describe(m_model.stage());
    if (!m_model.isLoaded())
        return tr("open a .gguf file, or drop one onto the window");
    const ModelInfo& info = m_model.info();
    return QStringList{QString::fromStdString(info.architecture), parameters(info.parameterCount),
                       QString::fromStdString(info.tensorTypes), tr("context %L1").arg(info.contextLength)}
        .join(QStringLiteral(" · "));
}

void ModelBar::refreshRecent()
{
    m_recent->clear();
    for (const QString& path : m_settings.recentModels()) {
        QAction* action =
            m_recent->addAction(QFileInfo(path).fileName().replace(QChar('&'), QLatin1String("&&")));
        action->setToolTip(path);
        connect(action, &QAction::triggered, this, [this, path] { m_model.load(path); });
    }
    m_recent->setToolTipsVisible(true);
    m_recent->setEnabled(!m_recent->isEmpty());
}

void ModelBar::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        refresh();
}

} // namespace vitrine::ui
