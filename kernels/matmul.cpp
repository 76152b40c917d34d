// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/matmul.h"

#include "kernels/matmul_backend.h"
#include "kernels/matmul_float.h"

#include <array>
#include <atomic>
#include <cassert>
#include <vector>

namespace vitrine::kernels {
namespace {

/// The faster first.
constexpr const MatmulBackend* kBackends[] = {
#if defined(__x86_64__)
    &kMatmulAvx512Vnni, &kMatmulAvxVnni, &kMatmulAvx512VlVnni, &kMatmulAvx2,
#elif defined(__aarch64__)
    &kMatmulNeonDot,
#endif
    &kMatmulGeneric,
};

struct BackendList {
    std::array<const MatmulBackend*, std::size(kBackends)> entries{};
    std::size_t count = 0;

    BackendList()
    {
        for (const MatmulBackend* backend : kBackends)
            if (backend->supported())
                entries[count++] = backend;
    }
};

const BackendList& backendList() noexcept
{
    static const BackendList list;
    return list;
}

std::atomic<const MatmulBackend*> backendForTest{nullptr};

const MatmulBackend& backendInUse() noexcept
{
    const MatmulBackend* forced = backendForTest.load(std::memory_order_relaxed);
    return forced ? *forced : *backendList().entries[0];
}

void run(const MatmulJob& job)
{
    assert(job.rows.begin % PackedMatrix::kGroupRows == 0 && job.rows.end <= job.weights.rows());
    assert(job.rows.end % PackedMatrix::kGroupRows == 0 || job.rows.end == job.weights.rows());
    if (!usesQuantizedActivations(job.weights.type()))
        return matmulFloat(job);
    assert(job.activations.quantized && job.activations.quantized->columns() == job.weights.columns());
    assert(job.activations.quantized->rows() == job.activations.rows);
    backendInUse().run(job);
}

} // namespace

bool usesQuantizedActivations(TensorType type) noexcept
{
    return type != TensorType::F32 && type != TensorType::F16 && type != TensorType::BF16;
}

void matmul(const PackedMatrix& weights, const Activations& activations, RowRange weightRows, float* out,
            std::size_t outStride)
{
    run({weights, activations, weightRows, out, outStride, false});
}

void matmulAdd(const PackedMatrix& weights, const Activations& activations, RowRange weightRows, float* out,
               std::size_t outStride)
{
    run({weights, activations, weightRows, out, outStride, true});
}

std::string_view matmulBackendName(const MatmulBackend& backend) noexcept
{
    return backend.name;
}

std::span<const MatmulBackend* const> matmulBackends() noexcept
{
    return {backendList().entries.data(), backendList().count};
}

void useMatmulBackendForTest(const MatmulBackend* backend) noexcept
{
    backendForTest.store(backend, std::memory_order_relaxed);
}

} // namespace vitrine::kernels
