// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFrame>

class QLabel;
class QToolButton;

namespace vitrine::ui {

class ComposerEdit;

/// Where a message is written. One button sends, or stops the answer under way.
class Composer : public QFrame {
    Q_OBJECT
public:
    explicit Composer(QWidget* parent = nullptr);

    [[nodiscard]] QString text() const;
    void setText(const QString& text);
    /// Empty: messages can be sent. Otherwise why not, shown in place of the hint.
    void setObstacle(const QString& reason);
    void setBusy(bool busy);
    void takeFocus();

signals:
    void sent(const QString& text);
    void stopRequested();
    void edited(const QString& text);

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void send();
    void press();
    void refresh();

    ComposerEdit* m_edit;
    QLabel* m_hint;
    QToolButton* m_button;
    QString m_obstacle;
    bool m_busy = false;
};

} // namespace vitrine::ui
