// One SQLite connection through Qt SQL. Created, used and destroyed on one thread, except interrupt().
#pragma once

#include "backend/store/database/statement.h"

#include <QHash>
#include <QSqlDatabase>

#include <atomic>
#include <functional>
#include <memory>

struct sqlite3;

namespace store {

class Database final
{
public:
    enum class Mode {
        // creates the file (0600) and its folder (0700) if missing; the only connection that writes and checkpoints
        Write,
        ReadOnly, // never writes and never checkpoints, not even on close
    };

    // ":memory:" opens a store without a file, for tests. Mode Write sets WAL and synchronous=FULL, reads both back,
    // and migrates the schema. Errors: Corrupt (damaged, or not a Redrive store), Refused (written by a newer version),
    // Unauthorized (cannot be written), Transient (disk full), NotFound (ReadOnly, and there is no file).
    [[nodiscard]] static Result<std::unique_ptr<Database>> open(const QString &path, Mode mode);
    ~Database();
    Database(const Database &) = delete;
    Database &operator=(const Database &) = delete;

    // A statement that is compiled once and kept. The text must never contain values from outside: bind them.
    [[nodiscard]] Statement sql(const QString &text);
    // For a statement without rows: binds the values, runs it, and returns the number of changed rows.
    [[nodiscard]] Result<int> execute(const QString &text, const QVariantList &values);

    [[nodiscard]] Result<> begin();
    [[nodiscard]] Result<> commit();
    [[nodiscard]] Result<> rollback();
    [[nodiscard]] bool inTransaction() const;

    // A statement found the file damaged: nothing may be written any more.
    [[nodiscard]] bool isDamaged() const { return m_damaged; }
    // Another connection writes now: this one checkpoints no more, not even on close.
    void leaveLog();
    // For Statement: turns SQLite's error into one of ours.
    [[nodiscard]] core::Error errorOf(const QSqlError &error);
    [[nodiscard]] const QString &path() const { return m_path; }
    // Any thread: the running statement, and every one until resume(), ends with Cancelled.
    void interrupt();
    void resume() { m_stop = false; }

    // For tests: called before every statement and commit ("COMMIT"); an error that it returns happens instead.
    using FaultHook = std::function<std::optional<core::Error>(const QString &statement)>;
    void setFaultHook(FaultHook hook) { m_faultHook = std::move(hook); }
    [[nodiscard]] std::optional<core::Error> faultFor(const QString &statement) const;

private:
    Database(QString path, Mode mode);
    [[nodiscard]] Result<> connectTo();
    [[nodiscard]] Result<> configure();
    [[nodiscard]] Result<> copyPattern();
    [[nodiscard]] Result<> setPragma(const QString &pragma, const QString &value, const QString &expected);

    QString m_path;
    Mode m_mode;
    QString m_name; // name of the Qt connection
    QSqlDatabase m_connection;
    sqlite3 *m_handle = nullptr;
    QHash<QString, std::shared_ptr<Statement::Slot>> m_statements;
    FaultHook m_faultHook;
    bool m_damaged = false;
    std::atomic<bool> m_stop{false};
};

} // namespace store
