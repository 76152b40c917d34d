// SPDX-License-Identifier: GPL-3.0-or-later
// RapidCheck inside Qt Test: prints its seed, shrinks what fails, and obeys RC_PARAMS ("seed=…
// max_success=…").
#pragma once
#include <rapidcheck.h>

#include <cstdlib>
#include <iostream>
#include <string>

namespace vitrine::test {

/// True where the property holds for `cases` random cases of sizes up to `size`. VITRINE_PROPERTY_FACTOR
/// multiplies the cases, for long runs by hand.
template<typename Property>
[[nodiscard]] bool holds(const std::string& name, int cases, int size, Property&& property)
{
    rc::detail::TestParams params = rc::detail::configuration().testParams;
    const char* factor = std::getenv("VITRINE_PROPERTY_FACTOR");
    params.maxSuccess = cases * (factor != nullptr ? std::max(1, std::atoi(factor)) : 1);
    params.maxSize = size;
    rc::detail::TestMetadata metadata;
    metadata.id = name;
    metadata.description = name;
    std::cerr << name << ": seed=" << params.seed << '\n';
    const auto result = rc::detail::checkTestable(std::forward<Property>(property), metadata, params);
    rc::detail::printResultMessage(result, std::cerr);
    std::cerr << '\n';
    return result.template is<rc::detail::SuccessResult>();
}

} // namespace vitrine::test
