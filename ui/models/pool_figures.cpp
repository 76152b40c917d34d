// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/pool_figures.h"

#include "ui/models/pool_mirror.h"

#include <algorithm>
#include <numeric>

namespace vitrine::ui {

namespace {

double ratio(std::int64_t part, std::int64_t whole)
{
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

} // namespace

double PoolFigures::kvCacheUsage() const
{
    return ratio(activeBlocks, usableBlocks);
}

double PoolFigures::tokenShare() const
{
    return ratio(usedSlots, totalSlots());
}

double PoolFigures::sharingRatio() const
{
    return ratio(tableEntries, activeBlocks);
}

PoolFigures poolFigures(const PoolMirror& pool)
{
    if (pool.numBlocks() == 0)
        return {};
    PoolFigures figures;
    figures.blockSize = pool.blockSize();
    figures.usableBlocks = pool.numBlocks() - 1;
    figures.activeBlocks = pool.activeBlocks();
    figures.sharedBlocks = pool.sharedBlocks();
    figures.cachedBlocks = pool.cachedFreeBlocks();
    figures.cleanBlocks = figures.usableBlocks - figures.activeBlocks - figures.cachedBlocks;
    figures.usedSlots = pool.usedSlots();
    figures.tableEntries = pool.tableEntries();
    figures.reservedSlots = pool.reservedSlots();
    figures.contiguous = pool.isContiguous();
    return figures;
}

SlotShares slotShares(const PoolFigures& figures)
{
    return {figures.usedSlots, figures.reservedSlots, figures.internalSlots(), figures.freeSlots()};
}

SlotShares slotShares(std::span<const ContiguousGrant> grants, std::int64_t totalSlots)
{
    SlotShares shares{.free = totalSlots};
    for (const ContiguousGrant& grant : grants) {
        shares.used += grant.written;
        shares.reserved += grant.final - grant.written;
        shares.internal += grant.granted - grant.final;
        shares.free -= grant.granted;
    }
    return shares;
}

double fragmentation(std::span<const std::int64_t> freeRuns)
{
    const std::int64_t free = std::reduce(freeRuns.begin(), freeRuns.end(), std::int64_t{0});
    return free == 0 ? 0.0 : 1.0 - ratio(*std::max_element(freeRuns.begin(), freeRuns.end()), free);
}

double unusableFree(std::span<const std::int64_t> freeRuns, std::int64_t k)
{
    std::int64_t free = 0;
    std::int64_t usable = 0;
    for (const std::int64_t run : freeRuns) {
        free += run;
        usable += k * (run / k);
    }
    return free == 0 ? 0.0 : 1.0 - ratio(usable, free);
}

} // namespace vitrine::ui
