// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/glass/glass_colors.h"

#include <QWidget>

#include <functional>

class QGridLayout;
class QPainter;

namespace vitrine::ui {

/// Samples, drawn by the code that draws the panel, each with its word and what it means.
class Legend : public QWidget {
    Q_OBJECT
public:
    using PaintSample = std::function<void(QPainter&, const QRect&, const GlassColors&)>;

    explicit Legend(const QString& name, QSize sampleSize, QWidget* parent = nullptr);

    void add(PaintSample paint, const QString& word, const QString& meaning);

private:
    QGridLayout* m_layout;
    QSize m_sampleSize;
};

} // namespace vitrine::ui
