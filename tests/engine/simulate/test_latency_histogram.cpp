// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/simulate/latency_histogram.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <random>

using vitrine::LatencyHistogram;

class TestLatencyHistogram : public QObject {
    Q_OBJECT
private slots:
    void isZeroWithoutSamples()
    {
        const LatencyHistogram empty;
        QCOMPARE(empty.percentile(50), 0.0);
        QCOMPARE(empty.meanSeconds(), 0.0);
        QCOMPARE(empty.maxSeconds(), 0.0);
    }

    void agreesWithSortedSamplesToHalfAPercent()
    {
        std::mt19937 random(7);
        std::lognormal_distribution<double> distribution(-4, 2);
        LatencyHistogram histogram;
        std::vector<double> samples(20'001);
        for (double& sample : samples) {
            sample = distribution(random);
            histogram.add(sample);
        }
        std::ranges::sort(samples);
        QCOMPARE(histogram.maxSeconds(), samples.back());
        for (const double percent : {1.0, 50.0, 90.0, 99.0, 100.0}) {
            const auto rank = std::size_t(std::ceil(percent / 100 * double(samples.size()))) - 1;
            const double exact = samples[rank];
            QVERIFY(std::abs(histogram.percentile(percent) / exact - 1) < 0.005);
        }
    }

    void noPercentileIsAboveTheMaximum()
    {
        LatencyHistogram histogram;
        for (double seconds = 0.001; seconds < 100; seconds *= 1.003) {
            histogram.add(seconds);
            QVERIFY(histogram.percentile(99.9) <= histogram.maxSeconds());
        }
    }

    void takesAnyNumber()
    {
        LatencyHistogram histogram;
        for (const double value : {0.0, -1.0, 1e300, 1e-300, std::nan("")})
            histogram.add(value);
        QCOMPARE(histogram.count(), std::uint64_t(5));
        QVERIFY(histogram.percentile(100) <= 1.01e9);
    }
};

QTEST_APPLESS_MAIN(TestLatencyHistogram)
#include "test_latency_histogram.moc"
