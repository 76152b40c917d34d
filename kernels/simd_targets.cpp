// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/simd.h"

#include "kernels/simd_targets.h"

#include <hwy/highway.h>

namespace vitrine::kernels {
namespace {

void choose(std::int64_t mask)
{
    hwy::SetSupportedTargetsForTest(mask);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

} // namespace

std::vector<SimdTarget> simdTargets()
{
    std::vector<SimdTarget> targets;
    for (const std::int64_t mask : hwy::SupportedAndGeneratedTargets())
        targets.push_back({mask, hwy::TargetName(mask)});
    return targets;
}

void useSimdTargetForTest(const SimdTarget& target)
{
    choose(target.mask);
}

void useBestSimdTarget()
{
    choose(0);
}

} // namespace vitrine::kernels
