#include "backend/core/atomicfile.h"

#include <QSaveFile>

namespace core {

Result<> writeAtomically(const QString &path, const QByteArray &content)
{
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(content) == content.size() && file.commit())
        return {};
    return fail(ErrorKind::Rejected, file.errorString());
}

} // namespace core
