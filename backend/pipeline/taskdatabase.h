#pragma once

#include "backend/pipeline/databaseurl.h"
#include "backend/pipeline/interrupter.h"
#include "backend/records/pipeline.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QSqlRecord>

#include <functional>
#include <memory>

namespace pipeline {

// One connection to the database of a pipeline through Qt SQL. Created, used and destroyed on one thread; every call
// blocks, for seconds at most: a lock is waited for 3 s, a statement may take 10 s, and an Interrupter ends everything at
// once but the connecting itself (5 s per address of the host).
// Errors: Transient (not reachable, locked, too slow, interrupted), Unauthorized (login, rights), Refused (the driver is
// not installed), Rejected (no such table or column, not a database), NotFound (no such file), Corrupt. UnknownOutcome only
// from transact(). The message names the database; what the server said is in it, cleaned and cut, because it says what to do.
class TaskDatabase final
{
public:
    enum class Access {
        Read, // nothing can be changed: SQLite opens the file so, PostgreSQL makes every transaction read-only
        Write,
    };

    [[nodiscard]] static core::Result<std::unique_ptr<TaskDatabase>> open(const DatabaseUrl &url,
                                                                          const QString &password, Access access,
                                                                          std::shared_ptr<Interrupter> interrupter);
    ~TaskDatabase();
    TaskDatabase(const TaskDatabase &) = delete;
    TaskDatabase &operator=(const TaskDatabase &) = delete;

    [[nodiscard]] const DatabaseUrl &url() const { return m_url; }

    // Runs a statement and calls `take` for each row, one after the other: a row is in memory only during its call. The
    // rest is left out after take() returned an error, which is returned then.
    using Take = std::function<core::Result<>(const QSqlQuery &row)>;
    [[nodiscard]] core::Result<> each(const QString &sql, const QVariantList &values, const Take &take);
    // Runs a statement without rows and returns how many it changed.
    [[nodiscard]] core::Result<int> change(const QString &sql, const QVariantList &values);
    // Runs `work` in one transaction: all of it is committed, or nothing when it returns an error. UnknownOutcome: the
    // connection was lost during the commit.
    [[nodiscard]] core::Result<> transact(const std::function<core::Result<>()> &work);

    // "-infinity" and "infinity" of PostgreSQL, which its driver does not read; nothing: the value is none of them.
    [[nodiscard]] std::optional<core::TimePoint> endlessTime(const QSqlQuery &row, int column) const;

    // The columns of the rows of a statement, with names and types.
    [[nodiscard]] core::Result<QSqlRecord> columnsOf(const QString &sql);

private:
    TaskDatabase(DatabaseUrl url, std::shared_ptr<Interrupter> interrupter);
    [[nodiscard]] core::Result<> connectTo(const QString &password, Access access);
    void listenForInterrupts();
    [[nodiscard]] core::Result<> run(const QString &sql, const QVariantList &values);
    [[nodiscard]] core::Result<> command(const QString &sql);
    [[nodiscard]] core::Error errorOf(const QSqlError &error) const;

    DatabaseUrl m_url;
    std::shared_ptr<Interrupter> m_interrupter;
    QString m_name; // of the Qt connection
    QSqlDatabase m_connection;
    // The last statement. It lives until the next one, because PostgreSQL frees none in a transaction that has failed.
    QSqlQuery m_query;
    std::atomic<bool> m_stop{false}; // read by SQLite while it works
};

} // namespace pipeline
