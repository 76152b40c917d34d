// SPDX-License-Identifier: GPL-3.0-or-later
// Inside of matmul: what it hands to the implementation that suits the CPU.
#pragma once
#include "kernels/matmul.h"

namespace vitrine::kernels {

struct MatmulJob {
    const PackedMatrix& weights;
    const Activations& activations;
    RowRange rows;
    float* out;
    std::size_t outStride;
    bool accumulate;
};

struct MatmulBackend {
    std::string_view name;
    bool (*supported)() noexcept;
    void (*run)(const MatmulJob&); ///< weights of any quantised type
};

extern const MatmulBackend kMatmulAvx512Vnni;
extern const MatmulBackend kMatmulAvxVnni;
extern const MatmulBackend kMatmulAvx512VlVnni;
extern const MatmulBackend kMatmulAvx2;
extern const MatmulBackend kMatmulNeonDot;
extern const MatmulBackend kMatmulGeneric;

} // namespace vitrine::kernels
