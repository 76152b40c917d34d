// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/model_spec.h"

#include <algorithm>

namespace vitrine {

std::int32_t ModelSpec::windowOfEveryLayer() const
{
    std::int32_t widest = 0;
    for (const LayerSpec& layer : layers) {
        if (layer.window == 0 || layer.window >= contextLength)
            return 0;
        widest = std::max(widest, layer.window);
    }
    return widest;
}

} // namespace vitrine
