// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/sampling_page.h"

#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QRegularExpression>
#include <QRegularExpressionValidator>
#include <QSpinBox>

namespace vitrine::ui {

SamplingPage::SamplingPage(const SamplingOptions& options, QWidget* parent)
    : QWidget(parent)
    , m_topK(new QSpinBox(this))
    , m_seed(new QLineEdit(this))
{
    auto* form = new QFormLayout(this);
    m_temperature =
        addShare(*form, tr("&Temperature"), 0, 5,
                 tr("temperature: 0 always takes the likeliest token (greedy); 1 samples as the model "
                    "says; higher is more surprising"));
    m_topK->setRange(0, 1'000'000);
    m_topK->setSpecialValueText(tr("all"));
    m_topK->setToolTip(tr("top_k: only this many of the likeliest tokens are considered"));
    form->addRow(tr("Top-&k"), m_topK);
    m_topP = addShare(*form, tr("Top-&p"), 0.01, 1,
                      tr("top_p: only the likeliest tokens that together reach this share"));
    m_minP = addShare(*form, tr("&Min-p"), 0, 1,
                      tr("min_p: only tokens at least this likely, measured against the likeliest"));
    m_penalty = addShare(*form, tr("&Repetition penalty"), 0.5, 2,
                         tr("repetition_penalty: above 1, tokens that were used become less likely"));
    m_seed->setPlaceholderText(tr("a fresh one for each answer"));
    m_seed->setValidator(
        new QRegularExpressionValidator(QRegularExpression(QStringLiteral("\\d{0,19}")), m_seed));
    m_seed->setToolTip(tr("seed: the same seed, options and conversation give the same answer"));
    form->addRow(tr("&Seed"), m_seed);
    set(options);
}

QDoubleSpinBox* SamplingPage::addShare(QFormLayout& form, const QString& label, double low, double high,
                                       const QString& tip)
{
    auto* field = new QDoubleSpinBox(this);
    field->setRange(low, high);
    field->setDecimals(2);
    field->setSingleStep(0.05);
    field->setToolTip(tip);
    form.addRow(label, field);
    return field;
}

void SamplingPage::set(const SamplingOptions& options)
{
    m_temperature->setValue(options.temperature);
    m_topK->setValue(options.topK);
    m_topP->setValue(options.topP);
    m_minP->setValue(options.minP);
    m_penalty->setValue(options.repetitionPenalty);
    m_seed->setText(options.seed == 0 ? QString() : QString::number(options.seed));
}

SamplingOptions SamplingPage::options() const
{
    SamplingOptions options;
    options.temperature = static_cast<float>(m_temperature->value());
    options.topK = m_topK->value();
    options.topP = static_cast<float>(m_topP->value());
    options.minP = static_cast<float>(m_minP->value());
    options.repetitionPenalty = static_cast<float>(m_penalty->value());
    options.seed = m_seed->text().toULongLong();
    return options;
}

} // namespace vitrine::ui
