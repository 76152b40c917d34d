// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/about_dialog.h"

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QVBoxLayout>

namespace vitrine::ui {

AboutDialog::AboutDialog(QWidget* parent)
    : QDialog(parent)
{
    setWindowTitle(tr("About Vitrine"));
    auto* icon = new QLabel(this);
    icon->setPixmap(applicationIcon().pixmap(96, 96));
    auto* name = new QLabel(tr("Vitrine %1").arg(QStringLiteral(VITRINE_VERSION)), this);
    QFont large = font();
    large.setPointSizeF(font().pointSizeF() * 1.6);
    name->setFont(large);
    auto* text = new QLabel(
        tr("Local LLM chat with the engine behind glass: several chats at once, and a live view of what the "
           "engine "
           "does for them.\n\nFree software under the GNU General Public License, version 3 or later, with a "
           "permission to link the CUDA libraries. It comes without any warranty.\n\nMade with Qt and "
           "QCustomPlot."),
        this);
    text->setWordWrap(true);
    text->setMinimumWidth(400);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    auto* texts = new QVBoxLayout;
    texts->addWidget(name);
    texts->addWidget(text);
    texts->addStretch();
    auto* top = new QHBoxLayout;
    top->setSpacing(kGroupGap);
    top->addWidget(icon, 0, Qt::AlignTop);
    top->addLayout(texts, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kGroupGap, kGroupGap, kGroupGap, kGroupGap);
    layout->setSpacing(kGroupGap);
    layout->addLayout(top);
    layout->addWidget(buttons);
}

} // namespace vitrine::ui
