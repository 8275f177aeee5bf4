#include "backend/control/socketname.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace control {

QString socketPath(const QString &storePath)
{
    const QFileInfo file(storePath);
    const QString folder = QFileInfo(file.absolutePath()).canonicalFilePath();
    const QString real = file.exists()
                             ? file.canonicalFilePath()
                             : QDir(folder.isEmpty() ? file.absolutePath() : folder).filePath(file.fileName());
    const QByteArray digest = QCryptographicHash::hash(real.toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
    const QString runtime = QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation);
    if (runtime.isEmpty())
        return {};
    return QDir(runtime).filePath(QStringLiteral("redrive-%1.sock").arg(QString::fromLatin1(digest)));
}

} // namespace control
