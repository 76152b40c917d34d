// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/conversation_view.h"

#include "ui/chat/conversation_document.h"
#include "ui/models/chat_book.h"
#include "ui/theme/theme.h"

#include <QAbstractTextDocumentLayout>
#include <QDesktopServices>
#include <QPainter>
#include <QScrollBar>
#include <QTextFrame>

#include <algorithm>

namespace vitrine::ui {
namespace {

constexpr qreal kCorner = 6;
constexpr qreal kMarkWidth = 4;
/// A selection that is being dragged is told at this pace.
constexpr int kSelectionMillis = 80;
constexpr double kMarkShade = 0.25;

} // namespace

ConversationView::ConversationView(const ChatBook& book, QWidget* parent)
    : QTextBrowser(parent)
    , m_book(book)
{
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    setAcceptDrops(false);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTextInteractionFlags(textInteractionFlags() | Qt::TextSelectableByKeyboard);
    setAccessibleName(tr("Conversation"));
    setAccessibleDescription(
        tr("The arrow keys move through the text, with Shift they select it; Ctrl+C copies it"));
    verticalScrollBar()->installEventFilter(this);
    m_selectionTimer.setSingleShot(true);
    m_selectionTimer.setInterval(kSelectionMillis);
    connect(&m_selectionTimer, &QTimer::timeout, this, &ConversationView::tellSelection);
    connect(this, &QTextEdit::selectionChanged, &m_selectionTimer, qOverload<>(&QTimer::start));
    // An answer that has ended is set anew; queued, so that the document has done so.
    connect(
        &book, &ChatBook::messageEdited, this,
        [this](ChatId edited) {
            if (edited == chat() && !m_marks.empty())
                showMarks();
        },
        Qt::QueuedConnection);
    connect(this, &QTextBrowser::anchorClicked, this, &ConversationView::followLink);
    connect(verticalScrollBar(), &QScrollBar::rangeChanged, this, &ConversationView::onScrollRangeChanged);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &ConversationView::onScrolled);
}

ConversationView::~ConversationView()
{
    setDocument(nullptr); // ours goes first
}

ChatId ConversationView::chat() const
{
    return m_document ? m_document->chat() : ChatId{};
}

void ConversationView::open(ChatId chat, int slot)
{
    if (m_document && m_document->chat() == chat)
        return;
    if (m_document && !m_follow)
        m_positions[m_document->chat().value] = verticalScrollBar()->value();
    else if (m_document)
        m_positions.remove(m_document->chat().value);
    m_slot = slot;
    auto document = std::make_unique<ConversationDocument>(m_book, chat, TextStyle(font(), palette()));
    m_marks.clear();
    setExtraSelections({});
    setDocument(document.get());
    m_document = std::move(document);
    repaintOnlyWhatChanges();
    m_follow = !m_positions.contains(chat.value);
    verticalScrollBar()->setValue(m_follow ? verticalScrollBar()->maximum() : m_positions.value(chat.value));
}

/// Qt paints the whole view anew whenever text is appended.
void ConversationView::repaintOnlyWhatChanges()
{
    const QAbstractTextDocumentLayout* layout = m_document->documentLayout();
    disconnect(layout, &QAbstractTextDocumentLayout::update, nullptr, nullptr);
    connect(layout, &QAbstractTextDocumentLayout::update, this, [this](const QRectF& changed) {
        const QPointF scrolled(horizontalScrollBar()->value(), verticalScrollBar()->value());
        QRectF area = changed;
        area.setTop(std::max(changed.top(), m_document->unchangedAbove()));
        area = area.translated(-scrolled).intersected(viewport()->rect());
        viewport()->update(area.toAlignedRect());
    });
}

void ConversationView::setStatus(const QString& status)
{
    if (m_document)
        m_document->setStatus(status);
}

