// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/replay_window.h"

#include "ui/glass/batch_timeline_dock.h"
#include "ui/glass/block_map_dock.h"
#include "ui/glass/throughput_dock.h"
#include "ui/glass/tool_tip.h"
#include "ui/models/playback.h"
#include "ui/models/pool_mirror.h"
#include "ui/models/recorded_history.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/icons.h"
#include "ui/theme/motion.h"
#include "ui/theme/theme.h"
#include "ui/theme/type_scale.h"
#include "ui/window/folding_docks.h"
#include "ui/window/notice_banner.h"
#include "ui/window/recording_actions.h"
#include "ui/window/transport_bar.h"

#include <QComboBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolBar>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace vitrine::ui {

namespace {

constexpr QSize kFirstSize{1280, 800};
constexpr int kProgressSteps = 1000;
/// Of the work: to read and check all; to replay what is shown is the rest.
constexpr double kOpenShare = 0.7;

std::uint32_t longestPart(const Recording& recording)
{
    return std::ranges::max_element(recording.parts(), {}, &RecordingPart::stepCount)->generation;
}

QString aboutText(const RecordingAbout& about, const RecordedHistory& history)
{
    const QLocale locale;
    QStringList parts;
    if (!about.model.name.empty())
        parts << QString::fromStdString(about.model.name);
    parts << ReplayWindow::tr("%1 blocks of %2")
                 .arg(locale.toString(history.lastPool.numBlocks() - 1),
                      locale.toString(history.lastPool.blockSize()));
    for (const QString& option : {QStringLiteral("batching"), QStringLiteral("allocator")})
        if (about.options.contains(option))
            parts << about.options[option];
    const RecordingPart* shown = history.recording.part(history.lastPool.generation());
    if (shown && shown->firstStep() > 1)
        parts << ReplayWindow::tr("from step %1 on, what was before is not in it")
                     .arg(locale.toString(static_cast<qulonglong>(shown->firstStep())));
    if (about.savedAt.isValid())
        parts << ReplayWindow::tr("saved %1")
                     .arg(locale.toString(about.savedAt.toLocalTime(), QLocale::ShortFormat));
    return parts.join(QStringLiteral(" · "));
}

QString optionsText(const RecordingAbout& about)
{
    QStringList lines{about.program};
    for (auto at = about.options.begin(); at != about.options.end(); ++at)
        lines << QStringLiteral("--%1 %2").arg(at.key(), at.value());
    return lines.join(QLatin1Char('\n'));
}

} // namespace

struct ReplayWindow::Reading {
    QString path;
    std::shared_ptr<const RecordingContents> contents;
    std::optional<std::uint32_t> generation;
    RecordedHistory history;
};

ReplayWindow::ReplayWindow(QWidget* parent)
    : QMainWindow(parent)
    , m_glass(&m_directory)
    , m_files(new RecordingActions(this, [this] { return *m_contents; }))
{
    setAcceptDrops(true);
    setWindowTitle(tr("Recording"));
    new TypeScale(this);
    resize(kFirstSize);
    createHead();
    createDocks();
    createTransport();
    createMenus();
    connect(&m_reading, &BackgroundWork::progressed, this,
            [this](double share) { m_progressBar->setValue(int(share * kProgressSteps)); });
    connect(&m_reading, &BackgroundWork::finished, this, &ReplayWindow::finishReading);
    connect(m_files, &RecordingActions::failed, this,
            [this](const Error& error) { m_banner->report(NoticeBanner::Subject::Writing, error); });
}

ReplayWindow::~ReplayWindow() = default;

