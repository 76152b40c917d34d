// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArrayView>
#include <QString>

namespace vitrine::ui {

/// A file that gets its name only when all of it is there: the old one stays, or the new one is whole. Until
/// then it stands beside as "NAME.vitrine-0123abcd.part", with a lock that ends with the process. One without
/// a lock was left by a process of this user's that was killed, and goes when the same name is written again.
class PartFile {
public:
    /// Links are followed, so that one stays what it is. A folder, a device, a pipe and a file that may not
    /// be written are not replaced; the permissions of one that is are kept.
    explicit PartFile(const QString& path);
    /// Taken away unless it has got its name.
    ~PartFile();
    PartFile(const PartFile&) = delete;
    PartFile& operator=(const PartFile&) = delete;

    [[nodiscard]] bool good() const { return m_error == 0; }
    /// What went wrong first, in the system's words.
    [[nodiscard]] QString reason() const;
    [[nodiscard]] const QString& target() const { return m_target; }
    /// As it is called now, for those who write it themselves.
    [[nodiscard]] const QString& path() const { return m_path; }

    // The first error stays, and what is called after it does nothing.

    /// Behind what was written so before.
    bool write(QByteArrayView bytes);
    /// On the disk and named, and its folder too where the file system can. Nothing can be written any more.
    bool finish();
    /// Writes so many bytes, to find out why they cannot be written here: where others say that they failed
    /// and not why. What was in the file is lost. Empty where they can.
    [[nodiscard]] QString probe(qint64 bytes);

private:
    void makeBeside();
    bool took(bool good);

    QString m_target;
    QString m_path;
    int m_file = -1;
    int m_error = 0; ///< errno
};

} // namespace vitrine::ui
