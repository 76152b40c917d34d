// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/batch_timeline_dock.h"

#include "ui/glass/batch_timeline_panel.h"
#include "ui/glass/glass_panel.h"
#include "ui/models/batch_history.h"
#include "ui/models/glass_model.h"

namespace vitrine::ui {

BatchTimelineDock::BatchTimelineDock(GlassModel* model, QWidget* parent)
    : QDockWidget(tr("Batch timeline"), parent)
    , m_panel(new BatchTimelinePanel(model))
{
    setObjectName(QStringLiteral("BatchTimelineDock"));
    auto* panel =
        new GlassPanel(m_panel, tr("Here you see step by step which chats are computed together, who waits, "
                                   "and why. Send a message to begin."));
    setWidget(panel);
    const auto follow = [panel, model] { panel->setEmpty(model->batches().empty()); };
    connect(model, &GlassModel::changed, panel, follow);
    follow();
}

} // namespace vitrine::ui
