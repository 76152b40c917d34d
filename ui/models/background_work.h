// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"

#include <QFutureWatcher>
#include <QObject>

#include <atomic>
#include <functional>

namespace vitrine::ui {

/// One long piece of work on a thread of Qt's pool, with its progress, stopped when asked. What it makes it
/// hands over by what it was given: values of its own, or a shared pointer that nobody reads before
/// finished().
class BackgroundWork : public QObject {
    Q_OBJECT
public:
    /// Told how much is done, 0 to 1; false: stop.
    using Progress = std::function<bool(double)>;
    using Work = std::function<Result<void>(const Progress&)>;

    explicit BackgroundWork(QObject* parent = nullptr);
    /// Stops what is under way, and waits for it.
    ~BackgroundWork() override;

    /// Precondition: nothing is under way.
    void start(Work work);
    /// Ends in finished(), with what the work says when it is stopped.
    void stop() { m_stop = true; }
    [[nodiscard]] bool isRunning() const { return m_running; }

signals:
    void progressed(double share);
    /// An error without words: all went well.
    void finished(const vitrine::Error& error);

private:
    std::atomic<bool> m_stop = false;
    std::atomic<int> m_told = -1; ///< thousandths
    bool m_running = false;
    QFutureWatcher<Error> m_watcher;
};

} // namespace vitrine::ui
