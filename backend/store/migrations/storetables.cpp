#include "backend/store/migrations/storetables.h"

#include "backend/store/migrations/postgresschema.h"

namespace store::schema {

namespace {

// "a bigint", "PRIMARY KEY (a, b)": what commas outside of parentheses separate.
QStringList partsOf(QStringView definitions)
{
    QStringList parts;
    qsizetype begin = 0;
    int depth = 0;
    for (qsizetype at = 0; at <= definitions.size(); ++at) {
        if (at == definitions.size() || (definitions[at] == u',' && depth == 0)) {
            parts += definitions.sliced(begin, at - begin).trimmed().toString();
            begin = at + 1;
        } else if (definitions[at] == u'(') {
            ++depth;
        } else if (definitions[at] == u')') {
            --depth;
        }
    }
    return parts;
}

Column::Type typeOf(const QString &word)
{
    if (word == QLatin1String("bytea"))
        return Column::Type::Bytes;
    return word == QLatin1String("TEXT") ? Column::Type::Words : Column::Type::Whole;
}

Table tableOf(QStringView definition)
{
    const QStringView text = definition.sliced(QLatin1String("CREATE TABLE ").size());
    const qsizetype open = text.indexOf(u'(');
    Table table;
    table.name = text.first(open).trimmed().toString();
    const QStringList parts = partsOf(text.sliced(open + 1, text.lastIndexOf(u')') - open - 1));
    const QString key = QStringLiteral("PRIMARY KEY");
    for (const QString &part : parts) {
        if (part.startsWith(key)) {
            table.key = part.section(u'(', 1).chopped(1).split(QStringLiteral(", "));
        } else if (!part.startsWith(QLatin1String("UNIQUE"))) {
            table.columns += Column{part.section(u' ', 0, 0), typeOf(part.section(u' ', 1, 1))};
            table.givesNumbers = table.givesNumbers || part.contains(QLatin1String("AS IDENTITY"));
            if (part.contains(key))
                table.key = {table.columns.constLast().name};
        }
    }
    return table;
}

} // namespace

const QList<Table> &storeTables()
{
    static const QList<Table> all = [] {
        QList<Table> tables;
        for (const char *const definition : tableDefinitions())
            tables += tableOf(QString::fromLatin1(definition));
        return tables;
    }();
    return all;
}

} // namespace store::schema
