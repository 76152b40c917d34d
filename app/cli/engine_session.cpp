// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine_session.h"

#include "app/cli/output.h"

namespace vitrine::cli {

EngineSession::EngineSession(EngineOptions options)
    : m_engine(std::move(options))
{
}

Result<ModelInfo> EngineSession::load(const std::string& path)
{
    m_engine.commands().push(command::LoadModel{path, std::make_shared<std::atomic<bool>>(false)});
    m_engine.step();
    for (const Report& report : m_engine.outbox().drain().reports) {
        if (const auto* progress = std::get_if<report::LoadProgress>(&report))
            (void)showLoadProgress(progress->fraction, progress->stage);
        else if (const auto* loaded = std::get_if<report::ModelLoaded>(&report))
            return loaded->info;
        else if (const auto* failed = std::get_if<report::LoadFailed>(&report))
            return tl::unexpected(failed->error);
    }
    return fail("the engine did not answer", path);
}

std::vector<Answer> EngineSession::run(std::vector<Request> requests, const OnText& onText)
{
    const std::uint64_t first = m_lastRequest + 1;
    std::vector<Answer> answers(requests.size());
    for (Request& request : requests)
        m_engine.commands().push(command::Submit{RequestId{++m_lastRequest}, std::move(request)});
    for (std::size_t open = answers.size(); open > 0;) {
        m_engine.step();
        for (Report& report : m_engine.outbox().drain().reports) {
            if (auto* delta = std::get_if<report::TextDelta>(&report)) {
                const std::size_t index = delta->request.value - first;
                Answer& answer = answers[index];
                answer.text += delta->text;
                if (delta->token >= 0) {
                    answer.ids.push_back(delta->token);
                    answer.tokenSeconds.push_back(delta->seconds);
                }
                if (onText)
                    onText(index, delta->text);
            } else if (auto* finished = std::get_if<report::Finished>(&report)) {
                answers[finished->request.value - first].finished = std::move(*finished);
                --open;
            }
        }
    }
    return answers;
}

} // namespace vitrine::cli
