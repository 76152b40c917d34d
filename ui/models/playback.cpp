// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/playback.h"

#include "ui/models/batch_history.h"
#include "ui/models/glass_model.h"

#include <algorithm>

namespace vitrine::ui {

Playback::Playback(GlassModel& glass, QObject* parent)
    : QObject(parent)
    , m_glass(glass)
{
    m_tick.setTimerType(Qt::PreciseTimer);
    m_tick.setInterval(kTickMillis);
    connect(&m_tick, &QTimer::timeout, this, [this] { advance(double(m_sinceTick.restart()) / 1000); });
    connect(&glass, &GlassModel::cursorChanged, this, [this] {
        if (!m_glass.cursor())
            pause();
    });
    connect(&glass, &GlassModel::poolReplaced, this, &Playback::pause);
}

void Playback::play()
{
    const auto range = m_glass.cursorRange();
    if (isPlaying() || !range)
        return;
    if (m_glass.cursor().value_or(range->last) == range->last)
        m_glass.setCursor(range->first);
    settle();
    m_sinceTick.start();
    m_tick.start();
    emit changed();
}

void Playback::pause()
{
    if (!isPlaying())
        return;
    m_tick.stop();
    emit changed();
}

void Playback::setSpeed(std::optional<double> speed)
{
    if (speed)
        speed = std::clamp(*speed, kSlowest, kFastest);
    if (m_speed == speed)
        return;
    m_speed = speed;
    settle();
    emit changed();
}

void Playback::step(std::int64_t steps)
{
    pause();
    m_glass.moveCursor(steps);
}

void Playback::goTo(std::uint64_t step)
{
    m_glass.setCursor(step);
    settle();
}

void Playback::goToStart()
{
    pause();
    if (const auto range = m_glass.cursorRange())
        m_glass.setCursor(range->first);
}

void Playback::goToEnd()
{
    pause();
    arrive();
}

void Playback::arrive()
{
    const auto range = m_glass.cursorRange();
    if (m_glass.isReplay() && range)
        m_glass.setCursor(range->last);
    else
        m_glass.setCursor(std::nullopt);
}

/// The clock stands where the cursor's step ended.
void Playback::settle()
{
    if (const StepFigures* step = m_glass.shownStepFigures())
        m_position = step->endSeconds;
}

void Playback::advance(double seconds)
{
    const auto range = m_glass.cursorRange();
    const auto cursor = m_glass.cursor();
    if (!range || !cursor)
        return pause();
    if (!m_speed)
        m_glass.moveCursor(1);
    else if (const auto step = stepAfter(seconds * *m_speed))
        m_glass.setCursor(*step);
    if (m_glass.cursor() == range->last) {
        pause();
        arrive();
    }
}

/// The last step that has ended once so much time has passed; empty while the one after the cursor has not.
std::optional<std::uint64_t> Playback::stepAfter(double seconds)
{
    const auto& steps = m_glass.batches().steps();
    auto next = m_glass.batches().stepsFrom(*m_glass.cursor() + 1);
    if (next == steps.end())
        return std::nullopt;
    m_position = std::max(m_position + seconds, next->beginSeconds - kLongestRestSeconds);
    std::optional<std::uint64_t> reached;
    for (; next != steps.end() && next->endSeconds <= m_position; ++next)
        reached = next->step;
    return reached;
}

} // namespace vitrine::ui
