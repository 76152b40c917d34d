// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/cuda/device.h"

#include <compare>
#include <map>
#include <memory>

namespace vitrine {

/// What the arguments of a pass's kernels depend on, the same buffers given.
struct PassShape {
    int rows = 0;
    int logitRows = 0;
    int items = 0; ///< of attention
    int merges = 0;
    int itemQueries = 0;

    friend auto operator<=>(const PassShape&, const PassShape&) = default;
};

/// Passes of a shape that comes again (decodes, mostly) are recorded the second time and replayed from then
/// on: one start instead of some hundred.
class PassRecordings {
public:
    /// `device` outlives this.
    explicit PassRecordings(kernels::cuda::Device& device);

    /// True: a pass of this shape was replayed. False: its operations are to be called, then end().
    [[nodiscard]] bool replay(const PassShape& shape);
    /// False: the pass could not be recorded, and is to be called again; from then on none is recorded.
    [[nodiscard]] bool end();
    /// A buffer that passes use lies elsewhere, or is gone.
    void clear();

private:
    struct Entry {
        bool cameOnce = false;
        std::unique_ptr<kernels::cuda::Recording> recording = {};
    };

    kernels::cuda::Device& m_device;
    std::map<PassShape, Entry> m_entries;
    Entry* m_underWay = nullptr; ///< is being recorded
    bool m_arePossible = true;
};

} // namespace vitrine
