// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/layer_groups.h"

#include "engine/engine_options.h"

#include <algorithm>
#include <limits>
#include <map>

namespace vitrine {
namespace {

constexpr std::int32_t kAll = std::numeric_limits<std::int32_t>::max();
/// At most one of so many places of a window's groups may be empty.
constexpr std::int32_t kWastedPart = 8;

using Layers = std::vector<std::size_t>;
/// By what they look back on.
using LayersByWindow = std::map<std::int32_t, Layers>;

LayersByWindow layersByWindow(const ModelSpec& spec)
{
    LayersByWindow layers;
    for (std::size_t layer = 0; layer < spec.layers.size(); ++layer) {
        const std::int32_t window = spec.layers[layer].window;
        layers[window == 0 || window >= spec.contextLength ? kAll : window].push_back(layer);
    }
    return layers;
}

std::int32_t groupsOf(const Layers& layers, std::int32_t size)
{
    return (static_cast<std::int32_t>(layers.size()) + size - 1) / size;
}

/// 0 where groups of this size waste too much, or are too many.
std::int32_t countGroups(const LayersByWindow& all, std::int32_t size)
{
    std::int32_t count = 0;
    for (const auto& [window, layers] : all) {
        count += groupsOf(layers, size);
        const std::int32_t places = groupsOf(layers, size) * size;
        if ((places - static_cast<std::int32_t>(layers.size())) * kWastedPart > places)
            return 0;
    }
    return count <= kMostLayerGroups ? count : 0;
}

/// The least that gives as few groups as possible; 0 where none does.
std::int32_t bestSize(const LayersByWindow& all, std::int32_t layerCount)
{
    std::int32_t size = layerCount;
    while (size > 0 && countGroups(all, size) == 0)
        --size;
    while (size > 1 && countGroups(all, size - 1) == countGroups(all, size))
        --size;
    return size;
}

LayersByWindow joined(const LayersByWindow& all, std::size_t layerCount)
{
    LayersByWindow one;
    Layers& layers = one[all.empty() ? kAll : all.rbegin()->first];
    for (std::size_t layer = 0; layer < layerCount; ++layer)
        layers.push_back(layer);
    return one;
}

} // namespace

LayerGroups groupLayers(const ModelSpec& spec)
{
    const auto layerCount = static_cast<std::int32_t>(spec.layers.size());
    LayersByWindow all = layersByWindow(spec);
    LayerGroups groups;
    groups.layersEach = bestSize(all, layerCount);
    if (groups.layersEach == 0) {
        all = joined(all, spec.layers.size());
        groups.layersEach = layerCount;
    }
    groups.places.resize(spec.layers.size());
    for (const auto& [window, layers] : all) {
        const std::int32_t first = groups.count();
        for (std::int32_t i = 0; i < static_cast<std::int32_t>(layers.size()); ++i)
            groups.places[layers[static_cast<std::size_t>(i)]] = {first + i / groups.layersEach,
                                                                  i % groups.layersEach};
        groups.windows.resize(groups.windows.size() +
                                  static_cast<std::size_t>(groupsOf(layers, groups.layersEach)),
                              window == kAll ? 0 : window);
    }
    return groups;
}

} // namespace vitrine
