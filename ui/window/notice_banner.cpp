// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/notice_banner.h"

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
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
const char* const kOffer = "offer"; ///< the subject of whatever is offered

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

/// One message on a ground of its own, with a bar in the colour of its kind.
class Row : public QFrame {
public:
    Row(NoticeBanner::Kind kind, QWidget* parent)
        : QFrame(parent)
        , m_kind(kind)
    {
    }

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
        case NoticeBanner::Kind::Error:
            return errorColor(palette());
        case NoticeBanner::Kind::Warning:
            return warningColor(palette());
        case NoticeBanner::Kind::Info:
            break;
        }
        return palette().color(QPalette::Highlight);
    }

    NoticeBanner::Kind m_kind;
};

QLabel* plainLabel(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setText(text);
    label->setWordWrap(true);
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

QString linesOf(std::initializer_list<std::string> phrases)
{
    QStringList lines;
    for (const std::string& phrase : phrases) {
        for (const QString& line : QString::fromStdString(phrase).split(QChar('\n'), Qt::SkipEmptyParts))
            lines << asSentence(line);
    }
    return lines.join(QChar('\n'));
}

} // namespace

NoticeBanner::NoticeBanner(QWidget* parent)
    : QWidget(parent)
    , m_rows(new QVBoxLayout(this))
{
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(kGap);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    hide();
}

void NoticeBanner::report(const QString& subject, const Error& error, Kind kind)
{
    add(makeRow(kind, asSentence(QString::fromStdString(error.what)), linesOf({error.where, error.advice})),
        subject);
}

void NoticeBanner::report(const QString& subject, const QString& headline, const Error& error, Kind kind)
{
    add(makeRow(kind, headline, linesOf({error.what, error.where, error.advice})), subject);
}

void NoticeBanner::offer(const QString& text, const Action& action)
{
    QWidget* row = makeRow(Kind::Info, text, {}, action);
    add(row, QLatin1String(kOffer));
    QTimer::singleShot(kOfferMillis, row, [row] { row->deleteLater(); });
}

void NoticeBanner::add(QWidget* row, const QString& subject)
{
    withdraw(subject);
    row->setObjectName(subject);
    connect(row, &QObject::destroyed, this, &NoticeBanner::arrange, Qt::QueuedConnection);
    m_rows->addWidget(row);
    arrange();
}

/// The newest of them, as they tell of what was just done, and whole; older ones come back when these are
/// closed. An offer goes by itself and cannot wait: it comes first.
void NoticeBanner::arrange()
{
    QWidgetList byTurn;
    for (int i = m_rows->count() - 1; i >= 0; --i)
        byTurn << m_rows->itemAt(i)->widget();
    std::ranges::stable_partition(
        byTurn, [](const QWidget* row) { return row->objectName() == QLatin1String(kOffer); });
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

bool NoticeBanner::eventFilter(QObject* window, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        arrange();
    return QWidget::eventFilter(window, event);
}

void NoticeBanner::withdraw(const QString& subject)
{
    delete findChild<QWidget*>(subject, Qt::FindDirectChildrenOnly);
}

QWidget* NoticeBanner::makeRow(Kind kind, const QString& text, const QString& detail, const Action& action)
{
    auto* row = new Row(kind, this);
    auto* icon = new QLabel(row);
    icon->setPixmap(themedIcon(iconName(kind), QPalette::WindowText).pixmap(kIconSize, kIconSize));
    auto* texts = new QVBoxLayout;
    texts->setSpacing(2);
    QLabel* headline = plainLabel(text, row);
    texts->addWidget(headline);
    if (!detail.isEmpty()) {
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
        connect(button, &QPushButton::clicked, row, [row, run = action.run] {
            row->deleteLater();
            run();
        });
    }
    auto* close = new QToolButton(row);
    close->setIcon(themedIcon(QStringLiteral("close")));
    close->setAutoRaise(true);
    close->setToolTip(tr("Close this message"));
    close->setAccessibleName(tr("Close this message"));
    layout->addWidget(close, 0, Qt::AlignTop);
    connect(close, &QToolButton::clicked, row, &QObject::deleteLater);
    return row;
}

} // namespace vitrine::ui
