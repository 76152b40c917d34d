// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine_session.h"

#include "app/cli/output.h"

#include <thread>

namespace vitrine::cli {

EngineSession::EngineSession(EngineOptions options)
    : m_engine(std::move(options))
{
}

Result<ModelInfo> EngineSession::load(const std::string& path)
{
    Result<ModelInfo> result = fail("the engine did not answer", path);
    m_engine.outbox().onWake([&] { // within step(), as the load goes on
        for (Report& report : m_engine.outbox().drain().reports) {
            if (const auto* progress = std::get_if<report::LoadProgress>(&report))
                (void)showLoadProgress(progress->fraction, progress->stage);
            else if (auto* loaded = std::get_if<report::ModelLoaded>(&report))
                result = m_info = *loaded->info;
            else if (auto* failed = std::get_if<report::LoadFailed>(&report))
                result = tl::unexpected(std::move(failed->error));
        }
    });
    m_engine.commands().push(command::LoadModel{LoadId{1}, path, std::make_shared<std::atomic<bool>>(false)});
    m_engine.step();
    m_engine.outbox().onWake({});
    return result;
}

std::vector<Answer> EngineSession::run(std::vector<Request> requests, const OnText& onText)
{
    return runTimed({.count = requests.size(),
                     .arrivalSeconds = [](std::size_t) { return 0; },
                     .make = [&](std::size_t i) { return std::move(requests[i]); }},
                    onText);
}

std::vector<Answer> EngineSession::runTimed(const RequestSource& requests, const OnText& onText)
{
    const double start = seconds();
    const std::uint64_t first = m_lastRequest + 1;
    const auto arrival = [&](std::size_t request) { return start + requests.arrivalSeconds(request); };
    std::vector<Answer> answers(requests.count);
    std::size_t submitted = 0;
    for (std::size_t ended = 0; ended < answers.size();) {
        while (submitted < requests.count && arrival(submitted) <= seconds())
            submit(requests.make(submitted++));
        const bool worked = m_engine.step();
        ended += collect(answers, first, onText);
        if (!worked && ended == submitted && submitted < requests.count)
            waitForArrival(arrival(submitted));
    }
    return answers;
}

std::vector<Answer> EngineSession::runAnswers(Request request, std::size_t count, const OnText& onText)
{
    const std::uint64_t first = m_lastRequest + 1;
    std::vector<RequestId> ids;
    while (ids.size() < count)
        ids.push_back(RequestId{++m_lastRequest});
    m_engine.commands().push(command::Submit{std::move(ids), std::move(request)});
    std::vector<Answer> answers(count);
    for (std::size_t ended = 0; ended < count; ended += collect(answers, first, onText))
        m_engine.step();
    return answers;
}

void EngineSession::submit(Request request)
{
    m_engine.commands().push(command::Submit{{RequestId{++m_lastRequest}}, std::move(request)});
}

std::size_t EngineSession::collect(std::vector<Answer>& answers, std::uint64_t first, const OnText& onText)
{
    std::size_t ended = 0;
    for (Report& report : m_engine.outbox().drain().reports) {
        if (auto* delta = std::get_if<report::TextDelta>(&report)) {
            const std::size_t index = delta->request.value - first;
            Answer& answer = answers[index];
            answer.text += delta->text;
            answer.reasoning += delta->reasoning;
            if (delta->token >= 0) {
                answer.ids.push_back(delta->token);
                answer.tokenSeconds.push_back(delta->seconds);
            }
            if (onText)
                onText(index, *delta);
        } else if (auto* finished = std::get_if<report::Finished>(&report)) {
            answers[finished->request.value - first].finished = std::move(*finished);
            ++ended;
        } else if (auto* changed = std::get_if<report::OptionsChanged>(&report)) {
            m_info = *changed->info;
        }
    }
    return ended;
}

void EngineSession::waitForArrival(double arrivalSeconds) const
{
    std::this_thread::sleep_until(m_epoch + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                std::chrono::duration<double>(arrivalSeconds)));
}

double EngineSession::seconds() const
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_epoch).count();
}

} // namespace vitrine::cli
