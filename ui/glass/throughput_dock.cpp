// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/throughput_dock.h"

namespace vitrine::ui {

ThroughputDock::ThroughputDock(GlassModel*, QWidget* parent)
    : QDockWidget(tr("Throughput"), parent)
{
    setObjectName(QStringLiteral("ThroughputDock"));
}

} // namespace vitrine::ui
