#include "backend/recovery/facts/exceptiontypes.h"

#include <QFile>

// The macro declares a function and must be used outside of all namespaces.
static void registerFacts()
{
    Q_INIT_RESOURCE(facts);
}

namespace recovery {

namespace {

// Each line is a type and its base type.
QHash<QString, QStringList> readSubtypes()
{
    registerFacts();
    QFile file(QStringLiteral(":/recovery/exceptiontypes.txt"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("The program has no table of exception types.");
    QHash<QString, QStringList> subtypes;
    for (const QByteArray &line : file.readAll().split('\n')) {
        const qsizetype space = line.indexOf(' ');
        if (space > 0)
            subtypes[QString::fromLatin1(line.mid(space + 1))].append(QString::fromLatin1(line.first(space)));
    }
    return subtypes;
}

} // namespace

const QHash<QString, QStringList> &knownSubtypes()
{
    static const QHash<QString, QStringList> subtypes = readSubtypes();
    return subtypes;
}

} // namespace recovery
