// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/export_button.h"

#include "ui/glass/panel_export.h"

#include <QFileDialog>
#include <QMenu>
#include <QMessageBox>
#include <QStandardPaths>
#include <QStyleOptionToolButton>
#include <QStylePainter>

#include <utility>

namespace vitrine::ui {

ExportButton::ExportButton(QWidget* panel, const QString& name, std::vector<Table> tables)
    : m_panel(panel)
{
    setText(QStringLiteral("⋮")); // narrow: the panels' headings are full
    setToolTip(tr("Export: save this panel as PNG or SVG, or what it shows as CSV"));
    setAccessibleName(tr("Export this panel"));
    setAutoRaise(true);
    setPopupMode(QToolButton::InstantPopup);
    setFocusPolicy(Qt::TabFocus);
    auto* menu = new QMenu(this);
    const auto now = [](const QByteArray& bytes) { return Content([bytes] { return bytes; }); };
    addTo(*menu, tr("&Picture (PNG)…"), name + QStringLiteral(".png"), tr("Pictures (*.png)"),
          [panel, now] { return now(toPng(*panel)); });
    addTo(*menu, tr("&Drawing (SVG)…"), name + QStringLiteral(".svg"), tr("Drawings (*.svg)"),
          [panel, now] { return now(toSvg(*panel)); });
    for (Table& table : tables)
        addTo(*menu, table.label, name + table.suffix + QStringLiteral(".csv"), tr("Tables (*.csv)"),
              std::move(table.take));
    setMenu(menu);
    connect(&m_work, &BackgroundWork::finished, this, &ExportButton::finish);
}

/// Without the arrow of a menu. A style sheet would do it, too, and keep the colours of the theme it was made
/// in.
void ExportButton::paintEvent(QPaintEvent*)
{
    QStylePainter painter(this);
    QStyleOptionToolButton option;
    initStyleOption(&option);
    option.features &= ~QStyleOptionToolButton::HasMenu;
    painter.drawComplexControl(QStyle::CC_ToolButton, option);
}

ExportButton::Content ExportButton::csvOf(DataTable table)
{
    return [table = std::move(table)] { return toCsv(table); };
}

/// What is shown when the file is asked for, and not when the dialog has been answered.
void ExportButton::addTo(QMenu& menu, const QString& label, const QString& fileName, const QString& filter,
                         std::function<Content()> take)
{
    connect(menu.addAction(label), &QAction::triggered, this,
            [this, fileName, filter, take = std::move(take)] { save(fileName, filter, take()); });
}

void ExportButton::save(const QString& fileName, const QString& filter, const Content& content)
{
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    const QString path = QFileDialog::getSaveFileName(m_panel->window(), tr("Export"),
                                                      folder + QLatin1Char('/') + fileName, filter);
    if (path.isEmpty())
        return;
    setEnabled(false);
    m_work.start([path, content](const auto&) { return writeFile(path, content()); });
}

void ExportButton::finish(const Error& error)
{
    setEnabled(true);
    if (!error.what.empty())
        QMessageBox::warning(m_panel->window(), tr("Export"), QString::fromStdString(error.line()));
}

} // namespace vitrine::ui
