// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chat_title.h"

#include <QTextBoundaryFinder>

#include <algorithm>

namespace vitrine::ui {

namespace {

/// Tibetan puts seven upon a letter; the longest emoji, a family with its skin tones, has 19 units.
constexpr int kMostMarks = 8;
constexpr int kMostUnits = 24;
/// " (2)"; with more digits it is no number of ours.
constexpr qsizetype kMostNumber = 12;

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
    return isNumber && title.size() - at < kMostNumber ? at - 2 : title.size();
}

bool isMark(QChar unit)
{
    return unit.category() == QChar::Mark_NonSpacing || unit.category() == QChar::Mark_Enclosing;
}

/// A character as people count them, without the marks and joined signs that are too many.
QStringView withoutExcess(QStringView character)
{
    qsizetype end = 0;
    for (int marks = 0; end < std::min<qsizetype>(character.size(), kMostUnits); ++end)
        if (isMark(character[end]) && ++marks > kMostMarks)
            break;
    return character.left(end - (end > 0 && character[end - 1].isHighSurrogate() ? 1 : 0));
}

QString firstCharacters(const QString& text, int most)
{
    QString first;
    QTextBoundaryFinder end(QTextBoundaryFinder::Grapheme, text);
    for (qsizetype begin = 0; begin < text.size() && most > 0; --most) {
        end.toNextBoundary();
        first += withoutExcess(QStringView(text).sliced(begin, end.position() - begin));
        begin = end.position();
    }
    return first;
}

} // namespace

QString asTitle(const QString& text)
{
    const QString line = text.simplified();
    const qsizetype end = numberIn(line);
    const QString words = line.left(std::min<qsizetype>(end, kMostTitleCharacters * kMostUnits));
    return firstCharacters(words, kMostTitleCharacters).trimmed() + line.mid(end);
}

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

} // namespace vitrine::ui
