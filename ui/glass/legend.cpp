// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/legend.h"

#include <QGridLayout>
#include <QLabel>
#include <QPainter>

#include <utility>

namespace vitrine::ui {

namespace {

class Sample : public QWidget {
public:
    Sample(QSize size, Legend::PaintSample paint)
        : m_paint(std::move(paint))
    {
        setFixedSize(size);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        const GlassColors colors = glassColors(palette());
        QPainter painter(this);
        painter.fillRect(rect(), colors.background);
        m_paint(painter, rect(), colors);
    }

private:
    Legend::PaintSample m_paint;
};

} // namespace

Legend::Legend(const QString& name, QSize sampleSize, QWidget* parent)
    : QWidget(parent)
    , m_layout(new QGridLayout(this))
    , m_sampleSize(sampleSize)
{
    setAccessibleName(name);
    m_layout->setContentsMargins(0, 4, 0, 4);
    m_layout->setHorizontalSpacing(8);
    m_layout->setVerticalSpacing(4);
    m_layout->setColumnStretch(1, 1);
}

void Legend::add(PaintSample paint, const QString& word, const QString& meaning)
{
    const int row = m_layout->rowCount();
    auto* text =
        new QLabel(QStringLiteral("<b>%1</b> %2").arg(word.toHtmlEscaped(), meaning.toHtmlEscaped()));
    text->setWordWrap(true);
    m_layout->addWidget(new Sample(m_sampleSize, std::move(paint)), row, 0, Qt::AlignTop);
    m_layout->addWidget(text, row, 1);
}

} // namespace vitrine::ui
