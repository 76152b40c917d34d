// SPDX-License-Identifier: GPL-3.0-or-later
// Large pools are made, walked through and forgotten beside the window (decision 0015).
#pragma once
#include <QThreadPool>

#include <cstdint>
#include <memory>
#include <utility>

namespace vitrine::ui {

/// What walks through all blocks of a larger pool has a thread of its own: it would be seen as a stall.
inline constexpr std::int32_t kMostBlocksAtOnce = 65'536;

/// Giving back the memory of a large pool takes time too.
template<typename Large>
void letGoElsewhere(std::shared_ptr<Large> large)
{
    QThreadPool::globalInstance()->start([old = std::move(large)]() mutable { old.reset(); });
}

} // namespace vitrine::ui
