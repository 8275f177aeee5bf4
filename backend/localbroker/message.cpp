#include "backend/localbroker/message.h"

#include "backend/core/text/losslessjson.h"

#include <QCborArray>
#include <QCborValue>

#include <algorithm>

namespace localbroker {

namespace {

constexpr int draftFields = 12;

QCborValue optionalMs(const std::optional<core::Milliseconds> &value)
{
    return value ? QCborValue(qint64{value->count()}) : QCborValue(QCborValue::Null);
}

} // namespace

qint64 Draft::headerBytes() const
{
    qint64 bytes = 0;
    for (const Property &property : properties)
        bytes += property.name.size() + property.value.size();
    for (const QString *text :
         {&messageId, &correlationId, &label, &to, &replyTo, &sessionId, &replyToSessionId, &partitionKey})
        bytes += text->size();
    return bytes;
}

std::optional<core::TimePoint> Message::expiresAt() const
{
    if (deadLetter || !draft.timeToLive)
        return {};
    return enqueuedAt + *draft.timeToLive;
}

QByteArray draftToCbor(const Draft &draft, const Travel &travel)
{
    QCborArray properties;
    for (const Property &property : draft.properties)
        properties.append(QCborArray{property.name, property.value});
    QCborArray fields{
        draft.contentType ? QCborValue(*draft.contentType) : QCborValue(QCborValue::Null),
        properties,
        draft.messageId,
        draft.correlationId,
        draft.label,
        draft.to,
        draft.replyTo,
        draft.sessionId,
        draft.replyToSessionId,
        draft.partitionKey,
        optionalMs(draft.timeToLive),
        draft.scheduledFor ? QCborValue(core::toMs(*draft.scheduledFor)) : QCborValue(QCborValue::Null),
    };
    if (travel != Travel())
        fields.append(QCborArray{travel.firstSequence, travel.hops, travel.spread, travel.deadLetterSource});
    return QCborValue(fields).toCbor();
}

std::optional<Draft> draftFromCbor(const QByteArray &cbor, Travel *travel)
{
    const QCborArray fields = QCborValue::fromCbor(cbor).toArray();
    if (fields.size() != draftFields && fields.size() != draftFields + 1)
        return {};
    if (travel != nullptr && fields.size() > draftFields) {
        const QCborArray way = fields[draftFields].toArray();
        *travel = {way[0].toInteger(), int(way[1].toInteger()), int(std::max(way[2].toInteger(), qint64{1})),
                   core::textOf(way[3])};
    }
    Draft draft;
    if (fields[0].isByteArray())
        draft.contentType = fields[0].toByteArray();
    const QCborArray properties = fields[1].toArray();
    for (const QCborValue &pair : properties)
        draft.properties.append(Property{pair[0].toByteArray(), pair[1].toByteArray()});
    draft.messageId = core::textOf(fields[2]);
    draft.correlationId = core::textOf(fields[3]);
    draft.label = core::textOf(fields[4]);
    draft.to = core::textOf(fields[5]);
    draft.replyTo = core::textOf(fields[6]);
    draft.sessionId = core::textOf(fields[7]);
    draft.replyToSessionId = core::textOf(fields[8]);
    draft.partitionKey = core::textOf(fields[9]);
    if (fields[10].isInteger())
        draft.timeToLive = core::Milliseconds{fields[10].toInteger()};
    if (fields[11].isInteger())
        draft.scheduledFor = core::fromMs(fields[11].toInteger());
    return draft;
}

} // namespace localbroker
