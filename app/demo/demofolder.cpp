#include "app/demo/demofolder.h"

#include "app/text.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <unistd.h>

namespace app {

namespace {

const QString folderName = QStringLiteral("redrive-demo-");

QString lockIn(const QString &folder)
{
    return QDir(folder).filePath(QStringLiteral("demo.lock"));
}

// A lock whose process is dead is free for QLockFile. One without a lock may have been made just now.
void removeDeadOnes()
{
    const QDir place(QDir::tempPath());
    const QDir::Filters folders = QDir::Dirs | QDir::NoSymLinks | QDir::NoDotAndDotDot;
    for (const QFileInfo &one : place.entryInfoList({folderName + QLatin1Char('*')}, folders)) {
        const QString path = one.absoluteFilePath();
        if (one.ownerId() != ::getuid() || !QFile::exists(lockIn(path)))
            continue;
        QLockFile lock(lockIn(path));
        lock.setStaleLockTime(0); // however old: its process may live
        if (lock.tryLock(0))
            QDir(path).removeRecursively();
    }
}

} // namespace

DemoFolder::DemoFolder()
    : m_folder(QDir(QDir::tempPath()).filePath(folderName + QStringLiteral("XXXXXX")))
    , m_lock(std::make_unique<QLockFile>(lockIn(m_folder.path())))
{
    m_lock->setStaleLockTime(0);
    m_lock->tryLock(0);
    removeDeadOnes();
}

core::Result<QString> demoBrokerFile(const QString &folder, bool continues)
{
    if (!QDir().mkpath(folder)) {
        return core::fail(core::ErrorKind::Unauthorized,
                          Text::tr("Cannot create the folder %1. Choose another one.").arg(folder));
    }
    const QString file = QDir(folder).filePath(QStringLiteral("broker.db"));
    if (QFile::exists(file) && !continues) {
        return core::fail(core::ErrorKind::Refused,
                          Text::tr("The folder %1 already has the data of a run. Choose an empty folder.").arg(folder));
    }
    return file;
}

} // namespace app
