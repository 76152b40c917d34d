// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/trace/step_record.h"

#include <QString>

#include <optional>

namespace vitrine::ui {

class SequenceDirectory;

enum class SequencePhase : std::uint8_t { Waiting, Preempted, Prefill, Decode, Recompute, Padding };

/// What a sequence that has not ended does, after the newest step.
struct SequenceActivity {
    SequenceId sequence;
    SequencePhase phase = SequencePhase::Waiting;
    std::optional<WaitReason> reason{}; ///< while waiting or preempted; none: no step has given one
    bool isUnseen = false;              ///< waiting, and no step has looked at it yet
    std::int32_t need = 0;              ///< as in event::Wait
    std::int32_t have = 0;
    SequenceId head{};
    double decodeTokensPerSecond = 0; ///< over the last second; 0: nothing to tell
    friend bool operator==(const SequenceActivity&, const SequenceActivity&) = default;
};

/// One line: "decoding, 41.3 tok/s", "waits: 12 blocks needed, 7 free", "waits for the next step".
[[nodiscard]] QString describe(const SequenceActivity& activity, const SequenceDirectory& directory);

/// Why somebody waits: "12 blocks needed, 7 free", "the batch of 64 is full", "behind “Alpha”".
[[nodiscard]] QString describeWait(const event::Wait& wait, const SequenceDirectory& directory);

/// What is in the way, short enough for a lane: "blocks", "batch full", "behind others".
[[nodiscard]] QString waitWord(WaitReason reason);

/// "decode", "waiting" …: the word beside the mark.
[[nodiscard]] QString phaseName(SequencePhase phase);

/// "finished", "cancelled" …
[[nodiscard]] QString endReasonName(EndReason reason);

} // namespace vitrine::ui
