// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/models/draft.h"

#include <QFrame>

#include <cstdint>

class QToolButton;

namespace vitrine::ui {

class ComposerEdit;
class ElidedLabel;

/// Where a message is written. One button sends, or stops the answer under way. A long text that is pasted is
/// not laid out: it is held, told of in a line, and sent behind what is written.
class Composer : public QFrame {
    Q_OBJECT
public:
    explicit Composer(QWidget* parent = nullptr);

    [[nodiscard]] Draft draft() const;
    /// Each part where it was.
    void setDraft(const Draft& draft);
    /// Empty: messages can be sent. Otherwise why not, shown in place of the hint.
    void setObstacle(const QString& reason);
    void setBusy(bool busy);
    /// Tokens that the model takes at most, 0: not known. It is told where what is held may not fit; whether
    /// it does is for the engine to say, which knows the vocabulary.
    void setContextLimit(int tokens);
    void takeFocus();

signals:
    void sent(const vitrine::ui::Draft& draft);
    void stopRequested();
    /// draft() is another one now. Not with it: with each key megabytes would be put together.
    void edited();
    /// Somebody wants to read what is held.
    void readRequested(const QString& text);

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void createHeldRow();
    void hold(const QString& text);
    void setHeld(const QString& text);
    void tell();
    void send();
    void press();
    void refresh();
    void measure();
    [[nodiscard]] bool isBlank() const;
    [[nodiscard]] QString warning() const;

    ComposerEdit* m_edit;
    ElidedLabel* m_hint;
    QToolButton* m_button;
    QWidget* m_heldRow;
    ElidedLabel* m_heldLabel;
    QString m_held;
    QString m_obstacle;
    int m_contextLimit = 0;
    std::int64_t m_heldTokens = 0; ///< estimated
    bool m_heldIsBlank = true;
    bool m_busy = false;
};

} // namespace vitrine::ui
