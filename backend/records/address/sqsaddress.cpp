#include "backend/records/address/sqsaddress.h"

#include "backend/records/address/addresserror.h"
#include "backend/records/text.h"

#include <QRegularExpression>
#include <QUrlQuery>

namespace records {

namespace {

const QString regionKey = QStringLiteral("region");

} // namespace

// Source: AWS General Reference, "Amazon SQS endpoints and quotas": regional, FIPS, VPC, dual-stack and legacy names.
QString sqsRegionOfHost(const QString &host)
{
    static const QRegularExpression regional(QStringLiteral(
        "^(?:[^/]+\\.)?sqs(?:-fips)?\\.([a-z0-9-]+)\\.(?:vpce\\.)?(?:amazonaws\\.com(?:\\.cn)?|api\\.aws)$"));
    static const QRegularExpression legacy(QStringLiteral("^([a-z0-9-]+)\\.queue\\.amazonaws\\.com(?:\\.cn)?$"));
    const QString name = host.toLower();
    if (const QRegularExpressionMatch match = regional.match(name); match.hasMatch())
        return match.captured(1);
    return legacy.match(name).captured(1);
}

QString sqsRegion(const QUrl &url)
{
    const QString given = QUrlQuery(url).queryItemValue(regionKey, QUrl::FullyDecoded);
    return given.isEmpty() ? sqsRegionOfHost(url.host()) : given;
}

void setSqsRegion(QUrl &url, const QString &region)
{
    QUrlQuery query;
    query.addQueryItem(regionKey, region);
    url.setQuery(region.isEmpty() ? QString() : query.toString());
}

core::Result<ConnectionUrl> sqsAddress(QUrl url)
{
    ConnectionUrl found;
    found.kind = BrokerKind::Sqs;
    if (const QString password = url.password(QUrl::FullyDecoded); !password.isEmpty())
        found.secret = password;
    url.setPassword(QString());
    const QList<std::pair<QString, QString>> query = QUrlQuery(url).queryItems();
    if (query.size() > 1 || (!query.isEmpty() && query.constFirst().first != regionKey))
        return rejected(Text::tr("The only parameter that the URL can have is ?region=REGION. Remove the others."));
    if (url.path().size() > 1) {
        return rejected(Text::tr("The URL must end after host and port. Remove the queue name."));
    }
    const QString region = sqsRegion(url);
    static const QRegularExpression form(QStringLiteral("^[a-z0-9-]{1,40}$"));
    if (!form.match(region).hasMatch()) {
        return rejected(Text::tr("The URL needs the region at its end, for example ?region=eu-west-1."));
    }
    url.setPath(QStringLiteral("/"));
    setSqsRegion(url, region);
    found.url = url;
    return found;
}

} // namespace records
