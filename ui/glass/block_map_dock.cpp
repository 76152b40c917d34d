// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/block_map_dock.h"

namespace vitrine::ui {

BlockMapDock::BlockMapDock(GlassModel*, QWidget* parent)
    : QDockWidget(tr("Block map"), parent)
{
    setObjectName(QStringLiteral("BlockMapDock"));
}

} // namespace vitrine::ui
