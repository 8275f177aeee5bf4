#include "backend/engine/localsecrets.h"

#include <QCoreApplication>
#include <QFile>

namespace engine {

namespace {

constexpr qint64 longestLine = 64 * 1024;

// Lines NAME=SECRET; the secret is everything after the first "=".
core::Result<std::optional<QString>> fromFile(const QString &path, const QString &connection)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        const QString text = QCoreApplication::translate("secrets", "The secret file %1 cannot be read: %2.");
        return core::fail(core::ErrorKind::NotFound, text.arg(path, file.errorString()));
    }
    const QByteArray wanted = connection.toUtf8() + '=';
    while (!file.atEnd()) {
        QByteArray line = file.readLine(longestLine);
        if (!line.startsWith(wanted))
            continue;
        while (line.endsWith('\n') || line.endsWith('\r'))
            line.chop(1);
        return QString::fromUtf8(line.mid(wanted.size()));
    }
    return std::optional<QString>{};
}

} // namespace

LocalSecrets::LocalSecrets(QString secretFile, std::unique_ptr<core::Secrets> behind)
    : m_secretFile(std::move(secretFile))
    , m_behind(std::move(behind))
{
}

QByteArray LocalSecrets::variableFor(const QString &connection)
{
    const QString upper = connection.toUpper();
    QByteArray name("REDRIVE_SECRET_");
    for (const QChar character : upper) {
        const bool plain = (character >= u'A' && character <= u'Z') || (character >= u'0' && character <= u'9');
        name.append(plain ? char(character.unicode()) : '_');
    }
    return name;
}

core::Result<std::optional<QString>> LocalSecrets::lasting(const QString &connection) const
{
    const QByteArray variable = variableFor(connection);
    if (qEnvironmentVariableIsSet(variable.constData()))
        return std::optional<QString>(qEnvironmentVariable(variable.constData()));
    if (m_secretFile.isEmpty())
        return std::optional<QString>();
    return fromFile(m_secretFile, connection);
}

core::Result<QString> LocalSecrets::near(const QString &connection) const
{
    const auto given = m_given.constFind(connection);
    if (given != m_given.constEnd())
        return *given;
    const core::Result<std::optional<QString>> found = lasting(connection);
    if (!found)
        return core::fail(found.error());
    if (*found)
        return **found;
    const QByteArray variable = variableFor(connection);
    const QString text = QCoreApplication::translate(
        "secrets",
        "No secret is known for the connection %1: set %2, give --secret-file or enter it in the connection dialog.");
    return core::fail(core::ErrorKind::NotFound, text.arg(connection, QString::fromLatin1(variable)));
}

core::Task<core::Result<QString>> LocalSecrets::read(QString connection)
{
    core::Result<QString> found = near(connection);
    if (found || !m_behind)
        co_return found;
    core::Result<QString> kept = co_await m_behind->read(connection);
    if (kept || kept.error().kind != core::ErrorKind::NotFound)
        co_return kept;
    co_return found; // says all the ways in which it can be given
}

core::Task<core::Result<>> LocalSecrets::write(QString connection, QString secret)
{
    m_given.insert(connection, secret);
    const core::Result<std::optional<QString>> elsewhere = lasting(connection);
    const bool lasts = elsewhere && *elsewhere == secret;
    if (!m_behind && lasts)
        co_return core::Result<>{};
    if (!m_behind) {
        const QString why = QCoreApplication::translate("secrets", "there is no desktop keychain here");
        co_return core::fail(core::ErrorKind::Refused, notStored(connection, why));
    }
    const core::Result<> kept = co_await m_behind->write(connection, secret);
    if (kept || lasts)
        co_return core::Result<>{};
    co_return core::fail(kept.error().kind, notStored(connection, kept.error().message));
}

QString LocalSecrets::notStored(const QString &connection, const QString &why)
{
    const QString text = QCoreApplication::translate(
        "secrets", "The secret of %1 is not stored (%2) and is known only until the program that holds the store ends. "
                   "Set %3, or give --secret-file with a line %1=SECRET.");
    return text.arg(connection, why, QString::fromLatin1(variableFor(connection)));
}

core::Task<core::Result<>> LocalSecrets::remove(QString connection)
{
    m_given.remove(connection);
    if (!m_behind)
        co_return core::Result<>{};
    const core::Result<> gone = co_await m_behind->remove(connection);
    co_return gone;
}

} // namespace engine
