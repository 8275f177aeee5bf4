#pragma once

#include "backend/core/result.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QStringList>
#include <QVariant>

#include <initializer_list>

namespace sandbox {

struct PostgresPlace;

// One connection of Qt SQL to the tables of a scenario. It has a name of its own, so others on the same file or server do not
// disturb it, and it is closed with this object. Every call returns StoreFailed if the database fails; the detail is the
// code of the database. Used on one thread.
class SqlConnection final
{
public:
    using Values = std::initializer_list<QVariant>;

    // The message of an error, translated: %1 is the database, %2 what it says.
    explicit SqlConnection(QString failure);
    ~SqlConnection();
    SqlConnection(const SqlConnection &) = delete;
    SqlConnection &operator=(const SqlConnection &) = delete;

    // Call one of these first, once. A path or URI of SQLite; empty: in memory.
    [[nodiscard]] core::Result<> openFile(const QString &path);
    [[nodiscard]] core::Result<> openServer(const PostgresPlace &place);

    [[nodiscard]] core::Result<QSqlQuery> run(const QString &sql, Values values = {});
    // The first column of the first row; 0: no row.
    [[nodiscard]] core::Result<qint64> number(const QString &sql, Values values = {});
    // The first column of all rows.
    [[nodiscard]] core::Result<QStringList> texts(const QString &sql, Values values = {});

private:
    [[nodiscard]] core::Result<> open();
    [[nodiscard]] core::Error errorOf(const QSqlError &error) const;

    const QString m_failure;
    const QString m_name;
    QSqlDatabase m_database;
};

} // namespace sandbox
