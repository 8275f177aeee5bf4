#include "backend/retry/outgoing.h"

#include "backend/broker/brokertraits.h"
#include "backend/dialect/confirmation.h"
#include "backend/dialect/dialect.h"
#include "backend/dialect/editing.h"
#include "backend/records/rules/retrycount.h"

namespace retry {

records::Conventions resettingCounters(const QStringList &counters)
{
    using records::Convention;
    if (counters.isEmpty())
        return {};
    Convention convention;
    for (const QString &name : counters)
        convention.beforeRetry.append(
            {Convention::BeforeRetry::Do::SetToZero, {records::MessagePlace::In::Header, name, {}}});
    return {convention};
}

core::Result<records::Envelope> contentToSend(records::BrokerKind to, records::OperationKind kind,
                                              const MessageFormat &format, const records::Envelope &failed,
                                              const records::Edit &edit, const records::EditLimit &limit)
{
    const bool strip = kind == records::OperationKind::Retry;
    records::Envelope content = strip ? dialect::stripped(format.dialect, failed, format.conventions)
                                      : dialect::withoutNulls(format.dialect, failed, format.conventions);
    if (strip && !edit.isEmpty()) {
        TRY(content, dialect::edited(format.dialect, content, edit, limit));
    }
    return broker::forTransport(to, std::move(content));
}

// Body, names, types and values of the headers, as SQS counts them: the largest type is longer than these words.
static qint64 wireBytes(const records::Envelope &envelope)
{
    constexpr qint64 typeName = 6; // "String", "Number", "Binary"
    qint64 bytes = envelope.body.size();
    for (const records::Header &header : envelope.headers) {
        const QCborValue &value = header.value;
        const qint64 size = value.isByteArray() ? value.toByteArray().size() : records::text(value).toUtf8().size();
        bytes += header.name.toUtf8().size() + typeName + size;
    }
    return bytes;
}

records::Envelope stamped(records::Envelope content, records::Stamp stamp)
{
    stamp.bodyDigest = records::bodyDigest(content.body);
    records::set(content.headers, records::stampHeader.toString(), QCborValue(records::toText(stamp)));
    return content;
}

static bool fits(const broker::BrokerTraits &traits, const records::Envelope &copy)
{
    const bool tooMany = traits.mostHeaders > 0 && copy.headers.size() > traits.mostHeaders;
    const bool tooLarge = traits.largestMessage > 0 && wireBytes(copy) > traits.largestMessage;
    return !tooMany && !tooLarge;
}

records::Envelope stampedIfItFits(records::BrokerKind to, records::Envelope content, records::Stamp stamp)
{
    records::Envelope with = stamped(content, std::move(stamp));
    return fits(broker::traitsOf(to), with) ? with : content;
}

QStringList answerQueues(const records::Connection &connection)
{
    QStringList queues = connection.errorQueues;
    queues.removeIf([&](const QString &queue) { return !broker::acceptsMessages(connection.kind, queue); });
    return queues;
}

QString answerQueue(const records::Connection &connection, const QString &dialect, const records::Envelope &failed,
                    const QString &takenFrom)
{
    const bool isNamed = answerQueues(connection).contains(takenFrom, broker::traitsOf(connection.kind).nameCase);
    return isNamed && dialect::canAskEndpoint(dialect, failed) ? takenFrom : QString();
}

records::Envelope askingIfItFits(records::BrokerKind to, const records::Envelope &failed, records::Envelope content,
                                 const records::Stamp &stamp, const QString &queue)
{
    const broker::BrokerTraits &traits = broker::traitsOf(to);
    const bool isLimited = traits.mostHeaders > 0 || traits.largestMessage > 0;
    records::Envelope asking = dialect::askingEndpoint(failed, content, stamp.uniqueId, queue);
    return !isLimited || fits(traits, stamped(asking, stamp)) ? asking : content;
}

records::Envelope withRetryCount(records::BrokerKind to, records::Envelope content, int count)
{
    constexpr qsizetype ours = 2; // the stamp and this one
    const broker::BrokerTraits &traits = broker::traitsOf(to);
    const bool hasRoom = traits.mostHeaders == 0 || content.headers.size() + ours <= traits.mostHeaders
                         || records::retryCountOf(content.headers) > 0;
    if (traits.carriesHeaders && hasRoom)
        records::setRetryCount(content.headers, count);
    return content;
}

records::Envelope withApplicationCount(records::BrokerKind to, records::Envelope content,
                                       const records::Envelope &failed, const QString &counter)
{
    constexpr qsizetype ours = 3; // this one beside the stamp and our own count
    const broker::BrokerTraits &traits = broker::traitsOf(to);
    if (counter.isEmpty() || !broker::carriesHeader(to, counter))
        return content;
    const bool hasRoom = traits.mostHeaders == 0 || content.headers.size() + ours <= traits.mostHeaders
                         || records::find(content.headers, counter) != nullptr;
    if (hasRoom)
        records::setRetryCountOf(content.headers, counter, records::retryCountOf(failed.headers, counter) + 1,
                                 records::find(failed.headers, counter));
    return content;
}

QString dedupId(const records::Stamp &stamp)
{
    constexpr qsizetype storeLetters = 8; // copied and restored stores continue with the same operation numbers
    return QStringLiteral("%1-%2-%3-%4")
        .arg(stamp.uniqueId, QString::number(stamp.operation.value), QString::number(stamp.attempt),
             stamp.store.left(storeLetters));
}

namespace {

qint64 weightOf(const records::Headers &headers)
{
    constexpr qint64 entry = 32; // approximate overhead of a name and a value
    qint64 bytes = 0;
    for (const records::Header &header : headers) {
        const QCborValue &value = header.value;
        bytes += entry + header.name.size();
        if (value.isString())
            bytes += value.toString().size();
        else if (value.isContainer() || value.isByteArray())
            bytes += value.toCbor().size();
    }
    return bytes;
}

} // namespace

qint64 weight(const records::Envelope &envelope)
{
    return envelope.body.size() + weightOf(envelope.headers) + weightOf(envelope.properties);
}

} // namespace retry
