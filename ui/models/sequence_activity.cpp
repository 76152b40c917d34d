// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/sequence_activity.h"

#include "ui/models/chat_title.h"
#include "ui/models/sequence_directory.h"

#include <QCoreApplication>
#include <QLocale>

namespace vitrine::ui {

namespace {

/// Context of the translations.
struct Text {
    Q_DECLARE_TR_FUNCTIONS(SequenceActivity)
};

} // namespace

QString describe(const SequenceActivity& activity, const SequenceDirectory& directory)
{
    const auto why = [&] {
        return describeWait(
            {activity.sequence, *activity.reason, activity.need, activity.have, activity.head}, directory);
    };
    switch (activity.phase) {
    case SequencePhase::Waiting:
        if (activity.reason)
            return Text::tr("waits: %1").arg(why());
        return activity.isUnseen ? Text::tr("waits for the next step") : Text::tr("waits in the queue");
    case SequencePhase::Preempted:
        return activity.reason ? Text::tr("thrown out: %1").arg(why())
                               : Text::tr("thrown out, waits for the next step");
    case SequencePhase::Prefill:
        return Text::tr("reading the prompt");
    case SequencePhase::Decode:
        return activity.decodeTokensPerSecond > 0
                   ? Text::tr("decoding, %1 tok/s")
                         .arg(QLocale().toString(activity.decodeTokensPerSecond, 'f', 1))
                   : Text::tr("decoding");
    case SequencePhase::Recompute:
        return Text::tr("computing again (was thrown out)");
    case SequencePhase::Padding:
        return Text::tr("done, its row waits for the batch to end");
    }
    return {};
}

QString describeWait(const event::Wait& wait, const SequenceDirectory& directory)
{
    switch (wait.reason) {
    case WaitReason::Capacity:
        return wait.need == 1 ? Text::tr("1 block needed, %1 free").arg(wait.have)
                              : Text::tr("%1 blocks needed, %2 free").arg(wait.need).arg(wait.have);
    case WaitReason::MaxNumSeqs:
        return Text::tr("the batch of %1 is full").arg(wait.have);
    case WaitReason::TokenBudget:
        return Text::tr("the step's token budget is used up");
    case WaitReason::StepStretch:
        return Text::tr("steps are kept short, so that running answers do not stutter");
    case WaitReason::Paused:
        return Text::tr("the engine is paused");
    case WaitReason::Fragmentation:
        return Text::tr("%1 blocks side by side needed, the longest free run has %2")
            .arg(wait.need)
            .arg(wait.have);
    case WaitReason::StaticBatch:
        return Text::tr("the static batch has to end");
    case WaitReason::SharedPrompt:
        return Text::tr("another answer computes the same prompt");
    case WaitReason::BehindHead:
        return Text::tr("behind “%1”").arg(shortTitle(directory.label(wait.head).title));
    case WaitReason::RoomMade:
        return Text::tr("blocks were just taken back for those that run, so nobody joins in this step");
    }
    return {};
}

QString waitWord(WaitReason reason)
{
    switch (reason) {
    case WaitReason::Capacity:
        return Text::tr("blocks");
    case WaitReason::MaxNumSeqs:
        return Text::tr("batch full");
    case WaitReason::TokenBudget:
        return Text::tr("token budget");
    case WaitReason::StepStretch:
        return Text::tr("step kept short");
    case WaitReason::Paused:
        return Text::tr("paused");
    case WaitReason::Fragmentation:
        return Text::tr("one long run");
    case WaitReason::StaticBatch:
        return Text::tr("next batch");
    case WaitReason::SharedPrompt:
        return Text::tr("shared prompt");
    case WaitReason::BehindHead:
        return Text::tr("behind others");
    case WaitReason::RoomMade:
        return Text::tr("blocks go to others");
    }
    return {};
}

QString phaseName(SequencePhase phase)
{
    switch (phase) {
    case SequencePhase::Waiting:
        return Text::tr("waiting");
    case SequencePhase::Preempted:
        return Text::tr("thrown out");
    case SequencePhase::Prefill:
        return Text::tr("prefill");
    case SequencePhase::Decode:
        return Text::tr("decode");
    case SequencePhase::Recompute:
        return Text::tr("recompute");
    case SequencePhase::Padding:
        return Text::tr("padding");
    }
    return {};
}

QString endReasonName(EndReason reason)
{
    switch (reason) {
    case EndReason::Stop:
        return Text::tr("finished");
    case EndReason::Length:
        return Text::tr("ended at its greatest length");
    case EndReason::Aborted:
        return Text::tr("cancelled");
    case EndReason::Error:
        return Text::tr("ended with an error");
    }
    return {};
}

} // namespace vitrine::ui
