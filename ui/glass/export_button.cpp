// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/export_button.h"

#include "ui/glass/panel_export.h"

#include <QFileDialog>
#include <QMenu>
#include <QMessageBox>
#include <QStandardPaths>

#include <utility>

namespace vitrine::ui {

ExportButton::ExportButton(QWidget* panel, const QString& name, std::vector<Table> tables)
    : m_panel(panel)
{
    setText(QStringLiteral("⋮")); // narrow: the panels' headings are full
    setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
    setToolTip(tr("Export: save this panel as PNG or SVG, or what it shows as CSV"));
    setAccessibleName(tr("Export this panel"));
    setAutoRaise(true);
    setPopupMode(QToolButton::InstantPopup);
    setFocusPolicy(Qt::TabFocus);
    auto* menu = new QMenu(this);
    addTo(*menu, tr("&Picture (PNG)…"), name + QStringLiteral(".png"), tr("Pictures (*.png)"),
          [panel] { return toPng(*panel); });
    addTo(*menu, tr("&Drawing (SVG)…"), name + QStringLiteral(".svg"), tr("Drawings (*.svg)"),
          [panel] { return toSvg(*panel); });
    for (Table& table : tables)
        addTo(*menu, table.label, name + table.suffix + QStringLiteral(".csv"), tr("Tables (*.csv)"),
              [make = std::move(table.make)] { return toCsv(make()); });
    setMenu(menu);
}

void ExportButton::addTo(QMenu& menu, const QString& label, const QString& fileName, const QString& filter,
                         std::function<QByteArray()> content)
{
    connect(menu.addAction(label), &QAction::triggered, this,
            [this, fileName, filter, content = std::move(content)] { save(fileName, filter, content); });
}

/// What is shown when the file is asked for, and not when the dialog has been answered.
void ExportButton::save(const QString& fileName, const QString& filter,
                        const std::function<QByteArray()>& content)
{
    const QByteArray bytes = content();
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    const QString path = QFileDialog::getSaveFileName(m_panel->window(), tr("Export"),
                                                      folder + QLatin1Char('/') + fileName, filter);
    if (path.isEmpty())
        return;
    const Result<void> written = writeFile(path, bytes);
    if (!written)
        QMessageBox::warning(m_panel->window(), tr("Export"), QString::fromStdString(written.error().line()));
}

} // namespace vitrine::ui
