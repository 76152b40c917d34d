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
    /// For the roofline: nothing but dot products, from registers and the first-level cache. Returns how many
    /// multiply-adds were done.
    std::uint64_t (*spin)(std::uint64_t rounds);
};

extern const MatmulBackend kMatmulAvx512Vnni;
extern const MatmulBackend kMatmulAvxVnni;
extern const MatmulBackend kMatmulAvx512VlVnni;
extern const MatmulBackend kMatmulAvx2;
extern const MatmulBackend kMatmulNeonDot;
extern const MatmulBackend kMatmulGeneric;

} // namespace vitrine::kernels
