// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/chat/suggestions.h"

#include <QAbstractButton>

namespace vitrine::ui {

/// A suggestion as a button of two lines.
class SuggestionCard : public QAbstractButton {
    Q_OBJECT
public:
    explicit SuggestionCard(Suggestion suggestion, QWidget* parent = nullptr);

    [[nodiscard]] const Suggestion& suggestion() const { return m_suggestion; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Suggestion m_suggestion;
};

} // namespace vitrine::ui