void ReplayWindow::createHead()
{
    auto* head = new QWidget(this);
    m_banner = new NoticeBanner(head);
    m_about = new ElidedLabel(head);
    m_about->setTextFormat(Qt::PlainText);
    m_about->setAccessibleName(tr("What the recording is of"));
    m_parts = new QComboBox(head);
    m_parts->setAccessibleName(tr("Part of the recording"));
    m_parts->setToolTip(tr("Each time that model or settings change, a new pool begins"));
    m_parts->hide();
    connect(m_parts, &QComboBox::activated, this, &ReplayWindow::choosePart);
    auto* row = new QHBoxLayout;
    row->addWidget(m_about, 1);
    row->addWidget(m_parts);
    m_progress = new QWidget(head);
    m_progressBar = new QProgressBar(m_progress);
    m_progressBar->setRange(0, kProgressSteps);
    m_progressBar->setAccessibleName(tr("Reading the recording"));
    auto* cancel = new QPushButton(tr("Cancel"), m_progress);
    connect(cancel, &QPushButton::clicked, &m_reading, &BackgroundWork::stop);
    auto* progressRow = new QHBoxLayout(m_progress);
    progressRow->setContentsMargins(0, 0, 0, 0);
    progressRow->addWidget(m_progressBar, 1);
    progressRow->addWidget(cancel);
    m_progress->hide();
    auto* column = new QVBoxLayout(head);
    column->setContentsMargins(8, 4, 8, 4);
    column->addWidget(m_banner);
    column->addLayout(row);
    column->addWidget(m_progress);
    head->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    setCentralWidget(head);
}

void ReplayWindow::createDocks()
{
    setDockOptions(AllowNestedDocks | AllowTabbedDocks);
    Motion::shared().governs(*this);
    auto* blocks = new BlockMapDock(&m_glass, this);
    auto* timeline = new BatchTimelineDock(&m_glass, this);
    auto* throughput = new ThroughputDock(&m_glass, this);
    new FoldingDocks(*this, {blocks, timeline, throughput});
}

void ReplayWindow::createTransport()
{
    auto* bar = new QToolBar(tr("Playback"), this);
    bar->setObjectName(QStringLiteral("playback"));
    bar->setMovable(false);
    bar->toggleViewAction()->setEnabled(false);
    m_transport = new TransportBar(m_glass, TransportBar::Beside::Nothing, bar);
    bar->addWidget(m_transport);
    addToolBar(Qt::BottomToolBarArea, bar);
}

void ReplayWindow::createMenus()
{
    QMenu* file = menuBar()->addMenu(tr("&File"));
    QAction* open = file->addAction(themedIcon(QStringLiteral("open")), tr("&Open recording…"));
    open->setShortcut(QKeySequence::Open);
    connect(open, &QAction::triggered, this, &ReplayWindow::askForFile);
    file->addAction(m_files->saveAction());
    file->addMenu(m_files->exportMenu());
    file->addSeparator();
    QAction* close = file->addAction(tr("&Close"));
    close->setShortcut(QKeySequence::Close);
    connect(close, &QAction::triggered, this, &QWidget::close);
    QAction* quit = file->addAction(tr("&Quit"));
    quit->setShortcut(QKeySequence::Quit);
    // The program's main window ends it, and may have something to ask.
    connect(quit, &QAction::triggered, parentWidget() == nullptr ? this : parentWidget()->window(),
            &QWidget::close);
    menuBar()->addMenu(tr("&Playback"))->addActions(m_transport->actions());
    QMenu* view = menuBar()->addMenu(tr("&View"));
    for (QDockWidget* dock : findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly))
        view->addAction(dock->toggleViewAction());
}

void ReplayWindow::askForFile()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Open recording"), {}, recordingFilter());
    if (!path.isEmpty())
        open(path);
}

void ReplayWindow::open(const QString& path)
{
    if (m_reading.isRunning()) {
        m_next = path;
        m_reading.stop();
        return;
    }
    startReading(path, nullptr, std::nullopt);
}

void ReplayWindow::choosePart()
{
    startReading(m_path, m_contents, m_parts->currentData().toUInt());
}

