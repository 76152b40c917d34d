// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/settings_dialog.h"

#include "ui/chat/bounded_edit.h"
#include "ui/models/number_text.h"
#include "ui/models/settings.h"
#include "ui/theme/theme.h"
#include "ui/window/engine_options_page.h"
#include "ui/window/sampling_page.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QTabWidget>
#include <QVBoxLayout>

namespace vitrine::ui {

SettingsDialog::SettingsDialog(Settings& settings, const ModelInfo& model, QWidget* parent)
    : QDialog(parent)
    , m_settings(settings)
    , m_engine(new EngineOptionsPage(settings.engineOptions(), model, this))
    , m_sampling(new SamplingPage(settings.sampling(), this))
    , m_systemPrompt(new BoundedEdit(settings.systemPrompt(), this))
    , m_largeType(new QCheckBox(tr("&Large type (projector)"), this))
    , m_reduceMotion(new QCheckBox(tr("Reduce &motion"), this))
{
    setWindowTitle(tr("Settings"));
    auto* tabs = new QTabWidget(this);
    tabs->setAccessibleName(tr("Pages of the settings"));
    tabs->addTab(m_engine, tr("Engine"));
    tabs->addTab(m_sampling, tr("Sampling"));
    tabs->addTab(makeChatPage(), tr("Chats"));
    tabs->addTab(makeWindowPage(), tr("Window"));
    auto* buttons = new QDialogButtonBox(
        QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::RestoreDefaults, this);
    connect(buttons, &QDialogButtonBox::accepted, this, &SettingsDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &SettingsDialog::reject);
    connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this, [this] {
        m_engine->set(EngineOptions{});
        m_sampling->set(SamplingOptions{});
    });
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(kGroupGap);
    layout->addWidget(tabs);
    layout->addWidget(buttons);
}

QWidget* SettingsDialog::makeChatPage()
{
    auto* page = new QWidget(this);
    auto* label = new QLabel(tr("&System prompt of new chats"), page);
    label->setBuddy(m_systemPrompt);
    auto* hint =
        new QLabel(tr("The same text in many chats is computed once: their first blocks are shared."), page);
    hint->setFont(smallFont(font()));
    hint->setWordWrap(true);
    connect(m_systemPrompt, &BoundedEdit::longTextPasted, hint, [hint] {
        hint->setText(tr("What was pasted is too long: a system prompt is part of every chat, and has %1 "
                         "characters at most.")
                          .arg(number(kMostTyped)));
    });
    auto* layout = new QVBoxLayout(page);
    layout->addWidget(label);
    layout->addWidget(m_systemPrompt, 1);
    layout->addWidget(hint);
    return page;
}

QWidget* SettingsDialog::makeWindowPage()
{
    auto* page = new QWidget(this);
    m_largeType->setChecked(m_settings.largeType());
    m_largeType->setToolTip(tr("All text half as large again, to be read from the back of a room"));
    m_reduceMotion->setChecked(m_settings.reduceMotion());
    m_reduceMotion->setToolTip(tr("Nothing slides or fades: what changes is there at once. Where the desktop "
                                  "asks for it, it is so anyway."));
    auto* layout = new QVBoxLayout(page);
    layout->addWidget(m_largeType);
    layout->addWidget(m_reduceMotion);
    layout->addStretch(1);
    return page;
}

void SettingsDialog::accept()
{
    m_settings.setEngineOptions(m_engine->options());
    m_settings.setSampling(m_sampling->options());
    m_settings.setSystemPrompt(m_systemPrompt->toPlainText());
    m_settings.setLargeType(m_largeType->isChecked());
    m_settings.setReduceMotion(m_reduceMotion->isChecked());
    QDialog::accept();
}

} // namespace vitrine::ui
