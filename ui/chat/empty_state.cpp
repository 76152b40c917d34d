// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/empty_state.h"

#include "ui/chat/suggestion_card.h"
#include "ui/models/model_state.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QApplication>
#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace vitrine::ui {

EmptyState::EmptyState(const ModelState& model, QAction* open, QWidget* parent)
    : QScrollArea(parent)
    , m_model(model)
    , m_column(new QWidget)
    , m_heading(new QLabel(m_column))
    , m_lead(new QLabel(m_column))
    , m_suggestions(makeSuggestions())
    , m_helpText(new QLabel(m_column))
    , m_modelHelp(makeModelHelp(open))
{
    m_lead->setWordWrap(true);
    auto* layout = new QVBoxLayout(m_column);
    layout->setSpacing(kGap);
    layout->addStretch(2);
    layout->addWidget(m_heading);
    layout->addWidget(m_lead);
    layout->addSpacing(kGroupGap);
    layout->addWidget(m_suggestions);
    layout->addWidget(m_modelHelp);
    layout->addStretch(3);
    m_column->setBackgroundRole(QPalette::Base);
    setWidget(m_column);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    // Qt scrolls by itself only where the focus was within the area before.
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* focused) {
        if (focused != nullptr && m_column->isAncestorOf(focused))
            ensureWidgetVisible(focused, 0, 0);
    });
    setMargins(kGroupGap, kGroupGap);
    connect(&model, &ModelState::changed, this, &EmptyState::refresh);
    refresh();
    refreshStyle();
}

void EmptyState::setMargins(int left, int right)
{
    m_column->layout()->setContentsMargins(left, kGroupGap, right, kGroupGap);
}

QWidget* EmptyState::makeSuggestions()
{
    auto* group = new QWidget(m_column);
    auto* layout = new QVBoxLayout(group);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGap);
    for (Suggestion& suggestion : suggestions()) {
        auto* card = new SuggestionCard(std::move(suggestion), group);
        layout->addWidget(card);
        connect(card, &QAbstractButton::clicked, this,
                [this, card] { emit suggestionChosen(card->suggestion()); });
    }
    return group;
}

QWidget* EmptyState::makeModelHelp(QAction* open)
{
    auto* group = new QWidget(m_column);
    auto* layout = new QVBoxLayout(group);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGroupGap);
    m_helpText->setTextFormat(Qt::PlainText);
    m_helpText->setWordWrap(true);
    auto* button = new QPushButton(open->icon(), tr("Open model…"), group);
    connect(button, &QPushButton::clicked, open, &QAction::trigger);
    layout->addWidget(m_helpText);
    layout->addWidget(button, 0, Qt::AlignLeft);
    return group;
}

void EmptyState::refresh()
{
    const bool ready = m_model.canAnswer();
    m_heading->setText(ready ? tr("A new chat") : tr("No model is loaded"));
    m_lead->setText(ready ? tr("Write a message below, or begin with something that makes the glass move:")
                          : tr("Vitrine answers with a model that runs on this machine."));
    m_helpText->setText(
        m_model.failure()
            ? tr("The model could not be loaded: %1. Any other GGUF file can be opened here, or "
                 "dropped onto the window.")
                  .arg(QString::fromStdString(m_model.failure()->what))
            : tr("Run ./run.sh in the project's folder: it brings the starter model, which then loads by "
                 "itself. Any other GGUF file can be opened here, or dropped onto the window."));
    m_suggestions->setVisible(ready);
    m_modelHelp->setVisible(!ready);
}

void EmptyState::refreshStyle()
{
    QFont large = font();
    large.setPointSizeF(font().pointSizeF() * 1.6);
    m_heading->setFont(large);
    setTextColor(*m_lead, quietText(palette()));
}

void EmptyState::changeEvent(QEvent* event)
{
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        refreshStyle();
}

} // namespace vitrine::ui
