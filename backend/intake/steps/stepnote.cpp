#include "backend/intake/steps/stepnote.h"

#include "backend/intake/text.h"

#include <QCborArray>
#include <QCborMap>

namespace intake {

using broker::ReceivedMessage;
using core::ErrorKind;
using core::fail;
using core::Result;

namespace {

// The keys are part of stored notes: never change what one means.
enum Key {
    NativeId,
    Headers,
    Properties,
    Body,
    Exchange,
    RoutingKey,
    DeliveryCount,
    EnqueuedAt,
    Origin,
    NotFaithful,
    LossyHeaders,
    MaybeDecimals,
    Retention,
    WasReturned,
};

QCborMap noteOf(const ReceivedMessage &message)
{
    QCborMap note;
    note.insert(NativeId, message.nativeId);
    note.insert(Headers, records::toCbor(message.envelope.headers));
    note.insert(Properties, records::toCbor(message.envelope.properties));
    note.insert(Body, message.envelope.body);
    note.insert(Exchange, message.envelope.exchange);
    note.insert(RoutingKey, message.envelope.routingKey);
    if (message.deliveryCount)
        note.insert(DeliveryCount, *message.deliveryCount);
    if (message.enqueuedAt)
        note.insert(EnqueuedAt, core::toMs(*message.enqueuedAt));
    note.insert(Origin, message.origin);
    note.insert(NotFaithful, message.notFaithful);
    note.insert(LossyHeaders, QCborArray::fromStringList(message.lossyHeaders));
    note.insert(MaybeDecimals, QCborArray::fromStringList(message.maybeDecimals));
    if (message.retention.known == records::BrokerRetention::Known::Limited)
        note.insert(Retention, qint64(message.retention.keeps.count()));
    note.insert(WasReturned, message.wasReturned);
    return note;
}

QStringList textsIn(const QCborValue &value)
{
    QStringList texts;
    const QCborArray array = value.toArray();
    for (const QCborValue &one : array)
        texts.append(one.toString());
    return texts;
}

Result<ReceivedMessage> messageFrom(const QCborMap &note)
{
    ReceivedMessage message;
    message.nativeId = note.value(NativeId).toString();
    TRY(message.envelope.headers, records::headersFromCbor(note.value(Headers).toByteArray()));
    TRY(message.envelope.properties, records::headersFromCbor(note.value(Properties).toByteArray()));
    message.envelope.body = note.value(Body).toByteArray();
    message.envelope.exchange = note.value(Exchange).toString();
    message.envelope.routingKey = note.value(RoutingKey).toString();
    if (const QCborValue count = note.value(DeliveryCount); count.isInteger())
        message.deliveryCount = int(count.toInteger());
    if (const QCborValue at = note.value(EnqueuedAt); at.isInteger())
        message.enqueuedAt = core::fromMs(at.toInteger());
    message.origin = note.value(Origin).toString();
    message.notFaithful = note.value(NotFaithful).toBool();
    message.lossyHeaders = textsIn(note.value(LossyHeaders));
    message.maybeDecimals = textsIn(note.value(MaybeDecimals));
    if (const QCborValue keeps = note.value(Retention); keeps.isInteger())
        message.retention = {records::BrokerRetention::Known::Limited, core::Milliseconds{keeps.toInteger()}, {}};
    message.wasReturned = note.value(WasReturned).toBool();
    return message;
}

} // namespace

QByteArray toStepNote(const QList<ReceivedMessage> &messages, bool isLookedAt)
{
    QCborArray notes;
    for (const ReceivedMessage &message : messages)
        notes.append(noteOf(message));
    if (isLookedAt)
        notes.append(true);
    return QCborValue(notes).toCbor();
}

bool isLookedAt(const QByteArray &note)
{
    const QCborArray notes = QCborValue::fromCbor(note).toArray();
    return !notes.isEmpty() && notes.last().isTrue();
}

Result<QList<ReceivedMessage>> messagesFromStepNote(const QByteArray &note)
{
    QCborParserError error;
    const QCborValue value = QCborValue::fromCbor(note, &error);
    if (error.error != QCborError::NoError || !value.isArray())
        return fail(ErrorKind::Corrupt, Text::tr("The copies of messages that are being taken are damaged."));
    QList<ReceivedMessage> messages;
    const QCborArray notes = value.toArray();
    for (const QCborValue &one : notes) {
        if (one.isTrue()) // isLookedAt()
            continue;
        TRY(const ReceivedMessage message, messageFrom(one.toMap()));
        messages.append(message);
    }
    return messages;
}

} // namespace intake
