// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/models/background_work.h"
#include "ui/models/data_table.h"

#include <QToolButton>

#include <functional>
#include <vector>

namespace vitrine::ui {

/// A menu that saves a panel: as a picture, as a drawing, and what it shows as tables.
class ExportButton : public QToolButton {
    Q_OBJECT
public:
    /// Makes the file's bytes, on another thread.
    using Content = std::function<QByteArray()>;
    struct Table {
        QString label;  ///< "Steps as CSV…"
        QString suffix; ///< of the proposed file's name; may be empty
        /// Of the moment at which it is called.
        std::function<Content()> take;
    };
    [[nodiscard]] static Content csvOf(DataTable table);

    /// `panel` outlives it; `name` is that of the files proposed: "timeline".
    ExportButton(QWidget* panel, const QString& name, std::vector<Table> tables);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void addTo(QMenu& menu, const QString& label, const QString& fileName, const QString& filter,
               std::function<Content()> take);
    void save(const QString& fileName, const QString& filter, const Content& content);
    void finish(const Error& error);

    QWidget* m_panel;
    BackgroundWork m_work;
};

} // namespace vitrine::ui
