// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/storage_check.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace vitrine {
namespace {

/// Bytes that a lock, a write-ahead log and its index need at least.
constexpr std::size_t kRoomToStart = 256 * 1024;

struct StorageCheck {
    Q_DECLARE_TR_FUNCTIONS(StorageCheck)
};

std::pair<QString, QString> describe(int error)
{
    switch (error) {
    case ENOSPC:
        return {StorageCheck::tr("the disk is full"), StorageCheck::tr("make room")};
    case EDQUOT:
        return {StorageCheck::tr("your share of the disk is used up"), StorageCheck::tr("make room")};
    case EROFS:
        return {StorageCheck::tr("the file system is read-only"),
                StorageCheck::tr("make it writable or choose another folder by XDG_DATA_HOME")};
    case EACCES:
    case EPERM:
        return {StorageCheck::tr("the folder cannot be written"), StorageCheck::tr("check its permissions")};
    case EFBIG:
        return {StorageCheck::tr("files may not grow so far (ulimit -f)"),
                StorageCheck::tr("raise the limit")};
    default:
        return {QString::fromLocal8Bit(std::strerror(error)), StorageCheck::tr("check the folder")};
    }
}

/// errno, or 0 where all of it was written.
int writeAll(int file, const std::vector<char>& bytes)
{
    for (std::size_t written = 0; written < bytes.size();) {
        errno = EIO; // of what takes nothing and does not say why
        const ssize_t more = ::write(file, bytes.data() + written, bytes.size() - written);
        if (more > 0)
            written += static_cast<std::size_t>(more);
        else if (errno != EINTR)
            return errno;
    }
    return 0;
}

int tryToWrite(const QString& folder)
{
    QByteArray path = QFile::encodeName(folder + QStringLiteral("/.vitrine-XXXXXX"));
    const int file = ::mkstemp(path.data());
    if (file < 0)
        return errno;
    const int written = writeAll(file, std::vector<char>(kRoomToStart, 'x'));
    const int closed = ::close(file) == 0 ? 0 : errno; // where a quota or a network disk tells
    ::unlink(path.constData());
    return written != 0 ? written : closed;
}

QString nearestThere(QString folder)
{
    while (!QFileInfo::exists(folder) && folder.contains(QChar('/')))
        folder.truncate(folder.lastIndexOf(QChar('/')));
    return folder.isEmpty() ? QStringLiteral("/") : folder;
}

} // namespace

Result<void> checkStorage(const QString& folder)
{
    const QString place = nearestThere(folder);
    const int error = tryToWrite(place);
    if (error == 0)
        return {};
    const auto [what, advice] = describe(error);
    return fail(what.toStdString(), place.toStdString(), advice.toStdString());
}

} // namespace vitrine
