// The headers of messages as an NServiceBus endpoint writes them. Sources: NServiceBus.Core Headers.cs,
// FaultsHeaderKeys.cs, DelayedRetryExecutor.cs. Pure functions for any thread.
#pragma once

#include "backend/core/time/clock.h"
#include "backend/records/messages/headers.h"

#include <optional>

namespace sandbox {

// Where endpoints move failed messages, unless they are told otherwise.
inline constexpr QStringView errorQueue = u"error";

struct MessageIdentity
{
    QString id;
    QString conversation;
    QString type; // "Shop.Orders.PlaceOrder"
};
void addMessageHeaders(records::Headers &headers, const MessageIdentity &identity);

// What an endpoint adds when it moves a message to the error queue.
struct FailureFacts
{
    QString queue; // where processing failed
    QString endpoint;
    QString machine;
    QString exceptionType;
    QString message;
    QString stackTrace; // without its first line, which repeats type and message
    core::TimePoint at{};
};
void addFailureHeaders(records::Headers &headers, const FailureFacts &facts);
// Removes them again, for a return to the queue.
void removeFailureHeaders(records::Headers &headers);

// NServiceBus writes times as "yyyy-MM-dd HH:mm:ss:ffffff Z": a colon before the microseconds, always UTC.
// Source: NServiceBus.Core DateTimeOffsetHelper.cs.
[[nodiscard]] QString wireTime(core::TimePoint time);
[[nodiscard]] std::optional<core::TimePoint> fromWireTime(const QString &text);

inline constexpr QStringView failedQueueHeader = u"NServiceBus.FailedQ";
inline constexpr QStringView failureTimeHeader = u"NServiceBus.TimeOfFailure";
inline constexpr QStringView exceptionTypeHeader = u"NServiceBus.ExceptionInfo.ExceptionType";
inline constexpr QStringView exceptionMessageHeader = u"NServiceBus.ExceptionInfo.Message";
// Delayed retries made, and when the last one was decided. They travel with the message until it succeeds or is moved
// to the error queue.
inline constexpr QStringView delayedRetriesHeader = u"NServiceBus.Retries";
inline constexpr QStringView lastDelayedHeader = u"NServiceBus.Retries.Timestamp";

} // namespace sandbox
