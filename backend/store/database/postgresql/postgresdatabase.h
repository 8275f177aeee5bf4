#pragma once

#include "backend/store/database/database.h"
#include "backend/store/database/postgresql/postgresline.h"

namespace store {

// One connection to a schema of a PostgreSQL database, through libpq.
//
// A statement that fails ends its transaction: what follows it fails with the same error, and so does the commit. A lost
// connection is made again when the next transaction begins.
class PostgresDatabase final : public Database
{
public:
    // Write creates the schema, if the role may, and its tables. Errors: Transient (not reached, full), Unauthorized (password,
    // rights), Corrupt (the tables are not Redrive's), Refused (another format, or an encoding that is not UTF-8), NotFound
    // (no such database; not Write: there is no store).
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
    [[nodiscard]] bool isLost() const override { return m_line.isLost(); }
    [[nodiscard]] Result<> reconnect() override;
    void interrupt() override { m_line.interrupt(); }
    void resume() override { m_line.resume(); }

    // The index for pieces of texts, once its extension is there, if this role owns the tables. May take minutes, and others
    // cannot write meanwhile.
    [[nodiscard]] Result<> addPieces();

    // For tests, before the first connection: called with each statement that a server understood, on any thread.
    static void setWitness(std::function<void(const QString &statement)> witness);

    // For its statements.
    [[nodiscard]] PostgresLine &line() { return m_line; }
    [[nodiscard]] int connection() const { return m_connection; } // counts them: what was prepared belongs to one
    [[nodiscard]] QByteArray nextName() { return QByteArrayLiteral("s") + QByteArray::number(++m_names); }
    [[nodiscard]] core::Error failed(core::Error error); // remembers what ended the transaction
    static void wasUnderstood(const QString &statement);

protected:
    [[nodiscard]] Result<std::shared_ptr<PreparedStatement>> prepare(const QString &text) override;

private:
    PostgresDatabase(const records::StoreAddress &address, Mode mode);
    [[nodiscard]] Result<> configure();
    [[nodiscard]] Result<> createSchema();
    [[nodiscard]] Result<> makeSchema();
    [[nodiscard]] Result<qint64>
    tablesThere(); // of anybody, in the schema; made if it is missing, and locked until the end
    [[nodiscard]] Result<> createTables();
    [[nodiscard]] Result<> makePieces();
    [[nodiscard]] Result<> lookForPieces();
    [[nodiscard]] Result<> checkTables();
    [[nodiscard]] Result<> command(const QString &sql); // as it stands, without values
    [[nodiscard]] Result<qint64> number(const QString &query, const QString &value);

    [[nodiscard]] const QString &schemaName() const { return m_line.address().schema; }
    [[nodiscard]] bool isInFailedTransaction() const;
    [[nodiscard]] Result<> beginWith(const QString &begin);

    PostgresLine m_line;
    const Mode m_mode;
    std::optional<core::Error> m_failed; // what ended the transaction
    bool m_hasPieces = false; // an index finds pieces of texts
    qint64 m_names = 0;
    int m_connection = 0;
};

} // namespace store
