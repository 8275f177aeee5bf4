#include "backend/records/address/storageaddress.h"

#include "backend/records/address/addresserror.h"
#include "backend/records/address/connectionstring.h"
#include "backend/records/text.h"

#include <QRegularExpression>

namespace records {

namespace {

// The endpoint and key of every emulator. Microsoft publishes them, so they are not secret.
constexpr auto emulatorEndpoint = "http://127.0.0.1:10001/devstoreaccount1";
constexpr auto emulatorKey = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

bool isAddress(const QString &host)
{
    static const QRegularExpression numbers(QStringLiteral("^[0-9.]+$"));
    return host.contains(QLatin1Char(':')) || numbers.match(host).hasMatch();
}

} // namespace

QString storageAccountPath(const QString &account, const QString &host)
{
    // The address 127.0.0.1 does not name an account "127" of an emulator.
    const bool named =
        !account.isEmpty() && !isAddress(host) && host.startsWith(account + QLatin1Char('.'), Qt::CaseInsensitive);
    return named ? QStringLiteral("/") : QLatin1Char('/') + account;
}

core::Result<ConnectionUrl> storageAddress(QUrl url)
{
    ConnectionUrl found;
    found.kind = BrokerKind::AzureQueue;
    if (const QString password = url.password(QUrl::FullyDecoded); !password.isEmpty())
        found.secret = password;
    if (url.hasQuery()) {
        const QString query = url.query(QUrl::FullyEncoded);
        if (!query.contains(QLatin1String("sig=")))
            return rejected(Text::tr("The text after the ? is not a SAS token: sig= is missing."));
        found.secret = query;
    }
    const QString host = url.host();
    const QStringList path = url.path(QUrl::FullyDecoded).split(QLatin1Char('/'), Qt::SkipEmptyParts);
    QString account = url.userName(QUrl::FullyDecoded);
    if (account.isEmpty() && !path.isEmpty())
        account = path.constFirst();
    else if (account.isEmpty() && host.contains(QLatin1Char('.')) && !isAddress(host))
        account = host.section(QLatin1Char('.'), 0, 0);
    if (account.isEmpty()) {
        return rejected(Text::tr("The URL needs the storage account: host/account, or "
                                 "account.queue.core.windows.net."));
    }
    static const QRegularExpression form(QStringLiteral("^[A-Za-z0-9][A-Za-z0-9-]{0,62}$"));
    if (path.size() > 1 || (!path.isEmpty() && path.constFirst() != account) || !form.match(account).hasMatch()) {
        return rejected(Text::tr("The URL must end with a valid storage account. Remove a queue name after it."));
    }
    const QString accountPath = storageAccountPath(account, host);
    if (accountPath.size() == 1) // take the account as the host spells it
        account = host.left(account.size());
    url.setUserInfo(QString());
    url.setUserName(account);
    url.setQuery(QString());
    url.setPath(accountPath);
    found.url = url;
    return found;
}

bool isStorageConnectionString(const QString &text)
{
    const ConnectionFields fields = connectionFields(text);
    return fields.contains(QStringLiteral("accountname")) || fields.contains(QStringLiteral("queueendpoint"))
           || fields.contains(QStringLiteral("usedevelopmentstorage"));
}

core::Result<ConnectionUrl> storageConnectionString(const QString &text)
{
    const ConnectionFields fields = connectionFields(text);
    const QString name = fields.value(QStringLiteral("accountname"));
    QString endpoint = fields.value(QStringLiteral("queueendpoint"));
    QString secret = fields.value(QStringLiteral("sharedaccesssignature"), fields.value(QStringLiteral("accountkey")));
    if (fields.value(QStringLiteral("usedevelopmentstorage")).compare(QLatin1String("true"), Qt::CaseInsensitive)
        == 0) {
        endpoint = QString::fromLatin1(emulatorEndpoint);
        secret = QString::fromLatin1(emulatorKey);
    }
    if (endpoint.isEmpty()) {
        const QString protocol = fields.value(QStringLiteral("defaultendpointsprotocol"), QStringLiteral("https"));
        const QString suffix = fields.value(QStringLiteral("endpointsuffix"), QStringLiteral("core.windows.net"));
        endpoint = QStringLiteral("%1://%2.queue.%3/").arg(protocol, name, suffix);
    }
    QUrl url(endpoint, QUrl::StrictMode);
    const bool isHttp = url.scheme() == QLatin1String("http") || url.scheme() == QLatin1String("https");
    if (!url.isValid() || !isHttp || url.host().isEmpty() || url.hasQuery() || url.hasFragment() || url.port() == 0) {
        return rejected(
            Text::tr("This connection string has no valid queue endpoint. It needs AccountName or QueueEndpoint."));
    }
    if (!name.isEmpty())
        url.setUserName(name);
    core::Result<ConnectionUrl> found = storageAddress(url);
    if (found && !secret.isEmpty())
        found->secret = secret;
    return found;
}

} // namespace records
