// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/source_map.h"

#include "ui/chat/excerpt.h"

#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>

#include <algorithm>

namespace vitrine::ui {
namespace {

/// Without a place where a line may end. Beyond it are the scripts that have one behind each character.
bool isUnbroken(QChar c)
{
    constexpr QChar kFirstIdeograph(0x2E80);
    return !c.isSpace() && c < kFirstIdeograph;
}

} // namespace

void SourceMap::clear()
{
    for (std::vector<Run>& runs : m_runs)
        runs.clear();
}

const std::vector<SourceMap::Run>& SourceMap::runs(TextPart part) const
{
    return m_runs[static_cast<std::size_t>(part)];
}

void SourceMap::add(TextPart part, int position, int source, int length)
{
    std::vector<Run>& runs = m_runs[static_cast<std::size_t>(part)];
    const bool goesOn = !runs.empty() && runs.back().position + runs.back().length == position &&
                        runs.back().source + runs.back().length == source;
    if (goesOn)
        runs.back().length += length;
    else if (length > 0)
        runs.push_back({position, source, length});
}

std::pair<int, int> SourceMap::shown(TextPart part, int begin, int end) const
{
    const auto first =
        std::ranges::find_if(runs(part), [=](const Run& run) { return run.source + run.length > begin; });
    const auto after = std::ranges::lower_bound(runs(part), end, {}, &Run::source);
    if (begin >= end || first >= after)
        return {0, 0};
    const Run& last = *std::prev(after);
    return {first->position + std::max(0, begin - first->source),
            last.position + std::min(last.length, end - last.source)};
}

std::pair<int, int> SourceMap::source(TextPart part, int from, int to) const
{
    const auto first =
        std::ranges::find_if(runs(part), [=](const Run& run) { return run.position + run.length > from; });
    const auto after = std::ranges::lower_bound(runs(part), to, {}, &Run::position);
    if (from >= to || first >= after)
        return {0, 0};
    const Run& last = *std::prev(after);
    return {first->source + std::max(0, from - first->position),
            last.source + std::min(last.length, to - last.position)};
}

SourcePen::SourcePen(QTextCursor& cursor, SourceMap& map, TextPart part, int origin)
    : m_cursor(cursor)
    , m_map(map)
    , m_part(part)
    , m_origin(origin)
{
}

void SourcePen::write(const QString& text, int source, const QTextCharFormat& format)
{
    for (qsizetype begin = 0; begin < text.size();) {
        const qsizetype end = endOfPiece(text, begin);
        if (end > begin)
            writePiece(text.mid(begin, end - begin), source + static_cast<int>(begin), format);
        begin = end;
        if (begin < text.size())
            m_cursor.insertBlock(m_cursor.blockFormat());
    }
}

/// Behind so much of `text` as can stand in one paragraph, with what stands there already: nothing, maybe.
qsizetype SourcePen::endOfPiece(const QString& text, qsizetype begin) const
{
    qsizetype run = unbrokenBefore();
    for (qsizetype at = begin; at < text.size(); ++at) {
        run = isUnbroken(text[at]) ? run + 1 : 0;
        if (run > kMostUnbroken)
            return std::max(begin, cutBefore(text, at));
    }
    return text.size();
}

qsizetype SourcePen::unbrokenBefore() const
{
    const QTextDocument* document = m_cursor.document();
    const int end = m_cursor.position();
    const int begin = std::max(m_cursor.block().position(), end - static_cast<int>(kMostUnbroken));
    int at = end;
    while (at > begin && isUnbroken(document->characterAt(at - 1)))
        --at;
    return end - at;
}

void SourcePen::writePiece(const QString& text, int source, const QTextCharFormat& format)
{
    const QString lineEnd = QStringLiteral("\r\n"); // becomes one character of the document
    int position = m_cursor.position() - m_origin;
    m_cursor.insertText(text, format);
    for (qsizetype begin = 0; begin < text.size();) {
        const qsizetype found = text.indexOf(lineEnd, begin);
        const qsizetype end = found < 0 ? text.size() : found;
        m_map.add(m_part, position, source + static_cast<int>(begin), static_cast<int>(end - begin));
        position += static_cast<int>(end - begin) + 1;
        begin = end + lineEnd.size();
    }
}

} // namespace vitrine::ui
