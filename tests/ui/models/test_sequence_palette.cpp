// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/glass/glass_colors.h"
#include "ui/models/sequence_palette.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <QtTest>

#include <array>
#include <cmath>
#include <set>

using namespace vitrine::ui;

namespace {

using Linear = std::array<double, 3>;
using Matrix = std::array<Linear, 3>;

constexpr Matrix kNormal{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
// Machado, Oliveira and Fernandes 2009, severity 1.
constexpr Matrix kDeutan{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix kProtan{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};

double toLinear(double c)
{
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double labCurve(double t)
{
    return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116;
}

/// CIELAB, D65, as seen through `vision`.
Linear labOf(const QColor& color, const Matrix& vision)
{
    const Linear rgb{toLinear(color.redF()), toLinear(color.greenF()), toLinear(color.blueF())};
    Linear seen{};
    for (std::size_t i = 0; i < 3; ++i)
        seen[i] = std::clamp(vision[i][0] * rgb[0] + vision[i][1] * rgb[1] + vision[i][2] * rgb[2], 0.0, 1.0);
    const double x = labCurve((0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2]) / 0.95047);
    const double y = labCurve(0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2]);
    const double z = labCurve((0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2]) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double smallestDistance(Shade shade, const Matrix& vision)
{
    double smallest = 1000;
    for (int a = 0; a < kHueCount; ++a)
        for (int b = a + 1; b < kHueCount; ++b) {
            const Linear p = labOf(sequenceColor(a, shade), vision);
            const Linear q = labOf(sequenceColor(b, shade), vision);
            smallest = std::min(smallest, std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]));
        }
    return smallest;
}

} // namespace

class TestSequencePalette : public QObject {
    Q_OBJECT
private slots:
    void huesStandOutFromTheBackground()
    {
        for (const QPalette& palette : {lightPalette(), darkPalette()})
            for (int slot = kNeutralSlot; slot < kHueCount; ++slot)
                for (const auto role : {QPalette::Window, QPalette::Base}) {
                    const double reached =
                        contrast(sequenceColor(slot, shadeOf(palette)), palette.color(role));
                    QVERIFY2(reached >= 3, qPrintable(QStringLiteral("slot %1: %2").arg(slot).arg(reached)));
                }
    }

    void huesAreApartInEveryVision()
    {
        QVERIFY(smallestDistance(Shade::Light, kNormal) > 30);
        QVERIFY(smallestDistance(Shade::Light, kDeutan) > 25);
        QVERIFY(smallestDistance(Shade::Light, kProtan) > 25);
        QVERIFY(smallestDistance(Shade::Dark, kNormal) > 35);
        QVERIFY(smallestDistance(Shade::Dark, kDeutan) > 29);
        QVERIFY(smallestDistance(Shade::Dark, kProtan) > 29);
    }

    void textTellsChatsOfOneHueApart()
    {
        std::set<QString> names;
        for (int slot = 0; slot < 4 * kHueCount; ++slot)
            names.insert(sequenceColorName(slot));
        QCOMPARE(names.size(), std::size_t{4 * kHueCount});
    }

    void texturesOfOneHueLookDifferent()
    {
        std::set<QByteArray> pictures;
        for (int round = 0; round < 4; ++round) {
            QImage image(16, 16, QImage::Format_RGB32);
            QPainter painter(&image);
            painter.fillRect(image.rect(), sequenceBrush(3 + round * kHueCount, Shade::Light, Qt::white));
            painter.end();
            pictures.insert(
                QByteArray(reinterpret_cast<const char*>(image.constBits()), image.sizeInBytes()));
        }
        QCOMPARE(pictures.size(), std::size_t{4});
    }

    void textKeepsItsContrast()
    {
        for (const QPalette& palette : {lightPalette(), darkPalette()}) {
            const GlassColors colors = glassColors(palette);
            QVERIFY(contrast(colors.text, colors.background) >= 4.5);
            QVERIFY(contrast(colors.dimText, colors.background) >= 4.5);
            QVERIFY(contrast(colors.dimText, palette.color(QPalette::Window)) >= 4.5);
            QVERIFY(contrast(colors.mark, colors.background) >= 3);
            QVERIFY(contrast(colors.warning, palette.color(QPalette::Window)) >= 4.5);
        }
    }
};

QTEST_MAIN(TestSequencePalette)
#include "test_sequence_palette.moc"
