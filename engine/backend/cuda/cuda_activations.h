// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/backend/cuda/device_array.h"

namespace vitrine {

/// What a forward pass of at most `maxRows` rows works on, in the card's memory.
struct CudaActivations {
    std::size_t maxRows = 0;
    DeviceArray<float> residual;  ///< x (T, E)
    DeviceArray<float> hidden;    ///< h (T, E)
    DeviceArray<float> query;     ///< (T, Q)
    DeviceArray<float> key;       ///< (T, KV)
    DeviceArray<float> value;     ///< (T, KV)
    DeviceArray<float> attention; ///< (T, Q)
    DeviceArray<float> gate;      ///< (T * experts used, F)
    DeviceArray<float> up;        ///< (T * experts used, F)
    // Of attention that is split over its keys:
    std::size_t maxPartials = 0;
    DeviceArray<float> partialOut = {};    ///< (partials, KV)
    DeviceArray<float> partialMaxima = {}; ///< (partials, kv_heads)
    DeviceArray<float> partialSums = {};   ///< (partials, kv_heads)
    // Empty unless the model has experts:
    DeviceArray<float> routerLogits;  ///< (T, X)
    DeviceArray<std::int32_t> choice; ///< (T, experts used)
    DeviceArray<float> expertWeights; ///< (T, experts used)
    DeviceArray<float> expertOutput;  ///< (T * experts used, E)
};

} // namespace vitrine
