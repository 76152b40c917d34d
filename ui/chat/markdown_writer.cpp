// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/markdown_writer.h"

#include <QRegularExpression>
#include <QTextCursor>
#include <QTextFrame>

#include <utility>

namespace vitrine::ui {
namespace {

constexpr qreal kListIndentPixels = 20;
/// A longer paragraph is no prose; searching it for pairs of marks could take long.
constexpr qsizetype kMaxInline = 20'000;

bool isFence(const QString& line)
{
    return line.trimmed().startsWith(QLatin1String("```")) || line.trimmed().startsWith(QLatin1String("~~~"));
}

/// One answer on its way into the document.
class Writer {
public:
    Writer(QTextCursor& cursor, const TextStyle& style)
        : m_cursor(cursor)
        , m_style(style)
    {
    }

    void write(const QString& text)
    {
        const QStringList lines = text.split(QChar('\n'));
        for (qsizetype i = 0; i < lines.size(); ++i) {
            if (isFence(lines[i]))
                i = writeCode(lines, i);
            else
                writeLine(lines[i]);
        }
        endParagraph();
    }

private:
    /// Returns the index of the closing fence, or of the last line where there is none.
    qsizetype writeCode(const QStringList& lines, qsizetype fence)
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
        m_cursor.insertText(code.join(QChar('\n')), m_style.codeBlock);
        m_cursor = QTextCursor(frame->document());
        m_cursor.setPosition(frame->lastPosition() + 1);
        // The document keeps an empty block behind the frame: the next paragraph goes there.
        m_blockIsFree = true;
        m_cursor.setBlockFormat(m_style.separator(1));
        return i; // the frame's own margin keeps the distance
    }

    void writeLine(const QString& line)
    {
        static const QRegularExpression heading(QStringLiteral("^(#{1,6})\\s+(.*?)\\s*#*$"));
        static const QRegularExpression item(QStringLiteral("^(\\s*)([-*+]|\\d{1,9}[.)])\\s+(.*)$"));
        if (line.trimmed().isEmpty()) {
            endText(); // a list may go on behind an empty line
        } else if (const auto match = heading.match(line); match.hasMatch()) {
            writeHeading(static_cast<int>(match.capturedLength(1)), match.captured(2));
        } else if (const auto listed = item.match(line); listed.hasMatch()) {
            endText();
            writeItem(static_cast<int>(listed.capturedLength(1)) / 2, listed.captured(2), listed.captured(3));
        } else {
            // A line break of the model is kept: poems and addresses depend on it.
            m_paragraph +=
                (m_paragraph.isEmpty() ? QString() : QString(QChar::LineSeparator)) + line.trimmed();
        }
    }

    void writeHeading(int level, const QString& text)
    {
        endParagraph();
        startBlock(m_style.paragraph);
        writeInline(text, m_style.heading(level));
    }

    void writeItem(int depth, const QString& marker, const QString& text)
    {
        QTextBlockFormat format = m_style.paragraph;
        format.setBottomMargin(2);
        format.setLeftMargin(kListIndentPixels * (depth + 1));
        format.setTextIndent(-kListIndentPixels);
        format.setTabPositions({QTextOption::Tab(kListIndentPixels * (depth + 1), QTextOption::LeftTab)});
        startBlock(format);
        m_inList = true;
        const bool numbered = marker.front().isDigit();
        m_cursor.insertText((numbered ? marker : QString(QChar(0x2022))) + QChar('\t'), m_style.body);
        writeInline(text, m_style.body);
    }

    void endParagraph()
    {
        endText();
        endList();
    }

    void endText()
    {
        if (m_paragraph.isEmpty())
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

    void writeInline(const QString& text, const QTextCharFormat& format)
    {
        static const QRegularExpression mark(
            QStringLiteral("(`+)(?<code>.+?)\\1|\\*\\*(?=\\S)(?<bold>.+?)(?<=\\S)\\*\\*|(?<![\\w*])\\*(?=[^"
                           "\\s*])(?<italic>[^*]+?)(?<=\\S)\\*(?![\\w*])"));
        if (text.size() > kMaxInline) {
            m_cursor.insertText(text, format);
            return;
        }
        qsizetype written = 0;
        for (auto marks = mark.globalMatch(text); marks.hasNext();) {
            const QRegularExpressionMatch match = marks.next();
            m_cursor.insertText(text.mid(written, match.capturedStart() - written), format);
            writeMarked(match, format);
            written = match.capturedEnd();
        }
        m_cursor.insertText(text.mid(written), format);
    }

    void writeMarked(const QRegularExpressionMatch& match, QTextCharFormat format)
    {
        if (match.hasCaptured(QStringLiteral("code"))) {
            m_cursor.insertText(match.captured(QStringLiteral("code")), m_style.code);
        } else if (match.hasCaptured(QStringLiteral("bold"))) {
            format.setFontWeight(QFont::Bold);
            writeInline(match.captured(QStringLiteral("bold")), format);
        } else {
            format.setFontItalic(true);
            writeInline(match.captured(QStringLiteral("italic")), format);
        }
    }

    QTextCursor& m_cursor;
    const TextStyle& m_style;
    QString m_paragraph;
    bool m_inList = false;
    bool m_blockIsFree = true; ///< the cursor's block has nothing in it yet
};

} // namespace

void writeMarkdown(QTextCursor& cursor, const QString& text, const TextStyle& style)
{
    Writer(cursor, style).write(text);
}

} // namespace vitrine::ui
