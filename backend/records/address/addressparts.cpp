#include "backend/records/address/addressparts.h"

#include "backend/records/address/sqsaddress.h"
#include "backend/records/address/storageaddress.h"
#include "backend/records/text.h"

namespace records {

namespace {

QString pathOf(BrokerKind kind, const AddressParts &parts)
{
    switch (kind) {
    case BrokerKind::RabbitMq:
        return QLatin1Char('/') + QString::fromLatin1(QUrl::toPercentEncoding(parts.virtualHost));
    case BrokerKind::ServiceBus:
    case BrokerKind::Sqs:
        return QStringLiteral("/");
    case BrokerKind::AzureQueue:
        return storageAccountPath(parts.user, parts.host);
    }
    Q_UNREACHABLE();
}

} // namespace

bool hasVirtualHost(BrokerKind kind)
{
    return kind == BrokerKind::RabbitMq;
}

bool hasRegion(BrokerKind kind)
{
    return kind == BrokerKind::Sqs;
}

AddressParts partsOf(BrokerKind kind, const QUrl &url)
{
    AddressParts parts{url.scheme(), url.host(), url.port(), url.userName(), {}, {}};
    if (hasVirtualHost(kind))
        parts.virtualHost = QUrl::fromPercentEncoding(url.path(QUrl::FullyEncoded).mid(1).toLatin1());
    if (hasRegion(kind))
        parts.region = sqsRegion(url);
    return parts;
}

QUrl urlOf(BrokerKind kind, const AddressParts &parts)
{
    QUrl url;
    url.setScheme(parts.scheme);
    url.setHost(parts.host);
    url.setPort(parts.port);
    url.setUserName(parts.user);
    url.setPath(pathOf(kind, parts), QUrl::StrictMode);
    if (hasRegion(kind)) // the host names of Amazon contain the region
        setSqsRegion(url, parts.region.isEmpty() ? sqsRegionOfHost(parts.host) : parts.region);
    return url;
}

QString missingPart(BrokerKind kind, const QUrl &url)
{
    if (url.host().isEmpty())
        return Text::tr("Enter the host of the broker.");
    if (kind == BrokerKind::AzureQueue && url.userName().isEmpty())
        return Text::tr("Enter the storage account as the user.");
    if (kind == BrokerKind::Sqs && !sqsAddress(url))
        return Text::tr("Enter the region, for example eu-west-1.");
    return {};
}

} // namespace records
