// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>

namespace vitrine::ui {

/// Which steps a timeline shows: a zoom, and a right edge that follows the newest step until somebody scrolls
/// back.
class TimelineAxis {
public:
    static constexpr double kLargestStep = 32; ///< pixels a step
    static constexpr double kDefaultStep = 6;

    /// The steps that exist, [first, last]; call whenever they change.
    void setSteps(std::uint64_t first, std::uint64_t last);
    void setWidth(int pixels);

    [[nodiscard]] int width() const { return m_width; }
    [[nodiscard]] double pixelsPerStep() const { return m_pixelsPerStep; }
    [[nodiscard]] bool following() const { return m_following; }

    /// The left edge of a step, in pixels from the left edge of the plot.
    [[nodiscard]] double xOf(double step) const;
    [[nodiscard]] double stepAt(double x) const;
    /// The existing steps that are at least partly in view; first > last where there are none.
    [[nodiscard]] std::uint64_t firstVisible() const;
    [[nodiscard]] std::uint64_t lastVisible() const;

    /// Zooms by `factor` about what is at x; about the newest step while following.
    void zoom(double factor, double x);
    /// Positive: back in time.
    void scroll(double pixels);
    void follow();
    /// Scrolls as little as makes the step visible.
    void reveal(std::uint64_t step);

private:
    void clamp();
    [[nodiscard]] double smallestStep() const;

    std::uint64_t m_first = 1;
    std::uint64_t m_last = 0;
    int m_width = 1;
    double m_pixelsPerStep = kDefaultStep;
    double m_right = 1; ///< the step at the right edge, fractional
    bool m_following = true;
};

} // namespace vitrine::ui
