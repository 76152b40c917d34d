// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/background_work.h"

#include <QtConcurrent>

#include <exception>
#include <utility>

namespace vitrine::ui {

namespace {

Error carryOut(const BackgroundWork::Work& work, const BackgroundWork::Progress& progress)
{
    try {
        const Result<void> done = work(progress);
        return done ? Error{} : done.error();
    } catch (const std::bad_alloc&) {
        return {"there is not enough memory", {}, "close other programs"};
    } catch (const std::exception& error) {
        return {error.what(), {}, {}};
    }
}

} // namespace

BackgroundWork::BackgroundWork(QObject* parent)
    : QObject(parent)
{
    connect(&m_watcher, &QFutureWatcherBase::finished, this, [this] {
        m_running = false;
        emit finished(m_watcher.result());
    });
}

BackgroundWork::~BackgroundWork()
{
    m_watcher.disconnect(this);
    stop();
    m_watcher.waitForFinished();
}

void BackgroundWork::start(Work work)
{
    m_stop = false;
    m_told = -1;
    m_running = true;
    const Progress progress = [this](double share) {
        const int thousandths = int(1000 * share);
        if (m_told.exchange(thousandths) != thousandths) // queued: it is another thread's signal
            QMetaObject::invokeMethod(
                this, [this, share] { emit progressed(share); }, Qt::QueuedConnection);
        return !m_stop;
    };
    m_watcher.setFuture(QtConcurrent::run(carryOut, std::move(work), progress));
}

} // namespace vitrine::ui
