#pragma once

#include "backend/store/shared/controltables.h"
#include "tests/support/pipeline/postgresserver.h"

#include <QSqlDatabase>
#include <QVariant>

namespace support {

// A new store in PostgreSQL, a schema of its own, on a server that the program starts once. Nobody holds it at first: the test
// writes the lease.
class LeasedStore final
{
public:
    LeasedStore();

    [[nodiscard]] static PostgresServer &server();
    [[nodiscard]] const QString &schema() const { return m_schema; }
    [[nodiscard]] records::StoreAddress address(const QString &role = QStringLiteral("redrive")) const;
    // For connections with this role, which are made when it is called.
    [[nodiscard]] store::OpenControlTables open(const QString &role = QStringLiteral("redrive")) const;
    [[nodiscard]] std::unique_ptr<store::ControlTables> tables(const QString &role = QStringLiteral("redrive")) const;

    void hold(qint64 fence); // for an hour
    void letExpire();
    // The roles of the store (controlschema.h), and people who have them: alice and bob support, victor views, worker is an
    // engine, eve has none.
    void giveRoles();

    // Plain SQL of the server's superuser, or of another role with its own connection. Empty: it was refused, and error()
    // says why; a statement without rows gives one invalid value.
    QVariant sql(const QString &text);
    QVariant sqlAs(const QString &role, const QString &text);
    [[nodiscard]] bool mayRun(const QString &role, const QString &text); // tried, and undone
    [[nodiscard]] qint64 count(const QString &from)
    {
        return sql(QStringLiteral("SELECT count(*) FROM ") + from).toLongLong();
    }
    [[nodiscard]] QString error() const { return m_error; }
    [[nodiscard]] bool wasRefused() const { return !m_error.isEmpty(); }

private:
    QVariant run(QSqlDatabase connection, const QString &text);

    QString m_schema;
    QString m_error;
    QSqlDatabase m_connection;
};

} // namespace support
