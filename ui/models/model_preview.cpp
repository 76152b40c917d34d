// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/model_preview.h"

#include "ui/models/model_state.h"

#include <QtConcurrent>

#include <exception>

namespace vitrine::ui {

ModelPreview::ModelPreview(const ModelState& model, QObject* parent, OpenCardFn openTheCard)
    : QObject(parent)
    , m_model(model)
    , m_openCard(std::move(openTheCard))
{
    connect(&m_reading, &QFutureWatcherBase::finished, this, &ModelPreview::onRead);
    connect(&m_looking, &QFutureWatcherBase::finished, this, &ModelPreview::onLooked);
    connect(&model, &ModelState::changed, this, &ModelPreview::followModel);
}

void ModelPreview::open(const QString& path, const EngineOptions& options)
{
    m_path = path;
    m_survey.reset();
    m_error.reset();
    m_card.reset();
    m_wantsCard = options.backend != BackendChoice::Cpu;
    m_reading.setFuture(QtConcurrent::run(read, path.toStdString()));
    lookAtCard();
    emit changed();
}

Result<ModelSurvey> ModelPreview::read(const std::string& path)
{
    try {
        Result<GgufFile> file = GgufFile::open(path);
        return file ? Result<ModelSurvey>(surveyModel(std::move(*file))) : tl::unexpected(file.error());
    } catch (const std::exception& error) {
        return fail(reasonOf(error), path);
    }
}

CardRoom ModelPreview::look(const OpenCardFn& openTheCard)
{
    try {
        return roomOnCard(openTheCard);
    } catch (const std::exception& error) {
        return tl::unexpected(BackendNote{CardProblem::Failed, reasonOf(error)});
    }
}

/// Not beside the engine, which may compute there: what its model takes is known, or will be.
void ModelPreview::lookAtCard()
{
    const bool isTaken = m_model.isLoading() || m_model.info().cardBytes > 0;
    if (!m_wantsCard || m_card || m_isLooking || isTaken)
        return;
    m_isLooking = true;
    m_looking.setFuture(QtConcurrent::run(look, m_openCard));
}

/// What was seen before a model came onto the card is of no use once it has left.
void ModelPreview::followModel()
{
    if (m_model.info().cardBytes > 0)
        m_card.reset();
    lookAtCard();
}

void ModelPreview::onRead()
{
    const Result<ModelSurvey> survey = m_reading.result();
    if (survey)
        m_survey = *survey;
    else
        m_error = survey.error();
    emit changed();
}

void ModelPreview::onLooked()
{
    m_isLooking = false;
    m_card = m_looking.result();
    emit changed();
}

std::optional<Error> ModelPreview::refusal() const
{
    return m_survey ? m_survey->refusal : m_error;
}

std::optional<MemoryPlan> ModelPreview::memory(const EngineOptions& options) const
{
    // The model on the card leaves it for the next one.
    const std::int64_t taken = m_model.info().cardBytes;
    const std::optional<CardRoom> card = taken > 0 ? CardRoom(MemoryRoom{taken, 0, true}) : m_card;
    if (!card && options.backend != BackendChoice::Cpu)
        return std::nullopt;
    return planMemory(*m_survey->spec, *m_survey, options, [&] { return *card; });
}

} // namespace vitrine::ui
