// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/models/data_table.h"

#include <QToolButton>

#include <functional>
#include <vector>

namespace vitrine::ui {

/// A menu that saves a panel: as a picture, as a drawing, and what it shows as tables.
class ExportButton : public QToolButton {
    Q_OBJECT
public:
    struct Table {
        QString label;  ///< "Steps as CSV…"
        QString suffix; ///< of the proposed file's name; may be empty
        std::function<DataTable()> make;
    };

    /// `panel` outlives it; `name` is that of the files proposed: "timeline".
    ExportButton(QWidget* panel, const QString& name, std::vector<Table> tables);

private:
    void addTo(QMenu& menu, const QString& label, const QString& fileName, const QString& filter,
               std::function<QByteArray()> content);
    void save(const QString& fileName, const QString& filter, const std::function<QByteArray()>& content);

    QWidget* m_panel;
};

} // namespace vitrine::ui
