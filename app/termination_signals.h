// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QSocketNotifier>

#include <array>
#include <csignal>

namespace vitrine {

/// SIGTERM, SIGINT and SIGHUP become a signal of Qt's, said in the event loop of the thread that made this.
/// One that the program was started with ignored stays ignored (nohup). At most one object at a time; while
/// it lives, no further signal ends the program, so that closing in order has its time.
class TerminationSignals : public QObject {
    Q_OBJECT
public:
    explicit TerminationSignals(QObject* parent = nullptr);
    /// What the signals did before, they do again.
    ~TerminationSignals() override;

signals:
    void requested();

private:
    static constexpr std::array kSignals{SIGTERM, SIGINT, SIGHUP};

    [[nodiscard]] static int openPipe();
    void install();
    void drain();

    std::array<struct sigaction, kSignals.size()> m_before{};
    QSocketNotifier m_notifier;
};

} // namespace vitrine
