// SPDX-License-Identifier: GPL-3.0-or-later
// The one QObject through which the window talks to the engine. Its signals feed everything that is shown.
#pragma once
#include "engine/backend/card.h"
#include "engine/command.h"
#include "engine/report.h"
#include "engine/trace/step_record.h"

#include <QObject>

#include <QString>
#include <optional>

#include <memory>
#include <vector>

namespace vitrine {

/// Step records as they travel to the views: immutable, shared, consecutive.
struct StepBatch {
    std::shared_ptr<const PoolSnapshot> snapshot; ///< non-null: start from this state, then apply `steps`
    std::vector<StepRecord> steps;
    std::uint64_t droppedSteps =
        0; ///< lost before this batch: the views lagged behind, or the pool is no more
};
using StepBatchPtr = std::shared_ptr<const StepBatch>;

/// Owns the engine and its thread. Every function returns at once; answers come as signals, in the engine's
/// order, at most once per display frame (kDrainMillis). The destructor stops the engine within one step.
class EngineHost : public QObject {
    Q_OBJECT
public:
    static constexpr int kDrainMillis = 16;

    explicit EngineHost(EngineOptions options, QObject* parent = nullptr, OpenCardFn openTheCard = openCard);
    ~EngineHost() override;

    /// Ends in modelLoaded or modelFailed with the id returned. A load under way is cancelled first.
    /// With these options, if given, which are the engine's from then on where the load succeeds.
    LoadId loadModel(const QString& path, const std::optional<EngineOptions>& options = {});
    void cancelLoad();

    /// Signals about this request carry the id returned: accepted, textArrived…, requestFinished exactly
    /// once.
    [[nodiscard]] RequestId submit(Request request);
    void cancel(RequestId request);

    /// Ends in optionsChanged or optionsRefused where a model is loaded.
    void setOptions(EngineOptions options);
    void pause();
    void resume();
    void singleStep();
    void setStepDelay(int milliseconds);
    /// Ends in blockDescribed.
    void describeBlock(BlockId block);

signals:
    void loadProgressed(double fraction, vitrine::LoadStage stage, vitrine::LoadId load);
    void modelLoaded(const vitrine::ModelInfo& info, vitrine::LoadId load);
    void modelFailed(const vitrine::Error& error, bool cancelled, vitrine::LoadId load);
    /// `options`: those that are answered; newer ones may have been asked for meanwhile.
    void optionsChanged(const vitrine::ModelInfo& info, const vitrine::EngineOptions& options);
    void optionsRefused(const vitrine::Error& error, const vitrine::EngineOptions& options);
    /// For want of memory there is no model any more: requests are refused until one is loaded.
    void modelGone();
    void requestAccepted(const vitrine::report::Accepted& accepted);
    void textArrived(const std::vector<vitrine::report::TextDelta>& deltas);
    void requestFinished(const vitrine::report::Finished& finished);
    /// Chat text: it is shown and never logged.
    void blockDescribed(const std::shared_ptr<const vitrine::BlockText>& content);
    void stepsRecorded(const vitrine::StepBatchPtr& batch);

    /// From the engine's thread to ours: there is something to drain.
    void woken(QPrivateSignal);

private:
    void post(Command command);
    void scheduleDrain();
    void drain();
    void emitReports(std::vector<Report> reports);

    class Private;
    std::unique_ptr<Private> d;
};

} // namespace vitrine
