// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/tool_tip.h"

namespace vitrine::ui {

QString plainToolTip(const QString& lines)
{
    QString escaped = lines.toHtmlEscaped();
    return QStringLiteral("<p style='white-space:pre'>") +
           escaped.replace(QLatin1Char('\n'), QLatin1String("<br>")) + QStringLiteral("</p>");
}

} // namespace vitrine::ui
