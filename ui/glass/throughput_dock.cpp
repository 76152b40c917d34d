// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/throughput_dock.h"

#include "ui/glass/glass_panel.h"
#include "ui/glass/throughput_panel.h"
#include "ui/models/batch_history.h"
#include "ui/models/glass_model.h"

namespace vitrine::ui {

ThroughputDock::ThroughputDock(GlassModel* model, QWidget* parent)
    : QDockWidget(tr("Throughput"), parent)
    , m_panel(new ThroughputPanel(model))
{
    setObjectName(QStringLiteral("ThroughputDock"));
    auto* panel = new GlassPanel(
        m_panel, tr("Here you see how many tokens per second come out, chat by chat, and where "
                    "the time goes. Send a message to begin."));
    setWidget(panel);
    const auto follow = [panel, model] { panel->setEmpty(model->batches().empty()); };
    connect(model, &GlassModel::changed, panel, follow);
    follow();
}

} // namespace vitrine::ui
