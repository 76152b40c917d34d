// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/model/model_spec.h"

#include <cstdint>
#include <vector>

namespace vitrine {

/// Layers of equal window, put into groups of equal size. A block of the KV cache holds tokens of one group,
/// so that all blocks have one size, and a group whose window has passed gives its blocks back while layers
/// that look further back keep theirs. (vLLM's hybrid KV cache manager divides them like this too.)
struct LayerGroups {
    struct Place {
        std::int32_t group;
        std::int32_t index; ///< within the group
    };

    /// (groups) what each looks back on, in tokens; ascending, groups that look back on all, 0, come last
    std::vector<std::int32_t> windows;
    std::int32_t layersEach = 0; ///< layers that a group has room for; some places may be empty
    std::vector<Place> places;   ///< (layers)

    [[nodiscard]] std::int32_t count() const { return static_cast<std::int32_t>(windows.size()); }
};

/// As few groups as possible, at most kMostLayerGroups, such that no window wastes more than an eighth of its
/// groups' places. Where no size is like that, one group, which looks back as far as any of its layers.
/// Precondition: there are layers.
[[nodiscard]] LayerGroups groupLayers(const ModelSpec& spec);

} // namespace vitrine
