// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/markdown_writer.h"

#include "ui/chat/source_map.h"

#include <QRegularExpression>
#include <QTextCursor>
#include <QTextFrame>

#include <algorithm>
#include <utility>
#include <vector>

namespace vitrine::ui {
namespace {

constexpr qreal kListIndentPixels = 20;
/// A longer paragraph is no prose; searching it for pairs of marks could take long.
constexpr qsizetype kMaxInline = 20'000;

bool isFence(const QString& line)
{
    return line.trimmed().startsWith(QLatin1String("```")) || line.trimmed().startsWith(QLatin1String("~~~"));
}

/// Text to be set, and where each of its characters stands in the source.
struct SourcedText {
    QString text;
    std::vector<int> at;

    SourcedText() = default;
    SourcedText(const QString& piece, qsizetype source) { append(piece, source); }

    void append(const QString& piece, qsizetype source)
    {
        text += piece;
        for (qsizetype i = 0; i < piece.size(); ++i)
            at.push_back(static_cast<int>(source + i));
    }

    [[nodiscard]] SourcedText mid(qsizetype begin, qsizetype length) const
    {
        SourcedText part;
        part.text = text.mid(begin, length);
        part.at.assign(at.begin() + begin, at.begin() + begin + part.text.size());
        return part;
    }
};

/// One answer on its way into the document.
class Writer {
public:
    Writer(SourcePen& pen, const TextStyle& style)
        : m_pen(pen)
        , m_cursor(pen.cursor())
        , m_style(style)
    {
    }

    void write(const QString& text)
    {
        const QStringList lines = text.split(QChar('\n'));
        qsizetype at = 0;
        for (qsizetype i = 0; i < lines.size();) {
            qsizetype next = i + 1;
            if (isFence(lines[i]))
                next = writeCode(lines, i, at);
            else
                writeLine(lines[i], at);
            for (; i < next; ++i)
                at += lines[i].size() + 1;
        }
        endParagraph();
    }

private:
    /// Returns the index of the line behind the closing fence. `at`: where the fence stands in the source, as
    /// for each line below.
    qsizetype writeCode(const QStringList& lines, qsizetype fence, qsizetype at)
    {
        endParagraph();
        const QString marker = lines[fence].trimmed().left(3);
        QStringList code;
        qsizetype i = fence + 1;
        for (; i < lines.size() && !lines[i].trimmed().startsWith(marker); ++i)
            code << lines[i];
        startBlock(m_style.separator(1)); // stays empty in front of the frame
        QTextFrame* frame = m_cursor.insertFrame(m_style.codeFrame);
        m_cursor.setBlockFormat(m_style.tight);
        m_pen.write(code.join(QChar('\n')), static_cast<int>(at + lines[fence].size() + 1),
                    m_style.codeBlock);
        m_cursor = QTextCursor(frame->document());
        m_cursor.setPosition(frame->lastPosition() + 1);
        // The document keeps an empty block behind the frame: the next paragraph goes there.
        m_blockIsFree = true;
        m_cursor.setBlockFormat(m_style.separator(1));
        return std::min(i + 1, lines.size()); // the frame's own margin keeps the distance
    }

    void writeLine(const QString& line, qsizetype at)
    {
        static const QRegularExpression heading(QStringLiteral("^(#{1,6})\\s+(.*?)\\s*#*$"));
        static const QRegularExpression item(QStringLiteral("^(\\s*)([-*+]|\\d{1,9}[.)])\\s+(.*)$"));
        if (line.trimmed().isEmpty()) {
            endText(); // a list may go on behind an empty line
        } else if (const auto match = heading.match(line); match.hasMatch()) {
            writeHeading(static_cast<int>(match.capturedLength(1)),
                         {match.captured(2), at + match.capturedStart(2)});
        } else if (const auto listed = item.match(line); listed.hasMatch()) {
            endText();
            writeItem(static_cast<int>(listed.capturedLength(1)) / 2,
                      {listed.captured(2), at + listed.capturedStart(2)},
                      {listed.captured(3), at + listed.capturedStart(3)});
        } else {
            // A line break of the model is kept: poems and addresses depend on it.
            if (!m_paragraph.text.isEmpty())
                m_paragraph.append(QChar(QChar::LineSeparator), at - 1);
            const QString text = line.trimmed();
            m_paragraph.append(text, at + line.indexOf(text.front()));
        }
    }

