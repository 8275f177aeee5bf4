#include "backend/engine/localsecrets.h"

#include <QCoreApplication>
#include <QFile>

#include <optional>

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

core::Result<QString> LocalSecrets::near(const QString &connection) const
{
    const auto given = m_given.constFind(connection);
    if (given != m_given.constEnd())
        return *given;
    const QByteArray variable = variableFor(connection);
    if (qEnvironmentVariableIsSet(variable.constData()))
        return qEnvironmentVariable(variable.constData());
    if (!m_secretFile.isEmpty()) {
        const core::Result<std::optional<QString>> line = fromFile(m_secretFile, connection);
        if (!line)
            return core::fail(line.error());
        if (*line)
            return **line;
    }
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
    if (!m_behind)
        co_return core::Result<>{};
    const core::Result<> kept = co_await m_behind->write(connection, secret);
    co_return kept;
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
