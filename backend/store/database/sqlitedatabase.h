#pragma once

#include "backend/store/database/database.h"

#include <QSqlDatabase>

#include <atomic>

struct sqlite3;

namespace store {

// One SQLite connection through Qt SQL.
class SqliteDatabase final : public Database
{
public:
    // ":memory:" opens a store without a file, for tests.
    //  - Write: creates the file (0600) and its folder (0700) if missing, sets WAL and synchronous=FULL, reads both back, and
    //    migrates the schema. The only connection that writes and checkpoints.
    //  - ReadOnly: never writes and never checkpoints, not even on close.
    // Errors: Corrupt (damaged, or not a Redrive store), Refused (written by a newer version), Unauthorized (cannot be
    // written), Transient (disk full), NotFound (ReadOnly, and there is no file).
    [[nodiscard]] static Result<std::unique_ptr<SqliteDatabase>> open(const QString &path, Mode mode);
    ~SqliteDatabase() override;

    [[nodiscard]] Result<> begin() override;
    [[nodiscard]] Result<> beginReading() override;
    [[nodiscard]] bool inTransaction() const override;
    [[nodiscard]] const TextSearch &search() const override;
    void interrupt() override { m_stop = true; }
    void resume() override { m_stop = false; }

    // Another connection writes now: this one checkpoints no more, not even on close.
    void leaveLog();
    // For its statements: turns SQLite's error into one of ours.
    [[nodiscard]] core::Error errorOf(const QSqlError &error);

protected:
    [[nodiscard]] Result<std::shared_ptr<PreparedStatement>> prepare(const QString &text) override;

private:
    SqliteDatabase(QString path, Mode mode);
    [[nodiscard]] Result<> connectTo();
    [[nodiscard]] Result<> configure();
    [[nodiscard]] Result<> copyPattern();
    [[nodiscard]] Result<> setPragma(const QString &pragma, const QString &value, const QString &expected);

    Mode m_mode;
    QString m_name; // name of the Qt connection
    QSqlDatabase m_connection;
    sqlite3 *m_handle = nullptr;
    std::atomic<bool> m_stop{false};
};

} // namespace store
