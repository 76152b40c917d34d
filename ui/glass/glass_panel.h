// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QStackedWidget>

class QLabel;

namespace vitrine::ui {

/// A panel, and while it has nothing to show one sentence in its place that says what it would show and how
/// to get there.
class GlassPanel : public QStackedWidget {
    Q_OBJECT
public:
    /// `content` becomes a child.
    GlassPanel(QWidget* content, const QString& emptyText, QWidget* parent = nullptr);

    void setEmpty(bool empty);
    [[nodiscard]] bool isEmpty() const;

    [[nodiscard]] QSize minimumSizeHint() const override;

private:
    QLabel* m_emptyLabel;
};

} // namespace vitrine::ui
