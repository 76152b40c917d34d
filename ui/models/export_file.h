// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"
#include "ui/models/save_target.h"

#include <QByteArray>
#include <QCoreApplication>
#include <QSaveFile>

namespace vitrine::ui {

/// A file that gets its name only when all of it is written; what fails first is the reason.
class ExportFile {
    Q_DECLARE_TR_FUNCTIONS(ExportFile)
public:
    explicit ExportFile(const QString& path)
        : m_file(path)
        , m_obstacle(whyNotReplaced(path))
    {
        m_good = m_obstacle.isEmpty() && m_file.open(QIODevice::WriteOnly | QIODevice::Unbuffered);
    }

    /// Kept until there is a good deal of it.
    void write(QByteArrayView text)
    {
        m_text.append(text);
        if (m_text.size() >= kChunk)
            flush();
    }
    [[nodiscard]] bool good() const { return m_good; }

    [[nodiscard]] Result<void> finish()
    {
        flush();
        if (m_good && m_file.commit())
            return {};
        const QString reason = m_obstacle.isEmpty() ? m_file.errorString() : m_obstacle;
        return fail(tr("The file could not be written: %1").arg(reason).toStdString(),
                    m_file.fileName().toStdString(), tr("choose another folder, or make room").toStdString());
    }

private:
    static constexpr qsizetype kChunk = 1 << 16;

    /// Where there is room for a part only, the system says why when the rest is written.
    void flush()
    {
        for (qsizetype done = 0; m_good && done < m_text.size();) {
            const qint64 more = m_file.write(m_text.constData() + done, m_text.size() - done);
            m_good = more > 0;
            done += more;
        }
        m_text.clear();
    }

    QSaveFile m_file;
    const QString m_obstacle;
    QByteArray m_text;
    bool m_good = false;
};

} // namespace vitrine::ui
