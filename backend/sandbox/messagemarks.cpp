#include "backend/sandbox/messagemarks.h"

#include "backend/records/messages/stamp.h"
#include "backend/records/rules/retrycount.h"

#include <QDateTime>
#include <QTimeZone>

namespace sandbox {

int numberOf(const records::Headers &headers)
{
    bool good = false;
    const int number = records::text(headers, messageNumberHeader).toInt(&good);
    return good ? number : -1;
}

bool hasBeenReturned(const records::Headers &headers)
{
    return records::retryCountOf(headers) > 0 || records::find(headers, records::stampHeader) != nullptr;
}

void scheduleFor(records::Envelope &envelope, core::TimePoint time)
{
    const QDateTime at = QDateTime::fromMSecsSinceEpoch(core::toMs(time), QTimeZone::utc());
    records::set(envelope.properties, QStringLiteral("ScheduledEnqueueTimeUtc"), at.toString(Qt::ISODateWithMs));
}

} // namespace sandbox
