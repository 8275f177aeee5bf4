#include "backend/dialect/conventions/convention.h"

#include "backend/dialect/conventions/messageplace.h"
#include "backend/dialect/facts.h"
#include "backend/dialect/table.h"
#include "backend/records/conventions/glob.h"

#include <QCborArray>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace dialect {

namespace {

using records::Convention;
using Do = Convention::BeforeRetry::Do;
using Fact = Convention::Fact;

constexpr double firstMillisecond =
    1e11; // a larger number counts milliseconds: as seconds it would be in the year 5138
constexpr double latestMillisecond = 253402300799999.0; // 9999-12-31

bool hasHeader(const records::Headers &headers, const Convention::For::Header &wanted)
{
    const records::Glob glob(wanted.value);
    return std::any_of(headers.cbegin(), headers.cend(), [&](const records::Header &header) {
        return header.name == wanted.name && glob.matches(records::text(header.value));
    });
}

// A second cause with the same title has a group that shows the cause in full.
bool isInGroup(const Convention::For::Group &wanted, const Arrival &arrival, const Reading &reading)
{
    return groupTitle(wanted.by, reading, arrival) == wanted.title
           || (wanted.by == records::Classifier::ExceptionAndStack && groupCause(reading, arrival) == wanted.title);
}

bool isFor(const Convention::For &wanted, const Arrival &arrival, const records::Envelope &seen, const Reading &reading)
{
    const auto isQueue = [&arrival](const QString &pattern) { return records::Glob(pattern).matches(arrival.queue); };
    if (!wanted.connection.isEmpty() && wanted.connection != arrival.connection)
        return false;
    if (!wanted.queues.isEmpty() && std::none_of(wanted.queues.cbegin(), wanted.queues.cend(), isQueue))
        return false;
    if (!wanted.dialects.isEmpty() && !wanted.dialects.contains(reading.dialect))
        return false;
    const bool hasAll = std::all_of(wanted.headers.cbegin(), wanted.headers.cend(),
                                    [&seen](const auto &header) { return hasHeader(seen.headers, header); });
    return hasAll && (!wanted.group || isInGroup(*wanted.group, arrival, reading));
}

// A stack may be a list of its lines.
QString placeText(const QCborValue &value, Fact fact)
{
    if (fact != Fact::StackTrace || !value.isArray())
        return isNull(value) ? QString() : records::text(value);
    QStringList lines;
    qsizetype length = 0;
    const QCborArray list = value.toArray();
    for (auto line = list.begin(); line != list.end() && length < bounds::stackTrace; ++line) {
        lines.append(records::text(*line));
        length += lines.constLast().size() + 1;
    }
    return lines.join(QLatin1Char('\n'));
}

// Of the places of one fact, the first with a text counts.
QString factText(const Convention &convention, Fact fact, const PlaceReader &places)
{
    for (const Convention::Read &read : convention.reads) {
        if (read.fact != fact)
            continue;
        for (const records::MessagePlace &place : read.from) {
            const QString text = placeText(places.at(place), fact);
            if (!text.trimmed().isEmpty())
                return text;
        }
    }
    return {};
}

void replace(QString &text, const QString &with, qsizetype longest)
{
    if (!with.isEmpty())
        text = with.left(longest);
}

// A name that was cut could be that of something else.
void replaceName(QString &name, const QString &with)
{
    if (with.size() <= bounds::name)
        replace(name, with, bounds::name);
}

// The type of a broker ("rejected") does not fit the message of a person, nor the other way round.
void readCause(const Convention &convention, const PlaceReader &places, Reading &reading)
{
    const QString type = factText(convention, Fact::ExceptionType, places);
    const QString message = factText(convention, Fact::ExceptionMessage, places);
    const QString stack = factText(convention, Fact::StackTrace, places);
    if (type.isEmpty() && message.isEmpty() && stack.isEmpty())
        return;
    records::Failure &failure = reading.failure;
    if (reading.causeFrom == Reading::CauseFrom::Broker) {
        failure.exceptionType.clear();
        failure.exceptionMessage.clear();
    }
    replace(failure.exceptionType, type, bounds::name);
    replace(failure.exceptionMessage, message, bounds::exceptionMessage);
    replace(failure.stackTrace, stack, bounds::stackTrace);
    reading.causeFrom = Reading::CauseFrom::Convention;
}

// ISO 8601, or seconds or milliseconds since 1970, perhaps with a fraction.
std::optional<core::TimePoint> momentOf(const QString &text)
{
    bool isNumber = false;
    const double number = QStringView(text).left(40).toDouble(&isNumber);
    if (!isNumber)
        return timeFrom(text, TimeForm::Iso);
    const double milliseconds = number > firstMillisecond ? number : number * 1000;
    if (!(milliseconds >= 1 && milliseconds <= latestMillisecond)) // also NaN
        return std::nullopt;
    return core::fromMs(qint64(std::floor(milliseconds)));
}

records::Destination returnFrom(const QString &address)
{
    const AddressForm form = address.startsWith(QLatin1String("arn:")) ? AddressForm::Arn
                             : address.contains(QLatin1String("://"))  ? AddressForm::Uri
                                                                       : AddressForm::Name;
    return queueOf(address.trimmed(), form, records::Certainty::Derived);
}

void readReturn(const Convention &convention, const PlaceReader &places, const Arrival &arrival, Reading &reading)
{
    records::Destination found{convention.returnTo, records::Certainty::Exact, {}};
    if (convention.returnTo.isEmpty())
        found = returnFrom(factText(convention, Fact::ReturnTo, places));
    // On RabbitMQ a topic is an exchange, and a queue with the same name may belong to others.
    const bool isExchange =
        arrival.broker == records::BrokerKind::RabbitMq && found.certainty == records::Certainty::FanOut;
    if (found.queue.isEmpty() || found.queue.size() > bounds::address || isExchange
        || reading.flags.testFlag(records::MessageFlag::OtherTool))
        return;
    // Not translated, because it is stored like the name of a header.
    found.knownFrom = QStringLiteral("convention %1").arg(convention.name);
    reading.destination = found;
    if (reading.endpointIsDestination)
        reading.failure.endpoint = found.queue;
}

void readEndpoint(const Convention &convention, const PlaceReader &places, Reading &reading)
{
    const QString endpoint = factText(convention, Fact::Endpoint, places);
    if (endpoint.isEmpty() || endpoint.size() > bounds::name || reading.messageIdIsUnique)
        return;
    reading.failure.endpoint = endpoint;
    reading.endpointIsDestination = false;
}

void readFacts(const Convention &convention, const PlaceReader &places, const Arrival &arrival, Reading &reading)
{
    readCause(convention, places, reading);
    replace(reading.messageType, factText(convention, Fact::MessageType, places), bounds::name);
    replaceName(reading.failure.host, factText(convention, Fact::Host, places));
    if (const std::optional<core::TimePoint> at = momentOf(factText(convention, Fact::FailedAt, places)))
        reading.failure.at = at;
    const QString counted = factText(convention, Fact::Attempts, places);
    const int attempts = QStringView(counted).left(32).toInt();
    if (attempts > 0 && attempts < bounds::attempts)
        reading.attempts = attempts;
    readReturn(convention, places, arrival, reading);
    readEndpoint(convention, places, reading);
}

} // namespace

