// SPDX-License-Identifier: GPL-3.0-or-later
// What happened to the sequences in some steps, in words: what sentences about a step or about a curve are
// made of.
#pragma once
#include "ui/models/glass_model.h"

#include <QStringList>

namespace vitrine::ui {

/// By what it was; titles in quotes.
struct StepEvents {
    QStringList prompts;    ///< computed, whole or in part
    QStringList recomputed; ///< computed again, after they were thrown out
    QStringList thrownOut;  ///< "“A” was thrown out (preempted), which freed 7 blocks for “B”"
    QStringList ended;      ///< "“A” finished"
    std::int32_t prefillTokens = 0;
    std::int32_t recomputeTokens = 0;
    std::int32_t padding = 0; ///< rows
};

[[nodiscard]] StepEvents stepEvents(const GlassModel& glass, const StepRange& steps);
/// "74 prompt tokens", in the order of eventSentences().
[[nodiscard]] QStringList eventCounts(const StepEvents& events);
/// A sentence for each kind; empty where nothing happened.
[[nodiscard]] QStringList eventSentences(const StepEvents& events);

} // namespace vitrine::ui
