// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/request.h"

#include <QWidget>

class QDoubleSpinBox;
class QFormLayout;
class QLineEdit;
class QSpinBox;

namespace vitrine::ui {

/// How the next token is chosen.
class SamplingPage : public QWidget {
    Q_OBJECT
public:
    explicit SamplingPage(const SamplingOptions& options, QWidget* parent = nullptr);

    [[nodiscard]] SamplingOptions options() const;
    void set(const SamplingOptions& options);

private:
    QDoubleSpinBox* addShare(QFormLayout& form, const QString& label, double low, double high,
                             const QString& tip);

    QDoubleSpinBox* m_temperature;
    QSpinBox* m_topK;
    QDoubleSpinBox* m_topP;
    QDoubleSpinBox* m_minP;
    QDoubleSpinBox* m_penalty;
    QLineEdit* m_seed; ///< 64 bits: more than a spin box holds
};

} // namespace vitrine::ui
