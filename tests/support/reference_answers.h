// SPDX-License-Identifier: GPL-3.0-or-later
// The right answers of ../shared/reference; its README says what must hold.
#pragma once
#include "engine/ids.h"
#include "tests/support/reference.h"

#include <QJsonArray>
#include <QJsonObject>

#include <cstring>
#include <span>
#include <vector>

namespace vitrine::test {

inline std::vector<TokenId> tokenIds(const QJsonValue& array)
{
    std::vector<TokenId> ids;
    for (const QJsonValue& id : array.toArray())
        ids.push_back(id.toInt());
    return ids;
}

inline std::vector<float> readFloats(const QString& path)
{
    const QByteArray bytes = readAll(path);
    std::vector<float> values(static_cast<std::size_t>(bytes.size()) / sizeof(float));
    std::memcpy(values.data(), bytes.constData(), values.size() * sizeof(float));
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

/// The greedy answer up to the first step whose margin is too small to tell float from double.
inline std::vector<TokenId> comparableAnswer(const QJsonObject& answer)
{
    constexpr double kUndecided = 0.05;
    std::vector<TokenId> ids = tokenIds(answer["greedy"]);
    const QJsonArray margins = answer["greedy_margin"].toArray();
    std::size_t count = 0;
    while (count < ids.size() && margins[static_cast<qsizetype>(count)].toDouble() >= kUndecided)
        ++count;
    ids.resize(count);
    return ids;
}

} // namespace vitrine::test
