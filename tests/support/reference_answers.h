// SPDX-License-Identifier: GPL-3.0-or-later
// The right answers of ../shared/reference; its README says what must hold.
#pragma once
#include "engine/ids.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

namespace vitrine::test {

inline std::string referencePath(const std::string& name)
{
    return std::string(VITRINE_REFERENCE_DIR) + "/" + name;
}

inline nlohmann::json readJson(const std::string& path)
{
    std::ifstream file(path);
    return nlohmann::json::parse(file);
}

inline std::vector<float> readFloats(const std::string& path)
{
    std::vector<float> values(std::filesystem::file_size(path) / sizeof(float));
    std::ifstream file(path, std::ios::binary);
    file.read(reinterpret_cast<char*>(values.data()),
              static_cast<std::streamsize>(values.size() * sizeof(float)));
    return values;
}

/// sum((a - b)^2) / sum(b^2)
inline double normalizedSquaredError(std::span<const float> a, std::span<const float> b)
{
    double error = 0;
    double power = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        error += (double{a[i]} - b[i]) * (double{a[i]} - b[i]);
        power += double{b[i]} * b[i];
    }
    return error / power;
}

/// Tokens of a greedy answer up to the first step whose margin is too small to tell float from double.
inline std::size_t comparableTokens(const nlohmann::json& answer)
{
    constexpr double kUndecided = 0.05;
    const std::vector<double> margins = answer["greedy_margin"];
    std::size_t count = 0;
    while (count < margins.size() && margins[count] >= kUndecided)
        ++count;
    return count;
}

} // namespace vitrine::test
