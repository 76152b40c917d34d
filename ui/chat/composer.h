// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
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

    /// All that would be sent.
    [[nodiscard]] QString text() const;
    /// What is held beside the field.
    [[nodiscard]] const QString& heldText() const { return m_held; }
    void setText(const QString& text);
    /// Empty: messages can be sent. Otherwise why not, shown in place of the hint.
    void setObstacle(const QString& reason);
    void setBusy(bool busy);
    /// Tokens that the model takes at most, 0: not known. What can never fit is told, and not sent.
    void setContextLimit(int tokens);
    void takeFocus();

signals:
    void sent(const QString& text);
    void stopRequested();
    void edited(const QString& text);
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
    [[nodiscard]] QString obstacle() const;

    ComposerEdit* m_edit;
    ElidedLabel* m_hint;
    QToolButton* m_button;
    QWidget* m_heldRow;
    ElidedLabel* m_heldLabel;
    QString m_held;
    QString m_obstacle;
    int m_contextLimit = 0;
    std::int64_t m_fewestTokens = 0; ///< of text(), where it is long
    bool m_busy = false;
};

} // namespace vitrine::ui
