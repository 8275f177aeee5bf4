#pragma once

#include "backend/core/result.h"
#include "backend/localbroker/queueengine.h"

#include <QSqlDatabase>
#include <QSqlQuery>

#include <map>

namespace localbroker {

// The broker's own SQLite file. A group of changes is one transaction with synchronous=FULL: when apply() has returned a
// value, the changes survive a kill and a power cut. To be used on one thread.
class Journal final
{
public:
    Journal();
    ~Journal();
    Journal(const Journal &) = delete;
    Journal &operator=(const Journal &) = delete;

    // Makes the file and its folder when they are missing. Refuses a file of a newer version or another program.
    [[nodiscard]] core::Result<> open(const QString &path);
    [[nodiscard]] core::Result<> load(QueueEngine &engine);
    // After an error the journal takes nothing more: what is in memory is ahead of the file.
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
