// SPDX-License-Identifier: GPL-3.0-or-later
// One graphics card as the engine sees it, without a header of CUDA's: the real one lies in a library that is
// loaded at run time, tests have one that computes on the processor.
#pragma once
#include "kernels/cuda/kernel_table.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace vitrine::kernels::cuda {

struct DeviceInfo {
    std::string name; ///< "NVIDIA H200"
    int major = 0;    ///< compute capability
    int minor = 0;
    int multiprocessors = 1;
    std::size_t totalBytes = 0;
};

enum class DenseType : std::uint8_t { F32, F16, BF16 };

/// out[t] = scale * weights * in[t], or += it; sums in float.
struct DenseProduct {
    float* out;          ///< (inputs, outStride), of which `rows` are written
    const void* weights; ///< (rows, columns) of `type`
    const void* in;      ///< (inputs, columns) of `type`
    DenseType type = DenseType::F32;
    int rows = 0;
    int columns = 0;
    int inputs = 0;
    int outStride = 0;
    float scale = 1;
    bool add = false;
};

/// Work that was put down once and can be done again as a whole, on the same memory.
class Recording {
public:
    virtual ~Recording() = default;
};

/// Memory, the order of work, dense products. Work is done in the order of the calls, as the calls return:
/// only download() and finishUploads() wait. Nothing throws; the first failure stays (failure()), and what
/// follows it does nothing.
class Device {
public:
    virtual ~Device() = default;

    [[nodiscard]] virtual const DeviceInfo& info() const = 0;
    [[nodiscard]] virtual std::size_t freeBytes() = 0; ///< 0 where the card has failed
    [[nodiscard]] virtual const KernelTable& kernels() const = 0;
    /// Where kernels run.
    [[nodiscard]] virtual Launch launch() const = 0;

    /// Every bit set at first, so that reading what nobody wrote gives NaN; null where there is not enough.
    /// At least 16-byte aligned.
    [[nodiscard]] virtual void* allocate(std::size_t bytes) = 0;
    virtual void release(void* memory) = 0; ///< waits for the work that uses it

    /// Small inputs of the next kernels; `from` may be overwritten at once.
    virtual void upload(void* to, const void* from, std::size_t bytes) = 0;
    /// Much at once, beside the kernels; `from` may be overwritten at once, kernels may use it after
    /// finishUploads().
    virtual void uploadBulk(void* to, const void* from, std::size_t bytes) = 0;
    virtual void finishUploads() = 0;
    /// Waits for all work before.
    virtual void download(void* to, const void* from, std::size_t bytes) = 0;
    virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
    virtual void fill(void* to, std::uint8_t byte, std::size_t bytes) = 0;
    virtual void multiply(const DenseProduct& product) = 0;

    /// Kernels, copies, fills and products are put down from here on, and not done. Nothing may be allocated,
    /// released, uploaded or downloaded meanwhile. False: this card does not record, or not now.
    [[nodiscard]] virtual bool beginRecording() { return false; }
    /// Null: nothing was put down, for want of memory perhaps; it may be done all the same, unless the card
    /// has failed.
    [[nodiscard]] virtual std::unique_ptr<Recording> endRecording() { return nullptr; }
    /// As if all of it were called now, with the arguments of then.
    virtual void replay(const Recording&) {}

    /// What a kernel's start returned.
    virtual void check(Status status) = 0;
    /// The first failure in words; empty: none so far.
    [[nodiscard]] virtual const std::string& failure() const = 0;
};

} // namespace vitrine::kernels::cuda
