// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/model_preview.h"

#include <QtConcurrent>

#include <exception>

namespace vitrine::ui {
namespace {

Result<ModelSurvey> read(const std::string& path)
{
    try {
        Result<GgufFile> file = GgufFile::open(path);
        if (!file)
            return tl::unexpected(file.error());
        return surveyModel(std::move(*file));
    } catch (const std::exception& error) {
        return fail(reasonOf(error), path);
    }
}

} // namespace

ModelPreview::ModelPreview(QObject* parent)
    : QObject(parent)
{
    connect(&m_reading, &QFutureWatcherBase::finished, this, &ModelPreview::onRead);
}

void ModelPreview::open(const QString& path)
{
    m_path = path;
    m_survey.reset();
    m_error.reset();
    m_reading.setFuture(QtConcurrent::run(read, path.toStdString()));
    emit changed();
}

void ModelPreview::onRead()
{
    Result<ModelSurvey> result = m_reading.result();
    if (result)
        m_survey = std::move(*result);
    else
        m_error = result.error();
    emit changed();
}

std::optional<Error> ModelPreview::refusal() const
{
    return m_survey ? m_survey->refusal : m_error;
}

Result<MemoryEstimate> ModelPreview::memory(const EngineOptions& options) const
{
    return estimateMemory(*m_survey->spec, *m_survey, options, memoryRoom());
}

} // namespace vitrine::ui
