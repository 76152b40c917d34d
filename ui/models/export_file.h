// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"
#include "ui/models/part_file.h"

#include <QByteArray>
#include <QCoreApplication>

namespace vitrine::ui {

/// A file of text that gets its name only when all of it is written; what fails first is the reason.
class ExportFile {
    Q_DECLARE_TR_FUNCTIONS(ExportFile)
public:
    explicit ExportFile(const QString& path)
        : m_file(path)
    {
    }

    /// Kept until there is a good deal of it.
    void write(QByteArrayView text)
    {
        m_text.append(text);
        if (m_text.size() >= kChunk)
            flush();
    }
    [[nodiscard]] bool good() const { return m_file.good(); }

    [[nodiscard]] Result<void> finish()
    {
        flush();
        if (m_file.finish())
            return {};
        return fail(tr("The file could not be written: %1").arg(m_file.reason()).toStdString(),
                    m_file.target().toStdString(), tr("choose another folder, or make room").toStdString());
    }

private:
    static constexpr qsizetype kChunk = 1 << 16;

    void flush()
    {
        m_file.write(m_text);
        m_text.clear();
    }

    PartFile m_file;
    QByteArray m_text;
};

} // namespace vitrine::ui
