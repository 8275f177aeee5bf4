#include "backend/broker/sqs/errormapping.h"

#include "backend/broker/sqs/text.h"
#include "backend/broker/statuserror.h"
#include "backend/broker/verdict.h"
#include "backend/http/redaction.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <array>

namespace broker::sqs {

using core::ErrorKind;

namespace {

constexpr std::chrono::minutes clocksApart{4}; // below the 5 that some AWS services allow, and the 15 of SQS
constexpr qsizetype longestText = 500;
constexpr qsizetype longestCode = 100;
constexpr int clientFault = 400; // the status that an entry of a batch would get alone
constexpr int serverFault = 500;

// What an error code of SQS, or of the front end of all AWS services, means.
enum class Meaning { NoQueue, Login, NoRight, Busy, QueueUnable, Failure, Other };

struct Row
{
    const char *code;
    Meaning meaning;
};

// Source: SQS API Reference, errors of each action and "Common Errors".
constexpr std::array table{
    Row{"QueueDoesNotExist", Meaning::NoQueue},
    Row{"AWS.SimpleQueueService.NonExistentQueue", Meaning::NoQueue},
    Row{"NonExistentQueue", Meaning::NoQueue},
    Row{"InvalidAddress", Meaning::NoQueue},
    Row{"AccessDenied", Meaning::NoRight},
    Row{"AccessDeniedException", Meaning::NoRight},
    Row{"NotAuthorized", Meaning::NoRight},
    Row{"ExpiredToken", Meaning::Login},
    Row{"ExpiredTokenException", Meaning::Login},
    Row{"IncompleteSignature", Meaning::Login},
    Row{"IncompleteSignatureException", Meaning::Login},
    Row{"InvalidClientTokenId", Meaning::Login},
    Row{"InvalidSecurity", Meaning::Login},
    Row{"InvalidSignatureException", Meaning::Login},
    Row{"MissingAuthenticationToken", Meaning::Login},
    Row{"MissingAuthenticationTokenException", Meaning::Login},
    Row{"OptInRequired", Meaning::Login},
    Row{"RequestExpired", Meaning::Login},
    Row{"SignatureDoesNotMatch", Meaning::Login},
    Row{"UnrecognizedClientException", Meaning::Login},
    Row{"OverLimit", Meaning::Busy},
    Row{"RequestThrottled", Meaning::Busy},
    Row{"ServiceUnavailable", Meaning::Busy},
    Row{"Throttling", Meaning::Busy},
    Row{"ThrottlingException", Meaning::Busy},
    Row{"TooManyRequestsException", Meaning::Busy},
    Row{"KmsAccessDenied", Meaning::QueueUnable},
    Row{"KmsDisabled", Meaning::QueueUnable},
    Row{"KmsInvalidKeyUsage", Meaning::QueueUnable},
    Row{"KmsInvalidState", Meaning::QueueUnable},
    Row{"KmsNotFound", Meaning::QueueUnable},
    Row{"KmsOptInRequired", Meaning::QueueUnable},
    Row{"KmsThrottled", Meaning::QueueUnable},
    Row{"InternalError", Meaning::Failure},
    Row{"InternalFailure", Meaning::Failure},
};

Meaning meaningOf(const QString &code)
{
    const auto row =
        std::find_if(table.begin(), table.end(), [&code](const Row &one) { return code == QLatin1String(one.code); });
    return row == table.end() ? Meaning::Other : row->meaning;
}

// The services of AWS name each of their errors; a gateway or proxy before them does not.
bool isOfService(const Fault &fault)
{
    return !fault.code.isEmpty();
}

ErrorKind kindOf(Meaning meaning, int status)
{
    switch (meaning) {
    case Meaning::NoQueue:
        return ErrorKind::NotFound;
    case Meaning::Login:
    case Meaning::NoRight:
        return ErrorKind::Unauthorized;
    case Meaning::Busy:
        return ErrorKind::Throttled;
    case Meaning::QueueUnable:
    case Meaning::Failure:
        return ErrorKind::Transient;
    case Meaning::Other:
        break;
    }
    if (status == 401 || status == 403)
        return ErrorKind::Unauthorized;
    if (status == 429 || status == 503)
        return ErrorKind::Throttled;
    // SQS has no 404 of its own: it is that of a proxy
    return status >= 500 || status == 408 || status == 404 ? ErrorKind::Transient : ErrorKind::Rejected;
}

QString hintOf(const http::Response &response, Meaning meaning, core::TimePoint now)
{
    if (kindOf(meaning, response.status) != ErrorKind::Unauthorized)
        return {};
    if (meaning == Meaning::NoRight)
        return Text::tr("The rights of the access key do not allow it.");
    const QString clock = clockHint(response, now, clocksApart);
    return clock.isEmpty() ? Text::tr("Check the access key id and the secret.") : clock;
}

// The answer to a wrong signature repeats everything that should have been signed, including a session token: it is cut
// off.
QString wordsFrom(const QString &message)
{
    const QString first = message.section(QLatin1String("The Canonical String"), 0, 0).section(QLatin1Char('\n'), 0, 0);
    return http::redacted(first.simplified().left(longestText));
}

} // namespace

Fault faultOf(const http::Response &response)
{
    const QJsonObject object = QJsonDocument::fromJson(response.body).object();
    Fault fault;
    QString type = object.value(QLatin1String("__type")).toString();
    if (type.isEmpty())
        type = QString::fromLatin1(response.header("x-amzn-query-error")).section(QLatin1Char(';'), 0, 0);
    fault.code = type.section(QLatin1Char('#'), -1).left(longestCode);
    const QString message = object.value(QLatin1String("message")).toString();
    fault.words = wordsFrom(message.isEmpty() ? object.value(QLatin1String("Message")).toString() : message);
    return fault;
}

core::Error errorOf(const http::Response &response, const QString &what, core::TimePoint now)
{
    const Fault fault = faultOf(response);
    const Meaning meaning = meaningOf(fault.code);
    core::Error error =
        statusError(kindOf(meaning, response.status), response, what, fault.words, hintOf(response, meaning, now), now);
    error.detail = fault.code;
    return error;
}

core::Error errorOf(const Fault &fault, bool isOurs, const QString &what)
{
    core::Error error;
    error.kind = kindOf(meaningOf(fault.code), isOurs ? clientFault : serverFault);
    const QString words = wordsFrom(fault.words.isEmpty() ? fault.code : fault.words);
    error.message = QStringLiteral("%1: %2").arg(what, broker::asSentence(words));
    error.detail = fault.code.left(longestCode);
    return error;
}

Verdict verdictOf(const http::Response &response)
{
    switch (meaningOf(faultOf(response).code)) {
    case Meaning::NoQueue:
        return Verdict::NoSuchDestination;
    case Meaning::Login:
    case Meaning::Busy:
        return Verdict::NotSent;
    case Meaning::NoRight: // each queue has its own rights
    case Meaning::QueueUnable:
        return Verdict::Full;
    case Meaning::Failure:
        return Verdict::Unknown;
    case Meaning::Other:
        return usualVerdict(response.status, isOfService(faultOf(response)));
    }
    Q_UNREACHABLE();
}

Verdict verdictOf(const Fault &fault, bool isOurs)
{
    http::Response response;
    response.status = isOurs ? clientFault : serverFault;
    response.body = QJsonDocument(QJsonObject{{QLatin1String("__type"), fault.code}}).toJson();
    return verdictOf(response);
}

bool lacksRight(const core::Error &error)
{
    return error.kind == ErrorKind::Unauthorized && meaningOf(error.detail) == Meaning::NoRight;
}

bool isLost(const Fault &fault)
{
    return fault.code.endsWith(QLatin1String("ReceiptHandleIsInvalid"))
           || fault.code.endsWith(QLatin1String("MessageNotInflight"))
           // Source: botocore and observed answers of FIFO queues
           || (fault.code.endsWith(QLatin1String("InvalidParameterValue"))
               && fault.words.contains(QLatin1String("receipt handle has expired"), Qt::CaseInsensitive));
}

bool isUnknownAction(const core::Error &error)
{
    for (const char *code : {"InvalidAction", "UnknownOperationException", "UnsupportedOperation"}) {
        if (error.detail == QLatin1String(code))
            return true;
    }
    return false;
}

} // namespace broker::sqs
