// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/timeline_axis.h"

#include <algorithm>
#include <cmath>

namespace vitrine::ui {

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

double TimelineAxis::xOf(double step) const
{
    return m_width - (m_right - step) * m_pixelsPerStep;
}

double TimelineAxis::stepAt(double x) const
{
    return m_right - (m_width - x) / m_pixelsPerStep;
}

std::uint64_t TimelineAxis::firstVisible() const
{
    return std::max(m_first, static_cast<std::uint64_t>(std::max(0.0, std::floor(stepAt(0)))));
}

std::uint64_t TimelineAxis::lastVisible() const
{
    return std::min(m_last, static_cast<std::uint64_t>(std::max(0.0, std::ceil(m_right) - 1)));
}

void TimelineAxis::zoom(double factor, double x)
{
    const double anchorX = m_following ? m_width : x;
    const double anchorStep = stepAt(anchorX);
    m_pixelsPerStep = std::clamp(m_pixelsPerStep * factor, smallestStep(), kLargestStep);
    m_right = anchorStep + (m_width - anchorX) / m_pixelsPerStep;
    clamp();
}

void TimelineAxis::scroll(double pixels)
{
    m_following = false;
    m_right -= pixels / m_pixelsPerStep;
    clamp();
}

void TimelineAxis::follow()
{
    m_following = true;
    clamp();
}

void TimelineAxis::reveal(std::uint64_t step)
{
    const auto wanted = static_cast<double>(step);
    if (wanted >= stepAt(0) && wanted + 1 <= m_right)
        return;
    m_following = false;
    m_right = wanted < stepAt(0) ? wanted + m_width / m_pixelsPerStep : wanted + 1;
    clamp();
}

void TimelineAxis::clamp()
{
    const double newest = static_cast<double>(m_last) + 1;
    const double oldest = std::min(newest, static_cast<double>(m_first) + m_width / m_pixelsPerStep);
    m_right = m_following ? newest : std::clamp(m_right, oldest, newest);
}

double TimelineAxis::smallestStep() const
{
    const auto steps = static_cast<double>(m_last - std::min(m_last, m_first) + 1);
    return std::min(kDefaultStep, m_width / steps);
}

} // namespace vitrine::ui
