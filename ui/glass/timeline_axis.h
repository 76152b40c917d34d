// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <optional>

namespace vitrine::ui {

class BatchHistory;
struct StepFigures;

/// Which steps a timeline shows: a unit, a zoom, and a right edge that follows the newest step until somebody
/// scrolls back. Positions are steps or seconds, by the unit; x is in pixels from the plot's left edge.
class TimelineAxis {
public:
    enum class Unit {
        Steps,   ///< all steps are equally wide
        Seconds, ///< on the engine's clock: a long step is wide, and rest between steps is seen
    };

    static constexpr double kLargestStep = 32; ///< pixels a step
    static constexpr double kDefaultStep = 6;
    static constexpr double kLargestSecond = 16'000; ///< pixels a second

    TimelineAxis() = default;
    /// `history` outlives it. Call update() whenever it has changed.
    explicit TimelineAxis(const BatchHistory* history);

    void update();
    /// The steps that exist, [first, last], where there is no history.
    void setSteps(std::uint64_t first, std::uint64_t last);
    void setWidth(int pixels);
    /// What is in view stays in view.
    void setUnit(Unit unit);

    [[nodiscard]] Unit unit() const { return m_unit; }
    [[nodiscard]] int width() const { return m_width; }
    [[nodiscard]] double pixelsPerUnit() const { return m_pixelsPerUnit; }
    [[nodiscard]] bool following() const { return m_following; }

    [[nodiscard]] double xOf(double position) const;
    [[nodiscard]] double positionAt(double x) const;

    /// Where a kept step begins and ends.
    [[nodiscard]] double leftOf(std::uint64_t step) const;
    [[nodiscard]] double rightOf(std::uint64_t step) const;
    /// The step at x, or the one before it where nothing ran then; bounded by the steps that exist.
    [[nodiscard]] std::uint64_t nearestStep(double x) const;
    /// Empty where no step is.
    [[nodiscard]] std::optional<std::uint64_t> stepAt(double x) const;

    /// The existing steps that are at least partly in view; first > last where there are none.
    [[nodiscard]] std::uint64_t firstVisible() const;
    [[nodiscard]] std::uint64_t lastVisible() const;

    /// Zooms by `factor` about what is at x; about the newest step while following.
    void zoom(double factor, double x);
    /// Positive: back in time.
    void scroll(double pixels);
    void follow();
    /// Scrolls as little as makes the step visible; after a jump what is beside it, too.
    void reveal(std::uint64_t step);

private:
    void clamp();
    [[nodiscard]] double smallestScale() const;
    [[nodiscard]] double beginOf(std::uint64_t step) const; ///< position
    [[nodiscard]] double endOf(std::uint64_t step) const;
    [[nodiscard]] const StepFigures& figures(std::uint64_t step) const;

    const BatchHistory* m_history = nullptr;
    Unit m_unit = Unit::Steps;
    std::uint64_t m_first = 1;
    std::uint64_t m_last = 0;
    int m_width = 1;
    double m_pixelsPerUnit = kDefaultStep;
    double m_right = 1; ///< the position at the right edge
    bool m_following = true;
};

} // namespace vitrine::ui
