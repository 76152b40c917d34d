// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/chat/source_map.h"
#include "ui/chat/text_style.h"
#include "ui/models/chat_session.h"
#include "ui/models/text_links.h"

#include <QTextDocument>
#include <QTimer>

#include <array>
#include <map>
#include <vector>

class QTextBlock;
class QTextCursor;
class QTextFrame;

namespace vitrine::ui {

class ChatBook;
struct Excerpt;

/// What a link inside a conversation asks for; its address is "vitrine:again/12" for message 12.
namespace link {
inline const QString kScheme = QStringLiteral("vitrine");
inline const QString kCopy = QStringLiteral("copy");
inline const QString kRead = QStringLiteral("read"); ///< all of what is too long to be shown
inline const QString kReadReasoning = QStringLiteral("read-reasoning");
inline const QString kEarlier = QStringLiteral("earlier");     ///< messages before the first that is shown
inline const QString kBetween = QStringLiteral("between");     ///< messages between two runs that are shown
inline const QString kReasoning = QStringLiteral("reasoning"); ///< shows or hides it
inline const QString kCopyReasoning = QStringLiteral("copy-reasoning");
inline const QString kAgain = QStringLiteral("again");
inline const QString kChatMl = QStringLiteral("chatml");
inline const QString kBranch = QStringLiteral("branch");
} // namespace link

/// One chat as a document, one frame a message. Follows the book: streaming text is appended to the last
/// paragraph and costs no more at the end of a long answer than at its start; an answer that has ended is set
/// as Markdown. Of a long message an excerpt is set (excerpt.h), and of a long chat the newest messages, and
/// a run of earlier ones that are asked for: what is laid out at once is bounded, whatever a chat holds.
class ConversationDocument : public QTextDocument {
    Q_OBJECT
public:
    ConversationDocument(const ChatBook& book, ChatId chat, const TextStyle& style,
                         QObject* parent = nullptr);

    [[nodiscard]] ChatId chat() const { return m_chat; }
    void setStyle(const TextStyle& style);
    /// Stands under the answer that is streaming: "waits: 12 blocks needed, 7 free".
    void setStatus(const QString& status);
    /// Brings in the text that has arrived since the last time, without waiting for the next frame.
    void flush();
    /// While text is streaming in: nothing above this is changed by it. The layout itself cannot tell.
    [[nodiscard]] qreal unchangedAbove() const { return m_unchangedAbove; }

    /// More of the messages before the first that is shown, or before the newest ones.
    void showEarlier();
    void showBetween();
    /// The message and some that follow it, where it is not shown. The newest stay; what lies between is left
    /// out.
    void showFrom(MessageId message);

    /// What a model thinks is shown while it has not begun to answer, and from then on where it is asked for.
    void toggleReasoning(MessageId message);
    /// Whether it can be seen; a message without reasoning shows none.
    [[nodiscard]] bool isReasoningShown(MessageId message) const;
    /// Selects the link that shows or hides a message's reasoning; without a selection where it has none.
    [[nodiscard]] QTextCursor reasoningLink(MessageId message) const;

    /// What the selection shows of each message, in order; actions and figures are no text.
    [[nodiscard]] std::vector<MessageRange> rangesOf(const QTextCursor& selection) const;
    /// What shows the text, selected; nothing is selected where nothing does.
    [[nodiscard]] QTextCursor cursorOf(const MessageRange& range) const;

private:
    struct Part {
        MessageId message;
        QTextFrame* frame;                   ///< owned by the document
        SourceMap map;                       ///< of what is in the frame
        std::array<qsizetype, 2> streamed{}; ///< by TextPart: characters written as they are
    };

    void rebuild();
    void appendPart(MessageId message);
    void addPart(const Message& message);
    void writePart(Part& part, const Message& message);
    void writeQuestion(QTextCursor& cursor, Part& part, const Message& message);
    void writeNotice(QTextCursor& cursor, const Message& message);
    /// A line that shows them.
    void writeMissing(const QString& what, const QString& text, std::size_t messages);
    /// Where those begin that are shown up to the newest.
    [[nodiscard]] MessageId newestRun() const { return m_gapEnd == MessageId{} ? m_first : m_gapEnd; }
    void writeAnswer(QTextCursor& cursor, Part& part, const Message& message);
    void writeReasoning(QTextCursor& cursor, Part& part, const Message& message);
    /// The text as it is: what parts of Markdown mean depends on what an excerpt leaves out.
    void writePlain(QTextCursor& cursor, Part& part, TextPart what, const Message& message);
    void writeGap(QTextCursor& cursor, TextPart what, const Message& message, const Excerpt& excerpt);
    /// Of a text that is being written, what has come since the last time: what there is from `source` on.
    void writeStreaming(QTextCursor& cursor, Part& part, TextPart what, const QString& text,
                        qsizetype source);
    [[nodiscard]] bool showsReasoning(const Message& message) const;
    void writeFailure(QTextCursor& cursor, const Message& message);
    void writeFooter(QTextCursor& cursor, const Message& message);
    void refreshPart(MessageId message);
    void appendText(MessageId message, const QString& text);
    void appendReasoning(MessageId message, const QString& text);
    void stream(MessageId message, const QString& text, TextPart what);
    [[nodiscard]] qreal lastLinesTop(const QTextBlock& block) const;
    void removeFrom(MessageId first);
    [[nodiscard]] const Part* partOf(MessageId message) const;
    [[nodiscard]] Part* partOf(MessageId message);
    [[nodiscard]] const Message* messageOf(MessageId message) const;
    [[nodiscard]] bool isLastAnswer(MessageId message) const;
    void endWithSeparator();

    const ChatBook& m_book;
    const ChatId m_chat;
    TextStyle m_style;
    QString m_status;
    MessageId m_first;    ///< that is shown
    MessageId m_gapBegin; ///< not shown from here on
    MessageId m_gapEnd;   ///< and shown from here on; 0: all are, from the first on
    std::vector<Part> m_parts;
    MessageId m_streaming; ///< whose text is in m_pending
    QString m_pending;     ///< arrived, not yet in the document
    TextPart m_pendingPart = TextPart::Said;
    std::map<MessageId, bool> m_reasoningShown; ///< where the reader has chosen
    QTimer m_flush;
    qreal m_unchangedAbove = 0;
};

} // namespace vitrine::ui
