#pragma once

#include <QFile>
#include <QSqlDatabase>
#include <QSqlQuery>

namespace test {

// The tables of a program, read beside it. Test thread; one at a time.
class WatchedTables final
{
public:
    // Of SQLite; the program makes the file.
    explicit WatchedTables(const QString &file)
        : m_file(file)
    {
        QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name).setDatabaseName(file);
    }
    // Of the server of this connection.
    explicit WatchedTables(const QSqlDatabase &like) { QSqlDatabase::cloneDatabase(like, name); }
    ~WatchedTables()
    {
        close();
        QSqlDatabase::removeDatabase(name);
    }
    WatchedTables(const WatchedTables &) = delete;
    WatchedTables &operator=(const WatchedTables &) = delete;

    // The first value; 0: there is none, or no such table yet. Opens the tables where they are closed.
    [[nodiscard]] qint64 number(const char *sql)
    {
        QSqlDatabase database = QSqlDatabase::database(name, false);
        if (!database.isOpen() && ((!m_file.isEmpty() && !QFile::exists(m_file)) || !database.open()))
            return 0;
        QSqlQuery query(database);
        return query.exec(QString::fromLatin1(sql)) && query.next() ? query.value(0).toLongLong() : 0;
    }

    // Whether the number is that large. The tables are closed then: if the program is killed now, its next start has to recover a
    // file that nobody else has kept open.
    [[nodiscard]] bool reach(const char *sql, qint64 value)
    {
        if (number(sql) < value)
            return false;
        close();
        return true;
    }

private:
    static inline const QString name = QStringLiteral("watched");

    static void close() { QSqlDatabase::database(name, false).close(); }

    const QString m_file;
};

} // namespace test
