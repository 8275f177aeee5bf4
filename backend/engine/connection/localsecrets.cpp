#include "backend/engine/connection/localsecrets.h"

#include "backend/core/secretfile.h"
#include "backend/engine/text.h"

namespace engine {

namespace {

QString noKeyring()
{
    return Text::tr("No desktop keyring is available.");
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

QStringList LocalSecrets::sharingVariable(const QString &connection, const QStringList &others)
{
    const QByteArray variable = variableFor(connection);
    QStringList sharing = others;
    sharing.removeIf([&](const QString &other) { return other == connection || variableFor(other) != variable; });
    return sharing;
}

core::Result<std::optional<QString>> LocalSecrets::lasting(const QString &connection) const
{
    const QByteArray variable = variableFor(connection);
    if (!m_reserved.isEmpty() && variableFor(m_reserved) == variable)
        return core::fail(core::ErrorKind::Refused,
                          Text::tr("The secret %1 is the password of the database of this store, so the connection %2 "
                                   "does not get it. Rename the connection.")
                              .arg(m_reserved, connection));
    const bool isSet = qEnvironmentVariableIsSet(variable.constData());
    if (const QStringList sharing = sharingVariable(connection, m_connections); isSet && !sharing.isEmpty()) {
        const QString names = (QStringList(connection) + sharing).join(QStringLiteral(", "));
        const QString text = Text::tr("The secret in %1 could belong to any of the connections %2, so none of them "
                                      "gets it. Rename all but one of them.");
        return core::fail(core::ErrorKind::Refused, text.arg(QString::fromLatin1(variable), names));
    }
    if (isSet)
        return std::optional<QString>(qEnvironmentVariable(variable.constData()));
    if (m_secretFile.isEmpty())
        return std::optional<QString>();
    return core::secretFromFile(m_secretFile, connection, m_connections);
}

core::Result<QString> LocalSecrets::near(const QString &connection) const
{
    const auto given = m_given.constFind(connection);
    if (given != m_given.constEnd())
        return *given;
    TRY(const std::optional<QString> found, lasting(connection));
    if (found)
        return *found;
    const QByteArray variable = variableFor(connection);
    const QString text = Text::tr(
        "No secret is known for the connection %1. Set %2, use --secret-file or enter it in the connection dialog.");
    return core::fail(core::ErrorKind::NotFound, text.arg(connection, QString::fromLatin1(variable)));
}

core::Task<core::Result<QString>> LocalSecrets::read(QString connection)
{
    core::Result<QString> found = near(connection);
    if (found || found.error().kind != core::ErrorKind::NotFound || !m_behind)
        co_return found;
    core::Result<QString> kept = co_await m_behind->read(connection);
    if (kept || kept.error().kind != core::ErrorKind::NotFound)
        co_return kept;
    const core::Result<> keeps = co_await m_behind->keeps();
    if (!keeps)
        co_return core::fail(core::ErrorKind::NotFound, keeps.error().message + u' ' + found.error().message);
    co_return found; // its message lists all ways to enter the secret
}

core::Task<core::Result<>> LocalSecrets::write(QString connection, QString secret)
{
    m_given.insert(connection, secret);
    const core::Result<std::optional<QString>> elsewhere = lasting(connection);
    const bool lasts = elsewhere && *elsewhere == secret;
    if (!m_behind && lasts)
        co_return core::Result<>{};
    if (!m_behind)
        co_return core::fail(core::ErrorKind::Refused, notStored(connection, noKeyring()));
    const core::Result<> kept = co_await m_behind->write(connection, secret);
    if (kept || lasts)
        co_return core::Result<>{};
    co_return core::fail(kept.error().kind, notStored(connection, kept.error().message));
}

QString LocalSecrets::notStored(const QString &connection, const QString &why)
{
    const QString text =
        Text::tr("The secret of %1 is not stored. %2 Redrive forgets it when the program that holds the store ends. "
                 "Set %3, or use --secret-file with a line %1=SECRET.");
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

core::Task<core::Result<>> LocalSecrets::keeps()
{
    if (!m_behind)
        co_return core::fail(core::ErrorKind::Refused, noKeyring());
    const core::Result<> kept = co_await m_behind->keeps();
    co_return kept;
}

void LocalSecrets::onLateAnswer(std::function<void()> late)
{
    if (m_behind)
        m_behind->onLateAnswer(std::move(late));
}

} // namespace engine
