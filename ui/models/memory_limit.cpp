// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/memory_limit.h"

#include "engine/backend/cpu/machine_limits.h"
#include "engine/memory_room.h"
#include "engine/model/model_work.h"

#include <QtConcurrent>

#include <exception>

namespace vitrine::ui {
namespace {

/// Larger than the caches of today's processors, and little beside a model.
constexpr std::size_t kReadBytes = std::size_t{256} << 20;

Result<MemoryBound> measureBound(const std::string& path, int threads)
{
    try {
        const Result<ModelWork> work = workOf(path);
        if (!work)
            return tl::unexpected(work.error());
        return MemoryBound{measureReadRate(threads, kReadBytes), work->bytesPerStep};
    } catch (const std::exception& error) {
        return fail(reasonOf(error), path);
    }
}

} // namespace

MemoryLimit::MemoryLimit(QObject* parent)
    : QObject(parent)
{
    connect(&m_measuring, &QFutureWatcherBase::finished, this, &MemoryLimit::onMeasured);
}

MemoryLimit::~MemoryLimit()
{
    m_measuring.waitForFinished();
}

void MemoryLimit::measure(const QString& path, int threads)
{
    m_error.reset();
    m_measuring.setFuture(QtConcurrent::run(measureBound, path.toStdString(), threads));
    emit changed();
}

void MemoryLimit::clear()
{
    m_bound.reset();
    m_error.reset();
    m_measuring.setFuture({}); // what is under way is of the other model
    emit changed();
}

void MemoryLimit::onMeasured()
{
    if (m_measuring.future().resultCount() == 0)
        return; // nobody asks for it any more
    Result<MemoryBound> result = m_measuring.result();
    if (result)
        m_bound = *result;
    else
        m_error = result.error();
    emit changed();
}

} // namespace vitrine::ui
