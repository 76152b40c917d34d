// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/sequence_activity.h"

#include <QCoreApplication>
#include <QLocale>

namespace vitrine::ui {

namespace {

QString translated(const char* text)
{
    return QCoreApplication::translate("SequenceActivity", text);
}

} // namespace

QString describe(const SequenceActivity& activity)
{
    switch (activity.phase) {
    case SequencePhase::Waiting:
        return translated("waits: %1").arg(describeWait(activity.reason, activity.need, activity.have));
    case SequencePhase::Preempted:
        return translated("preempted, waits: %1")
            .arg(describeWait(activity.reason, activity.need, activity.have));
    case SequencePhase::Prefill:
        return translated("reading the prompt");
    case SequencePhase::Decode:
        return translated("decoding, %1 tok/s")
            .arg(QLocale().toString(activity.decodeTokensPerSecond, 'f', 1));
    case SequencePhase::Recompute:
        return translated("computing again after preemption");
    case SequencePhase::Padding:
        return translated("done, its row waits for the batch to end");
    }
    return {};
}

QString describeWait(WaitReason reason, std::int32_t need, std::int32_t have)
{
    switch (reason) {
    case WaitReason::Capacity:
        return need == 1 ? translated("1 block needed, %1 free").arg(have)
                         : translated("%1 blocks needed, %2 free").arg(need).arg(have);
    case WaitReason::MaxNumSeqs:
        return translated("all places in the batch are taken");
    case WaitReason::TokenBudget:
        return translated("the step's token budget is used up");
    case WaitReason::Paused:
        return translated("the engine is paused");
    case WaitReason::Fragmentation:
        return translated("%1 blocks side by side needed, the longest free run has %2").arg(need).arg(have);
    case WaitReason::StaticBatch:
        return translated("the static batch has to end first");
    case WaitReason::SharedPrompt:
        return translated("another answer computes the same prompt");
    }
    return {};
}

QString waitWord(WaitReason reason)
{
    switch (reason) {
    case WaitReason::Capacity:
        return translated("blocks");
    case WaitReason::MaxNumSeqs:
        return translated("places");
    case WaitReason::TokenBudget:
        return translated("budget");
    case WaitReason::Paused:
        return translated("paused");
    case WaitReason::Fragmentation:
        return translated("one long run");
    case WaitReason::StaticBatch:
        return translated("next batch");
    case WaitReason::SharedPrompt:
        return translated("shared prompt");
    }
    return {};
}

QString phaseName(SequencePhase phase)
{
    switch (phase) {
    case SequencePhase::Waiting:
        return translated("waiting");
    case SequencePhase::Preempted:
        return translated("preempted");
    case SequencePhase::Prefill:
        return translated("prefill");
    case SequencePhase::Decode:
        return translated("decode");
    case SequencePhase::Recompute:
        return translated("recompute");
    case SequencePhase::Padding:
        return translated("padding");
    }
    return {};
}

QString endReasonName(EndReason reason)
{
    switch (reason) {
    case EndReason::Stop:
        return translated("finished");
    case EndReason::Length:
        return translated("ended at its greatest length");
    case EndReason::Aborted:
        return translated("cancelled");
    case EndReason::Error:
        return translated("ended with an error");
    }
    return {};
}

} // namespace vitrine::ui
