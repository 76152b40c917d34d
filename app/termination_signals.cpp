// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/termination_signals.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace vitrine {
namespace {

/// Read end, write end. A handler may do next to nothing (signal-safety(7)); write() it may.
std::array<int, 2> pipeEnds{-1, -1};

void handle(int)
{
    const int before = errno;
    const char byte = 0;
    // note: a full pipe has said it often enough.
    [[maybe_unused]] const auto written = ::write(pipeEnds[1], &byte, 1);
    errno = before;
}

} // namespace

TerminationSignals::TerminationSignals(QObject* parent)
    : QObject(parent)
    , m_notifier(openPipe(), QSocketNotifier::Read)
{
    connect(&m_notifier, &QSocketNotifier::activated, this, &TerminationSignals::drain);
    if (pipeEnds[0] >= 0)
        install();
}

TerminationSignals::~TerminationSignals()
{
    m_notifier.setEnabled(false);
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        if (pipeEnds[0] >= 0)
            ::sigaction(kSignals[i], &m_before[i], nullptr);
    }
    for (int& end : pipeEnds)
        ::close(std::exchange(end, -1));
}

int TerminationSignals::openPipe()
{
    Q_ASSERT(pipeEnds[0] < 0);
    if (::pipe2(pipeEnds.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        pipeEnds = {-1, -1};
    return pipeEnds[0];
}

void TerminationSignals::install()
{
    struct sigaction action {};
    action.sa_handler = handle;
    action.sa_flags = SA_RESTART;
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        ::sigaction(kSignals[i], &action, &m_before[i]);
        if (m_before[i].sa_handler == SIG_IGN)
            ::sigaction(kSignals[i], &m_before[i], nullptr);
    }
}

void TerminationSignals::drain()
{
    std::array<char, 64> bytes;
    while (::read(pipeEnds[0], bytes.data(), bytes.size()) > 0) {
    }
    emit requested();
}

} // namespace vitrine
