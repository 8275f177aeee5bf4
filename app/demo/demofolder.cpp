#include "app/demo/demofolder.h"

#include "app/text.h"

#include <QDir>
#include <QFile>

namespace app {

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
