// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chat/text_reader.h"

#include "ui/chat/excerpt.h"
#include "ui/models/export_file.h"
#include "ui/models/number_text.h"
#include "ui/theme/theme.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace vitrine::ui {
namespace {

constexpr QSize kFirstSize{720, 560};

} // namespace

TextReader::TextReader(const QString& title, const QString& text, QWidget* parent)
    : QDialog(parent)
    , m_text(text)
    , m_view(new QPlainTextEdit(this))
    , m_number(new QSpinBox(this))
    , m_search(new QLineEdit(this))
    , m_found(new QLabel(this))
{
    setWindowTitle(title);
    resize(kFirstSize);
    m_view->setReadOnly(true);
    m_view->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_view->setAccessibleName(tr("Text"));
    m_view->setUndoRedoEnabled(false);
    m_number->setRange(1, pages());
    m_number->setAccessibleName(tr("Page"));
    m_number->setSuffix(tr(" of %1").arg(number(pages())));
    m_search->setPlaceholderText(tr("Find in the whole text"));
    m_search->setAccessibleName(tr("Find in the whole text"));
    m_search->setClearButtonEnabled(true);
    layOut();
    connect(m_number, &QSpinBox::valueChanged, this, [this](int value) { showPage(value - 1); });
    connect(m_search, &QLineEdit::returnPressed, this, &TextReader::find);
    showPage(0);
}

void TextReader::layOut()
{
    auto* top = new QHBoxLayout;
    top->addWidget(new QLabel(tr("%Ln character(s)", nullptr, static_cast<int>(m_text.size())), this), 1);
    top->addWidget(new QLabel(tr("Page"), this));
    top->addWidget(m_number);
    auto* search = new QHBoxLayout;
    auto* next = new QPushButton(tr("&Find next"), this);
    next->setAutoDefault(false);
    connect(next, &QPushButton::clicked, this, &TextReader::find);
    search->addWidget(m_search, 1);
    search->addWidget(m_found);
    search->addWidget(next);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    QPushButton* copy = buttons->addButton(tr("&Copy all"), QDialogButtonBox::ActionRole);
    QPushButton* keep = buttons->addButton(tr("&Save as…"), QDialogButtonBox::ActionRole);
    for (QAbstractButton* button : buttons->buttons())
        static_cast<QPushButton*>(button)->setAutoDefault(false); // Enter searches
    connect(copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_text); });
    connect(keep, &QPushButton::clicked, this, &TextReader::save);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(kGap);
    column->addLayout(top);
    column->addWidget(m_view, 1);
    column->addLayout(search);
    column->addWidget(buttons);
}

int TextReader::pages() const
{
    return static_cast<int>(std::max<qsizetype>(1, (m_text.size() + kPage - 1) / kPage));
}

qsizetype TextReader::pageBegin(int page) const
{
    return page >= pages() ? m_text.size() : cutBefore(m_text, page * kPage);
}

int TextReader::pageOf(qsizetype place) const
{
    const int page = static_cast<int>(place / kPage);
    return place >= pageBegin(page + 1) ? page + 1 : page;
}

void TextReader::showPage(int page)
{
    page = std::clamp(page, 0, pages() - 1);
    if (page == m_page)
        return;
    m_page = page;
    const qsizetype begin = pageBegin(page);
    m_view->setPlainText(shown(begin, pageBegin(page + 1)));
    m_number->setValue(page + 1);
}

/// With one character for each line's end, as the view counts.
QString TextReader::shown(qsizetype begin, qsizetype end) const
{
    return m_text.mid(begin, end - begin).replace(QLatin1String("\r\n"), QLatin1String("\n"));
}

/// Behind the place found last, as long as its page is shown.
qsizetype TextReader::searchFrom() const
{
    return m_foundAt >= 0 && pageOf(m_foundAt) == m_page ? m_foundAt + 1 : pageBegin(m_page);
}

void TextReader::findNext(const QString& what)
{
    if (what.isEmpty())
        return;
    m_foundAt = m_text.indexOf(what, searchFrom(), Qt::CaseInsensitive);
    if (m_foundAt < 0)
        m_foundAt = m_text.indexOf(what, 0, Qt::CaseInsensitive);
    m_found->setText(m_foundAt < 0 ? tr("not found") : QString());
    if (m_foundAt < 0)
        return;
    showPage(pageOf(m_foundAt));
    QTextCursor cursor = m_view->textCursor();
    const auto onPage = static_cast<int>(shown(pageBegin(m_page), m_foundAt).size());
    const int last = m_view->document()->characterCount() - 1;
    cursor.setPosition(std::min(onPage, last));
    const auto length = static_cast<int>(shown(m_foundAt, m_foundAt + what.size()).size());
    cursor.setPosition(std::min(onPage + length, last), QTextCursor::KeepAnchor);
    m_view->setTextCursor(cursor);
}

void TextReader::find()
{
    findNext(m_search->text());
}

void TextReader::save()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Save text"), QStringLiteral("text.txt"));
    if (!path.isEmpty())
        saveAs(path);
}

void TextReader::saveAs(const QString& path)
{
    ExportFile file(path);
    file.write(m_text.toUtf8());
    const Result<void> written = file.finish();
    m_found->setText(written ? tr("saved") : QString::fromStdString(written.error().what));
}

} // namespace vitrine::ui
