#include "tests/app/commandline/commandrun.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTimer>

namespace support {

QJsonValue CommandResult::json() const
{
    const QJsonDocument document = QJsonDocument::fromJson(out);
    if (document.isArray())
        return document.array();
    return document.isObject() ? QJsonValue(document.object()) : QJsonValue(QJsonValue::Undefined);
}

CommandResult CommandRun::operator()(const QStringList &words)
{
    CommandResult result;
    const commandline::Terminal output{[&result](const QByteArray &bytes) { result.out += bytes; },
                                       [&result](const QByteArray &bytes) { result.err += bytes; }, terminal, terminal,
                                       [this] { return outError; }};
    commandline::CommandLine line(QStringList{QStringLiteral("redrive")} + words);
    if (const std::optional<int> code = line.settle(output)) {
        result.code = *code;
        return result;
    }
    QTimer publisher;
    QObject::connect(&publisher, &QTimer::timeout, &publisher, [this] {
        if (beforeSnapshot)
            beforeSnapshot();
        client.publish();
    });
    publisher.start(0);
    commandline::Launch launch;
    launch.engine = [this](const commandline::Settings &,
                           const commandline::EngineNeeds &asked) -> core::Result<commandline::EngineAccess> {
        needs = asked;
        ++engines;
        return commandline::EngineAccess{
            &client, [this] { return inProcess; },
            [this](std::function<void(const core::Error &)> lost) { lose = std::move(lost); },
            [this] { return passingHolder; }};
    };
    result.code = line.run(launch, output);
    return result;
}

CommandResult CommandRun::operator()(const QByteArray &line)
{
    return (*this)(QString::fromUtf8(line).split(QLatin1Char(' ')));
}

core::ConnectionId CommandRun::addConnection(const QString &name, records::Environment environment)
{
    api::ConnectionView view;
    view.connection.id = core::ConnectionId{7 + client.snapshot.connections.size()};
    view.connection.name = name;
    view.connection.url = QUrl(QStringLiteral("http://guest@localhost:15672/%2F"));
    view.connection.environment = environment;
    view.health = api::Health::Connected;
    view.product = QStringLiteral("RabbitMQ 3.10.8");
    client.snapshot.connections.append(view);
    return view.connection.id;
}

records::FailedMessage &CommandRun::addMessage(core::ConnectionId connection, const QString &exception)
{
    records::FailedMessage message;
    message.id = core::MessageId{41 + client.store.size()};
    message.connection = connection;
    message.queue = QStringLiteral("error");
    message.messageId = QStringLiteral("m-%1").arg(message.id.value);
    message.messageType = QStringLiteral("Shop.PlaceOrder");
    message.destination = {QStringLiteral("sales"), records::Certainty::Exact, QStringLiteral("NServiceBus.FailedQ")};
    message.failure.exceptionType = exception;
    message.failure.exceptionMessage = QStringLiteral("It broke");
    message.failure.at = core::fromMs(1767323045678);
    message.firstFailed = core::fromMs(1767323045678);
    message.lastFailed = core::fromMs(1767323045678);
    message.attempts = 2;
    message.bodySize = 2048;
    client.store.append(message);
    return client.store.last();
}

} // namespace support
