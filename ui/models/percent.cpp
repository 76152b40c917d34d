// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/percent.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vitrine::ui {

int wholePercent(double share)
{
    const int rounded = static_cast<int>(std::lround(100 * share));
    if (share > 0 && rounded == 0)
        return 1;
    return share < 1 && rounded == 100 ? 99 : rounded;
}

std::vector<int> wholePercents(std::span<const std::int64_t> parts)
{
    const auto whole = static_cast<double>(std::accumulate(parts.begin(), parts.end(), std::int64_t{0}));
    std::vector<int> percents(parts.size(), 0);
    if (whole == 0)
        return percents;
    std::vector<double> missing(parts.size()); // of a percent; below 0 for what was rounded up to 1
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const double exact = 100 * static_cast<double>(parts[i]) / whole;
        percents[i] = parts[i] > 0 ? std::max(1, static_cast<int>(exact)) : 0;
        missing[i] = exact - percents[i];
    }
    percents[0] = wholePercent(static_cast<double>(parts[0]) / whole);
    int left = 100 - std::accumulate(percents.begin(), percents.end(), 0);
    for (; left > 0; --left) {
        const auto most = std::max_element(missing.begin() + 1, missing.end());
        ++percents[static_cast<std::size_t>(most - missing.begin())];
        --*most;
    }
    for (; left < 0; ++left) {
        const auto most = std::max_element(percents.begin() + 1, percents.end());
        --(*most > 1 ? *most : percents[0]);
    }
    return percents;
}

} // namespace vitrine::ui
