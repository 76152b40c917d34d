// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/excerpt.h"

#include <algorithm>

namespace vitrine::ui {
namespace {

/// How far back a better place is looked for.
constexpr qsizetype kReach = 200;

/// What belongs to the character before it: half of a pair, an accent, a joiner and what it joins.
bool continues(QStringView text, qsizetype at)
{
    constexpr QChar kJoiner(0x200D);
    return text[at].isLowSurrogate() || text[at].isMark() || text[at] == kJoiner || text[at - 1] == kJoiner;
}

} // namespace

qsizetype cutBefore(QStringView text, qsizetype at)
{
    if (at <= 0 || at >= text.size())
        return std::clamp<qsizetype>(at, 0, text.size());
    if (text[at] == QLatin1Char('\n') && text[at - 1] == QLatin1Char('\r'))
        --at; // one line's end
    if (text[at - 1] == QLatin1Char('\r') && text[at] == QLatin1Char('\n'))
        return cutBefore(text, at - 1); // one line's end
    const qsizetype least = std::max<qsizetype>(1, at - kReach);
    const auto behind = [&](auto isSeparator) {
        qsizetype place = at;
        while (place >= least && !isSeparator(text[place - 1]))
            --place;
        return place >= least ? place : 0;
    };
    if (const qsizetype line = behind([](QChar c) { return c == QLatin1Char('\n'); }); line > 0)
        return line;
    if (const qsizetype word = behind([](QChar c) { return c.isSpace(); }); word > 0)
        return word;
    qsizetype place = at;
    while (place > least && continues(text, place))
        --place;
    return place;
}

Excerpt excerptOf(QStringView text)
{
    if (text.size() <= kMostShown)
        return {text.size(), text.size()};
    return {cutBefore(text, kExcerptSide), cutBefore(text, text.size() - kExcerptSide)};
}

} // namespace vitrine::ui
