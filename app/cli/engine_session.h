// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/engine.h"
#include "engine/report.h"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace vitrine::cli {

/// All that came back for one request.
struct Answer {
    std::string text;
    std::string reasoning; ///< what a model that was asked in a chat thought before it answered
    std::vector<TokenId> ids;
    std::vector<double> tokenSeconds; ///< when each of `ids` came, since the engine was made
    report::Finished finished;
};

/// Requests in the order of their arrival, each made when its time has come: only what waits or runs takes
/// memory.
struct RequestSource {
    std::size_t count = 0;
    std::function<double(std::size_t)> arrivalSeconds; ///< after the run's begin
    std::function<Request(std::size_t)> make;
};

/// An engine without a thread of its own: the command line steps it.
class EngineSession {
public:
    explicit EngineSession(EngineOptions options);

    [[nodiscard]] Result<ModelInfo> load(const std::string& path);
    /// Of the model as it is now: the processor may have taken over from a graphics card.
    [[nodiscard]] const ModelInfo& info() const { return m_info; }

    /// Called with each piece as it comes, and the index of its request.
    using OnText = std::function<void(std::size_t request, const report::TextDelta& delta)>;

    /// Submits all requests at once and steps until the last has ended. An answer's `finished` says how.
    [[nodiscard]] std::vector<Answer> run(std::vector<Request> requests, const OnText& onText = {});
    /// The same, each request at its time.
    [[nodiscard]] std::vector<Answer> runTimed(const RequestSource& requests, const OnText& onText = {});
    /// Several answers to one request.
    [[nodiscard]] std::vector<Answer> runAnswers(Request request, std::size_t count,
                                                 const OnText& onText = {});

    /// Since the session was made.
    [[nodiscard]] double seconds() const;
    [[nodiscard]] Engine& engine() { return m_engine; }

private:
    void submit(Request request);
    void waitForArrival(double arrivalSeconds) const;
    /// How many requests ended.
    [[nodiscard]] std::size_t collect(std::vector<Answer>& answers, std::uint64_t first,
                                      const OnText& onText);

    std::chrono::steady_clock::time_point m_epoch = std::chrono::steady_clock::now();
    Engine m_engine;
    ModelInfo m_info;
    std::uint64_t m_lastRequest = 0;
};

} // namespace vitrine::cli