void applyConventions(const records::Conventions &conventions, const Arrival &arrival, const records::Envelope &seen,
                      Reading &reading)
{
    const PlaceReader places(seen);
    for (const Convention &convention : conventions) {
        if (!isFor(convention.isFor, arrival, seen, reading))
            continue;
        readFacts(convention, places, arrival, reading);
        reading.conventions.append(convention.name);
    }
}

void changeBeforeRetry(const records::Conventions &applied, records::Envelope &copy)
{
    for (const Convention &convention : applied) {
        for (const Convention::BeforeRetry &rule : convention.beforeRetry) {
            switch (rule.what) {
            case Do::Remove:
                removeAt(copy, rule.place);
                break;
            case Do::SetToZero:
                setToZeroAt(copy, rule.place);
                break;
            case Do::EmptyIsMissing:
                copy.headers.removeIf([&rule](const records::Header &header) {
                    return header.name == rule.place.name && isNull(header.value);
                });
                break;
            }
        }
    }
}

bool mayBeMissing(const records::Conventions &applied, const records::Header &header)
{
    const auto isAbout = [&header](const Convention::BeforeRetry &rule) {
        return rule.what == Do::EmptyIsMissing && rule.place.name == header.name;
    };
    return isNull(header.value) && std::any_of(applied.cbegin(), applied.cend(), [&isAbout](const auto &convention) {
               return std::any_of(convention.beforeRetry.cbegin(), convention.beforeRetry.cend(), isAbout);
           });
}

records::Conventions conventionsNamed(const records::Conventions &all, const QStringList &names)
{
    records::Conventions found;
    std::copy_if(all.cbegin(), all.cend(), std::back_inserter(found),
                 [&names](const Convention &convention) { return names.contains(convention.name); });
    return found;
}

} // namespace dialect
