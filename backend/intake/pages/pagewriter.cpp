#include "backend/intake/pages/pagewriter.h"

#include "backend/dialect/deaths.h"
#include "backend/intake/pages/expiry.h"
#include "backend/intake/pages/identity.h"
#include "backend/intake/pages/interpretation.h"
#include "backend/intake/pages/recordfrom.h"
#include "backend/intake/pages/returned.h"
#include "backend/intake/text.h"
#include "backend/records/activitywords.h"
#include "backend/records/rules/stoprule.h"
#include "backend/store/eventstore.h"
#include "backend/store/messages/conventionstore.h"
#include "backend/store/messages/intakestore.h"
#include "backend/store/retry/claimstore.h"
#include "backend/store/retry/evidencestore.h"
#include "backend/store/retry/retryoperationstore.h"
#include "backend/store/store.h"

#include <QSet>

#include <algorithm>

namespace intake {

using core::fail;
using core::Result;
using records::MessageFlag;
using records::MessageStatus;

namespace {

constexpr qsizetype digestSize = 32;

QString nativeIdIn(const QString &entry)
{
    return entry.mid(digestSize + 1);
}

QSet<QString> nativeIds(const QStringList &page)
{
    QSet<QString> ids;
    for (const QString &entry : page)
        ids.insert(nativeIdIn(entry));
    return ids;
}

// The newest failure is in the store and nothing was done about it.
bool mayWait(const records::FailedMessage &record)
{
    return record.status == MessageStatus::Unresolved || record.status == MessageStatus::Archived;
}

QSet<QString> digests(const QStringList &page)
{
    QSet<QString> all;
    for (const QString &entry : page)
        all.insert(entry.left(digestSize));
    return all;
}

} // namespace

Result<records::Conventions> conventionsOf(store::Store &store)
{
    return store.read<records::Conventions>([](store::Session &session) { return session.conventions().all(); });
}

PageWriter::PageWriter(PageOrigin origin, const QList<broker::ReceivedMessage> &messages, const Seen &seen)
    : m_origin(std::move(origin))
{
    const QSet<QString> stored = nativeIds(seen.stored);
    const QSet<QString> doubtfulIds = nativeIds(seen.doubtful);
    const QSet<QString> doubtfulContent = digests(seen.doubtful);
    QSet<QString> here;
    m_items.reserve(static_cast<size_t>(messages.size()));
    for (const broker::ReceivedMessage &held : messages) {
        Item item;
        item.held = held;
        item.arrival = {m_origin.broker, m_origin.queue,         held.origin, held.envelope, held.deliveryCount,
                        held.enqueuedAt, m_origin.connectionName};
        item.digest = contentDigest(held.envelope);
        if (stored.contains(held.nativeId) || (m_origin.locks && doubtfulIds.contains(held.nativeId)))
            item.copy = Copy::Known;
        else if (!m_origin.locks
                 && (doubtfulContent.contains(item.digest) || (seen.mayHoldTwice && here.contains(item.digest))))
            item.copy = Copy::PossibleDuplicate;
        here.insert(item.digest);
        if (isReadable(held.envelope))
            item.reading = readTaken(item.arrival, m_origin.conventions, m_origin.now);
        else
            forget(item);
        m_items.push_back(std::move(item));
    }
}

void PageWriter::forget(Item &item)
{
    item.asItIs = true;
    item.reading = undecoded();
}

Result<records::IntakeCounts> PageWriter::write(store::Session &session)
{
    m_counts = {};
    m_met.clear();
    TRY(learnWhatWasBrowsed(session));
    TRY(learnFormerStores(session));
    // Confirmations come last: a message that failed and was confirmed in the same page ends Resolved.
    for (const bool confirmations : {false, true}) {
        for (m_current = 0; m_current < m_items.size(); ++m_current) {
            const Item &item = m_items.at(m_current);
            if (item.copy == Copy::Known || item.reading.confirms.isEmpty() == confirmations)
                continue;
            TRY(confirmations ? confirm(session, item) : writeOne(session, item));
        }
    }
    m_counts.taken = freshlyTaken();
    return m_counts;
}

bool PageWriter::setAside(const core::Error &error)
{
    const bool aboutMessage = error.kind == core::ErrorKind::Rejected || error.kind == core::ErrorKind::Corrupt;
    if (!aboutMessage || m_current >= m_items.size() || m_items.at(m_current).asItIs)
        return false;
    forget(m_items.at(m_current));
    return true;
}

QStringList PageWriter::page() const
{
    QStringList entries;
    entries.reserve(static_cast<qsizetype>(m_items.size()));
    for (const Item &item : m_items)
        entries.append(item.digest + QLatin1Char(' ') + item.held.nativeId);
    return entries;
}

QStringList PageWriter::entriesOf(const QStringList &page, const QStringList &ids)
{
    QSet<QString> wanted(ids.cbegin(), ids.cend());
    QStringList entries;
    for (const QString &entry : page) {
        if (wanted.remove(nativeIdIn(entry)))
            entries.append(entry);
    }
    return entries;
}

void PageWriter::leaveOut(QStringList &page, const QList<broker::ReceivedMessage> &messages)
{
    QSet<QString> ids;
    for (const broker::ReceivedMessage &one : messages)
        ids.insert(one.nativeId);
    page.removeIf([&](const QString &entry) { return ids.contains(nativeIdIn(entry)); });
}

qint64 PageWriter::freshlyTaken() const
{
    return std::count_if(m_items.begin(), m_items.end(), [](const Item &item) { return item.copy != Copy::Known; });
}

Result<> PageWriter::writeOne(store::Session &session, const Item &item)
{
    if (item.asItIs) {
        ++m_counts.undecodable;
        return writeCopy(session, item, uniqueIdOf(m_origin.connection, m_origin.queue, item.held.nativeId));
    }
    TRY(const bool stamped, writeStamped(session, item));
    if (stamped)
        return {};
    if (item.reading.messageIdIsUnique)
        return writeIdentified(session, item, uniqueIdOf(item.reading.messageId, item.reading.failure.endpoint));
    return writeCopy(session, item, uniqueIdOf(m_origin.connection, m_origin.queue, item.held.nativeId));
}

// Some frameworks put their headers into the body: then a new failure is written there too, and stripping removes it
// again.
bool PageWriter::isBodyOf(const records::Stamp &stamp, const Item &item) const
{
    if (stamp.bodyDigest == records::bodyDigest(sentAs(item.arrival, item.reading).body))
        return true;
    const records::Envelope sent = dialect::stripped(item.reading.dialect, item.held.envelope, appliedTo(item));
    return stamp.bodyDigest == records::bodyDigest(sent.body);
}

records::Conventions PageWriter::appliedTo(const Item &item) const
{
    return dialect::conventionsNamed(m_origin.conventions, item.reading.conventions);
}

Result<std::optional<records::FailedMessage>> PageWriter::recordHere(store::Session &session, const QString &uniqueId)
{
    TRY(const std::optional<core::MessageId> id, session.messages().findUnique(uniqueId));
    if (!id)
        return std::optional<records::FailedMessage>();
    TRY(const records::FailedMessage record, session.messages().load(*id));
    return record.connection == m_origin.connection ? std::optional(record) : std::nullopt;
}

// The stamp is ours only if store and digest match: a consumer that copies headers also copies the stamp onto other
// bodies.
Result<bool> PageWriter::writeStamped(store::Session &session, const Item &item)
{
    const records::Envelope &sent = sentAs(item.arrival, item.reading);
    const std::optional<records::Stamp> stamp = records::stampOf(sent.headers);
    if (!stamp || !isOurs(*stamp) || !isBodyOf(*stamp, item))
        return false;
    TRY(const std::optional<records::FailedMessage> found, recordHere(session, stamp->uniqueId));
    if (!found)
        return false;
    const records::FailedMessage &record = *found;
    const Result<bool> met = meet(session, item, record);
    if (!met || *met)
        return met;
    if (item.copy == Copy::PossibleDuplicate) {
        TRY(const records::Envelope known, session.messages().loadEnvelope(record.id));
        if (known == item.held.envelope) {
            TRY(seenAgain(session, item, record, true));
            return true;
        }
    }
    if (stamp->store != m_origin.storeId) {
        TRY(cameBackFromBefore(session, item, *stamp, record));
        return true;
    }
    return cameBack(session, item, *stamp, record);
}

Result<bool> PageWriter::cameBack(store::Session &session, const Item &item, const records::Stamp &stamp,
                                  const records::FailedMessage &record)
{
    TRY(const bool released, wasReleased(session, item, stamp, record));
    if (released) {
        TRY(readAgain(session, item, record));
        return true;
    }
    TRY(const bool counted, countReturn(session, item, record, stamp));
    if (counted)
        return true;
    TRY(const bool first, isFirstOfItsRetry(session, item, record, stamp));
    TRY(const bool same, isSameMessage(session, item, record));
    if (!first && !same) {
        TRY(writePassedOn(session, item, stamp));
        return true;
    }
    TRY(const std::optional<core::TimePoint> sent,
        session.evidence().sentFrom(stamp.uniqueId, stamp.operation, stamp.attempt));
    TRY(failAgain(session, item, record, false, sent));
    // A copy of an earlier attempt came back while a later attempt is being sent: the later one still decides about the
    // message.
    if (record.status == MessageStatus::RetryIssued)
        TRY(session.claims().earlierFailed(record.id));
    return true;
}

// True: the retry that waits for news of this message has its answer, and the stop rule knows it.
Result<bool> PageWriter::countReturn(store::Session &session, const Item &item, const records::FailedMessage &record,
                                     const std::optional<records::Stamp> &stamp)
{
    ReturnClues clues;
    TRY(clues.awaited, session.claims().awaitedReturn(record.uniqueId));
    if (!clues.awaited)
        return false;
    TRY(clues.sent, session.evidence().sentFrom(record.uniqueId, clues.awaited->operation, clues.awaited->attempt));
    clues.stamp = stamp;
    clues.namesReturnExchange = dialect::diedBehind(item.held.envelope.headers, returnExchangeOf(m_origin.storeId));
    clues.failed = item.reading.failure.at;
    clues.failedBefore = record.failure.at;
    if (evidenceOfReturn(clues) == ReturnEvidence::None)
        return false;
    TRY(const store::CameBack claim,
        session.claims().cameBack(record.uniqueId, clues.awaited->operation, clues.awaited->attempt));
    TRY(failAgain(session, item, record, true, clues.sent));
    ++m_counts.cameBack;
    TRY(applyStopRule(session, claim.operation));
    return true;
}

// The first return of a retry belongs to its record, wherever it failed, also when nobody waits for it any more. What comes
// after it with the same stamp was passed on by a consumer. A framework that wraps messages hides which one came first.
Result<bool> PageWriter::isFirstOfItsRetry(store::Session &session, const Item &item,
                                           const records::FailedMessage &record, const records::Stamp &stamp)
{
    if (!records::stampOf(item.held.envelope.headers))
        return false;
    TRY(const records::Envelope known, session.messages().loadEnvelope(record.id));
    const std::optional<records::Stamp> last = records::stampOf(known.headers);
    return !last || last->uniqueId != stamp.uniqueId || last->attempt < stamp.attempt;
}

// Whether nothing is lost when this message takes the place of the content of the record: a retry of either would send
// the same to the same queue.
Result<bool> PageWriter::isSameMessage(store::Session &session, const Item &item,
                                       const records::FailedMessage &record) const
{
    TRY(const records::Envelope known, session.messages().loadEnvelope(record.id));
    if (isSameFailure(known, item.held.envelope))
        return true;
    const QString &destination = item.reading.destination.queue;
    return !destination.isEmpty() && destination == record.destination.queue
           && item.reading.messageId == record.messageId
           && isSameFailure(dialect::stripped(record.dialect, known,
                                              dialect::conventionsNamed(m_origin.conventions, record.conventions)),
                            dialect::stripped(item.reading.dialect, item.held.envelope, appliedTo(item)));
}

// Its consumer passed a copy of ours on, headers and all, perhaps to several queues: that is another message than the
// one in the record, which the store must not lose. A person decides whether both are sent.
Result<> PageWriter::writePassedOn(store::Session &session, const Item &item, const records::Stamp &stamp)
{
    const records::Envelope sent = dialect::stripped(item.reading.dialect, item.held.envelope, appliedTo(item));
    const QString uniqueId = passedOnId(stamp, item.reading.destination.queue, sent);
    TRY(const std::optional<records::FailedMessage> found, recordHere(session, uniqueId));
    if (found && mayWait(*found)) {
        TRY(const records::Envelope known, session.messages().loadEnvelope(found->id));
        return isSameFailure(known, item.held.envelope) ? Result<>() : failAgain(session, item, *found, false);
    }
    Item flagged = item;
    flagged.copy = Copy::PossibleDuplicate;
    return insertBeside(session, flagged, uniqueId);
}

// Pauses the retry if this message was one too many.
Result<> PageWriter::applyStopRule(store::Session &session, core::OperationId id)
{
    TRY(const records::RetryOperation operation, session.retryOperations().load(id));
    const std::optional<records::RetryOperation> stopped = records::stopped(operation, m_origin.now);
    if (!stopped)
        return {};
    TRY(session.retryOperations().update(*stopped));
    TRY(session.evidence().mark(id, m_origin.now, records::RunMark::Kind::Stopped, 0));
    records::Event event;
    event.at = m_origin.now;
    event.severity = records::Severity::Warning;
    event.who = QStringLiteral("engine");
    event.what = Text::tr("Paused automatically");
    event.onWhat = records::operationTarget(id);
    event.result = stopped->stoppedBecause;
    return session.events().append(event);
}

Result<bool> PageWriter::wasReleased(store::Session &session, const Item &item, const records::Stamp &stamp,
                                     const records::FailedMessage &record) const
{
    if (record.status != MessageStatus::Released)
        return false;
    const Result<records::RetryOperation> operation = session.retryOperations().load(stamp.operation);
    if (!operation && operation.error().kind != core::ErrorKind::NotFound)
        return fail(operation.error());
    if (!operation || operation->kind != records::OperationKind::Release)
        return false;
    TRY(const records::Envelope known, session.messages().loadEnvelope(record.id));
    const auto sent = [&](const records::Envelope &envelope) {
        return dialect::withoutNulls(item.reading.dialect, envelope, appliedTo(item));
    };
    return isSameFailure(sent(known), sent(item.held.envelope));
}

// If the message does not say when it failed, the time it was first seen counts: seeing it again tells nothing new.
Result<> PageWriter::readAgain(store::Session &session, const Item &item, const records::FailedMessage &record)
{
    store::NewMessage again = recordOf(item, record.uniqueId);
    if (!item.reading.failure.at) {
        again.message.firstFailed = record.firstFailed;
        again.message.lastFailed = record.lastFailed;
    }
    return session.messages().readAgain(record.id, again);
}

Result<> PageWriter::failAgain(store::Session &session, const Item &item, const records::FailedMessage &record,
                               bool cameBack, std::optional<core::TimePoint> sent)
{
    store::NewMessage again = recordOf(item, record.uniqueId);
    if (sent)
        again.took = records::timeToFail(sent, item.reading.failure.at);
    // After a return of ours it is clear which message this is.
    again.message.flags.setFlag(MessageFlag::PossibleDuplicate,
                                !cameBack && record.flags.testFlag(MessageFlag::PossibleDuplicate));
    return session.messages().failedAgain(record.id, again, cameBack);
}

// The framework guarantees that this id names one message. If it does not (same id, other body), the older message must
// keep its body: the other one is another message.
Result<> PageWriter::writeIdentified(store::Session &session, const Item &item, const QString &uniqueId)
{
    const QString elsewhere = anotherUniqueId(uniqueId, QStringLiteral("connection %1").arg(m_origin.connection.value));
    for (const QString &candidate : {uniqueId, elsewhere}) {
        TRY(const std::optional<core::MessageId> id, session.messages().findUnique(candidate));
        if (!id)
            return insert(session, item, candidate);
        TRY(const records::FailedMessage record, session.messages().load(*id));
        if (record.connection != m_origin.connection)
            // the same message in two connections, for example a copy of Production in Test: a record for each
            continue;
        TRY(const records::Envelope known, session.messages().loadEnvelope(*id));
        if (known.body != item.held.envelope.body)
            break;
        TRY(const bool met, meet(session, item, record));
        if (met)
            return {};
        const bool sameCopy = known.headers == item.held.envelope.headers
                              && (m_origin.locks || known.properties == item.held.envelope.properties);
        return seenAgain(session, item, record, sameCopy);
    }
    const QString body = records::bodyDigest(item.held.envelope.body);
    return writeCopy(session, item, anotherUniqueId(uniqueId, body));
}

Result<> PageWriter::seenAgain(store::Session &session, const Item &item, const records::FailedMessage &record,
                               bool sameCopy)
{
    const bool waits = mayWait(record);
    if (sameCopy && record.status == MessageStatus::Unknown)
        return readAgain(session, item, record); // unchanged in its queue since the backup, so it was not retried
    if (sameCopy && waits)
        return {}; // a second copy of the same failure: the record already has all of it
    if (sameCopy && record.status != MessageStatus::Released) {
        // The failure that was already retried is here once more: a copy that was doubled on its way.
        Item doubled = item;
        doubled.copy = Copy::PossibleDuplicate;
        return insertBeside(session, doubled, record.uniqueId);
    }
    if (!sameCopy) {
        TRY(const bool counted, countReturn(session, item, record, {}));
        if (counted)
            return {};
    }
    bool stillOnItsWay = false;
    if (record.status == MessageStatus::RetryIssued) {
        // It failed again, and nothing shows that our copy did. Its claim ends here, unless its copy was not sent yet.
        TRY(const int taken,
            session.claims().close({record.id}, {records::ClaimClosing::FailedAgain, m_origin.now, {}}));
        stillOnItsWay = taken == 0;
    }
    if (sameCopy) // released without our stamp
        return readAgain(session, item, record);
    const Result<> written = failAgain(session, item, record, false);
    return written && stillOnItsWay ? session.claims().earlierFailed(record.id) : written;
}

Result<> PageWriter::insertBeside(store::Session &session, const Item &item, const QString &uniqueId)
{
    QString candidate = uniqueId;
    for (int n = 1;; ++n) {
        TRY(const std::optional<core::MessageId> id, session.messages().findUnique(candidate));
        if (!id)
            return insert(session, item, candidate);
        // The id is in use: by a twin, or by a message of an earlier queue of this name, whose numbers began at 1
        // again.
        candidate = anotherUniqueId(uniqueId, QStringLiteral("%1 %2").arg(item.digest).arg(n));
    }
}

Result<> PageWriter::insert(store::Session &session, const Item &item, const QString &uniqueId)
{
    TRY(session.messages().insert(recordOf(item, uniqueId)));
    ++m_counts.fresh;
    return {};
}

// Whether no later retry of the message waits for news than the one whose copy was handled.
Result<bool> PageWriter::isNewsOfLastRetry(store::Session &session, const Item &item, const QString &uniqueId) const
{
    TRY(const std::optional<store::AwaitedReturn> awaited, session.claims().awaitedReturn(uniqueId));
    if (!awaited)
        return true;
    TRY(std::optional<core::TimePoint> sent,
        session.evidence().sentFrom(uniqueId, awaited->operation, awaited->attempt));
    if (!sent || awaited->sentAgain) {
        TRY(const records::RetryOperation operation, session.retryOperations().load(awaited->operation));
        sent = operation.requested;
    }
    return mayConfirm(*awaited, sent, item.reading.handledAt);
}

Result<> PageWriter::confirm(store::Session &session, const Item &item)
{
    const QString elsewhere =
        anotherUniqueId(item.reading.confirms, QStringLiteral("connection %1").arg(m_origin.connection.value));
    for (const QString &candidate : {item.reading.confirms, elsewhere}) {
        TRY(const std::optional<core::MessageId> id, session.messages().findUnique(candidate));
        if (!id)
            continue;
        TRY(const records::FailedMessage record, session.messages().load(*id));
        if (record.connection != m_origin.connection)
            continue;
        ++m_counts.confirmed;
        TRY(const bool isNews, isNewsOfLastRetry(session, item, candidate));
        if (!isNews)
            return {}; // the retry that is under way decides about the message
        TRY(session.claims().acknowledged(candidate, m_origin.now));
        TRY(session.messages().setStatus(
            {*id}, {MessageStatus::Unresolved, MessageStatus::RetryIssued, MessageStatus::Unknown},
            MessageStatus::Resolved));
        return {};
    }
    // It is meant for another reader of this queue, perhaps a ServiceControl: kept, so that it can be given back.
    return insertBeside(session, item, uniqueIdOf(m_origin.connection, m_origin.queue, item.held.nativeId));
}

store::NewMessage PageWriter::recordOf(const Item &item, const QString &uniqueId) const
{
    store::NewMessage fresh = recordFrom({m_origin.connection, item.held.nativeId, m_origin.now}, item.arrival,
                                         item.reading, appliedTo(item), receiptOf(item.held), item.held.notFaithful);
    fresh.message.uniqueId = uniqueId;
    records::MessageFlags &flags = fresh.message.flags;
    flags.setFlag(MessageFlag::Undecodable, item.asItIs);
    flags.setFlag(MessageFlag::BrowsedOnly, m_origin.browsesOnly);
    flags.setFlag(MessageFlag::PossibleDuplicate, item.copy == Copy::PossibleDuplicate);
    const std::optional<records::Stamp> stamp = records::stampOf(sentAs(item.arrival, item.reading).headers);
    flags.setFlag(MessageFlag::ForeignStamp, stamp && !isOurs(*stamp));
    if (m_origin.browsesOnly)
        fresh.expiry = expiryOf(item.held, m_origin.retention, m_origin.now);
    return fresh;
}

// ---- browsed-only records, which an intake that takes the message makes normal ones ----

namespace {

bool isBrowsedOnly(const records::FailedMessage &record)
{
    return record.flags.testFlag(MessageFlag::BrowsedOnly);
}

QString contentKey(const records::Envelope &envelope)
{
    records::Envelope same = envelope;
    same.headers.removeIf([](const records::Header &header) { return isDeliveryCount(header.name); });
    return contentDigest(same);
}

} // namespace

// The id of the browsed record of the n-th message (from 1) with this content in this queue. The text is part of stored
// ids: never change it.
QString PageWriter::lookedId(const QString &key, int n) const
{
    return uniqueIdOf(m_origin.connection, m_origin.queue, QStringLiteral("looked at\n%1\n%2").arg(key).arg(n));
}

// Perfect twins are told apart by their order. Messages that were taken meanwhile are skipped.
Result<PageWriter::Looked> PageWriter::nextBrowsed(store::Session &session, const Item &item)
{
    const QString key = m_origin.locks ? item.held.nativeId : contentKey(item.held.envelope);
    int &n = m_met[key];
    while (true) {
        Looked browsed;
        browsed.uniqueId = lookedId(key, ++n);
        TRY(const std::optional<core::MessageId> id, session.messages().findUnique(browsed.uniqueId));
        if (!id)
            return browsed;
        TRY(const records::FailedMessage record, session.messages().load(*id));
        if (!isBrowsedOnly(record))
            continue;
        browsed.record = record;
        return browsed;
    }
}

// A message without an id of its own: known by its content and by how many like it there are.
Result<> PageWriter::writeCopy(store::Session &session, const Item &item, const QString &uniqueId)
{
    TRY(const bool found, foundAgain(session, item, uniqueId));
    if (found)
        return {};
    if (!m_origin.browsesOnly && !m_mayBeBrowsed)
        return insertBeside(session, item, uniqueId);
    TRY(const Looked browsed, nextBrowsed(session, item));
    if (browsed.record)
        return writeOver(session, item, *browsed.record);
    if (!m_origin.browsesOnly)
        return insertBeside(session, item, uniqueId);
    return insert(session, item, browsed.uniqueId);
}

// The browsed record gets the current facts. After an intake it is a normal record.
Result<> PageWriter::writeOver(store::Session &session, const Item &item, const records::FailedMessage &record)
{
    (m_origin.browsesOnly ? m_looked.again : m_counts.fresh) += 1;
    return readAgain(session, item, record);
}

// True: a record of this message exists and nothing more is to be done. Browsing never changes the record of a message
// that was taken.
Result<bool> PageWriter::meet(store::Session &session, const Item &item, const records::FailedMessage &record)
{
    if (isBrowsedOnly(record)) {
        TRY(writeOver(session, item, record));
        return true;
    }
    if (m_origin.browsesOnly)
        ++m_looked.known;
    return m_origin.browsesOnly;
}

Result<> PageWriter::learnWhatWasBrowsed(store::Session &session)
{
    TRY(const QList<store::QueueCount> counts, session.messages().queueCounts());
    m_mayBeBrowsed = std::any_of(counts.cbegin(), counts.cend(), [this](const store::QueueCount &count) {
        return count.connection == m_origin.connection && count.queue == m_origin.queue && count.browsedOnly > 0;
    });
    return {};
}

Result<records::BrowseCounts> PageWriter::writeBrowsed(store::Session &session, int most)
{
    m_looked = {};
    m_counts = {};
    TRY(learnFormerStores(session));
    m_met = m_metBefore;
    const size_t end = std::min(m_items.size(), m_from + size_t(most));
    for (m_current = m_from; m_current < end; ++m_current) {
        const Item &item = m_items.at(m_current);
        ++m_looked.seen;
        if (!item.reading.confirms.isEmpty()) {
            ++m_looked.known; // a confirmation of another message: it takes effect when it is taken
            continue;
        }
        TRY(writeOne(session, item));
    }
    m_looked.fresh = m_counts.fresh;
    m_looked.undecodable = m_counts.undecodable;
    return m_looked;
}

bool PageWriter::nextSlice()
{
    m_from = m_current;
    m_metBefore = m_met;
    return m_from < m_items.size();
}

// ---- messages that a restored store knew before the backup ----

Result<> PageWriter::learnFormerStores(store::Session &session)
{
    TRY(m_formerStores, session.intakes().formerStores());
    return {};
}

bool PageWriter::isOurs(const records::Stamp &stamp) const
{
    return stamp.store == m_origin.storeId || m_formerStores.contains(stamp.store);
}

// The message was sent before a backup was restored, perhaps by an operation that the backup does not know and whose
// number another operation has now. The stamp says which message it is, and nothing about the current claims.
Result<> PageWriter::cameBackFromBefore(store::Session &session, const Item &item, const records::Stamp &stamp,
                                        const records::FailedMessage &record)
{
    if (record.status == MessageStatus::Unknown || record.status == MessageStatus::Released) {
        TRY(const records::Envelope known, session.messages().loadEnvelope(record.id));
        if (isSameFailure(known, item.held.envelope)) // it was released and has not failed again
            return readAgain(session, item, record);
    } else {
        TRY(const bool same, isSameMessage(session, item, record));
        if (!same)
            return writePassedOn(session, item, stamp);
    }
    TRY(failAgain(session, item, record, true));
    ++m_counts.cameBack;
    return record.status == MessageStatus::RetryIssued ? session.claims().earlierFailed(record.id) : Result<>{};
}

Result<bool> PageWriter::foundAgain(store::Session &session, const Item &item, const QString &uniqueId)
{
    if (!m_origin.locks)
        return false;
    TRY(const std::optional<records::FailedMessage> record, recordHere(session, uniqueId));
    if (!record || record->status != MessageStatus::Unknown)
        return false;
    TRY(const records::Envelope known, session.messages().loadEnvelope(record->id));
    if (!isSameFailure(known, item.held.envelope))
        return false;
    const Result<bool> met = meet(session, item, *record);
    if (!met || *met)
        return met;
    TRY(readAgain(session, item, *record));
    return true;
}

} // namespace intake
