// One SQLite connection through Qt SQL. To be made, used and destroyed on one thread, interrupt() excepted.
#pragma once

#include "backend/store/sqlite/statement.h"

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
        Write, // makes the file (0600) and its folder (0700) where missing; the only connection that writes and checkpoints
        ReadOnly, // never writes, never checkpoints, also not on close
    };

    // ":memory:" gives a store without a file, for tests. Write: WAL, synchronous=FULL, both read back; schema migrated.
    // Errors: Corrupt (not a store, damaged, of another program or a newer version), Unauthorized (cannot be written),
    // Transient (disk full), NotFound (ReadOnly, and no file).
    [[nodiscard]] static Result<std::unique_ptr<Database>> open(const QString &path, Mode mode);
    ~Database();
    Database(const Database &) = delete;
    Database &operator=(const Database &) = delete;

    // Compiled once and kept; only text of ours in it, values are bound.
    [[nodiscard]] Statement sql(const QString &text);

    [[nodiscard]] Result<> begin();
    [[nodiscard]] Result<> commit();
    [[nodiscard]] Result<> rollback();
    [[nodiscard]] bool inTransaction() const;

    // SQLite found the file damaged at some statement: nothing may be written to it any more.
    [[nodiscard]] bool isDamaged() const { return m_damaged; }
    // For Statement: the error in words of ours.
    [[nodiscard]] core::Error errorOf(const QSqlError &error);
    [[nodiscard]] const QString &path() const { return m_path; }
    // Any thread: what runs now, and every statement until resume(), ends with Cancelled.
    void interrupt();
    void resume() { m_stop = false; }

    // Tests: asked before every statement and commit ("COMMIT"); what it returns happens instead.
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
    QString m_name; // of the Qt connection
    QSqlDatabase m_connection;
    sqlite3 *m_handle = nullptr;
    QHash<QString, std::shared_ptr<Statement::Slot>> m_statements;
    FaultHook m_faultHook;
    bool m_damaged = false;
    std::atomic<bool> m_stop{false};
};

} // namespace store
