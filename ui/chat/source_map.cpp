// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/source_map.h"

#include <QTextBlock>
#include <QTextFrame>

#include <algorithm>

namespace vitrine::ui {

namespace {

/// Letters and digits that may be left out between two runs: the language of a fence, the tag before what a
/// model thinks. Text that looks like the source further on is not taken for it.
constexpr int kMostLeftOut = 40;

bool isSmallGap(QStringView gap)
{
    int letters = 0;
    for (const QChar character : gap)
        if (character.isLetterOrNumber() && ++letters > kMostLeftOut)
            return false;
    return true;
}

bool isBreak(QChar character)
{
    return character == QChar::LineSeparator || character == QChar::ParagraphSeparator ||
           character == QLatin1Char('\t');
}

} // namespace

SourceMap::SourceMap(const QTextFrame& frame, const QString& source)
{
    addFrame(frame, source);
}

void SourceMap::addFrame(const QTextFrame& frame, const QString& source)
{
    for (auto part = frame.begin(); !part.atEnd(); ++part) {
        if (const QTextFrame* child = part.currentFrame()) {
            addFrame(*child, source);
            continue;
        }
        const QTextBlock block = part.currentBlock();
        for (auto fragment = block.begin(); !fragment.atEnd(); ++fragment)
            addText(fragment.fragment().position(), fragment.fragment().text(), source);
    }
}

void SourceMap::addText(int position, const QString& text, const QString& source)
{
    qsizetype begin = 0;
    for (qsizetype i = 0; i <= text.size(); ++i) {
        if (i < text.size() && !isBreak(text[i]))
            continue;
        if (i > begin)
            add(position + static_cast<int>(begin), text.mid(begin, i - begin), source);
        begin = i + 1;
    }
}

void SourceMap::add(int position, const QString& text, const QString& source)
{
    const auto at = static_cast<int>(source.indexOf(text, m_next));
    if (at < 0 || !isSmallGap(QStringView(source).mid(m_next, at - m_next)))
        return;
    m_runs.push_back({position, at, static_cast<int>(text.size())});
    m_next = at + static_cast<int>(text.size());
}

std::pair<int, int> SourceMap::shown(int begin, int end) const
{
    const auto first =
        std::ranges::find_if(m_runs, [=](const Run& run) { return run.source + run.length > begin; });
    const auto after = std::ranges::lower_bound(m_runs, end, {}, &Run::source);
    if (begin >= end || first >= after)
        return {0, 0};
    const Run& last = *std::prev(after);
    return {first->position + std::max(0, begin - first->source),
            last.position + std::min(last.length, end - last.source)};
}

std::pair<int, int> SourceMap::source(int from, int to) const
{
    const auto first =
        std::ranges::find_if(m_runs, [=](const Run& run) { return run.position + run.length > from; });
    const auto after = std::ranges::lower_bound(m_runs, to, {}, &Run::position);
    if (from >= to || first >= after)
        return {0, 0};
    const Run& last = *std::prev(after);
    return {first->source + std::max(0, from - first->position),
            last.source + std::min(last.length, to - last.position)};
}

} // namespace vitrine::ui
