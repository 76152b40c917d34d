// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>

#include <memory>

class QWidget;

namespace vitrine::ui {

/// The program's type grows with its window: on a large screen, or a projector, it is read from further away
/// and has the room. At the default size of the window, and below, it is the system's font as it is, and when
/// the last such window has gone. Of several, the one that was resized last decides.
class TypeScale : public QObject {
    Q_OBJECT
public:
    /// `window` becomes the parent.
    explicit TypeScale(QWidget* window);
    ~TypeScale() override;

    /// Half as large again, whatever the window's size: for a projector, or for weak eyes.
    void setLarge(bool large);

    /// 1 to 1.4 in steps of 0.05: a quarter of what the window has more than 1280 × 800 in its tighter
    /// direction.
    [[nodiscard]] static double scaleFor(QSize window);
    /// How much larger than the system's the program's type is now.
    [[nodiscard]] static double current();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct ProgramFont;

    void apply();

    QWidget* m_window;
    bool m_large = false;
    std::shared_ptr<ProgramFont> m_font; ///< one, however many windows there are
};

} // namespace vitrine::ui
