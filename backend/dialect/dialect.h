// The conventions ("dialects") by which frameworks and brokers write a failure into a message: which one a message
// follows, what it says, and what to strip before the message is sent back. Pure functions for any thread. They never
// fail: a message that follows no known convention has the dialect "unknown". All input may be hostile.
#pragma once

#include "backend/records/connection.h"
#include "backend/records/conventions/convention.h"
#include "backend/records/messages/message.h"

#include <QString>
#include <QStringList>

namespace dialect {

// A failed message as intake found it.
struct Arrival
{
    records::BrokerKind broker{};
    QString queue; // where intake found it
    QString origin; // the queue from which it was dead-lettered, if the broker knows
    records::Envelope envelope;
    std::optional<int> deliveryCount;
    std::optional<core::TimePoint> enqueuedAt;
    QString connection{}; // its name
};

// What a failed message says. Every text may be empty.
struct Reading
{
    QString dialect; // "NServiceBus", "RabbitMQ", "Service Bus", "unknown": a name of the table
    QString messageId;
    bool messageIdIsUnique = false; // guaranteed by the framework, so that id and endpoint identify the message
    QString messageType;
    QString correlationId;
    QString conversationId;
    records::Failure failure;
    records::Destination destination; // with OtherTool, knownFrom may say why a retry is not possible
    std::optional<int> attempts; // as the message says; the store counts separately
    QString contentType;
    QString confirms; // a confirmation: the unique id of the message that was processed; empty for a failed message
    std::optional<core::TimePoint> handledAt; // of a confirmation: when, by the clock of the endpoint
    records::MessageFlags flags; // OtherTool, Damaged or Shortened
    // The message that failed, if its framework wrapped it into another one. A retry sends this.
    std::optional<records::Envelope> unwrapped;
    QStringList conventions; // of a person: the names of those that were applied, in this order

    // ---- What a convention replaces because it is only a conclusion ----
    enum class CauseFrom { Framework, Broker, Convention };
    CauseFrom causeFrom = CauseFrom::Framework; // who says why the message failed
    bool endpointIsDestination = false; // it has no name of its own
};

// Conventions of a person are applied on top of the dialect, in this order. What they cannot read stays.
[[nodiscard]] Reading read(const Arrival &arrival, const records::Conventions &conventions = {});

// The conventions with these names, in the order of `all`.
[[nodiscard]] records::Conventions conventionsNamed(const records::Conventions &all, const QStringList &names);

// The copy that a retry sends: failure headers, counters and death records of the broker are removed or reset. A
// message that a framework wrapped into another one is unwrapped. All other headers keep their types, and the body
// stays, without what its framework wrote into it about the failure. Then the rules of these conventions are applied.
// Stripped again, the copy stays the same.
[[nodiscard]] records::Envelope stripped(const QString &dialect, const records::Envelope &envelope,
                                         const records::Conventions &applied = {});

// Removes headers that are null, if a missing header means the same to the framework of this dialect, or to a person
// who says so in a convention. Not every interface of a broker can send a null.
[[nodiscard]] records::Envelope withoutNulls(const QString &dialect, records::Envelope envelope,
                                             const records::Conventions &applied = {});

// The title of the failure group to which the message belongs under this classifier. Never empty.
[[nodiscard]] QString groupTitle(records::Classifier classifier, const Reading &reading, const Arrival &arrival);
// The same for Classifier::ExceptionAndStack with whole names: it tells Shop.Orders.NotFound and Shop.Mail.NotFound apart,
// which have the same title.
[[nodiscard]] QString groupCause(const Reading &reading, const Arrival &arrival);

} // namespace dialect
