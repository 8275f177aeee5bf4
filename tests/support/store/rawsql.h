#pragma once

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QStringList>

namespace test {

// On the file as another program would: without our checks.
inline void executeRaw(const QString &file, const QStringList &statements)
{
    const QString name = QStringLiteral("raw");
    {
        QSqlDatabase raw = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
        raw.setDatabaseName(file);
        if (!raw.open())
            qFatal("%s cannot be opened", qPrintable(file));
        for (const QString &text : statements) {
            QSqlQuery query(raw);
            if (!query.exec(text))
                qFatal("%s: %s", qPrintable(text), qPrintable(query.lastError().text()));
        }
    }
    QSqlDatabase::removeDatabase(name);
}

} // namespace test
