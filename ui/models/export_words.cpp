// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/export_words.h"

#include <cstddef>

namespace vitrine::ui {

const char* exportWord(SequencePhase phase)
{
    constexpr const char* kNames[] = {"waiting", "preempted", "prefill", "decode", "recompute", "padding"};
    return kNames[std::size_t(phase)];
}

const char* exportWord(WaitReason reason)
{
    constexpr const char* kNames[] = {"capacity",      "max_num_seqs", "token_budget",  "paused",
                                      "fragmentation", "static_batch", "shared_prompt", "step_stretch",
                                      "behind_head",   "room_made"};
    return kNames[std::size_t(reason)];
}

} // namespace vitrine::ui
