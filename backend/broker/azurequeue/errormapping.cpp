#include "backend/broker/azurequeue/errormapping.h"

#include "backend/broker/azurequeue/queuexml.h"
#include "backend/broker/azurequeue/text.h"
#include "backend/broker/statuserror.h"
#include "backend/broker/verdict.h"

namespace broker::azurequeue {

using core::ErrorKind;

namespace {

constexpr std::chrono::minutes clocksApart{10}; // below the 15 that the service allows

// The service names each of its errors; a gateway or proxy before it does not.
bool isOfService(const http::Response &response)
{
    return !codeOf(response).isEmpty();
}

ErrorKind kindOf(const http::Response &response)
{
    return usualKind(response.status, isOfService(response));
}

QString hintOf(const http::Response &response, core::TimePoint now)
{
    if (response.status == 413 || codeOf(response) == QLatin1String("MessageTooLarge"))
        return Text::tr("A Storage Queue message may have at most 64 KB.");
    if (kindOf(response) != ErrorKind::Unauthorized)
        return {};
    if (lacksRight(response))
        return Text::tr("The SAS token or the key does not allow it.");
    const QString clock = clockHint(response, now, clocksApart);
    return clock.isEmpty() ? Text::tr("Check the name of the account and the key.") : clock;
}

} // namespace

QString codeOf(const http::Response &response)
{
    const QByteArray header = response.header("x-ms-error-code");
    return header.isEmpty() ? serviceErrorFrom(response.body).code : QString::fromLatin1(header.left(100));
}

core::Error errorOf(const http::Response &response, const QString &what, core::TimePoint now)
{
    core::Error error = statusError(kindOf(response), response, what, serviceErrorFrom(response.body).words,
                                    hintOf(response, now), now);
    error.detail = codeOf(response);
    return error;
}

Verdict verdictOf(const http::Response &response)
{
    const int status = response.status;
    if (status == 201) // no other status is a success: a page that another server answers with 200 took nothing
        return Verdict::Accepted;
    switch (status) {
    case 400:
        return codeOf(response) == QLatin1String("InvalidResourceName") ? Verdict::NoSuchDestination
                                                                        : Verdict::Rejected;
    case 404:
    case 410:
        return isOfService(response) ? Verdict::NoSuchDestination : Verdict::NotSent;
    case 409:
        return codeOf(response) == QLatin1String("QueueBeingDeleted") ? Verdict::NoSuchDestination : Verdict::NotSent;
    default:
        return usualVerdict(status, isOfService(response));
    }
}

bool lacksRight(const http::Response &response)
{
    const QString code = codeOf(response);
    return response.status == 403
           && (code.startsWith(QLatin1String("Authorization")) || code.startsWith(QLatin1String("Insufficient")));
}

bool isLost(const http::Response &response)
{
    if (response.status == 404)
        return codeOf(response) == QLatin1String("MessageNotFound");
    return response.status == 400 && codeOf(response) == QLatin1String("PopReceiptMismatch");
}

} // namespace broker::azurequeue
