// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/batch_timeline_dock.h"

namespace vitrine::ui {

BatchTimelineDock::BatchTimelineDock(GlassModel*, QWidget* parent)
    : QDockWidget(tr("Batch timeline"), parent)
{
    setObjectName(QStringLiteral("BatchTimelineDock"));
}

} // namespace vitrine::ui
