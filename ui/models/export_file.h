// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"

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
    {
        m_good = m_file.open(QIODevice::WriteOnly);
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
        // commit() alone does not see that the last bytes had no room.
        if (m_good && m_file.flush() && m_file.commit())
            return {};
        return fail(tr("The file could not be written: %1").arg(m_file.errorString()).toStdString(),
                    m_file.fileName().toStdString(), tr("choose another folder, or make room").toStdString());
    }

private:
    static constexpr qsizetype kChunk = 1 << 16;

    void flush()
    {
        m_good = m_good && m_file.write(m_text) == m_text.size();
        m_text.clear();
    }

    QSaveFile m_file;
    QByteArray m_text;
    bool m_good = false;
};

} // namespace vitrine::ui
