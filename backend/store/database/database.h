// One connection to the database of a store: what SQLite and PostgreSQL have in common. Created, used and destroyed on one
// thread, except interrupt().
//
// A statement that returns nothing may be sent later than it is run: its error may then come with the next read, or with the
// commit. Either way nothing of its transaction is kept.
#pragma once

#include "backend/store/database/statement.h"

#include <QHash>

#include <functional>
#include <memory>

namespace store {

class TextSearch;

class Database
{
public:
    enum class Mode {
        Write, // the only connection that writes
        ReadOnly,
        Control, // of PostgreSQL: the tables of store/shared/, for which many may write
    };

    virtual ~Database();
    Database(const Database &) = delete;
    Database &operator=(const Database &) = delete;

    // A statement that is compiled once and kept, in the SQL of sqldialect.h. The text must never contain values from
    // outside: bind them.
    [[nodiscard]] Statement sql(const QString &text);
    // For a statement without rows: binds the values, runs it, and returns the number of changed rows.
    [[nodiscard]] Result<int> execute(const QString &text, const QVariantList &values);

    [[nodiscard]] virtual Result<> begin() = 0; // to write
    [[nodiscard]] virtual Result<> beginReading() = 0; // all reads see one moment; ended by rollback()
    [[nodiscard]] Result<> commit();
    [[nodiscard]] Result<> rollback();
    [[nodiscard]] virtual bool inTransaction() const = 0;
    // The error that ended the transaction before its end, if a statement's error does that and its caller did not pass it on.
    [[nodiscard]] virtual Result<> checkTransaction() { return {}; }

    // The connection to a server is gone: what its transaction wrote is not kept, unless it was being committed.
    [[nodiscard]] virtual bool isLost() const { return false; }
    // Connects again after isLost(). Errors: those of opening.
    [[nodiscard]] virtual Result<> reconnect() { return {}; }

    // How it finds texts.
    [[nodiscard]] virtual const TextSearch &search() const = 0;
    // A statement found the store damaged: nothing may be written any more.
    [[nodiscard]] bool isDamaged() const { return m_damaged; }
    // Where the store is, for people; of SQLite its file.
    [[nodiscard]] const QString &path() const { return m_path; }
    // What people should know of it, in whole sentences: something that works, but badly. Empty: nothing.
    [[nodiscard]] virtual QString note() const { return {}; }
    // Any thread: the running statement, and every one until resume(), ends with Cancelled.
    virtual void interrupt() = 0;
    virtual void resume() = 0;

    // For tests: called before every statement and commit ("COMMIT"); an error that it returns happens instead.
    using FaultHook = std::function<std::optional<core::Error>(const QString &statement)>;
    void setFaultHook(FaultHook hook) { m_faultHook = std::move(hook); }
    [[nodiscard]] std::optional<core::Error> faultFor(const QString &statement) const;

protected:
    explicit Database(QString path);
    [[nodiscard]] virtual Result<std::shared_ptr<PreparedStatement>> prepare(const QString &text) = 0;
    void forgetStatements() { m_statements.clear(); } // before the connection is closed
    void setDamaged() { m_damaged = true; }

private:
    QString m_path;
    QHash<QString, std::shared_ptr<PreparedStatement>> m_statements;
    FaultHook m_faultHook;
    bool m_damaged = false;
};

} // namespace store
