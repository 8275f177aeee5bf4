#pragma once

#include <QFile>
#include <QFileInfo>
#include <QStringList>

#include <sys/stat.h>

namespace test {

// The locks that the kernel has for a file, whoever has them: "OFDLCK READ 1073741826 1073742335".
[[nodiscard]] inline QStringList locksOf(const QString &path)
{
    struct stat facts = {};
    if (::stat(QFile::encodeName(path).constData(), &facts) != 0)
        return {};
    QFile locks(QStringLiteral("/proc/locks"));
    if (!locks.open(QIODevice::ReadOnly))
        qFatal("/proc/locks cannot be read");
    QStringList found;
    const QStringList lines = QString::fromLatin1(locks.readAll()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    for (const QString &line : lines) {
        const QStringList words = line.simplified().split(QLatin1Char(' '));
        if (words.size() == 8 && words.at(5).section(QLatin1Char(':'), 2) == QString::number(facts.st_ino))
            found.append(QStringList{words.at(1), words.at(3), words.at(6), words.at(7)}.join(QLatin1Char(' ')));
    }
    return found;
}

// While a store is open, SQLite has a shared lock on the file and one on the index of its log. Without the first, another
// program takes itself for the only one and removes the log.
[[nodiscard]] inline bool hasSqliteLocks(const QString &store)
{
    const auto isShared = [](const QString &lock) { return lock.contains(QLatin1String(" READ ")); };
    for (const char *suffix : {"", "-shm"}) {
        const QStringList locks = locksOf(store + QLatin1String(suffix));
        if (!std::any_of(locks.begin(), locks.end(), isShared))
            return false;
    }
    return true;
}

} // namespace test