void ConversationView::markText(std::vector<MessageRange> ranges)
{
    m_marks = std::move(ranges);
    const auto first = std::ranges::min_element(m_marks, {}, &MessageRange::message);
    if (m_document && first != m_marks.end())
        m_document->showFrom(first->message);
    for (const MessageRange& range : m_marks)
        if (range.part == TextPart::Thought && m_document && !m_document->isReasoningShown(range.message))
            m_document->toggleReasoning(range.message);
    showMarks();
    if (!extraSelections().isEmpty())
        scrollTo(extraSelections().front().cursor);
}

/// Shade and underline: seen without colour too.
void ConversationView::showMarks()
{
    QList<QTextEdit::ExtraSelection> selections;
    if (m_document) {
        m_document->flush();
        QTextCharFormat format;
        format.setBackground(
            mixed(palette().color(QPalette::Highlight), palette().color(QPalette::Base), kMarkShade));
        format.setUnderlineStyle(QTextCharFormat::SingleUnderline);
        format.setUnderlineColor(palette().color(QPalette::Text));
        for (const MessageRange& range : m_marks)
            if (const QTextCursor cursor = m_document->cursorOf(range); cursor.hasSelection())
                selections.push_back({cursor, format});
    }
    setExtraSelections(selections);
}

/// To a third of the view's height, where it is not to be seen as it is.
void ConversationView::scrollTo(const QTextCursor& cursor)
{
    QTextCursor start(cursor);
    start.setPosition(cursor.selectionStart());
    const QRect place = cursorRect(start);
    if (place.top() < 0 || place.bottom() > viewport()->height())
        verticalScrollBar()->setValue(verticalScrollBar()->value() + place.top() - viewport()->height() / 3);
}

void ConversationView::tellSelection()
{
    emit textSelected(m_document && textCursor().hasSelection() ? m_document->rangesOf(textCursor())
                                                                : std::vector<MessageRange>{});
}

ConversationView::Column ConversationView::columnIn(int width) const
{
    const QFontMetrics reading(TextStyle(font(), palette()).font);
    const int room = width - verticalScrollBar()->sizeHint().width();
    const int column = std::min(columnWidth(reading, kReadingColumn), room - 2 * kGroupGap);
    return {(room - column) / 2, column};
}

void ConversationView::followLink(const QUrl& link)
{
    if (link.scheme() != link::kScheme) {
        if (link.scheme() == QLatin1String("https") || link.scheme() == QLatin1String("http"))
            QDesktopServices::openUrl(link);
        return;
    }
    const QStringList parts = link.path().split(QChar('/'));
    if (parts.size() != 2)
        return;
    const MessageId message{parts[1].toLongLong()};
    if (parts[0] == link::kCopy)
        emit copyRequested(message);
    else if (parts[0] == link::kCopyReasoning)
        emit copyReasoningRequested(message);
    else if (parts[0] == link::kRead)
        emit readRequested(message, TextPart::Said);
    else if (parts[0] == link::kReadReasoning)
        emit readRequested(message, TextPart::Thought);
    else if (parts[0] == link::kEarlier)
        showMore(&ConversationDocument::showEarlier);
    else if (parts[0] == link::kBetween)
        showMore(&ConversationDocument::showBetween);
    else if (parts[0] == link::kReasoning)
        toggleReasoning(message);
    else if (parts[0] == link::kAgain)
        emit regenerateRequested();
    else if (parts[0] == link::kChatMl)
        emit chatMlRequested();
    else if (parts[0] == link::kBranch)
        emit branchRequested(message);
}

/// Who has come by the keyboard stays on the link: its selection is the focus.
void ConversationView::toggleReasoning(MessageId message)
{
    const bool byKeyboard = textCursor().hasSelection();
    m_document->toggleReasoning(message);
    if (byKeyboard)
        setTextCursor(m_document->reasoningLink(message));
}

/// What was read last stays where it is.
void ConversationView::showMore(void (ConversationDocument::*more)())
{
    QScrollBar* bar = verticalScrollBar();
    const int below = bar->maximum() - bar->value();
    (m_document.get()->*more)();
    bar->setValue(bar->maximum() - below);
}

