// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/timeline_axis.h"

#include "ui/models/batch_history.h"

#include <algorithm>
#include <cmath>

namespace vitrine::ui {

namespace {

constexpr double kShortestSpan = 1e-6; ///< seconds; steps without a duration must not divide by nothing
/// Of the width, beside a step that is shown from outside.
constexpr double kNeighbours = 0.2;

} // namespace

TimelineAxis::TimelineAxis(const BatchHistory* history)
    : m_history(history)
{
}

void TimelineAxis::update()
{
    setSteps(m_history->firstStep(), m_history->lastStep());
}

void TimelineAxis::setSteps(std::uint64_t first, std::uint64_t last)
{
    m_first = first;
    m_last = last;
    clamp();
}

void TimelineAxis::setWidth(int pixels)
{
    m_width = std::max(1, pixels);
    clamp();
}

void TimelineAxis::setUnit(Unit unit)
{
    if (unit == m_unit)
        return;
    if (m_history->empty()) {
        m_unit = unit;
        return;
    }
    const std::uint64_t first = firstVisible();
    const std::uint64_t last = lastVisible();
    m_unit = unit;
    const double span = std::max(kShortestSpan, endOf(last) - beginOf(first));
    m_pixelsPerUnit = m_width / span;
    m_right = endOf(last);
    zoom(1, m_width);
}

double TimelineAxis::xOf(double position) const
{
    return m_width - (m_right - position) * m_pixelsPerUnit;
}

double TimelineAxis::positionAt(double x) const
{
    return m_right - (m_width - x) / m_pixelsPerUnit;
}

double TimelineAxis::leftOf(std::uint64_t step) const
{
    return xOf(beginOf(step));
}

double TimelineAxis::rightOf(std::uint64_t step) const
{
    return xOf(endOf(step));
}

double TimelineAxis::beginOf(std::uint64_t step) const
{
    return m_unit == Unit::Steps ? static_cast<double>(step) : figures(step).beginSeconds;
}

double TimelineAxis::endOf(std::uint64_t step) const
{
    return m_unit == Unit::Steps ? static_cast<double>(step) + 1 : figures(step).endSeconds;
}

/// Of the step, or the next that is kept. Unless steps were dropped its place is known.
const StepFigures& TimelineAxis::figures(std::uint64_t step) const
{
    const auto& steps = m_history->steps();
    const std::uint64_t guess = step - steps.front().step;
    if (step >= steps.front().step && guess < steps.size() && steps[guess].step == step)
        return steps[guess];
    const auto next = m_history->stepsFrom(step);
    return next == steps.end() ? steps.back() : *next;
}

std::uint64_t TimelineAxis::nearestStep(double x) const
{
    const double position = positionAt(x);
    if (m_unit == Unit::Steps)
        return static_cast<std::uint64_t>(
            std::clamp(std::floor(position), static_cast<double>(m_first), static_cast<double>(m_last)));
    const StepFigures* step = m_history->atTime(position);
    return step ? step->step : m_first;
}

std::optional<std::uint64_t> TimelineAxis::stepAt(double x) const
{
    if (m_last < m_first || m_last == 0)
        return std::nullopt;
    const std::uint64_t step = nearestStep(x);
    // Between two steps there are microseconds, less than a pixel.
    const bool within = x >= leftOf(step) && x < rightOf(step) + 1 && positionAt(x) < endOf(m_last);
    return within ? std::optional(step) : std::nullopt;
}

std::uint64_t TimelineAxis::firstVisible() const
{
    if (m_unit == Unit::Steps)
        return std::max(m_first, static_cast<std::uint64_t>(std::max(0.0, std::floor(positionAt(0)))));
    const std::uint64_t step = nearestStep(0);
    return rightOf(step) > 0 ? step : std::min(m_last, figures(step + 1).step);
}

std::uint64_t TimelineAxis::lastVisible() const
{
    if (m_unit == Unit::Steps)
        return std::min(m_last, static_cast<std::uint64_t>(std::max(0.0, std::ceil(m_right) - 1)));
    return nearestStep(m_width);
}

void TimelineAxis::zoom(double factor, double x)
{
    const double anchorX = m_following ? m_width : x;
    const double anchor = positionAt(anchorX);
    const double largest = m_unit == Unit::Steps ? kLargestStep : kLargestSecond;
    m_pixelsPerUnit = std::clamp(m_pixelsPerUnit * factor, std::min(smallestScale(), largest), largest);
    m_right = anchor + (m_width - anchorX) / m_pixelsPerUnit;
    clamp();
}

void TimelineAxis::scroll(double pixels)
{
    m_following = false;
    m_right -= pixels / m_pixelsPerUnit;
    clamp();
}

void TimelineAxis::follow()
{
    m_following = true;
    clamp();
}

void TimelineAxis::reveal(std::uint64_t step)
{
    const double begin = beginOf(step);
    const double end = endOf(step);
    if (begin >= positionAt(0) && end <= m_right)
        return;
    m_following = false;
    const double inView = m_width / m_pixelsPerUnit;
    const bool isBefore = begin < positionAt(0);
    const double away = isBefore ? positionAt(0) - begin : end - m_right;
    // After a jump with a part of what came before and after: a step is understood by its neighbours.
    const double beside = away > kNeighbours * inView ? kNeighbours * inView : 0;
    m_right = isBefore ? begin - beside + inView : end + beside;
    clamp();
}

void TimelineAxis::clamp()
{
    if (m_unit == Unit::Seconds && m_history->empty())
        return;
    const double newest = endOf(m_last);
    const double oldest = std::min(newest, beginOf(m_first) + m_width / m_pixelsPerUnit);
    m_right = m_following ? newest : std::clamp(m_right, oldest, newest);
}

double TimelineAxis::smallestScale() const
{
    if (m_unit == Unit::Steps)
        return std::min(kDefaultStep,
                        m_width / (static_cast<double>(m_last - std::min(m_last, m_first)) + 1));
    return m_width / std::max(kShortestSpan, endOf(m_last) - beginOf(m_first));
}

} // namespace vitrine::ui
