// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/chat/bounded_edit.h"

namespace vitrine::ui {

/// A text field that grows with its text, up to eight lines. Enter asks to send, Shift+Enter starts a line;
/// while an input method composes, Enter belongs to the input method.
class ComposerEdit : public BoundedEdit {
    Q_OBJECT
public:
    explicit ComposerEdit(QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    void sendRequested();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    /// Files are for the window, which opens models.
    bool canInsertFromMimeData(const QMimeData* source) const override;
    void inputMethodEvent(QInputMethodEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] int visibleLines() const;

    bool m_composing = false; ///< the input method shows text that is not yet in the document
};

} // namespace vitrine::ui
