#pragma once

#include <QStringList>

namespace core {

// The files that make up the store in use: the database, its lock and the log and index that SQLite keeps beside it. Nobody
// else may write them or take their names. Looks at names and file systems only and opens no file. Any thread.
class StoreFiles final
{
public:
    // `store` is the path of the database, which may be a link and need not exist. Empty or ":memory:": there are none.
    explicit StoreFiles(const QString &store);

    // Whether `path` leads to one of them, by any spelling, symbolic or hard link, or is where one of them will be.
    [[nodiscard]] bool contain(const QString &path) const;

private:
    QStringList m_files;
};

} // namespace core
