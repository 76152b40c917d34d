// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/model_state.h"

#include <QFileInfo>

#include <algorithm>

namespace vitrine::ui {

ModelState::ModelState(EngineHost& host, QObject* parent)
    : QObject(parent)
    , m_host(host)
{
    connect(&host, &EngineHost::loadProgressed, this, &ModelState::onProgressed);
    connect(&host, &EngineHost::modelLoaded, this, &ModelState::onLoaded);
    connect(&host, &EngineHost::modelFailed, this, &ModelState::onFailed);
}

void ModelState::load(const QString& path)
{
    ++m_pendingLoads;
    m_loadingPath = path;
    m_progress = 0;
    m_stage = {};
    m_host.loadModel(path);
    emit changed();
}

void ModelState::cancel()
{
    if (isLoading())
        m_host.cancelLoad();
}

int ModelState::contextLimit() const
{
    const int poolTokens = (m_info.numBlocks - 1) * m_info.blockSize;
    return isLoaded() ? std::min(m_info.contextLength, poolTokens) : 0;
}

QString ModelState::name() const
{
    return QFileInfo(isLoading() ? m_loadingPath : QString::fromStdString(m_info.path)).completeBaseName();
}

void ModelState::onProgressed(double fraction, LoadStage stage)
{
    m_progress = fraction;
    m_stage = stage;
    emit changed();
}

void ModelState::onLoaded(const ModelInfo& info)
{
    m_info = info;
    m_pendingLoads = std::max(0, m_pendingLoads - 1);
    if (m_pendingLoads == 0)
        m_loadingPath.clear();
    emit changed();
    emit loaded(QString::fromStdString(info.path));
}

void ModelState::onFailed(const Error& error, bool cancelled)
{
    m_pendingLoads = std::max(0, m_pendingLoads - 1);
    if (m_pendingLoads == 0)
        m_loadingPath.clear();
    emit changed();
    if (!cancelled)
        emit failed(error);
}

} // namespace vitrine::ui
