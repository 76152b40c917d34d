// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/block_map_dock.h"

#include "ui/glass/block_map_panel.h"
#include "ui/glass/glass_panel.h"
#include "ui/models/glass_model.h"

namespace vitrine::ui {

BlockMapDock::BlockMapDock(GlassModel* model, QWidget* parent)
    : QDockWidget(tr("Block map"), parent)
    , m_panel(new BlockMapPanel(model))
{
    setObjectName(QStringLiteral("BlockMapDock"));
    auto* panel =
        new GlassPanel(m_panel, tr("Here you see which block of the KV cache belongs to which chat. "
                                   "Open a model to begin."));
    setWidget(panel);
    const auto follow = [panel, model] { panel->setEmpty(!model->hasPool()); };
    connect(model, &GlassModel::changed, panel, follow);
    follow();
}

} // namespace vitrine::ui
