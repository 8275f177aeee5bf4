#include "backend/store/database/storefile.h"

#include "backend/store/migrations/schema.h"
#include "backend/store/text.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QtEndian>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace store {

using core::ErrorKind;

static core::Result<> refuse(const char *sentence, const QString &path, int code)
{
    const ErrorKind kind = code == ENOSPC || code == EDQUOT ? ErrorKind::Transient : ErrorKind::Unauthorized;
    return core::fail(kind, Text::tr(sentence).arg(path), QString::fromLocal8Bit(std::strerror(code)));
}

bool bearsOurMark(const QString &path)
{
    constexpr qint64 place = 68; // https://www.sqlite.org/fileformat2.html#application_id
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return false;
    if (file.size() == 0)
        return true; // a file that was just created
    const QByteArray mark = file.seek(place) ? file.read(sizeof(quint32)) : QByteArray();
    return mark.size() == sizeof(quint32) && qFromBigEndian<quint32>(mark.constData()) == quint32(applicationId);
}

core::Result<> prepareStoreFile(const QString &path)
{
    const QString folder = QFileInfo(path).absolutePath();
    if (!QFileInfo::exists(folder)) {
        const QString parent = QFileInfo(folder).absolutePath();
        QDir().mkpath(parent);
        if (::mkdir(QFile::encodeName(folder).constData(), 0700) != 0 && errno != EEXIST)
            return refuse(
                QT_TRANSLATE_NOOP("store", "The folder for the store %1 cannot be created. Choose another location."),
                path, errno);
    }
    const int file = ::open(QFile::encodeName(path).constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0)
        return refuse(QT_TRANSLATE_NOOP("store",
                                        "The store %1 cannot be written. Check the permissions of the file and "
                                        "its folder."),
                      path, errno);
    struct stat facts = {};
    const bool isFile = ::fstat(file, &facts) == 0 && S_ISREG(facts.st_mode);
    if (isFile && bearsOurMark(path)) // other files keep their permissions
        ::fchmod(file, 0600); // fails on some network folders; then the permissions stay as they are
    ::close(file);
    if (!isFile)
        return refuse(QT_TRANSLATE_NOOP("store", "%1 is not a file. Choose another location for the store."), path,
                      EINVAL);
    return {};
}

bool isInMemory(const QString &path)
{
    return path == QLatin1String(":memory:");
}

} // namespace store
