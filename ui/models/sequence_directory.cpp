// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/sequence_directory.h"

#include "ui/models/sequence_palette.h"

#include <algorithm>

namespace vitrine::ui {

namespace {

/// Where " (2)" begins, or the title's end.
qsizetype numberIn(const QString& title)
{
    qsizetype at = title.size() - 1;
    if (at < 0 || title[at] != QLatin1Char(')'))
        return title.size();
    while (at > 0 && title[at - 1].isDigit())
        --at;
    const bool isNumber =
        at >= 2 && at < title.size() - 1 && QStringView(title).mid(at - 2, 2) == QLatin1String(" (");
    return isNumber ? at - 2 : title.size();
}

} // namespace

QString shortTitle(const QString& title)
{
    constexpr qsizetype kMost = 24;
    if (title.size() <= kMost)
        return title;
    const QString number = title.mid(numberIn(title));
    qsizetype end = std::max<qsizetype>(1, kMost - 1 - number.size());
    end -= title[end - 1].isHighSurrogate();
    return title.left(end).trimmed() + QChar(0x2026) + number;
}

QString elidedTitle(const QFontMetrics& metrics, const QString& title, int width)
{
    const QString number = title.mid(numberIn(title));
    return metrics.elidedText(title.left(title.size() - number.size()), Qt::ElideRight,
                              width - metrics.horizontalAdvance(number)) +
           number;
}

void SequenceDirectory::describeChat(const ChatLabel& label)
{
    ChatLabel& known = m_chats[label.chat];
    if (known == label)
        return;
    known = label;
    emit changed();
}

void SequenceDirectory::assign(SequenceId sequence, qint64 chat)
{
    m_chatOfSequence.insert(sequence.value, chat);
    emit changed();
}

void SequenceDirectory::clear()
{
    m_chats.clear();
    m_chatOfSequence.clear();
    emit changed();
}

ChatLabel SequenceDirectory::label(SequenceId sequence) const
{
    const auto known = m_chats.constFind(chatOf(sequence));
    if (known != m_chats.constEnd())
        return *known;
    return {0, tr("sequence %1").arg(sequence.value), kNeutralSlot};
}

int SequenceDirectory::colorSlot(SequenceId sequence) const
{
    const auto known = m_chats.constFind(chatOf(sequence));
    return known == m_chats.constEnd() ? kNeutralSlot : known->colorSlot;
}

qint64 SequenceDirectory::chatOf(SequenceId sequence) const
{
    return m_chatOfSequence.value(sequence.value, 0);
}

ChatLabel SequenceDirectory::chatLabel(qint64 chat) const
{
    return m_chats.value(chat, {chat, QString(), kNeutralSlot});
}

} // namespace vitrine::ui
