// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/title_list.h"

#include "ui/models/chat_title.h"

#include <QCoreApplication>

namespace vitrine::ui {

namespace {

/// Context of the translations.
struct Text {
    Q_DECLARE_TR_FUNCTIONS(TitleList)
};

} // namespace

QString quoted(const QString& title)
{
    return Text::tr("“%1”").arg(shortTitle(title));
}

QString listed(const QStringList& names, qsizetype all)
{
    QStringList named = names.mid(0, kMostListed);
    if (const auto more = static_cast<int>(all - named.size()); more > 0)
        return Text::tr("%1 and %Ln more", nullptr, more).arg(named.join(Text::tr(", ")));
    if (named.size() < 2)
        return named.join(QString());
    const QString last = named.takeLast();
    return Text::tr("%1 and %2").arg(named.join(Text::tr(", ")), last);
}

} // namespace vitrine::ui
