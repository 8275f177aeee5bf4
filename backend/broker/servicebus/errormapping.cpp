#include "backend/broker/servicebus/errormapping.h"

#include "backend/broker/servicebus/text.h"
#include "backend/broker/statuserror.h"
#include "backend/broker/verdict.h"
#include "backend/http/redaction.h"

#include <QXmlStreamReader>

namespace broker {

using core::ErrorKind;

namespace {

// 403 means a full queue or a message that is too large (protocols.md A.1).
bool saysTooLarge(const http::Response &response)
{
    const QString detail = errorDetail(response.body).toLower();
    return detail.contains(QLatin1String("too large")) || detail.contains(QLatin1String("exceeds"))
           || detail.contains(QLatin1String("larger than"));
}

// "QuotaExceeded" or words: the queue has reached its maximum size.
bool saysFull(const http::Response &response)
{
    const QString detail = errorDetail(response.body).toLower();
    return detail.contains(QLatin1String("quota")) || detail.contains(QLatin1String("maximum entity size"));
}

ErrorKind kindOf(const http::Response &response)
{
    if (response.status == 403)
        return saysTooLarge(response) ? ErrorKind::Rejected : ErrorKind::Throttled;
    return usualKind(response.status, isOfService(response));
}

} // namespace

// <Error><Code>404</Code><Detail>...</Detail></Error>
bool isOfService(const http::Response &response)
{
    QXmlStreamReader xml(response.body);
    if (!xml.readNextStartElement() || xml.name() != QLatin1String("Error"))
        return false;
    return xml.readNextStartElement() && xml.name() == QLatin1String("Code");
}

QString errorDetail(const QByteArray &body)
{
    constexpr qsizetype longest = 500;
    constexpr qsizetype looked = 16384;
    QXmlStreamReader xml(body.first(std::min(looked, body.size())));
    while (!xml.atEnd()) {
        if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QLatin1String("Detail"))
            return http::redacted(xml.readElementText(QXmlStreamReader::SkipChildElements).simplified().left(longest));
    }
    return {};
}

core::Error serviceBusError(const http::Response &response, const QString &what, core::TimePoint now)
{
    const ErrorKind kind = kindOf(response);
    const QString hint =
        kind == ErrorKind::Unauthorized ? servicebus::Text::tr("Check the name of the key and the key.") : QString();
    return statusError(kind, response, what, errorDetail(response.body), hint, now);
}

Verdict serviceBusVerdict(const http::Response &response)
{
    const int status = response.status;
    if (status == 201) // no other status is a success: a page that another server answers with 200 took nothing
        return Verdict::Accepted;
    switch (status) {
    case 406:
        return Verdict::Rejected;
    case 403:
        if (saysTooLarge(response))
            return Verdict::Rejected;
        return saysFull(response) ? Verdict::Full : Verdict::NotSent;
    case 404:
    case 410:
        return isOfService(response) ? Verdict::NoSuchDestination : Verdict::NotSent;
    default:
        return usualVerdict(status, isOfService(response));
    }
}

} // namespace broker
