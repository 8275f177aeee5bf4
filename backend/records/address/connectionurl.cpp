#include "backend/records/address/connectionurl.h"

#include "backend/records/address/addresserror.h"
#include "backend/records/address/servicebusaddress.h"
#include "backend/records/address/sqsaddress.h"
#include "backend/records/address/storageaddress.h"
#include "backend/records/text.h"

#include <QRegularExpression>

#include <algorithm>

namespace records {

namespace {

constexpr qsizetype longestUrl = 2048;
constexpr int managementPort = 15672; // RabbitMQ's management plugin over http
constexpr int managementPortTls = 15671;
const QString noDecimals = QStringLiteral("decimals=none");
const QString inSteps = QStringLiteral("take=steps");

QStringList choicesIn(const QUrl &url)
{
    return url.query().split(QLatin1Char('&'), Qt::SkipEmptyParts);
}

// Each at most once.
bool areKnownChoices(const QUrl &url)
{
    QStringList choices = choicesIn(url);
    choices.removeOne(noDecimals);
    choices.removeOne(inSteps);
    return choices.isEmpty() && !url.query().isEmpty();
}

tl::unexpected<core::Error> tooLong()
{
    return rejected(Text::tr("The URL is too long, or it contains spaces or control characters."));
}

struct Scheme
{
    BrokerKind kind;
    QString transport; // "http" or "https"
};

core::Result<Scheme> schemeFrom(const QString &text)
{
    const QString scheme = text.section(QLatin1Char(':'), 0, 0).toLower();
    const std::optional<BrokerKind> kind = brokerKindFrom(scheme.section(QLatin1Char('+'), 0, 0));
    const QString transport = scheme.section(QLatin1Char('+'), 1);
    if (!kind || (transport != QLatin1String("http") && transport != QLatin1String("https"))) {
        return rejected(Text::tr("The URL must start with rabbitmq+, servicebus+, azurequeue+ or sqs+, followed by "
                                 "http:// or https://. For the embedded broker, write local:."));
    }
    return Scheme{*kind, transport};
}

bool hasControlCharacters(const QString &text)
{
    return std::any_of(text.begin(), text.end(), [](QChar one) {
        return one.category() == QChar::Other_Control || one.category() == QChar::Other_Format || one.isSpace();
    });
}

core::Result<> checkParts(const QUrl &url, BrokerKind kind)
{
    if (!url.isValid() || url.host().isEmpty())
        return rejected(Text::tr("The URL has no valid host name. Write user@host:port."));
    // Their own readers check query and user.
    const bool hasAddress = kind == BrokerKind::AzureQueue || kind == BrokerKind::Sqs;
    const bool hasChoices = kind == BrokerKind::RabbitMq && areKnownChoices(url);
    if ((url.hasQuery() && !hasAddress && !hasChoices) || url.hasFragment())
        return rejected(Text::tr("The URL must end after its path. Remove ? or # and everything after it."));
    if (url.port() == 0)
        return rejected(Text::tr("The port must be between 1 and 65535."));
    if (!url.userName().isEmpty() || hasAddress)
        return {};
    if (kind == BrokerKind::RabbitMq)
        return rejected(Text::tr("The URL needs the user before the host: user@host."));
    return rejected(Text::tr("The URL needs the key name before the host: key-name@host."));
}

// The virtual host as one encoded segment, so that a slash in its name stays a part of the name.
QString virtualHostPath(const QUrl &url)
{
    const QByteArray encoded = url.path(QUrl::FullyEncoded).toLatin1().mid(1);
    const QString name =
        encoded.isEmpty() ? QStringLiteral("/") : QString::fromUtf8(QByteArray::fromPercentEncoding(encoded));
    return QLatin1Char('/') + QString::fromLatin1(QUrl::toPercentEncoding(name));
}

// Reads the text after "local:" as a port.
core::Result<ConnectionUrl> embeddedBroker(const QString &portText)
{
    bool isPort = true;
    const quint16 port = portText.isEmpty() ? embeddedBrokerPort : portText.toUShort(&isPort);
    if (!isPort || port == 0) {
        return rejected(
            Text::tr("Write local: for the embedded broker on its default port, or local:PORT for another port."));
    }
    ConnectionUrl found;
    found.kind = BrokerKind::ServiceBus;
    found.url.setScheme(QStringLiteral("http"));
    found.url.setUserName(QString::fromLatin1(embeddedBrokerKeyName));
    found.url.setHost(QStringLiteral("127.0.0.1"));
    found.url.setPort(port);
    found.url.setPath(QStringLiteral("/"));
    return found;
}

core::Result<ConnectionUrl> accountFrom(const QString &trimmed)
{
    const QString local = QStringLiteral("local:");
    if (trimmed.startsWith(local, Qt::CaseInsensitive))
        return embeddedBroker(trimmed.mid(local.size()));
    if (isStorageConnectionString(trimmed))
        return storageConnectionString(trimmed);
    if (isServiceBusConnectionString(trimmed))
        return serviceBusConnectionString(trimmed);
    TRY(const Scheme scheme, schemeFrom(trimmed));

    QUrl url(scheme.transport + trimmed.mid(trimmed.indexOf(QLatin1Char(':'))), QUrl::StrictMode);
    TRY(checkParts(url, scheme.kind));
    if (scheme.kind == BrokerKind::AzureQueue)
        return storageAddress(url);
    if (scheme.kind == BrokerKind::Sqs)
        return sqsAddress(url);

    ConnectionUrl found;
    found.kind = scheme.kind;
    if (const QString password = url.password(QUrl::FullyDecoded); !password.isEmpty())
        found.secret = password;
    url.setPassword(QString());
    if (scheme.kind == BrokerKind::RabbitMq) {
        url.setPath(virtualHostPath(url), QUrl::TolerantMode);
        if (url.port() < 0)
            url.setPort(scheme.transport == QLatin1String("https") ? managementPortTls : managementPort);
    } else if (url.path().isEmpty()) {
        url.setPath(QStringLiteral("/"));
    }
    found.url = url;
    return found;
}

} // namespace

core::Result<ConnectionUrl> connectionUrlFrom(const QString &text)
{
    const QString trimmed = text.trimmed();
    if (trimmed.size() > longestUrl || hasControlCharacters(trimmed))
        return tooLong();
    core::Result<ConnectionUrl> found = accountFrom(trimmed);
    // Encoded, a letter of another alphabet takes up to nine characters: what is written must be readable again.
    if (found && connectionUrlText(found->kind, found->url).size() > longestUrl)
        return tooLong();
    return found;
}

QString connectionUrlText(BrokerKind kind, const QUrl &url)
{
    const auto left = kind == BrokerKind::AzureQueue ? QUrl::RemoveUserInfo : QUrl::RemovePassword;
    return toString(kind) + QLatin1Char('+') + url.toString(left | QUrl::FullyEncoded);
}

bool mayCarryDecimals(const Connection &connection)
{
    return connection.kind == BrokerKind::RabbitMq && !choicesIn(connection.url).contains(noDecimals);
}

bool takesInSteps(const Connection &connection)
{
    return connection.kind == BrokerKind::RabbitMq && choicesIn(connection.url).contains(inSteps);
}

QUrl withSteps(QUrl url, bool steps)
{
    QStringList choices = choicesIn(url);
    choices.removeAll(inSteps);
    if (steps)
        choices.append(inSteps);
    url.setQuery(choices.isEmpty() ? QString() : choices.join(QLatin1Char('&')));
    return url;
}

bool isOnThisMachine(const QUrl &url)
{
    const QString host = url.host(); // QUrl completes IPv4 addresses to four numbers
    static const QRegularExpression loopback(QStringLiteral("^127(\\.\\d{1,3}){3}$"));
    return host == QLatin1String("localhost") || host == QLatin1String("::1") || loopback.match(host).hasMatch();
}

} // namespace records
