#include "tests/crash/campaign/enginescenario.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace killing {

namespace {

const QString again = QStringLiteral("again");

}

QString EngineScenario::toArgument() const
{
    const records::Connection &connection = account.connection;
    const QJsonObject object{
        {QStringLiteral("store"), store},
        {QStringLiteral("name"), connection.name},
        {QStringLiteral("kind"), records::toString(connection.kind)},
        {QStringLiteral("url"), QString::fromLatin1(connection.url.toEncoded())},
        {QStringLiteral("queues"), QJsonArray::fromStringList(connection.errorQueues)},
        {QStringLiteral("doubles"), connection.doublesAllowed},
        {QStringLiteral("secret"), account.secret},
        {QStringLiteral("titles"), QJsonArray::fromStringList(titles)},
        {QStringLiteral("unknown"), onUnknown == records::OnUnknown::SendAgain ? again : QStringLiteral("doubt")},
        {QStringLiteral("possibleDuplicates"), duplicates},
        {QStringLiteral("known"), known},
        {QStringLiteral("sent"), sent},
    };
    return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

EngineScenario EngineScenario::fromArgument(const QString &argument)
{
    const QJsonObject object = QJsonDocument::fromJson(argument.toUtf8()).object();
    const auto text = [&object](const char *name) { return object.value(QLatin1String(name)).toString(); };
    const auto list = [&object](const char *name) {
        return object.value(QLatin1String(name)).toVariant().toStringList();
    };
    EngineScenario scenario;
    scenario.store = text("store");
    records::Connection &connection = scenario.account.connection;
    connection.name = text("name");
    connection.kind = records::brokerKindFrom(text("kind")).value();
    connection.url = QUrl::fromEncoded(text("url").toLatin1());
    connection.environment = records::Environment::Test;
    connection.errorQueues = list("queues");
    connection.doublesAllowed = object.value(QLatin1String("doubles")).toBool();
    scenario.account.secret = text("secret");
    scenario.titles = list("titles");
    scenario.onUnknown = text("unknown") == again ? records::OnUnknown::SendAgain : records::OnUnknown::LeaveInDoubt;
    scenario.duplicates = object.value(QLatin1String("possibleDuplicates")).toBool();
    scenario.known = object.value(QLatin1String("known")).toInteger();
    scenario.sent = object.value(QLatin1String("sent")).toInteger();
    return scenario;
}

} // namespace killing
