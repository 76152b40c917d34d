// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/motion.h"

#include <QApplication>

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
        QApplication::setEffectEnabled(effect, !reduced);
    emit changed();
}

} // namespace vitrine::ui
