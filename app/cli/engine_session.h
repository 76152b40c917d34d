// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/engine.h"
#include "engine/report.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace vitrine::cli {

/// All that came back for one request.
struct Answer {
    std::string text;
    std::vector<TokenId> ids;
    std::vector<double> tokenSeconds; ///< when each of `ids` came, since the engine was made
    report::Finished finished;
};

/// An engine without a thread of its own: the command line steps it.
class EngineSession {
public:
    explicit EngineSession(EngineOptions options);

    [[nodiscard]] Result<ModelInfo> load(const std::string& path);

    /// Called with each piece of text as it comes, and the index of its request.
    using OnText = std::function<void(std::size_t request, const std::string& text)>;

    /// Submits all requests at once and steps until the last has ended. An answer's `finished` says how.
    [[nodiscard]] std::vector<Answer> run(std::vector<Request> requests, const OnText& onText = {});

    [[nodiscard]] Engine& engine() { return m_engine; }

private:
    Engine m_engine;
    std::uint64_t m_lastRequest = 0;
};

} // namespace vitrine::cli
