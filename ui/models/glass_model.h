// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine's step records say, kept for the views: the one source of the three docks, of the status
// bar's figures and of the rail's lines of state. Fed by EngineHost, or by a recording that was opened.
//
// Two moments are kept apart. The *newest* is what the engine does now; the status bar and the chat rail show
// it. The *shown* one is what the panels show: the newest while they follow, and the step of cursor() while
// there is one, however far the engine runs on. pool(), figures(), lastOwner(), activity() and
// shownStep() are of the moment shown; newestPool(), newestFigures() and newestActivity() of the newest.
// batches() and metrics() are all that is kept, up to the newest.
#pragma once
#include "engine/host/engine_host.h"
#include "engine/trace/recording.h"
#include "ui/models/background_work.h"
#include "ui/models/glass_selection.h"
#include "ui/models/pool_figures.h"
#include "ui/models/sequence_activity.h"
#include "ui/models/sequence_directory.h"

#include <QObject>
#include <QTimer>

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace vitrine::ui {

class BatchHistory;
class MetricsHistory;
class PoolMirror;
class RecordedPool;
struct RecordedHistory;
struct StepFigures;

/// Both ends included.
struct StepRange {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    friend bool operator==(const StepRange&, const StepRange&) = default;
};

/// Whether what is shown can be trusted.
struct TraceHealth {
    std::uint64_t droppedSteps = 0;            ///< lost since the pool was made, as the views lagged behind
    std::optional<std::uint64_t> mismatchStep; ///< the first step after which mirror and pool differed
    friend bool operator==(const TraceHealth&, const TraceHealth&) = default;
};

/// All panels show one moment, a frame. Fast enough to follow, slow enough to read; what it costs the engine
/// grows with each frame (benchmarks/glass_cost.py).
inline constexpr std::chrono::milliseconds kFrameInterval{200};

class GlassModel : public QObject {
    Q_OBJECT
public:
    /// `recordingBytes`: room for what is recorded.
    explicit GlassModel(const SequenceDirectory* directory, QObject* parent = nullptr,
                        std::size_t recordingBytes = Recording::kDefaultBytes);
    ~GlassModel() override;

    void connectTo(EngineHost* host);

    /// The loaded model; a default one (no name, no blocks) before the first.
    [[nodiscard]] const ModelInfo& model() const { return m_model; }
    [[nodiscard]] const SequenceDirectory& directory() const { return *m_directory; }
    /// After shownStep().
    [[nodiscard]] const PoolMirror& pool() const;
    [[nodiscard]] const PoolMirror& newestPool() const { return *m_pool; }
    [[nodiscard]] const BatchHistory& batches() const { return *m_batches; }
    [[nodiscard]] const MetricsHistory& metrics() const { return *m_metrics; }
    /// Of chats, sequences and blocks, shared by all that show them.
    [[nodiscard]] GlassSelection& selection() { return m_selection; }
    [[nodiscard]] const GlassSelection& selection() const { return m_selection; }
    [[nodiscard]] const TraceHealth& health() const { return m_health; }

    /// False until a pool exists: nothing can be shown yet.
    [[nodiscard]] bool hasPool() const { return m_hasPool; }

    /// pool() in the numbers of views.md.
    [[nodiscard]] const PoolFigures& figures() const { return m_shown ? m_shownFigures : m_figures; }
    [[nodiscard]] const PoolFigures& newestFigures() const { return m_figures; }

    /// The rates are of a second ago or older, and so are zero now. Nothing else changes while this holds.
    [[nodiscard]] bool isIdle() const { return m_idle; }

    /// What the sequence does in the step shown. Empty where it has ended by then.
    [[nodiscard]] std::optional<SequenceActivity> activity(SequenceId sequence) const;
    /// What the sequence does now, for the rail's line of state: describe(*activity). Empty once it has
    /// ended.
    [[nodiscard]] std::optional<SequenceActivity> newestActivity(SequenceId sequence) const;

    /// The blocks of pool() that may look different since the last changed(), each once, for views that
    /// repaint only these: all after a jump to another moment. While there is a cursor the engine's steps
    /// change none of them.
    [[nodiscard]] std::span<const BlockId> changedBlocks() const { return m_changedBlocks; }
    /// The sequence that last gave the block back: whose content a cached block is. 0: not known.
    [[nodiscard]] SequenceId lastOwner(BlockId block) const;

    /// The step that all panels look at; empty: they follow the newest. The pool of a step far away takes
    /// time where it is large: until it is there the cursor stays, and the window's thread does not wait.
    [[nodiscard]] std::optional<std::uint64_t> cursor() const { return m_cursor; }
    /// Without a step the newest is followed; in a replay that is the last one.
    /// A step that is not recorded becomes the next one that is, in the direction of the move. A cursor whose
    /// step leaves the recording moves on to the oldest that is there.
    void setCursor(std::optional<std::uint64_t> step);
    /// Moves by so many recorded steps, from the newest where there is no cursor; past the ends it stays at
    /// them.
    void moveCursor(std::int64_t steps);
    /// The steps that the cursor can go to, dropped ones between them; empty while there is none.
    [[nodiscard]] std::optional<StepRange> cursorRange() const;

    /// The step whose end is shown: cursor(), or the newest. 0 before the first.
    [[nodiscard]] std::uint64_t shownStep() const;
    /// shownStep() in numbers; nullptr where nothing is known about it (a snapshot after a gap).
    [[nodiscard]] const StepFigures* shownStepFigures() const;

    /// Of all that was received, as far as there is room. Copies are cheap.
    [[nodiscard]] const Recording& recording() const { return m_recording; }
    /// Shows what a file has, from its first step on. The model is for that alone: no engine is connected.
    void show(RecordedHistory history);
    /// What is shown comes from a file: nothing runs.
    [[nodiscard]] bool isReplay() const { return m_replay; }

public slots:
    void setModel(const vitrine::ModelInfo& info);
    /// At once, or with the next frame: all that listen to changed() show the same moment. A new pool, or the
    /// same after steps were dropped, takes time where it is large: until it is made the views show what they
    /// did, the batches behind it wait, and the window's thread does not.
    void receive(const vitrine::StepBatchPtr& batch);
    void apply(const vitrine::StepBatchPtr& batch);

signals:
    /// Another pool: model loaded, options changed. Views start again.
    void poolReplaced();
    /// New steps, or another moment is shown; after everything here is up to date. With an engine connected
    /// and the cursor at rest at most once a frame (kFrameInterval), and nothing here changes in between.
    void changed();
    /// Views show other names and colours from the changed() that follows: with a frame while the engine
    /// works, and once a new pool is there. directory() has them already.
    void labelsChanged();
    void becameIdle();
    /// Before the changed() of the moment that is shown from now on.
    void cursorChanged();

private:
    void beginFrame();
    void followLabels();
    void enqueue(const StepBatchPtr& batch);
    std::uint64_t overtake(std::uint32_t generation);
    void takeWaiting();
    struct Waiting;
    void take(const Waiting& next);
    void takeSteps(const StepBatch& batch);
    void publish();
    [[nodiscard]] bool continues(const StepBatch& batch) const;
    void startRestart();
    void finishRestart(const Error& error);
    void lose(const Waiting& unmade);
    [[nodiscard]] std::uint64_t lostOf(std::uint32_t generation) const;
    struct NewPool;
    static void makePool(NewPool& made, const PoolSnapshot& snapshot, const PoolMirror* before);
    void restart(NewPool& made);
    void apply(const StepRecord& record);
    [[nodiscard]] const RecordingPart* shownPart() const;
    void goTo(std::uint64_t step);
    [[nodiscard]] bool isFar(std::uint64_t step) const;
    [[nodiscard]] bool tryShow(std::uint64_t step);
    void install(std::shared_ptr<RecordedPool> pool);
    void startSeek();
    void finishSeek(const Error& error);
    void divideRecording();
    void finishDividing(const Error& error);
    void follow();
    void keepCursorInRange();
    bool forgetCursor();
    void wake();
    void fallIdle();

    const SequenceDirectory* m_directory;
    GlassSelection m_selection;
    ModelInfo m_model;
    std::shared_ptr<PoolMirror> m_pool;
    std::unique_ptr<BatchHistory> m_batches;
    std::unique_ptr<MetricsHistory> m_metrics;
    Recording m_recording;
    PoolFigures m_figures;
    TraceHealth m_health;
    std::vector<BlockId> m_changedBlocks;
    std::vector<BlockId> m_allBlocks;      ///< of a pool that is new, until the next changed()
    std::shared_ptr<RecordedPool> m_shown; ///< null while the panels follow
    PoolFigures m_shownFigures;
    std::optional<std::uint64_t> m_cursor;
    std::optional<std::uint64_t> m_wanted; ///< where the cursor goes once its pool is there
    std::uint64_t m_sought = 0;            ///< what m_seeker works on
    std::shared_ptr<RecordedPool> m_found;
    RecordingCut m_cut; ///< what m_divider makes a snapshot for
    std::shared_ptr<Bytes> m_cutSnapshot;
    struct Waiting {
        StepBatchPtr batch;
        std::uint64_t droppedSteps = 0; ///< of its pool, before its snapshot
    };
    std::deque<Waiting> m_waiting;                     ///< for the next frame, or until m_restarter is done
    std::optional<std::uint32_t> m_receivedGeneration; ///< of the newest snapshot that came
    std::shared_ptr<NewPool> m_newPool;                ///< what m_restarter makes of the first that waits
    /// Steps of a pool that there was no memory for: none is shown until the next snapshot.
    struct LostSteps {
        std::uint32_t generation = 0;
        std::uint64_t count = 0;
    };
    std::optional<LostSteps> m_lost;
    QTimer m_frameTimer;
    QTimer m_idleTimer;
    bool m_hasPool = false;
    bool m_idle = true;
    bool m_replay = false;
    bool m_relabelled = false; ///< since the last changed()
    BackgroundWork m_restarter;
    BackgroundWork m_seeker;
    BackgroundWork m_divider;
};

} // namespace vitrine::ui
