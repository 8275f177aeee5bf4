#include "backend/store/sqlite/storelock.h"

#include "backend/store/text.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSysInfo>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <pwd.h>
#include <unistd.h>

namespace store {

using core::ErrorKind;

namespace {

// One file has one lock, by whatever name it is opened. The file exists: the caller has created it.
QString lockPath(const QString &storePath)
{
    const QString real = QFileInfo(storePath).canonicalFilePath();
    return (real.isEmpty() ? storePath : real) + QStringLiteral(".lock");
}

struct flock wholeFile(short type)
{
    struct flock range = {};
    range.l_type = type;
    range.l_whence = SEEK_SET;
    return range;
}

QString userName()
{
    const passwd *entry = ::getpwuid(::geteuid());
    return entry != nullptr ? QString::fromLocal8Bit(entry->pw_name) : QString::number(::geteuid());
}

void writeHolder(int file)
{
    const QJsonObject self{
        {QStringLiteral("pid"), static_cast<qint64>(::getpid())},
        {QStringLiteral("user"), userName()},
        {QStringLiteral("machine"), QSysInfo::machineHostName()},
        {QStringLiteral("since"), QDateTime::currentDateTimeUtc().toString(Qt::ISODate)},
    };
    const QByteArray text = QJsonDocument(self).toJson(QJsonDocument::Compact);
    // Only for people; the lock works without it.
    if (::ftruncate(file, 0) == 0 && ::pwrite(file, text.constData(), static_cast<size_t>(text.size()), 0) >= 0)
        return;
}

Holder readHolder(int file)
{
    QByteArray text(4096, '\0');
    const ssize_t size = ::pread(file, text.data(), static_cast<size_t>(text.size()), 0);
    text.truncate(size > 0 ? static_cast<qsizetype>(size) : 0);
    const QJsonObject object = QJsonDocument::fromJson(text).object();
    return Holder{object.value(QStringLiteral("pid")).toInteger(), object.value(QStringLiteral("user")).toString(),
                  object.value(QStringLiteral("machine")).toString(),
                  QDateTime::fromString(object.value(QStringLiteral("since")).toString(), Qt::ISODate)};
}

} // namespace

QString Holder::text() const
{
    return Text::tr("process %1 of %2 on %3, since %4 UTC")
        .arg(QString::number(pid), user, machine, since.toUTC().toString(QStringLiteral("yyyy-MM-dd HH:mm")));
}

core::Result<std::unique_ptr<StoreLock>> StoreLock::take(const QString &storePath)
{
    const int file = ::open(QFile::encodeName(lockPath(storePath)).constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0)
        return core::fail(ErrorKind::Unauthorized,
                          Text::tr("The store %1 cannot be locked. Check the permissions of its "
                                   "folder.")
                              .arg(storePath),
                          QString::fromLocal8Bit(std::strerror(errno)));
    std::unique_ptr<StoreLock> lock(new StoreLock(file));
    struct flock whole = wholeFile(F_WRLCK);
    if (::fcntl(file, F_OFD_SETLK, &whole) != 0)
        return core::fail(ErrorKind::Conflict, Text::tr("The store %1 is in use by %2. Close that program, or open "
                                                        "the store as a viewer.")
                                                   .arg(storePath, readHolder(file).text()));
    writeHolder(file);
    return lock;
}

std::optional<Holder> StoreLock::holder(const QString &storePath)
{
    const int file = ::open(QFile::encodeName(lockPath(storePath)).constData(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return std::nullopt;
    const StoreLock claimEnd(file);
    struct flock probe = wholeFile(F_WRLCK);
    if (::fcntl(file, F_OFD_GETLK, &probe) != 0 || probe.l_type == F_UNLCK) // only asks, so it disturbs nobody
        return std::nullopt;
    return readHolder(file);
}

StoreLock::StoreLock(int file)
    : m_file(file)
{
}

StoreLock::~StoreLock()
{
    ::close(m_file);
}

} // namespace store
