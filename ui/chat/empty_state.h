// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/chat/suggestions.h"

#include <QScrollArea>

class QAction;
class QLabel;

namespace vitrine::ui {

class ModelState;

/// What an empty chat shows: what this is, three ways to begin, and without a model how to get one. It
/// scrolls where there is too little room.
class EmptyState : public QScrollArea {
    Q_OBJECT
public:
    EmptyState(const ModelState& model, QAction* open, QWidget* parent = nullptr);

    /// Pixels that are left free beside the column.
    void setMargins(int left, int right);

signals:
    void suggestionChosen(const vitrine::ui::Suggestion& suggestion);

protected:
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] QWidget* makeSuggestions();
    [[nodiscard]] QWidget* makeModelHelp(QAction* open);
    void refresh();
    void refreshStyle();

    const ModelState& m_model;
    QWidget* m_column;
    QLabel* m_heading;
    QLabel* m_lead;
    QWidget* m_suggestions;
    QLabel* m_helpText;
    QWidget* m_modelHelp;
};

} // namespace vitrine::ui
