// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/motion.h"

#include <QApplication>
#include <QMainWindow>

namespace vitrine::ui {

Motion& Motion::shared()
{
    static Motion motion;
    return motion;
}

void Motion::setReduced(bool reduced)
{
    if (reduced == m_reduced)
        return;
    m_reduced = reduced;
    for (const Qt::UIEffect effect : {Qt::UI_AnimateMenu, Qt::UI_FadeMenu, Qt::UI_AnimateCombo,
                                      Qt::UI_AnimateTooltip, Qt::UI_FadeTooltip, Qt::UI_AnimateToolBox})
        if (reduced && QApplication::isEffectEnabled(effect))
            m_stopped.append(effect);
    for (const Qt::UIEffect effect : m_stopped)
        QApplication::setEffectEnabled(effect, !reduced);
    if (!reduced)
        m_stopped.clear();
    emit changed();
}

void Motion::governs(QMainWindow& window)
{
    const auto follow = [this, &window] { window.setAnimated(!m_reduced); };
    connect(this, &Motion::changed, &window, follow);
    follow();
}

} // namespace vitrine::ui
