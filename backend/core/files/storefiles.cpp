#include "backend/core/files/storefiles.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <optional>
#include <sys/stat.h>

namespace core {

namespace {

std::optional<std::pair<dev_t, ino_t>> identityOf(const QString &path)
{
    struct stat facts = {};
    if (::stat(QFile::encodeName(path).constData(), &facts) != 0)
        return std::nullopt;
    return std::pair(facts.st_dev, facts.st_ino);
}

bool isSameFile(const QString &one, const QString &other)
{
    const auto identity = identityOf(one);
    return identity && identity == identityOf(other);
}

// Also when neither exists yet.
bool isSamePlace(const QString &one, const QString &other)
{
    const QFileInfo first(one);
    const QFileInfo second(other);
    return first.fileName() == second.fileName() && isSameFile(first.absolutePath(), second.absolutePath());
}

} // namespace

StoreFiles::StoreFiles(const QString &store)
{
    if (store.isEmpty() || store == QLatin1String(":memory:"))
        return;
    QStringList names{store};
    if (const QString real = QFileInfo(store).canonicalFilePath(); !real.isEmpty() && real != store)
        names.append(real); // the other files are beside the real one
    for (const QString &name : names) {
        for (const char *suffix : {"", "-wal", "-shm", "-journal", ".lock"})
            m_files.append(name + QLatin1String(suffix));
    }
}

bool StoreFiles::contain(const QString &path) const
{
    return std::any_of(m_files.begin(), m_files.end(),
                       [&path](const QString &file) { return isSameFile(path, file) || isSamePlace(path, file); });
}

} // namespace core
