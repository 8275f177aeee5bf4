#pragma once

#include "backend/core/clock.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace localbroker {

// A custom property as it stands in an HTTP header: the text keeps the kind ("\"text\"", "3", "true").
struct Property
{
    QByteArray name;
    QByteArray value;

    friend bool operator==(const Property &, const Property &) = default;
};

// What a sender gives.
struct Draft
{
    QByteArray body;
    std::optional<QByteArray> contentType;
    QList<Property> properties;
    QString messageId;
    QString correlationId;
    QString label;
    QString to;
    QString replyTo;
    QString sessionId;
    QString replyToSessionId;
    QString partitionKey;
    std::optional<core::Milliseconds> timeToLive;
    std::optional<core::TimePoint> scheduledFor;

    // What counts against the size limits.
    [[nodiscard]] qint64 headerBytes() const;
    [[nodiscard]] qint64 size() const { return body.size() + headerBytes(); }
};

// The way the broker itself sent a message: from a topic, or by forwarding.
struct Travel
{
    qint64 firstSequence = 0; // where it was sent to; 0: here
    int hops = 0; // times it was forwarded
    int spread = 1; // copies that topics may have made of what was sent
    QString deadLetterSource; // where it was a dead letter, when it was forwarded as one

    friend bool operator==(const Travel &, const Travel &) = default;
};

struct Message
{
    enum class State { Ready, Scheduled, Deferred };

    qint64 sequence = 0; // unique in the broker, for ever
    Draft draft;
    State state = State::Ready;
    bool deadLetter = false;
    core::TimePoint enqueuedAt{};
    int deliveryCount = 0;
    QString deadLetterReason;
    QString deadLetterDescription;
    Travel travel;

    // Empty: never.
    [[nodiscard]] std::optional<core::TimePoint> expiresAt() const;
};

// One message in the hands of one receiver.
struct Delivery
{
    Message message;
    QString lockToken; // empty: received and deleted
    core::TimePoint lockedUntil{};
};

// The form in the file: everything but the body, and the way it came if it did not come straight.
[[nodiscard]] QByteArray draftToCbor(const Draft &draft, const Travel &travel = {});
[[nodiscard]] std::optional<Draft> draftFromCbor(const QByteArray &cbor, Travel *travel = nullptr);

} // namespace localbroker
