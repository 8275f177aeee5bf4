#pragma once

#include "backend/core/result.h"
#include "backend/localbroker/queueengine.h"

#include <QSqlDatabase>
#include <QSqlQuery>

#include <map>

namespace localbroker {

// The SQLite file of the broker. apply() writes a list of changes in one transaction with synchronous=FULL: after it
// has succeeded, they survive a kill and a power cut. Used on one thread.
class Journal final
{
public:
    Journal();
    ~Journal();
    Journal(const Journal &) = delete;
    Journal &operator=(const Journal &) = delete;

    // Creates the file and its folder if they are missing. Conflict if another program uses the file. StoreFailed if it
    // cannot be opened, or belongs to a newer version or another program.
    [[nodiscard]] core::Result<> open(const QString &path);
    // Puts the content of the file into the engine. StoreFailed if it cannot be read.
    [[nodiscard]] core::Result<> load(QueueEngine &engine);
    // When the newest message in the file came into its queue; a scheduled one comes when it is due. Nothing: there is none.
    // StoreFailed if the file cannot be read.
    [[nodiscard]] core::Result<std::optional<core::TimePoint>> newestArrival();
    // StoreFailed if it cannot write. After that every call fails, because the memory is ahead of the file.
    [[nodiscard]] core::Result<> apply(const QList<Change> &changes, qint64 lastSequence);

private:
    [[nodiscard]] core::Result<> prepare();
    [[nodiscard]] bool write(const Change &change);
    [[nodiscard]] bool run(QSqlQuery &query, std::initializer_list<QVariant> values);
    [[nodiscard]] core::Error failure(const QString &what) const;

    struct Statements;
    QString m_connectionName;
    QSqlDatabase m_database;
    std::unique_ptr<Statements> m_statements;
    QString m_lastError;
    bool m_failed = false;
};

} // namespace localbroker
