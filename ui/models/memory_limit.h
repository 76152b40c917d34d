// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"

#include <QFutureWatcher>
#include <QObject>

#include <optional>

namespace vitrine::ui {

/// How fast a model could answer if reading its weights were all there is to do: a step reads each of them
/// once. What is measured is how fast this machine reads its memory.
struct MemoryBound {
    double readBytesPerSecond = 0;
    double bytesPerStep = 0;

    /// Tokens a second of all sequences together, with so many in the batch.
    [[nodiscard]] double tokensPerSecond(double batchSize) const
    {
        return bytesPerStep > 0 ? batchSize * readBytesPerSecond / bytesPerStep : 0;
    }
    friend bool operator==(const MemoryBound&, const MemoryBound&) = default;
};

/// Measures it on request, on a thread of its own. For a second it keeps all cores and the memory busy, so
/// that it is asked for only while the engine rests.
class MemoryLimit : public QObject {
    Q_OBJECT
public:
    explicit MemoryLimit(QObject* parent = nullptr);
    ~MemoryLimit() override;

    /// Of the model in the file, with so many threads. A measurement under way goes on and is then for
    /// nothing.
    void measure(const QString& path, int threads);
    /// Another model.
    void clear();

    [[nodiscard]] bool isMeasuring() const { return m_measuring.isRunning(); }
    [[nodiscard]] const std::optional<MemoryBound>& bound() const { return m_bound; }
    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

signals:
    void changed();

private:
    void onMeasured();

    std::optional<MemoryBound> m_bound;
    std::optional<Error> m_error;
    QFutureWatcher<Result<MemoryBound>> m_measuring;
};

} // namespace vitrine::ui
