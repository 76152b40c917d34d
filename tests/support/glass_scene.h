// SPDX-License-Identifier: GPL-3.0-or-later
// The loads that the glass is looked at and tested with, run on the real scheduler.
#pragma once
#include "tests/support/workload_engine.h"
#include "ui/models/glass_model.h"

#include <QString>

#include <memory>
#include <random>

namespace vitrine::test {

enum class SceneKind {
    Empty,  ///< no model yet
    Loaded, ///< a model, nothing asked
    TwoChats,
    EightChats, ///< with a shared system prompt, on a pool that is large enough
    Pressure,   ///< forty requests on a pool that is too small
    Static,     ///< static batching: padding
    Contiguous, ///< runs for the greatest possible length
    Vast,       ///< two hundred thousand blocks
};

/// An engine, its directory of chats and a glass model that has seen all its steps.
class GlassScene {
public:
    /// `recordingBytes`: room for what is recorded.
    explicit GlassScene(SceneKind kind, std::uint32_t seed = 1,
                        std::size_t recordingBytes = Recording::kDefaultBytes);
    /// An engine with these options, nothing submitted.
    explicit GlassScene(const SchedulerOptions& options, std::uint32_t seed = 1);

    [[nodiscard]] ui::GlassModel& glass() { return *m_glass; }
    [[nodiscard]] ui::SequenceDirectory& directory() { return m_directory; }
    [[nodiscard]] WorkloadEngine& engine() { return *m_engine; }

    /// Submits for a chat; titles and colours are those of chat `chat` (1, 2 …).
    SequenceId ask(int chat, std::int32_t promptTokens, std::int32_t answerTokens, std::int32_t shared = 0);
    /// Goes on for so many steps, drained `perDrain` at a time.
    void advance(int steps, int perDrain = 2);

private:
    void play(SceneKind kind, std::uint32_t seed);
    void openPool(const SchedulerOptions& options, std::uint32_t seed);
    void playTwoChats();
    void playEightChats();
    void playPressure();
    void playStatic();
    void playContiguous();
    void playVast();

    ui::SequenceDirectory m_directory;
    std::unique_ptr<ui::GlassModel> m_glass;
    std::unique_ptr<WorkloadEngine> m_engine;
};

/// Sixty blocks: too few for what stepAtRandom() asks.
[[nodiscard]] SchedulerOptions smallPool(Allocator allocator);
/// One step, and now and then a request of one of five chats before it.
void stepAtRandom(GlassScene& scene, std::mt19937& random);

} // namespace vitrine::test
