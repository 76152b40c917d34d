// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/part_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QUuid>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace vitrine::ui {

namespace {

/// As many as the system follows.
constexpr int kMostLinks = 40;
/// Each of them can be taken for one that was left, in the moment before it is locked.
constexpr int kTries = 8;

/// Where a file of that name goes.
QString targetOf(const QString& path)
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

int whyNotReplaced(const QString& path)
{
    const QFileInfo there(path);
    return !there.exists()       ? 0
           : there.isDir()       ? EISDIR
           : !there.isFile()     ? EINVAL
           : !there.isWritable() ? EACCES
                                 : 0;
}

/// What the names beside begin with: the file's own, or what of it leaves room for their ends.
QString stemOf(const QFileInfo& target)
{
    constexpr qsizetype kEnd = sizeof ".vitrine-0123abcd.part" - 1;
    QString stem = target.fileName();
    while (QFile::encodeName(stem).size() + kEnd > NAME_MAX)
        stem.chop(stem.size() > 1 && stem.back().isLowSurrogate() ? 2 : 1);
    return stem;
}

QString freshName(const QString& target)
{
    const QFileInfo of(target);
    const QString tag = QUuid::createUuid().toString(QUuid::Id128).left(8);
    return of.dir().filePath(stemOf(of) + QStringLiteral(".vitrine-%1.part").arg(tag));
}

QStringList partsOf(const QString& target)
{
    static const QRegularExpression tail(QStringLiteral("^\\.vitrine-[0-9a-f]{8}\\.part$"));
    const QFileInfo of(target);
    const QString stem = stemOf(of);
    QStringList parts;
    for (const QString& name : of.dir().entryList(QDir::Files | QDir::Hidden | QDir::NoSymLinks))
        if (name.startsWith(stem) && tail.match(name.mid(stem.size())).hasMatch())
            parts << of.dir().filePath(name);
    return parts;
}

/// False with EWOULDBLOCK: somebody else has it.
bool lock(int file)
{
    return ::flock(file, LOCK_EX | LOCK_NB) == 0;
}

/// The open file is what stands under the name.
bool isNamed(int file, const QByteArray& name)
{
    struct stat open {};
    struct stat named {};
    return ::fstat(file, &open) == 0 && ::lstat(name.constData(), &named) == 0 &&
           open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

bool isOwn(int file)
{
    struct stat open {};
    return ::fstat(file, &open) == 0 && S_ISREG(open.st_mode) && open.st_uid == ::geteuid();
}

void unlinkIfNamed(int file, const QByteArray& name)
{
    if (isNamed(file, name))
        ::unlink(name.constData());
}

void removeIfLeft(const QByteArray& name)
{
    const int file = ::open(name.constData(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return;
    if (isOwn(file) && lock(file))
        unlinkIfNamed(file, name);
    ::close(file);
}

/// What was just made, whosever the file system says it is. Where there are no locks, nothing is taken for
/// left: one's own needs none.
bool claim(int file, const QByteArray& name)
{
    return (lock(file) || errno != EWOULDBLOCK) && isNamed(file, name);
}

void keepPermissions(const QString& from, int to)
{
    struct stat old {};
    if (::stat(QFile::encodeName(from).constData(), &old) == 0)
        (void)::fchmod(to, old.st_mode & 0777);
}

/// So that the name is on the disk as well. Not every file system takes it; the file is there all the same.
void syncFolderOf(const QString& path)
{
    const QByteArray folder = QFile::encodeName(QFileInfo(path).path());
    const int file = ::open(folder.constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return;
    (void)::fsync(file);
    ::close(file);
}

} // namespace

PartFile::PartFile(const QString& path)
    : m_target(targetOf(path))
    , m_error(whyNotReplaced(m_target))
{
    if (!good())
        return;
    for (const QString& left : partsOf(m_target))
        removeIfLeft(QFile::encodeName(left));
    makeBeside();
}

PartFile::~PartFile()
{
    if (m_file < 0)
        return;
    ::unlink(QFile::encodeName(m_path).constData());
    ::close(m_file);
}

QString PartFile::reason() const
{
    return good() ? QString() : QString::fromLocal8Bit(std::strerror(m_error));
}

void PartFile::makeBeside()
{
    for (int i = 0; i < kTries; ++i) {
        m_path = freshName(m_target);
        const QByteArray name = QFile::encodeName(m_path);
        m_file = ::open(name.constData(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (!took(m_file >= 0))
            return;
        if (claim(m_file, name))
            return keepPermissions(m_target, m_file);
        unlinkIfNamed(m_file, name);
        ::close(m_file);
        m_file = -1;
    }
    m_error = EBUSY;
}

bool PartFile::took(bool good)
{
    if (!good && m_error == 0)
        m_error = errno;
    return good;
}

bool PartFile::write(QByteArrayView bytes)
{
    // Where there is room for a part only, the system says why when the rest is written.
    while (good() && !bytes.isEmpty()) {
        errno = EIO; // of what takes nothing and does not say why
        const ssize_t more = ::write(m_file, bytes.data(), std::size_t(bytes.size()));
        if (more > 0)
            bytes = bytes.sliced(more);
        else if (errno != EINTR)
            took(false);
    }
    return good();
}

bool PartFile::finish()
{
    if (!good() || !took(::fsync(m_file) == 0) ||
        !took(std::rename(QFile::encodeName(m_path).constData(), QFile::encodeName(m_target).constData()) ==
              0))
        return false;
    ::close(m_file);
    m_file = -1;
    syncFolderOf(m_target);
    return true;
}

QString PartFile::probe(qint64 bytes)
{
    took(::ftruncate(m_file, 0) == 0 && ::lseek(m_file, 0, SEEK_SET) == 0);
    const QByteArray some(1 << 16, '\0');
    for (qint64 written = 0; written <= bytes && write(some); written += some.size()) {
    }
    return reason();
}

} // namespace vitrine::ui
