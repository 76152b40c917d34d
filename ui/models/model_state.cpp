// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/model_state.h"

#include <QFileInfo>

namespace vitrine::ui {

ModelState::ModelState(EngineHost& host, QObject* parent)
    : QObject(parent)
    , m_host(host)
{
    connect(&host, &EngineHost::loadProgressed, this, &ModelState::onProgressed);
    connect(&host, &EngineHost::modelLoaded, this, &ModelState::onLoaded);
    connect(&host, &EngineHost::modelFailed, this, &ModelState::onFailed);
    connect(&host, &EngineHost::optionsChanged, this, &ModelState::onOptionsChanged);
    connect(&host, &EngineHost::optionsRefused, this, &ModelState::optionsRefused);
    connect(&host, &EngineHost::modelGone, this, &ModelState::onGone);
}

void ModelState::load(const QString& path, const std::optional<EngineOptions>& options)
{
    m_loadingPath = path;
    m_loadingOptions = options;
    m_progress = 0;
    m_stage = {};
    m_failure.reset();
    m_load = m_host.loadModel(path, options);
    emit changed();
}

void ModelState::cancel()
{
    if (isLoading())
        m_host.cancelLoad();
}

QString ModelState::name() const
{
    return isLoading() ? QFileInfo(m_loadingPath).completeBaseName() : loadedName();
}

QString ModelState::loadedName() const
{
    return QFileInfo(QString::fromStdString(m_info.path)).completeBaseName();
}

void ModelState::onProgressed(double fraction, LoadStage stage, LoadId load)
{
    if (load != m_load)
        return;
    m_progress = fraction;
    m_stage = stage;
    emit changed();
}

/// A load that was replaced may have come to its end before: the engine then has that model until the newer
/// one is there.
void ModelState::onLoaded(const ModelInfo& info, LoadId load)
{
    m_info = info;
    if (load == m_load)
        m_loadingPath.clear();
    emit changed();
    if (load != m_load)
        return;
    if (m_loadingOptions)
        emit optionsLoaded(*m_loadingOptions);
    emit loaded(QString::fromStdString(info.path));
}

void ModelState::onFailed(const Error& error, bool cancelled, LoadId load)
{
    if (load != m_load)
        return;
    m_loadingPath.clear();
    if (!cancelled)
        m_failure = error;
    emit changed();
    if (!cancelled)
        emit failed(error);
}

void ModelState::onGone()
{
    m_info = {};
    emit changed();
}

void ModelState::onOptionsChanged(const ModelInfo& info)
{
    const bool isLost = info.backendNote && info.backendNote != m_info.backendNote &&
                        (info.backendNote->problem == CardProblem::Failed ||
                         info.backendNote->problem == CardProblem::CannotHold);
    m_info = info;
    emit changed();
    if (isLost)
        emit cardLost({info.backendNote->detail, {}, {}});
}

} // namespace vitrine::ui
