// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFileInfo>
#include <QString>

#include <cerrno>
#include <cstring>

namespace vitrine::ui {

/// As many as the system follows.
inline constexpr int kMostLinks = 40;

/// Where a file of that name goes: links are followed, so that one stays what it is.
[[nodiscard]] inline QString saveTarget(const QString& path)
{
    const QFileInfo named(path);
    if (named.exists())
        return named.canonicalFilePath();
    // What is not there yet is made where the link says.
    QFileInfo target(named);
    for (int links = 0; target.isSymLink() && links < kMostLinks; ++links)
        target = QFileInfo(target.symLinkTarget());
    return target.absoluteFilePath();
}

/// Why what is there may not be replaced, in the system's words: a folder, a device, a pipe, or a file that
/// is not to be written. Empty where nothing is there, or a file that may.
[[nodiscard]] inline QString whyNotReplaced(const QString& path)
{
    const QFileInfo there(path);
    const int reason = !there.exists()       ? 0
                       : there.isDir()       ? EISDIR
                       : !there.isFile()     ? EINVAL
                       : !there.isWritable() ? EACCES
                                             : 0;
    return reason == 0 ? QString() : QString::fromLocal8Bit(std::strerror(reason));
}

} // namespace vitrine::ui