void ReplayWindow::startReading(const QString& path, std::shared_ptr<const RecordingContents> known,
                                std::optional<std::uint32_t> generation)
{
    m_transport->playback().pause();
    m_read = std::make_shared<Reading>();
    m_read->path = path;
    m_read->contents = std::move(known);
    m_read->generation = generation;
    m_parts->setEnabled(false);
    m_progressBar->setValue(0);
    m_progressBar->setFormat(tr("Reading %1: %p %").arg(QFileInfo(path).fileName()));
    m_progress->show();
    m_reading.start([read = m_read](const BackgroundWork::Progress& progress) -> Result<void> {
        const double opened = read->contents ? 0 : kOpenShare;
        if (!read->contents) {
            Result<RecordingContents> contents =
                openRecording(read->path, [&](double share) { return progress(share * kOpenShare); });
            if (!contents)
                return tl::unexpected(contents.error());
            read->contents = std::make_shared<const RecordingContents>(std::move(*contents));
        }
        const Recording& recording = read->contents->recording;
        if (!read->generation)
            read->generation = longestPart(recording);
        const auto all = double(recording.part(*read->generation)->stepCount());
        double done = 0;
        bool stopped = false;
        Result<RecordedHistory> history = replay(recording, *read->generation, [&](std::uint64_t more) {
            done += double(more);
            stopped = !progress(opened + (1 - opened) * std::min(1.0, done / all));
            return !stopped;
        });
        if (!history)
            return tl::unexpected(stopped ? stoppedError() : history.error());
        read->history = std::move(*history);
        return {};
    });
}

void ReplayWindow::finishReading(const Error& error)
{
    m_progress->hide();
    m_parts->setEnabled(true);
    const std::shared_ptr<Reading> read = std::exchange(m_read, nullptr);
    if (!m_next.isEmpty())
        return startReading(std::exchange(m_next, {}), nullptr, std::nullopt);
    if (error == Error{}) {
        m_banner->withdraw(NoticeBanner::Subject::Recording);
        present(*read);
        emit opened();
        return;
    }
    if (m_contents) // another part may have been chosen, and did not come
        m_parts->setCurrentIndex(m_parts->findData(m_glass.newestPool().generation()));
    if (!isStopped(error))
        m_banner->report(NoticeBanner::Subject::Recording, tr("The recording could not be opened"), error);
    emit failed(error);
}

void ReplayWindow::present(Reading& reading)
{
    const bool isFirst = !m_contents;
    m_contents = reading.contents;
    m_path = reading.path;
    const RecordingAbout& about = m_contents->about;
    m_directory.clear();
    about.describe(m_directory);
    m_about->setText(aboutText(about, reading.history));
    m_about->setToolTip(plainToolTip(optionsText(about)));
    reading.history.model = about.model;
    reading.history.model.blockSize = reading.history.lastPool.blockSize();
    reading.history.model.numBlocks = reading.history.lastPool.numBlocks();
    m_glass.show(std::move(reading.history));
    showParts(*reading.generation);
    if (isFirst)
        m_transport->setFocus(); // it is there to be played: Space and the arrows do so at once
    m_files->setEnabled(true);
    setWindowTitle(tr("%1 – Vitrine").arg(QFileInfo(m_path).fileName()));
    setWindowFilePath(m_path);
}

void ReplayWindow::showParts(std::uint32_t shown)
{
    const QSignalBlocker quiet(m_parts);
    m_parts->clear();
    for (const RecordingPart& part : m_contents->recording.parts())
        m_parts->addItem(tr("Part %1: %2 blocks, %3 steps")
                             .arg(m_parts->count() + 1)
                             .arg(QLocale().toString(part.numBlocks - 1),
                                  QLocale().toString(qulonglong(part.stepCount()))),
                         part.generation);
    m_parts->setCurrentIndex(m_parts->findData(shown));
    m_parts->setVisible(m_parts->count() > 1);
}

void ReplayWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (!recordingIn(event->mimeData()->urls()).isEmpty())
        event->acceptProposedAction();
}

void ReplayWindow::dropEvent(QDropEvent* event)
{
    open(recordingIn(event->mimeData()->urls()));
    event->acceptProposedAction();
}

} // namespace vitrine::ui
