// SPDX-License-Identifier: GPL-3.0-or-later
// What the throughput charts draw: rates and means over equal intervals, ready to hand to a plot.
#pragma once
#include "ui/models/metrics_history.h"
#include "ui/models/sequence_directory.h"

#include <QVector>

#include <map>
#include <vector>

namespace vitrine::ui {

class GlassModel;

/// One curve for each chat; sequences of no chat have one each, with a negative key.
struct ChatCurve {
    ChatLabel label;
    QVector<double> tokensPerSecond;
};

/// All vectors have one entry an interval, oldest first. NaN: no step ran in it, so that there is no mean.
struct ThroughputSeries {
    double intervalSeconds = 0;
    double newestSeconds = 0;    ///< the middle of the newest interval, in view or not
    QVector<double> seconds;     ///< the middle of the interval, on the engine's clock
    QVector<double> decodeRate;  ///< tokens generated a second, all sequences
    QVector<double> prefillRate; ///< prompt tokens computed a second
    QVector<double> batchSize;   ///< mean over the steps
    QVector<double> preemptions; ///< in the interval; a fraction where a step reaches into the next
    QVector<double> planMillis;  ///< mean time of a step's parts
    QVector<double> forwardMillis;
    QVector<double> sampleMillis;
    QVector<double> longestMillis;     ///< the longest step that the interval has a part of
    std::map<qint64, ChatCurve> chats; ///< only those with tokens in view

    [[nodiscard]] qsizetype size() const { return seconds.size(); }
    /// The entry whose interval contains the time; −1 outside.
    [[nodiscard]] qsizetype indexAt(double atSeconds) const;
};

/// Which intervals a chart shows: cheap to ask for, and its series is another only where this is.
struct ThroughputSpan {
    std::int64_t lastBin = 0; ///< in view
    std::int64_t newestBin = 0;
    int intervals = 0;
    int binsPerInterval = 1;
    friend bool operator==(const ThroughputSpan&, const ThroughputSpan&) = default;
};

/// The last `windowSeconds` before the engine's newest step, in at most `maxPoints` intervals; where the
/// glass's cursor stands on an older step, so many seconds around that one. While the engine works the
/// interval under way is left out: it would look like a fall.
[[nodiscard]] ThroughputSpan throughputSpan(const GlassModel& glass, double windowSeconds, int maxPoints);
[[nodiscard]] ThroughputSeries throughputSeries(const GlassModel& glass, const ThroughputSpan& span);
[[nodiscard]] inline ThroughputSeries throughputSeries(const GlassModel& glass, double windowSeconds,
                                                       int maxPoints)
{
    return throughputSeries(glass, throughputSpan(glass, windowSeconds, maxPoints));
}

} // namespace vitrine::ui
