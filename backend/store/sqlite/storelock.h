#pragma once

#include "backend/core/result.h"

#include <QDateTime>

#include <memory>
#include <optional>

namespace store {

// Who holds a store.
struct Holder
{
    qint64 pid = 0;
    QString user;
    QString machine;
    QDateTime since; // UTC

    [[nodiscard]] QString text() const; // "process 4711 of alice on build7, since 02:11"
};

// The lock of the one writer: an advisory lock (open file description, fcntl(2)) on `<store>.lock`. The kernel releases
// it when the process dies, however it dies, so a lock is never stale. The file stays and says who held it last.
class StoreLock final
{
public:
    // Conflict: the store is in use; the message says by whom. Unauthorized: the lock file cannot be created.
    [[nodiscard]] static core::Result<std::unique_ptr<StoreLock>> take(const QString &storePath);
    // Who holds the store now; nothing: nobody does.
    [[nodiscard]] static std::optional<Holder> holder(const QString &storePath);
    ~StoreLock();
    StoreLock(const StoreLock &) = delete;
    StoreLock &operator=(const StoreLock &) = delete;

private:
    explicit StoreLock(int file);
    int m_file;
};

} // namespace store
