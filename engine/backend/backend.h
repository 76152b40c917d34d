// SPDX-License-Identifier: GPL-3.0-or-later
// The seam between the model and the machine: about eight operations a layer, so that each backend can fuse
// as suits it and a token costs few barriers or launches.
#pragma once
#include "engine/backend/batch.h"
#include "engine/engine_options.h"
#include "engine/error.h"
#include "engine/memory_room.h"
#include "engine/model/model_spec.h"
#include "engine/model/model_weights.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

namespace vitrine {

/// The KV pool's shape; see kernels/kv_layout.h for the order in memory.
struct KvCacheShape {
    std::int32_t numBlocks = 0; ///< with the null block
    std::int32_t blockSize = 0;
    KvCacheDtype dtype = KvCacheDtype::F16;
    std::int32_t maxModelLen = 0; ///< tokens of one sequence at most; 0: the model's context length
    // What a pass has at most; 0: not known, memory for it is taken as it comes.
    std::int32_t maxRows = 0;      ///< tokens
    std::int32_t maxLogitRows = 0; ///< those that logits are asked for
};

/// Bytes of K and V of one block over all layers of a group.
[[nodiscard]] std::int64_t kvBlockBytes(const ModelSpec& spec, const KvCacheShape& shape);

/// Called with the share of the weights that is ready (0 to 1); false cancels the load.
using LoadProgressFn = std::function<bool(double fraction)>;
/// Called when a tensor's bytes in the file are not needed any more.
using ReleaseTensorFn = std::function<void(const Tensor&)>;

/// The error of a load that the progress function cancelled; compare with ==.
[[nodiscard]] const Error& loadCancelled();

/// Thrown by logits() and topLogits() where the machine that computes has failed: nothing can be computed on
/// it any more.
class BackendFailed : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};
/// Thrown within a pass where a machine with memory of its own has not enough for it.
class BackendOutOfMemory : public std::bad_alloc {};

/// The greatest logits of some rows, the greatest first, the lower token first among equals.
struct TopLogits {
    std::span<const float> logits;   ///< (rows, k); −∞ where fewer are finite
    std::span<const TokenId> tokens; ///< (rows, k); -1 likewise
};
/// Of a row at most.
inline constexpr std::int32_t kMaxTopLogits = 64;
/// A card holds the logits of no more rows; the greatest of more are found in turns.
inline constexpr std::int32_t kMostLogitRowsOnCard = 256;

/// Holds one model's weights in its own format, the KV cache, and the activations of the pass under way:
/// x (T, E) the residual stream, h (T, E) its normed copy, q/k/v, the attention's and the gate's output. What
/// the spec does not ask for (norms, biases, scales, caps) is left out; norm of nothing is a copy. Calls come
/// from one thread, in the order of Model::forward.
class Backend {
public:
    virtual ~Backend() = default;

    /// "CPU, AVX-512 VNNI"
    [[nodiscard]] virtual std::string name() const = 0;
    [[nodiscard]] virtual int threads() const = 0;
    /// Of the memory that weights, cache and activations lie in.
    [[nodiscard]] virtual MemoryRoom room() { return memoryRoom(); }

    [[nodiscard]] virtual Result<void> loadWeights(const ModelSpec& spec, const ModelWeights& weights,
                                                   const LoadProgressFn& progress,
                                                   const ReleaseTensorFn& release) = 0;
    /// Other workers; weights and cache stay. 0: the physical cores. Precondition: there is a cache.
    virtual void setThreads(int threads) = 0;
    /// Gives the cache's memory back. Nothing may be computed until allocateKvCache() succeeds.
    virtual void releaseKvCache() = 0;
    /// Another cache, and what passes need, where that lies in the same memory; what memory the one before
    /// has goes back first. After an error there is none. A card may throw BackendFailed, as in
    /// loadWeights().
    [[nodiscard]] virtual Result<void> allocateKvCache(const KvCacheShape& shape) = 0;
    /// Copies all layers' K and V of whole blocks (copy-on-write).
    virtual void copyBlock(BlockId source, BlockId target) = 0;
    /// Debug builds: fresh blocks are filled with NaN, so that a stale read cannot go unnoticed.
    virtual void poisonBlock(BlockId block) = 0;

    /// `batch` outlives the pass. False: the whole pass is under way already, as a recorded one; nothing up
    /// to end() is to be called.
    [[nodiscard]] virtual bool begin(const Batch& batch) = 0;
    virtual void embed() = 0;                  ///< x = scale * embedding of the batch's tokens
    virtual void normAttention(int layer) = 0; ///< h = norm(x)
    virtual void projectQkv(int layer) = 0;    ///< q, k, v = W h + bias; norm; rope; k and v into their slots
    virtual void attend(int layer) = 0; ///< attention of q over the block tables, in the layer's window
    virtual void projectAttentionOutput(int layer) = 0; ///< x += scale * norm(W_o * attention + bias)
    virtual void normFeedForward(int layer) = 0;        ///< h = norm(x)
    virtual void gatedFeedForward(int layer) = 0;       ///< g = act(W_gate * h) . (W_up * h)
    virtual void projectDown(int layer) = 0;            ///< x += scale * norm(W_down * g)
    /// Instead of the two before: x += scale * norm(sum over a token's experts of weight * W_down * g)
    virtual void mixExperts(int layer) = 0;
    /// Of the pass. False: nothing of it was done, and all after begin() is to be called again.
    [[nodiscard]] virtual bool end() { return true; }

    /// Logits (count, V) of batch.logitRows[first .. first + count): cap(scale * W_out * norm(x)). Valid
    /// until the next call.
    [[nodiscard]] virtual std::span<float> logits(std::int32_t first, std::int32_t count) = 0;
    /// The same rows' `k` (1 to kMaxTopLogits) greatest finite logits alone; none: here this would be no less
    /// work than logits(). Valid until the next call of this.
    [[nodiscard]] virtual std::optional<TopLogits> topLogits(std::int32_t /*first*/, std::int32_t /*count*/,
                                                             std::int32_t /*k*/)
    {
        return {};
    }
};

/// `threads` 0: the physical cores.
[[nodiscard]] std::unique_ptr<Backend> makeCpuBackend(int threads);

} // namespace vitrine
