#pragma once

#include "backend/store/database/postgresql/postgresline.h"
#include "backend/store/database/statement.h"

#include <QList>

namespace store {

class PostgresDatabase;

// A statement of a PostgresDatabase, prepared on the server when it runs for the first time: its values then say the types of
// its parameters. Whole numbers are bigint, whatever they are compared with; a text is what the statement needs it to be; of a
// value that was NULL then the server says the type.
class PostgresStatement final : public PreparedStatement
{
public:
    PostgresStatement(PostgresDatabase &database, const QString &text);
    ~PostgresStatement() override;

    void bind(int number, const QVariant &value) override;
    [[nodiscard]] Result<> execute() override;
    [[nodiscard]] int changedRows() const override;
    [[nodiscard]] Result<bool> next() override;
    void finish() override;

    [[nodiscard]] bool isNull(int column) const override;
    [[nodiscard]] QVariant value(int column) const override;
    [[nodiscard]] qint64 integer(int column) const override;
    [[nodiscard]] QString text(int column) const override;
    [[nodiscard]] QByteArray blob(int column) const override;
    using PreparedStatement::text;

private:
    [[nodiscard]] bool isPrepared() const; // on the connection of now
    [[nodiscard]] Result<> prepare();
    [[nodiscard]] Result<> describe();
    [[nodiscard]] bool hasRoomFor(const QVariant &value, int number) const;
    [[nodiscard]] core::Error errorOf(const PostgresAnswer &answer);
    [[nodiscard]] QByteArrayView bytes(int column) const;

    PostgresDatabase &m_database;
    QByteArray m_sql; // as PostgreSQL understands it
    QByteArray m_name; // on the server; empty: not prepared yet
    int m_connection = 0; // on which it is prepared
    QVariantList m_values;
    QList<quint32> m_types; // of the parameters
    PostgresAnswer m_answer;
    int m_row = -1;
};

} // namespace store
