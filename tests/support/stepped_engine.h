// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/engine.h"
#include "engine/report.h"

#include <map>
#include <string>
#include <vector>

namespace vitrine::test {

/// An engine that a test steps, and all that it has reported so far, by request.
class SteppedEngine {
public:
    explicit SteppedEngine(EngineOptions options, OpenCardFn openTheCard = openCard)
        : m_engine(std::move(options), std::move(openTheCard))
    {
    }

    struct Seen {
        std::vector<TokenId> ids;
        std::string text;
        std::string reasoning;
        std::vector<report::TextDelta> deltas;
        std::int32_t acceptedCount = 0;
        std::vector<report::Finished> finished;
        bool reportedAfterEnd = false;
        [[nodiscard]] bool ended() const { return !finished.empty(); }
    };

    LoadId load(const std::string& path, std::shared_ptr<std::atomic<bool>> cancel = {})
    {
        const LoadId id{++m_lastLoad};
        push(command::LoadModel{id, path, cancel ? cancel : std::make_shared<std::atomic<bool>>(false)});
        step();
        return id;
    }
    void setOptions(const EngineOptions& options)
    {
        push(command::SetOptions{options});
        step();
    }
    RequestId submit(Request request)
    {
        const RequestId id{++m_lastRequest};
        m_engine.commands().push(command::Submit{{id}, std::move(request)});
        return id;
    }
    std::vector<RequestId> submitAnswers(Request request, std::size_t count)
    {
        std::vector<RequestId> ids;
        while (ids.size() < count)
            ids.push_back(RequestId{++m_lastRequest});
        m_engine.commands().push(command::Submit{ids, std::move(request)});
        return ids;
    }
    void cancel(RequestId request) { m_engine.commands().push(command::Cancel{request}); }
    void push(Command command) { m_engine.commands().push(std::move(command)); }

    bool step()
    {
        const bool worked = m_engine.step();
        Outbox::Contents contents = m_engine.outbox().drain();
        for (Report& report : contents.reports)
            std::visit([this](auto& which) { see(which); }, report);
        if (contents.snapshot) {
            ++snapshots;
            snapshot = contents.snapshot;
        }
        for (StepRecord& record : contents.steps)
            records.push_back(std::move(record));
        return worked;
    }
    /// At most `most` steps; true where nothing is left to do.
    bool runOut(int most = 100000)
    {
        for (int i = 0; i < most; ++i)
            if (!step())
                return true;
        return false;
    }

    Seen& operator[](RequestId request) { return m_seen[request.value]; }

    std::vector<StepRecord> records;
    ModelInfo info; ///< of the model as it is now
    int progressReports = 0;
    std::vector<report::ModelLoaded> loads;
    std::vector<report::LoadFailed> loadFailures;
    int snapshots = 0; ///< of pools that were made anew: every step is seen
    std::shared_ptr<const PoolSnapshot> snapshot;
    int optionChanges = 0;
    int modelsGone = 0;
    std::vector<Error> optionRefusals;
    std::shared_ptr<const PromptText> lastPrompt; ///< of the newest request that was accepted
    std::shared_ptr<const BlockText> lastBlock;   ///< the newest that was described

private:
    void see(const report::LoadProgress&) { ++progressReports; }
    void see(const report::ModelLoaded& report)
    {
        info = *report.info;
        loads.push_back(report);
    }
    void see(const report::LoadFailed& report) { loadFailures.push_back(report); }
    void see(const report::OptionsChanged& report)
    {
        info = *report.info;
        ++optionChanges;
    }
    void see(const report::ModelGone&) { ++modelsGone; }
    void see(const report::OptionsRefused& report) { optionRefusals.push_back(report.error); }
    void see(const report::Accepted& report)
    {
        ++m_seen[report.request.value].acceptedCount;
        lastPrompt = report.prompt;
    }
    void see(const report::BlockDescribed& report) { lastBlock = report.content; }
    void see(const report::TextDelta& report)
    {
        Seen& seen = m_seen[report.request.value];
        seen.reportedAfterEnd |= seen.ended();
        seen.text += report.text;
        seen.reasoning += report.reasoning;
        seen.deltas.push_back(report);
        if (report.token >= 0)
            seen.ids.push_back(report.token);
    }
    void see(const report::Finished& report) { m_seen[report.request.value].finished.push_back(report); }

    Engine m_engine;
    std::uint64_t m_lastLoad = 0;
    std::uint64_t m_lastRequest = 0;
    std::map<std::uint64_t, Seen> m_seen;
};

} // namespace vitrine::test