    void writeHeading(int level, const SourcedText& text)
    {
        endParagraph();
        startBlock(m_style.paragraph);
        writeInline(text, m_style.heading(level));
    }

    void writeItem(int depth, const SourcedText& marker, const SourcedText& text)
    {
        QTextBlockFormat format = m_style.paragraph;
        format.setBottomMargin(2);
        format.setLeftMargin(kListIndentPixels * (depth + 1));
        format.setTextIndent(-kListIndentPixels);
        format.setTabPositions({QTextOption::Tab(kListIndentPixels * (depth + 1), QTextOption::LeftTab)});
        startBlock(format);
        m_inList = true;
        if (marker.text.front().isDigit())
            insert(marker, m_style.body);
        else
            m_cursor.insertText(QChar(0x2022), m_style.body);
        m_cursor.insertText(QChar('\t'), m_style.body);
        writeInline(text, m_style.body);
    }

    void endParagraph()
    {
        endText();
        endList();
    }

    void endText()
    {
        if (m_paragraph.text.isEmpty())
            return;
        endList();
        startBlock(m_style.paragraph);
        writeInline(std::exchange(m_paragraph, {}), m_style.body);
    }

    /// The distance of a paragraph behind the last item.
    void endList()
    {
        if (!std::exchange(m_inList, false))
            return;
        QTextBlockFormat format = m_cursor.blockFormat();
        format.setBottomMargin(m_style.paragraph.bottomMargin());
        m_cursor.setBlockFormat(format);
    }

    void startBlock(const QTextBlockFormat& format)
    {
        if (std::exchange(m_blockIsFree, false))
            m_cursor.setBlockFormat(format);
        else
            m_cursor.insertBlock(format);
        m_cursor.setBlockCharFormat(m_style.body);
    }

    void writeInline(const SourcedText& text, const QTextCharFormat& format)
    {
        static const QRegularExpression mark(
            QStringLiteral("(`+)(?<code>.+?)\\1|\\*\\*(?=\\S)(?<bold>.+?)(?<=\\S)\\*\\*|(?<![\\w*])\\*(?=[^"
                           "\\s*])(?<italic>[^*]+?)(?<=\\S)\\*(?![\\w*])"));
        if (text.text.size() > kMaxInline) {
            insert(text, format);
            return;
        }
        qsizetype written = 0;
        for (auto marks = mark.globalMatch(text.text); marks.hasNext();) {
            const QRegularExpressionMatch match = marks.next();
            insert(text.mid(written, match.capturedStart() - written), format);
            writeMarked(text, match, format);
            written = match.capturedEnd();
        }
        insert(text.mid(written, text.text.size() - written), format);
    }

    void writeMarked(const SourcedText& text, const QRegularExpressionMatch& match, QTextCharFormat format)
    {
        const auto captured = [&](const QString& name) {
            return text.mid(match.capturedStart(name), match.capturedLength(name));
        };
        if (match.hasCaptured(QStringLiteral("code"))) {
            insert(captured(QStringLiteral("code")), m_style.code);
        } else if (match.hasCaptured(QStringLiteral("bold"))) {
            format.setFontWeight(QFont::Bold);
            writeInline(captured(QStringLiteral("bold")), format);
        } else {
            format.setFontItalic(true);
            writeInline(captured(QStringLiteral("italic")), format);
        }
    }

    /// In pieces that stand in the source as they are.
    void insert(const SourcedText& text, const QTextCharFormat& format)
    {
        for (std::size_t begin = 0; begin < text.at.size();) {
            std::size_t end = begin + 1;
            while (end < text.at.size() && text.at[end] == text.at[end - 1] + 1)
                ++end;
            m_pen.write(text.text.mid(static_cast<qsizetype>(begin), static_cast<qsizetype>(end - begin)),
                        text.at[begin], format);
            begin = end;
        }
    }

    SourcePen& m_pen;
    QTextCursor& m_cursor; ///< the pen's
    const TextStyle& m_style;
    SourcedText m_paragraph;
    bool m_inList = false;
    bool m_blockIsFree = true; ///< the cursor's block has nothing in it yet
};

} // namespace

void writeMarkdown(SourcePen& pen, const QString& text, const TextStyle& style)
{
    Writer(pen, style).write(text);
}

} // namespace vitrine::ui
