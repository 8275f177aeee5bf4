#include "backend/broker/rabbitmq/permissions.h"

#include "backend/broker/rabbitmq/policies.h"
#include "backend/broker/rabbitmq/text.h"

#include <QRegularExpression>

namespace broker::rabbitmq {

using core::ErrorKind;
using core::fail;

namespace {

const QString defaultExchange = QStringLiteral("amq.default"); // the name of the default exchange in rights
const QString oneOfOurs = QStringLiteral("redrive.0f1e2d3c4b5a6978.1.0f1e2d3c4b5a6978");

QString configureOurs()
{
    return Text::tr("the right to configure queues and exchanges whose names start with \"redrive.\"");
}

QString writeOurs()
{
    return Text::tr("the right to write to queues and exchanges whose names start with \"redrive.\"");
}

QString readOurs()
{
    return Text::tr("the right to read queues and exchanges whose names start with \"redrive.\"");
}

QString writeDefault()
{
    return Text::tr("the right to write to the exchange amq.default");
}

// The words of a channel come in a 400, those of the HTTP API in a 401; a wrong password has other words.
bool lacksRight(const core::Error &error)
{
    static const QRegularExpression refusal(QStringLiteral("access[ _]refused"),
                                            QRegularExpression::CaseInsensitiveOption);
    return error.kind == ErrorKind::Unauthorized && error.detail.contains(refusal);
}

QString rightFor(Need need, const QString &name)
{
    if (!name.startsWith(ourPrefix))
        return need == Need::Read ? Text::tr("the right to read the queue %1").arg(name)
                                  : Text::tr("the right to write to the queue %1").arg(name);
    switch (need) {
    case Need::Configure:
        return configureOurs();
    case Need::Read:
        return readOurs();
    case Need::WriteAndRead:
        return Text::tr("the right to write to and to read queues and exchanges whose names start with \"redrive.\"");
    case Need::Alternate:
        return Text::tr("the right to configure, the right to write to or the right to read queues and exchanges whose "
                        "names start with \"redrive.\"");
    case Need::DeadLetters:
        break;
    }
    return Text::tr(
        "the right to write to the exchange amq.default and to read queues whose names start with \"redrive.\"");
}

} // namespace

Task<Result<std::optional<Permissions>>> readPermissions(ManagementApi &api, QString user, bool isAdministrator)
{
    if (!isAdministrator)
        co_return std::optional<Permissions>();
    const QByteArray path = "/permissions/" + api.vhost() + '/' + ManagementApi::encoded(user);
    const Result<QCborValue> found = co_await api.get(path, Text::tr("the rights of this account"), Absence::Fact);
    const bool isUntold = !found
                          && (found.error().kind == ErrorKind::NotFound || found.error().kind == ErrorKind::Unauthorized
                              || found.error().kind == ErrorKind::Rejected);
    if (isUntold)
        co_return std::optional<Permissions>();
    if (!found)
        co_return fail(found.error());
    const QCborMap map = found->toMap();
    const Permissions permissions{map.value(QLatin1String("configure")).toString(),
                                  map.value(QLatin1String("write")).toString(),
                                  map.value(QLatin1String("read")).toString()};
    co_return std::optional<Permissions>(permissions);
}

bool allows(const QString &pattern, const QString &name)
{
    const QRegularExpression names(pattern);
    // A pattern that we cannot read is left to RabbitMQ.
    return !pattern.isEmpty() && (!names.isValid() || names.match(name).hasMatch());
}

QStringList missingToHold(const Permissions &permissions)
{
    QStringList missing;
    if (!allows(permissions.configure, oneOfOurs))
        missing.append(configureOurs());
    if (!allows(permissions.write, oneOfOurs))
        missing.append(writeOurs());
    if (!allows(permissions.read, oneOfOurs))
        missing.append(readOurs());
    return missing;
}

QString missingToSend(const Permissions &permissions)
{
    return allows(permissions.write, defaultExchange) ? QString() : writeDefault();
}

QStringList missingToBrowse(const Permissions &permissions, const QStringList &queues)
{
    QStringList missing;
    for (const QString &queue : queues) {
        if (!allows(permissions.read, queue))
            missing.append(rightFor(Need::Read, queue));
    }
    return missing;
}

core::Error namingRight(core::Error error, Need need, const QString &name)
{
    if (lacksRight(error))
        error.message = Text::tr("This account lacks %1.").arg(rightFor(need, name));
    return error;
}

core::Error namingRightToSend(core::Error error, const QString &exchange, const QString &destination)
{
    if (!lacksRight(error))
        return error;
    const QString right = exchange.startsWith(ourPrefix) ? writeOurs() : writeDefault();
    error.message = Text::tr("Nothing can be sent to %1: this account lacks %2.").arg(destination, right);
    return error;
}

} // namespace broker::rabbitmq
