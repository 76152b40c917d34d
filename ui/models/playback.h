// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <optional>

namespace vitrine::ui {

class GlassModel;

/// Moves the cursor of a glass model through what is recorded as time passes.
class Playback : public QObject {
    Q_OBJECT
public:
    static constexpr int kTickMillis = 33;
    static constexpr double kSlowest = 0.1;
    static constexpr double kFastest = 100;
    /// Longer rests between steps are shortened to this.
    static constexpr double kLongestRestSeconds = 1;

    /// `glass` outlives it.
    explicit Playback(GlassModel& glass, QObject* parent = nullptr);

    [[nodiscard]] bool isPlaying() const { return m_tick.isActive(); }
    void play();
    void pause();
    void toggle() { isPlaying() ? pause() : play(); }

    /// In times of the engine's clock; empty: each step, one a tick.
    [[nodiscard]] std::optional<double> speed() const { return m_speed; }
    void setSpeed(std::optional<double> speed);

    /// By so many recorded steps; pauses.
    void step(std::int64_t steps);
    void goTo(std::uint64_t step);
    void goToStart();
    /// The newest step; where an engine runs it is followed.
    void goToEnd();

    /// As if so much time had passed.
    void advance(double seconds);

signals:
    void changed();

private:
    [[nodiscard]] std::optional<std::uint64_t> stepAfter(double seconds);
    void arrive();
    void settle();

    GlassModel& m_glass;
    QTimer m_tick;
    QElapsedTimer m_sinceTick;
    std::optional<double> m_speed = 1;
    double m_position = 0; ///< on the engine's clock
};

} // namespace vitrine::ui
