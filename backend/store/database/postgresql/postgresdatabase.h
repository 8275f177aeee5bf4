#pragma once

#include "backend/records/address/storeaddress.h"
#include "backend/store/database/database.h"

#include <atomic>

struct pg_conn;
struct pg_cancel;

namespace store {

// One connection to a schema of a PostgreSQL database, through libpq.
//
// A statement that fails ends its transaction: what follows it fails with the same error, and so does the commit.
class PostgresDatabase final : public Database
{
public:
    // Write creates the schema, if the role may, and its tables; and the index for pieces of texts, once its extension is there. Errors: Transient (not reached, full), Unauthorized (password,
    // rights), Corrupt (the tables are not Redrive's), Refused (another format, or an encoding that is not UTF-8), NotFound
    // (no such database; ReadOnly: there is no store).
    [[nodiscard]] static Result<std::unique_ptr<PostgresDatabase>> open(const records::StoreAddress &address,
                                                                        Mode mode);
    // For a new store: its tables are in a transaction that the caller commits, so until then there is nothing. They have no
    // indexes yet: addIndexes(), when they are filled. Refused: the schema holds tables.
    [[nodiscard]] static Result<std::unique_ptr<PostgresDatabase>> create(const records::StoreAddress &address);
    [[nodiscard]] Result<> addIndexes();
    ~PostgresDatabase() override;

    [[nodiscard]] Result<> begin() override;
    [[nodiscard]] Result<> beginReading() override;
    [[nodiscard]] bool inTransaction() const override;
    [[nodiscard]] Result<> checkTransaction() override;
    [[nodiscard]] const TextSearch &search() const override;
    [[nodiscard]] QString note() const override; // the extension pg_trgm is missing
    void interrupt() override;
    void resume() override { m_stop = false; }

    // For tests, before the first connection: called with each statement that a server understood, on any thread.
    static void setWitness(std::function<void(const QString &statement)> witness);

    // For its statements.
    [[nodiscard]] pg_conn *handle() const { return m_handle; }
    [[nodiscard]] bool isStopped() const { return m_stop; }
    [[nodiscard]] QByteArray nextName() { return QByteArrayLiteral("s") + QByteArray::number(++m_names); }
    [[nodiscard]] core::Error failed(core::Error error); // remembers what ended the transaction
    static void wasUnderstood(const QString &statement);

protected:
    [[nodiscard]] Result<std::shared_ptr<PreparedStatement>> prepare(const QString &text) override;

private:
    explicit PostgresDatabase(const records::StoreAddress &address);
    [[nodiscard]] Result<> connectTo();
    [[nodiscard]] Result<> configure();
    [[nodiscard]] Result<> createSchema();
    [[nodiscard]] Result<qint64>
    tablesThere(); // of anybody, in the schema; made if it is missing, and locked until the end
    [[nodiscard]] Result<> createTables();
    [[nodiscard]] Result<> createPieces(); // unless they are there
    [[nodiscard]] Result<> lookForPieces();
    [[nodiscard]] Result<> checkTables(Mode mode);
    [[nodiscard]] Result<> command(const QString &sql); // as it stands, without values
    [[nodiscard]] Result<qint64> number(const QString &query, const QString &value);

    records::StoreAddress m_address;
    pg_conn *m_handle = nullptr;
    pg_cancel *m_cancel = nullptr; // for another thread
    std::optional<core::Error> m_failed; // what ended the transaction
    bool m_hasPieces = false; // an index finds pieces of texts
    qint64 m_names = 0;
    std::atomic<bool> m_stop{false};
};

} // namespace store
