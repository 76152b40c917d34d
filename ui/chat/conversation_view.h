// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/models/chat_session.h"
#include "ui/models/text_links.h"

#include <QTextBrowser>
#include <QTimer>

namespace vitrine::ui {

class ChatBook;
class ConversationDocument;

/// The conversation in a reading column. Follows the newest text only while the reader is at the bottom.
class ConversationView : public QTextBrowser {
    Q_OBJECT
public:
    explicit ConversationView(const ChatBook& book, QWidget* parent = nullptr);
    ~ConversationView() override;

    void open(ChatId chat, int slot);
    void setStatus(const QString& status);
    [[nodiscard]] ChatId chat() const;
    /// Underlines and shades these places, and shows the first of them; nothing takes the marks away.
    void markText(std::vector<MessageRange> ranges);
    [[nodiscard]] const std::vector<MessageRange>& markedText() const { return m_marks; }
    /// Where the reading column lies in a view of this width; the composer stands in the same column.
    struct Column {
        int left;
        int width;
    };
    [[nodiscard]] Column columnIn(int width) const;

signals:
    void copyRequested(vitrine::ui::MessageId answer);
    void copyReasoningRequested(vitrine::ui::MessageId answer);
    /// All of a text of which an excerpt is shown.
    void readRequested(vitrine::ui::MessageId message, vitrine::ui::TextPart part);
    void regenerateRequested();
    void chatMlRequested();
    void branchRequested(vitrine::ui::MessageId answer);
    /// What is selected now, message by message; empty where nothing is.
    void textSelected(const std::vector<vitrine::ui::MessageRange>& ranges);

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    /// Answers load nothing, neither from this machine nor from others.
    QVariant loadResource(int type, const QUrl& name) override;

private:
    void repaintOnlyWhatChanges();
    void followLink(const QUrl& link);
    void toggleReasoning(MessageId message);
    void showMore(void (ConversationDocument::*more)());
    void showMarks();
    void scrollTo(const QTextCursor& cursor);
    void tellSelection();
    void restyle();
    void updateMargins();
    void paintFrame(QPainter& painter, const QTextFrame& frame, const QRectF& visible) const;
    [[nodiscard]] bool isAtBottom() const;
    void onScrollRangeChanged();
    void onScrolled(int value);

    const ChatBook& m_book;
    std::unique_ptr<ConversationDocument> m_document;
    std::vector<MessageRange> m_marks;
    QTimer m_selectionTimer;
    int m_slot = 0;
    bool m_follow = true;              ///< the reader is at the bottom
    QHash<qlonglong, int> m_positions; ///< where each chat was left, for those not at the bottom
};

} // namespace vitrine::ui
