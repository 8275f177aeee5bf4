#include "backend/intake/pages/recordfrom.h"

#include "backend/dialect/sentat.h"
#include "backend/intake/pages/interpretation.h"
#include "backend/records/rules/failurelatency.h"

#include <algorithm>

namespace intake {

namespace {

constexpr qsizetype mostHeaders = 10000;

} // namespace

bool isReadable(const records::Envelope &envelope)
{
    return envelope.headers.size() + envelope.properties.size() <= mostHeaders;
}

dialect::Reading undecoded()
{
    dialect::Reading reading;
    reading.dialect = QStringLiteral("unknown");
    return reading;
}

const records::Envelope &sentAs(const dialect::Arrival &arrival, const dialect::Reading &reading)
{
    return reading.unwrapped ? *reading.unwrapped : arrival.envelope;
}

store::NewMessage recordFrom(const RecordPlace &place, const dialect::Arrival &arrival, const dialect::Reading &reading,
                             const records::Conventions &applied, const records::Receipt &receipt, bool unfaithful)
{
    store::NewMessage fresh;
    records::FailedMessage &message = fresh.message;
    message.connection = place.connection;
    message.queue = arrival.queue;
    message.nativeId = place.nativeId;
    message.firstFailed = failedAt(reading, arrival.enqueuedAt, place.now); // lists sort and filter by it
    message.lastFailed = message.firstFailed;
    message.bodySize = arrival.envelope.body.size();
    fresh.envelope = arrival.envelope;
    fresh.receipt = receipt;
    fresh.takenAt = place.now;
    if (reading.failure.at.value_or(place.now) <= place.now) // otherwise its clock cannot be trusted
        fresh.took = records::timeToFail(dialect::sentAt(arrival, sentAs(arrival, reading)), reading.failure.at);
    interpret(fresh, arrival, reading, applied, unfaithful);
    return fresh;
}

} // namespace intake
