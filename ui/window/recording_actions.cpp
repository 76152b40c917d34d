// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/recording_actions.h"

#include "ui/models/recording_export.h"

#include <QAction>
#include <QDateTime>
#include <QFileDialog>
#include <QMenu>
#include <QProgressDialog>
#include <QUrl>
#include <QWidget>

#include <memory>
#include <utility>

namespace vitrine::ui {

namespace {

constexpr int kProgressSteps = 1000;
constexpr int kProgressAfterMillis = 400;

QString freshName(const QString& suffix)
{
    return QStringLiteral("vitrine-%1.%2")
        .arg(QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd-HHmm")), suffix);
}

} // namespace

RecordingActions::RecordingActions(QWidget* window, std::function<RecordingContents()> contents)
    : QObject(window)
    , m_window(window)
    , m_contents(std::move(contents))
    , m_export(new QMenu(tr("&Export"), window))
{
    m_save = addAction(tr("Sa&ve recording…"), tr("Save recording"), recordingFilter(),
                       QLatin1String(kRecordingSuffix), saveRecording);
    m_export->addActions({addAction(tr("&Chrome trace, for Perfetto…"), tr("Export as Chrome trace"),
                                    tr("Chrome traces (*.json)"), QStringLiteral("json"), exportChromeTrace),
                          addAction(tr("&Steps as CSV…"), tr("Export steps as CSV"), tr("Tables (*.csv)"),
                                    QStringLiteral("csv"), exportStepsCsv),
                          addAction(tr("&Events as CSV…"), tr("Export events as CSV"), tr("Tables (*.csv)"),
                                    QStringLiteral("csv"), exportEventsCsv)});
    connect(&m_work, &BackgroundWork::finished, this, &RecordingActions::finish);
    setEnabled(false);
}

QAction* RecordingActions::addAction(const QString& text, const QString& title, const QString& filter,
                                     const QString& suffix, Writer writer)
{
    auto* action = new QAction(text, this);
    connect(action, &QAction::triggered, this,
            [this, title, filter, suffix, writer] { ask(title, filter, suffix, writer); });
    return action;
}

void RecordingActions::setEnabled(bool enabled)
{
    const bool now = enabled && !isWriting();
    m_save->setEnabled(now);
    m_export->setEnabled(now);
}

void RecordingActions::ask(const QString& title, const QString& filter, const QString& suffix, Writer writer)
{
    QFileDialog dialog(m_window, title, QString(), filter);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(suffix);
    dialog.selectFile(freshName(suffix));
    if (dialog.exec() == QDialog::Accepted && !dialog.selectedFiles().isEmpty())
        write(writer, dialog.selectedFiles().first());
}

void RecordingActions::write(Writer writer, const QString& path)
{
    if (isWriting())
        return;
    m_path = path;
    const auto contents = std::make_shared<const RecordingContents>(m_contents());
    m_work.start([writer, contents, path](const BackgroundWork::Progress& progress) {
        return writer(*contents, path, progress);
    });
    m_progress = new QProgressDialog(tr("Writing %1").arg(QUrl::fromLocalFile(path).fileName()), tr("Cancel"),
                                     0, kProgressSteps, m_window);
    m_progress->setAttribute(Qt::WA_DeleteOnClose);
    m_progress->setAutoClose(false);
    m_progress->setAutoReset(false);
    m_progress->setMinimumDuration(kProgressAfterMillis);
    connect(m_progress, &QProgressDialog::canceled, &m_work, &BackgroundWork::stop);
    connect(&m_work, &BackgroundWork::progressed, m_progress, [progress = m_progress.data()](double share) {
        progress->setValue(int(share * kProgressSteps));
    });
    setEnabled(false);
}

void RecordingActions::finish(const Error& error)
{
    delete m_progress;
    setEnabled(true);
    if (isStopped(error))
        return;
    if (error == Error{})
        emit written(m_path);
    else
        emit failed(error);
}

QString recordingIn(const QList<QUrl>& urls)
{
    for (const QUrl& url : urls)
        if (url.isLocalFile() && isRecording(url.toLocalFile()))
            return url.toLocalFile();
    return {};
}

bool isRecording(const QString& path)
{
    return path.endsWith(QLatin1Char('.') + QLatin1String(kRecordingSuffix), Qt::CaseInsensitive);
}

QString recordingFilter()
{
    return RecordingActions::tr("Recordings of Vitrine (*.%1);;All files (*)")
        .arg(QLatin1String(kRecordingSuffix));
}

} // namespace vitrine::ui
