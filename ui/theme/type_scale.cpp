// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/type_scale.h"

#include <QApplication>
#include <QEvent>
#include <QWidget>

#include <algorithm>
#include <cmath>

namespace vitrine::ui {
namespace {

constexpr QSizeF kOrdinary{1280, 800};
constexpr double kShareOfGrowth = 0.25;
constexpr double kLargest = 1.4;
constexpr double kLargeType = 1.5;
constexpr double kStep = 0.05; ///< finer steps would only make a window that is being resized restless

} // namespace

struct TypeScale::ProgramFont {
    QFont system = QApplication::font(); ///< as the desktop gave it
    QFont scaled = system;               ///< as it was set here last

    ~ProgramFont() { set(1); }
    ProgramFont() = default;
    ProgramFont(const ProgramFont&) = delete;
    ProgramFont& operator=(const ProgramFont&) = delete;

    static std::shared_ptr<ProgramFont> shared()
    {
        static std::weak_ptr<ProgramFont> font;
        std::shared_ptr<ProgramFont> mine = font.lock();
        if (!mine)
            font = mine = std::make_shared<ProgramFont>();
        return mine;
    }

    void set(double scale)
    {
        QFont font = system;
        if (system.pointSizeF() > 0)
            font.setPointSizeF(system.pointSizeF() * scale);
        if (font == scaled)
            return;
        scaled = font; // first: setting it comes back as a change
        QApplication::setFont(font);
    }

    /// The desktop may have given another.
    void follow()
    {
        if (QApplication::font() != scaled)
            system = scaled = QApplication::font();
    }
};

TypeScale::TypeScale(QWidget* window)
    : QObject(window)
    , m_window(window)
    , m_font(ProgramFont::shared())
{
    window->installEventFilter(this);
}

TypeScale::~TypeScale() = default;

double TypeScale::scaleFor(QSize window)
{
    const double growth =
        std::min(window.width() / kOrdinary.width(), window.height() / kOrdinary.height()) - 1;
    return std::clamp(1 + std::round(growth * kShareOfGrowth / kStep) * kStep, 1.0, kLargest);
}

double TypeScale::current()
{
    const std::shared_ptr<ProgramFont> font = ProgramFont::shared();
    return font->system.pointSizeF() > 0 ? font->scaled.pointSizeF() / font->system.pointSizeF() : 1;
}

void TypeScale::setLarge(bool large)
{
    m_large = large;
    apply();
}

void TypeScale::apply()
{
    m_font->set(scaleFor(m_window->size()) * (m_large ? kLargeType : 1));
}

bool TypeScale::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_window)
        return QObject::eventFilter(watched, event);
    const bool fontChanged = event->type() == QEvent::ApplicationFontChange;
    if (fontChanged)
        m_font->follow();
    if (fontChanged || event->type() == QEvent::Resize || event->type() == QEvent::Show)
        apply();
    return QObject::eventFilter(watched, event);
}

} // namespace vitrine::ui
