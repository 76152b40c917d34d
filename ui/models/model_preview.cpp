// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/model_preview.h"

#include <QtConcurrent>

#include <exception>

namespace vitrine::ui {

ModelPreview::ModelPreview(QObject* parent, OpenCardFn openTheCard)
    : QObject(parent)
    , m_openCard(std::move(openTheCard))
{
    connect(&m_reading, &QFutureWatcherBase::finished, this, &ModelPreview::onRead);
}

void ModelPreview::open(const QString& path, const EngineOptions& options, const ModelInfo& now)
{
    EngineOptions look = options;
    if (now.cardBytes > 0)
        look.backend = BackendChoice::Cpu; // a card is opened once at a time
    m_path = path;
    m_survey.reset();
    m_error.reset();
    m_reading.setFuture(QtConcurrent::run(read, path.toStdString(), look, m_openCard));
    emit changed();
}

ModelPreview::Read ModelPreview::read(const std::string& path, const EngineOptions& look,
                                      const OpenCardFn& openTheCard)
{
    try {
        Result<GgufFile> file = GgufFile::open(path);
        if (!file)
            return {tl::unexpected(file.error()), tl::unexpected(BackendNote{})};
        return {surveyModel(std::move(*file)), roomOnCard(look, openTheCard)};
    } catch (const std::exception& error) {
        return {fail(reasonOf(error), path), tl::unexpected(BackendNote{})};
    }
}

void ModelPreview::onRead()
{
    const Read result = m_reading.result();
    m_card = result.card;
    if (result.survey)
        m_survey = *result.survey;
    else
        m_error = result.survey.error();
    emit changed();
}

std::optional<Error> ModelPreview::refusal() const
{
    return m_survey ? m_survey->refusal : m_error;
}

MemoryPlan ModelPreview::memory(const EngineOptions& options, const ModelInfo& now) const
{
    // The model on the card leaves it for the next one.
    const CardRoom card = now.cardBytes > 0 ? CardRoom(MemoryRoom{now.cardBytes, 0, true}) : m_card;
    return planMemory(*m_survey->spec, *m_survey, options, card);
}

} // namespace vitrine::ui
