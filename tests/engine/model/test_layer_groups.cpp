// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/engine_options.h"
#include "engine/model/layer_groups.h"

#include <QtTest>

#include <algorithm>
#include <set>

using namespace vitrine;

namespace {

constexpr std::int32_t kContext = 8192;

ModelSpec specOf(const std::vector<std::int32_t>& windows)
{
    ModelSpec spec;
    spec.contextLength = kContext;
    spec.layerCount = std::int32_t(windows.size());
    for (const std::int32_t window : windows)
        spec.layers.push_back({.window = window});
    return spec;
}

/// Every `period`-th layer sees all, the others have the window.
ModelSpec periodic(std::int32_t layers, std::int32_t period, std::int32_t window)
{
    std::vector<std::int32_t> windows;
    for (std::int32_t layer = 0; layer < layers; ++layer)
        windows.push_back(layer % period == period - 1 ? 0 : window);
    return specOf(windows);
}

/// Each layer stands in a group of its window, and no two in one place.
bool placesFit(const ModelSpec& spec, const LayerGroups& groups)
{
    std::set<std::pair<std::int32_t, std::int32_t>> taken;
    for (std::size_t layer = 0; layer < spec.layers.size(); ++layer) {
        const auto [group, index] = groups.places[layer];
        if (group < 0 || group >= groups.count() || index < 0 || index >= groups.layersEach ||
            groups.windows[std::size_t(group)] != spec.layers[layer].window ||
            !taken.insert({group, index}).second)
            return false;
    }
    return taken.size() == spec.layers.size();
}

} // namespace

class TestLayerGroups : public QObject {
    Q_OBJECT
private slots:
    /// The models of docs/engine.md.
    void mixedModelsHaveFewGroupsThatWasteLittle_data()
    {
        QTest::addColumn<int>("layers");
        QTest::addColumn<int>("period");
        QTest::addColumn<int>("groups");
        QTest::addColumn<int>("layersEach");
        QTest::newRow("gemma 2, 2b") << 26 << 2 << 2 << 13;
        QTest::newRow("gemma 2, 9b") << 42 << 2 << 2 << 21;
        QTest::newRow("gemma 3, 270m") << 18 << 6 << 6 << 3;
        QTest::newRow("gemma 3, 1b") << 26 << 6 << 7 << 4;
        QTest::newRow("gemma 3, 4b") << 34 << 6 << 7 << 5;
        QTest::newRow("gemma 3, 12b") << 48 << 6 << 6 << 8;
        QTest::newRow("gemma 3, 27b") << 62 << 6 << 6 << 11;
    }

    void mixedModelsHaveFewGroupsThatWasteLittle()
    {
        QFETCH(int, layers);
        QFETCH(int, period);
        QFETCH(int, groups);
        QFETCH(int, layersEach);
        const ModelSpec spec = periodic(layers, period, 512);
        const LayerGroups grouped = groupLayers(spec);
        QCOMPARE(grouped.count(), groups);
        QCOMPARE(grouped.layersEach, layersEach);
        QCOMPARE(grouped.windows.back(), 0);
        QCOMPARE(grouped.windows.front(), 512);
        QVERIFY(placesFit(spec, grouped));
    }

    void layersThatLookBackAlikeAreOneGroupInTheirOrder()
    {
        for (const std::int32_t window : {0, 512}) {
            const ModelSpec spec = specOf(std::vector<std::int32_t>(30, window));
            const LayerGroups grouped = groupLayers(spec);
            QCOMPARE(grouped.windows, std::vector<std::int32_t>{window});
            QCOMPARE(grouped.layersEach, 30);
            QVERIFY(placesFit(spec, grouped));
            for (std::size_t layer = 0; layer < 30; ++layer)
                QCOMPARE(grouped.places[layer].index, std::int32_t(layer));
        }
    }

    void aWindowOfTheWholeContextIsNone()
    {
        const LayerGroups grouped = groupLayers(periodic(12, 2, kContext));
        QCOMPARE(grouped.windows, std::vector<std::int32_t>{0});
        QCOMPARE(grouped.layersEach, 12);
    }

    void windowsAscendAndAllComesLast()
    {
        const ModelSpec spec = specOf({0, 64, 16, 0, 64, 16});
        const LayerGroups grouped = groupLayers(spec);
        QCOMPARE(grouped.windows, (std::vector<std::int32_t>{16, 64, 0}));
        QCOMPARE(grouped.layersEach, 2);
        QVERIFY(placesFit(spec, grouped));
    }

    /// 3 and 7 layers: groups of 3 leave two of nine places empty, and single layers would be ten groups.
    void whereEverySizeWastesMuchThereIsOneGroup()
    {
        const LayerGroups grouped = groupLayers(specOf({0, 0, 0, 9, 9, 9, 9, 9, 9, 9}));
        QCOMPARE(grouped.windows, std::vector<std::int32_t>{0});
        QCOMPARE(grouped.layersEach, 10);
        // Without a layer that looks back on all it looks back as far as the widest.
        QCOMPARE(groupLayers(specOf({5, 5, 5, 9, 9, 9, 9, 9, 9, 9})).windows, std::vector<std::int32_t>{9});
    }

    void neverAreThereTooManyGroups()
    {
        for (std::int32_t layers = 1; layers <= 80; ++layers)
            for (const std::int32_t period : {2, 3, 4, 5, 6, 7}) {
                const ModelSpec spec = periodic(layers, period, 128);
                const LayerGroups grouped = groupLayers(spec);
                QVERIFY(grouped.count() <= kMostLayerGroups);
                QVERIFY(std::ranges::is_sorted(grouped.windows, {}, [](std::int32_t w) { return w - 1u; }));
                QVERIFY(grouped.count() == 1 || placesFit(spec, grouped));
            }
    }
};

QTEST_APPLESS_MAIN(TestLayerGroups)
#include "test_layer_groups.moc"
