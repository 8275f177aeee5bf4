#include "backend/core/files/partfile.h"

#include "backend/core/text.h"

#include <QFile>
#include <QFileInfo>
#include <QStorageInfo>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace core {

namespace {

Result<> failed(const char *sentence, const QString &path, int code)
{
    const bool full = code == ENOSPC || code == EDQUOT || code == EFBIG;
    return fail(full ? ErrorKind::Transient : ErrorKind::Unauthorized,
                Text::tr(sentence).arg(path, QString::fromLocal8Bit(std::strerror(code))));
}

Result<> notWritten(const QString &path, int code)
{
    return failed(
        QT_TRANSLATE_NOOP("core", "%1 cannot be written: %2. Choose another location, or free some space there."), path,
        code);
}

// An open file, closed by the destructor.
class Handle final
{
public:
    Handle(const QString &path, int how)
        : m_file(::open(QFile::encodeName(path).constData(), how | O_CLOEXEC))
    {
    }
    ~Handle()
    {
        if (m_file >= 0)
            ::close(m_file);
    }
    Handle(const Handle &) = delete;
    Handle &operator=(const Handle &) = delete;
    [[nodiscard]] int get() const { return m_file; }

private:
    int m_file;
};

// A new name is on the disk only after its folder is synced.
void syncFolderOf(const QString &path)
{
    const Handle folder(QFileInfo(path).absolutePath(), O_RDONLY | O_DIRECTORY);
    if (folder.get() >= 0)
        ::fsync(folder.get());
}

int rename(const QString &from, const QString &to, unsigned int how)
{
    const QByteArray source = QFile::encodeName(from);
    const QByteArray target = QFile::encodeName(to);
    return ::renameat2(AT_FDCWD, source.constData(), AT_FDCWD, target.constData(), how) == 0 ? 0 : errno;
}

bool isUnknownHere(int code) // some network and foreign file systems know only the plain rename
{
    return code == EINVAL || code == ENOSYS || code == ENOTSUP;
}

Result<> copyBytes(int from, int to, const QString &path, const std::stop_token &stop)
{
    QByteArray piece(1 << 20, Qt::Uninitialized);
    for (;;) {
        if (stop.stop_requested())
            return fail(ErrorKind::Cancelled, Text::tr("The copying was stopped."));
        const ssize_t size = ::read(from, piece.data(), size_t(piece.size()));
        if (size == 0)
            return {};
        if (size < 0)
            return failed(QT_TRANSLATE_NOOP("core", "The file cannot be copied to %1: %2."), path, errno);
        for (ssize_t done = 0; done < size;) {
            const ssize_t written = ::write(to, piece.constData() + done, size_t(size - done));
            if (written < 0)
                return notWritten(path, errno);
            done += written;
        }
    }
}

} // namespace

PartFile::PartFile(QString path)
    : m_path(std::move(path))
{
}

PartFile::PartFile(PartFile &&other) noexcept
    : m_path(std::exchange(other.m_path, {}))
{
}

PartFile::~PartFile()
{
    if (m_path.isEmpty())
        return;
    for (const char *suffix : {"", "-wal", "-shm", "-journal"})
        QFile::remove(m_path + QLatin1String(suffix));
}

Result<PartFile> PartFile::beside(const QString &target)
{
    QByteArray name = QFile::encodeName(target) + ".XXXXXX";
    const int file = ::mkostemp(name.data(), O_CLOEXEC); // 0600, and never an existing file
    if (file < 0)
        return fail(notWritten(target, errno).error());
    ::close(file);
    return PartFile(QFile::decodeName(name));
}

Result<> PartFile::copyFrom(const QString &other, const std::stop_token &stop)
{
    const Handle from(other, O_RDONLY);
    if (from.get() < 0)
        return failed(QT_TRANSLATE_NOOP("core", "%1 cannot be read: %2."), other, errno);
    const Handle to(m_path, O_WRONLY | O_TRUNC);
    if (to.get() < 0)
        return notWritten(m_path, errno);
    return copyBytes(from.get(), to.get(), m_path, stop);
}

Result<> PartFile::sync() const
{
    const Handle file(m_path, O_RDONLY);
    const bool synced = file.get() >= 0 && ::fsync(file.get()) == 0;
    return synced ? Result<>{} : notWritten(m_path, errno);
}

Result<> PartFile::moveTo(const QString &target, Replace replace)
{
    int code = rename(m_path, target, replace == Replace::Yes ? 0 : RENAME_NOREPLACE);
    if (isUnknownHere(code) && !QFileInfo::exists(target))
        code = rename(m_path, target, 0);
    if (code == EEXIST)
        return fail(ErrorKind::Refused, Text::tr("%1 already exists.").arg(target));
    if (code != 0)
        return notWritten(target, code);
    m_path.clear();
    syncFolderOf(target);
    return {};
}

Result<> PartFile::exchangeWith(const QString &target, const QString &kept)
{
    const int code = rename(m_path, target, RENAME_EXCHANGE);
    if (code == 0) {
        const QString old = std::exchange(m_path, {}); // from here on this is the old file: never remove it
        syncFolderOf(target);
        const int named = rename(old, kept, RENAME_NOREPLACE);
        if (isUnknownHere(named) && !QFileInfo::exists(kept))
            static_cast<void>(rename(old, kept, 0));
        syncFolderOf(target);
        return {};
    }
    if (!isUnknownHere(code))
        return notWritten(target, code);
    // This file system cannot exchange names: first a whole copy of the old file, then the new file over it.
    TRY(PartFile copy, PartFile::beside(kept));
    TRY(copy.copyFrom(target, {}));
    TRY(copy.sync());
    TRY(copy.moveTo(kept, Replace::No));
    return moveTo(target, Replace::Yes);
}

bool hasLessRoomThan(const QString &path, qint64 bytes)
{
    const QStorageInfo disk(QFileInfo(path).absolutePath());
    return disk.isValid() && disk.bytesAvailable() < bytes;
}

} // namespace core
