// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/notice_banner.h"

#include "ui/glass/tool_tip.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QRegularExpression>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace vitrine::ui {
namespace {

constexpr int kOfferMillis = 10'000;
constexpr int kMaxRows = 3;
constexpr int kShareOfWindow = 3; ///< messages take a third of its height, or one of them what it needs
constexpr int kIconSize = 20;

QString iconName(NoticeBanner::Kind kind)
{
    switch (kind) {
    case NoticeBanner::Kind::Error:
        return QStringLiteral("error");
    case NoticeBanner::Kind::Warning:
        return QStringLiteral("warning");
    case NoticeBanner::Kind::Info:
        break;
    }
    return QStringLiteral("info");
}

/// Of a word in which no line can end, its beginning and its end: it would be cut, or widen the window.
QString withoutLongWords(QString text)
{
    constexpr int kKept = 20; ///< characters on each side
    static const QRegularExpression longWord(
        QStringLiteral("([^\\s/]{%1})[^\\s/]{2,}([^\\s/]{%1})").arg(kKept));
    return text.replace(longWord, QStringLiteral("\\1…\\2"));
}

QLabel* plainLabel(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setText(withoutLongWords(text));
    if (label->text() != text)
        label->setToolTip(plainToolTip(text));
    label->setWordWrap(true);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // a message asks for no width
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

QString asSentence(QString sentence)
{
    // A path stays as it is written.
    if (!sentence.isEmpty() && !sentence.contains(QChar('/')))
        sentence[0] = sentence[0].toUpper();
    return sentence;
}

QString linesOf(const QStringList& phrases)
{
    QStringList lines;
    for (const QString& phrase : phrases)
        if (!phrase.isEmpty())
            lines << asSentence(phrase);
    return lines.join(QChar('\n'));
}

QString words(const std::string& engines)
{
    return QString::fromStdString(engines);
}

} // namespace

/// One message on a ground of its own, with a bar in the colour of its kind.
class NoticeBanner::Row : public QFrame {
public:
    Row(About about, Kind kind, QWidget* parent)
        : QFrame(parent)
        , m_about(about)
        , m_kind(kind)
    {
    }
    [[nodiscard]] About about() const { return m_about; }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(mixed(color(), palette().color(QPalette::Base), 0.10));
        painter.drawRoundedRect(QRectF(rect()), 6, 6);
        painter.fillRect(QRect(0, 0, 4, height()), color());
    }

private:
    QColor color() const
    {
        switch (m_kind) {
        case Kind::Error:
            return errorColor(palette());
        case Kind::Warning:
            return warningColor(palette());
        case Kind::Info:
            break;
        }
        return palette().color(QPalette::Highlight);
    }

    About m_about;
    Kind m_kind;
};

NoticeBanner::NoticeBanner(QWidget* parent)
    : QWidget(parent)
    , m_rows(new QVBoxLayout(this))
{
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(kGap);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    hide();
}

void NoticeBanner::report(Subject subject, const Error& error, Kind kind)
{
    add(subject, kind, asSentence(words(error.what)), {words(error.where), words(error.advice)});
}

void NoticeBanner::report(Subject subject, const QString& headline, const Error& error, Kind kind)
{
    report(subject, headline, {words(error.what), words(error.where), words(error.advice)}, kind);
}

void NoticeBanner::report(Subject subject, const QString& headline, const QStringList& details, Kind kind)
{
    add(subject, kind, headline, details);
}

void NoticeBanner::offer(const QString& text, const Action& action)
{
    Row* row = add(std::nullopt, Kind::Info, text, {}, action);
    QTimer::singleShot(kOfferMillis, row, [this, row] { remove(row); });
}

void NoticeBanner::withdraw(Subject subject)
{
    withdrawWhatIs(subject);
}

void NoticeBanner::withdrawWhatIs(About about)
{
    for (Row* row : rows())
        if (row->about() == about)
            remove(row);
}

/// One of its own buttons may have asked for it.
void NoticeBanner::remove(Row* row)
{
    m_rows->removeWidget(row);
    row->hide();
    row->deleteLater();
    arrange();
}

QList<NoticeBanner::Row*> NoticeBanner::rows() const
{
    QList<Row*> rows;
    for (int i = m_rows->count() - 1; i >= 0; --i)
        rows << static_cast<Row*>(m_rows->itemAt(i)->widget());
    return rows;
}

/// The newest of them, as they tell of what was just done, and whole; older ones come back when these are
/// closed. An offer goes by itself and cannot wait: it comes first.
void NoticeBanner::arrange()
{
    QList<Row*> byTurn = rows();
    std::ranges::stable_partition(byTurn, [](const Row* row) { return !row->about(); });
    int room = window()->height() / kShareOfWindow;
    for (int i = 0; i < byTurn.size(); ++i) {
        byTurn[i]->ensurePolished();
        room -= byTurn[i]->heightForWidth(contentsRect().width()) + kGap;
        byTurn[i]->setVisible(i == 0 || (i < kMaxRows && room >= 0));
    }
    setVisible(!byTurn.isEmpty());
}

void NoticeBanner::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void NoticeBanner::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    window()->installEventFilter(this); // a higher one has room for more
}

bool NoticeBanner::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        arrange();
    return QWidget::eventFilter(watched, event);
}

NoticeBanner::Row* NoticeBanner::add(About about, Kind kind, const QString& text, const QStringList& details,
                                     const Action& action)
{
    withdrawWhatIs(about);
    auto* row = new Row(about, kind, this);
    auto* icon = new QLabel(row);
    icon->setPixmap(themedIcon(iconName(kind), QPalette::WindowText).pixmap(kIconSize, kIconSize));
    auto* texts = new QVBoxLayout;
    texts->setSpacing(2);
    QLabel* headline = plainLabel(text, row);
    texts->addWidget(headline);
    if (const QString detail = linesOf(details); !detail.isEmpty()) {
        QFont bold = font();
        bold.setBold(true);
        headline->setFont(bold);
        texts->addWidget(plainLabel(detail, row));
    }
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(kGap + 6, kGap, kGap, kGap);
    layout->setSpacing(kGap);
    layout->addWidget(icon, 0, Qt::AlignTop);
    layout->addLayout(texts, 1);
    if (action.run) {
        auto* button = new QPushButton(action.label, row);
        layout->addWidget(button, 0, Qt::AlignVCenter);
        connect(button, &QPushButton::clicked, row, [this, row, run = action.run] {
            remove(row);
            run();
        });
    }
    auto* close = new QToolButton(row);
    close->setIcon(themedIcon(QStringLiteral("close")));
    close->setAutoRaise(true);
    close->setToolTip(tr("Close this message"));
    close->setAccessibleName(tr("Close this message"));
    layout->addWidget(close, 0, Qt::AlignTop);
    connect(close, &QToolButton::clicked, row, [this, row] { remove(row); });
    m_rows->addWidget(row);
    arrange();
    return row;
}

} // namespace vitrine::ui