QVariant ConversationView::loadResource(int, const QUrl&)
{
    return {};
}

void ConversationView::restyle()
{
    if (m_document)
        m_document->setStyle(TextStyle(font(), palette()));
    updateMargins();
}

/// Who comes by the keyboard begins where the reader looks, and not where the caret was left.
void ConversationView::focusInEvent(QFocusEvent* event)
{
    QTextBrowser::focusInEvent(event);
    const bool isAway = !viewport()->rect().contains(cursorRect().center());
    if (event->reason() != Qt::MouseFocusReason && isAway && !textCursor().hasSelection())
        setTextCursor(cursorForPosition({0, fontMetrics().height()}));
}

void ConversationView::changeEvent(QEvent* event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        restyle();
}

void ConversationView::resizeEvent(QResizeEvent* event)
{
    updateMargins();
    QTextBrowser::resizeEvent(event);
    if (m_follow)
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

void ConversationView::showEvent(QShowEvent* event)
{
    const bool follow = m_follow;
    QTextBrowser::showEvent(event); // scrolls to the text cursor when shown for the first time
    if (follow)
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

/// The scroll bar comes and goes without a resize of the view.
bool ConversationView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == verticalScrollBar() && (event->type() == QEvent::Show || event->type() == QEvent::Hide))
        updateMargins();
    return QTextBrowser::eventFilter(watched, event);
}

void ConversationView::updateMargins()
{
    // The column keeps its width whether the scroll bar is there or not.
    const auto [left, column] = columnIn(width());
    const int bar = verticalScrollBar()->isVisibleTo(this) ? verticalScrollBar()->width() : 0;
    const QMargins margins(left, 0, width() - left - column - bar, 0);
    if (margins != viewportMargins())
        setViewportMargins(margins);
}

bool ConversationView::isAtBottom() const
{
    return verticalScrollBar()->value() >= verticalScrollBar()->maximum() - kGroupGap;
}

void ConversationView::onScrolled(int)
{
    m_follow = isAtBottom();
}

void ConversationView::onScrollRangeChanged()
{
    if (m_follow)
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

void ConversationView::paintEvent(QPaintEvent* event)
{
    if (m_document) {
        QPainter painter(viewport());
        painter.setRenderHint(QPainter::Antialiasing);
        painter.translate(-horizontalScrollBar()->value(), -verticalScrollBar()->value());
        const QRectF visible = QRectF(event->rect()).translated(0, verticalScrollBar()->value());
        for (const QTextFrame* frame : m_document->rootFrame()->childFrames())
            paintFrame(painter, *frame, visible);
    }
    QTextBrowser::paintEvent(event);
}

void ConversationView::paintFrame(QPainter& painter, const QTextFrame& frame, const QRectF& visible) const
{
    const QTextFrameFormat format = frame.frameFormat();
    const QRectF area = m_document->documentLayout()
                            ->frameBoundingRect(const_cast<QTextFrame*>(&frame)) // only read
                            .adjusted(0, format.topMargin(), 0, -format.bottomMargin());
    if (!area.intersects(visible))
        return;
    const auto kind = static_cast<FrameKind>(format.intProperty(kFrameKind));
    const QRectF mark(area.left(), area.top(), kMarkWidth, area.height());
    painter.setPen(Qt::NoPen);
    if (kind != FrameKind::Plain) {
        painter.setBrush(palette().color(QPalette::AlternateBase));
        painter.drawRoundedRect(area, kCorner, kCorner);
    }
    if (kind == FrameKind::Question)
        painter.fillRect(mark, sequenceBrush(m_slot, shadeOf(palette()), palette().color(QPalette::Base)));
    else if (kind == FrameKind::Failure)
        painter.fillRect(mark, errorColor(palette()));
    else if (kind == FrameKind::Notice)
        painter.fillRect(mark, quietText(palette()));
    for (const QTextFrame* child : frame.childFrames())
        paintFrame(painter, *child, visible);
}

} // namespace vitrine::ui
