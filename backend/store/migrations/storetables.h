#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace store::schema {

struct Column
{
    enum class Type { Whole, Words, Bytes };
    QString name;
    Type type = Type::Whole;
};

struct Table
{
    QString name;
    QList<Column> columns;
    QStringList key; // names of columns, in the order of the key
    bool givesNumbers = false; // the database gives the key to a new row, and no number twice
};

// The tables of a store, which both databases have, each after those that it refers to. Without the indexes for searches,
// whose form is each database's own.
[[nodiscard]] const QList<Table> &storeTables();

} // namespace store::schema
