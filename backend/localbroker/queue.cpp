#include "backend/localbroker/queue.h"

namespace localbroker {

namespace {

constexpr qint64 browseBytes = 16LL * 1024 * 1024; // bytes of bodies in one page, which is completely in memory

// A lock token in the form that Microsoft uses.
QString guid(core::Random &random)
{
    QString text = random.hexId();
    for (const int at : {8, 13, 18, 23})
        text.insert(at, QLatin1Char('-'));
    return text;
}

tl::unexpected<Refusal> lockLost()
{
    return refuse(
        Refusal::Kind::LockLost,
        QStringLiteral("The lock supplied is invalid. Either the lock expired, or the message has already been "
                       "removed from the queue."));
}

Message withoutDraft(const Message &message)
{
    Message result;
    result.sequence = message.sequence;
    result.state = message.state;
    result.deadLetter = message.deadLetter;
    result.enqueuedAt = message.enqueuedAt;
    result.deliveryCount = message.deliveryCount;
    result.deadLetterReason = message.deadLetterReason;
    result.deadLetterDescription = message.deadLetterDescription;
    return result;
}

} // namespace

Queue::Queue(QueueSettings settings, core::TimePoint now)
    : m_lastUse(now)
{
    setSettings(std::move(settings));
}

void Queue::setSettings(QueueSettings settings)
{
    m_settings = std::move(settings);
    m_passesOn = m_settings.kind == EntityKind::Topic || !m_settings.forwardTo.isEmpty();
    m_passesOnDead = !m_settings.forwardDeadLettersTo.isEmpty();
    for (const bool deadLetter : {false, true}) {
        if (passesOn(deadLetter))
            m_leaving.insert(ready(deadLetter).cbegin(), ready(deadLetter).cend());
    }
}

QueueCounts Queue::counts() const
{
    QueueCounts counts = m_counts;
    counts.scheduled = qint64(m_due.size());
    counts.active = qint64(m_messages.size()) - counts.scheduled - counts.deadLetter;
    return counts;
}

bool Queue::isDuplicate(const QString &messageId, core::TimePoint now) const
{
    if (!m_settings.duplicateDetection || messageId.isEmpty())
        return false;
    const auto seen = m_seen.constFind(messageId);
    return seen != m_seen.cend() && now - *seen < m_settings.duplicateWindow;
}

void Queue::arrived(const Message &message, core::TimePoint now, QList<Change> &changes)
{
    // A message from the topic does not show that anybody reads the subscription.
    if (m_settings.kind != EntityKind::Subscription)
        m_lastUse = now;
    if (m_settings.duplicateDetection && !message.draft.messageId.isEmpty()) {
        restoreSeen(message.draft.messageId, now);
        changes.append(IdSeen{m_settings.name, message.draft.messageId, now});
    }
}

void Queue::add(Message message, core::TimePoint now, QList<Change> &changes)
{
    if (!message.deadLetter && message.draft.scheduledFor && *message.draft.scheduledFor > now)
        message.state = Message::State::Scheduled;
    changes.append(MessageAdded{m_settings.name, message});
    restore(std::move(message));
}

void Queue::restoreSeen(const QString &messageId, core::TimePoint at)
{
    m_seen.insert(messageId, at);
    m_seenInOrder.emplace_back(at, messageId);
}

void Queue::restore(Message message)
{
    m_counts.bytes += message.draft.size();
    m_counts.deadLetter += message.deadLetter ? 1 : 0;
    const qint64 sequence = message.sequence;
    const Message &kept = m_messages[sequence] = std::move(message);
    if (kept.state == Message::State::Scheduled)
        m_due.emplace(*kept.draft.scheduledFor, sequence);
    else if (kept.state == Message::State::Ready)
        makeReady(kept);
}

void Queue::makeReady(const Message &message)
{
    ready(message.deadLetter).insert(message.sequence);
    if (passesOn(message.deadLetter))
        m_leaving.insert(message.sequence);
    if (const auto at = message.expiresAt())
        m_expiries.emplace(*at, message.sequence);
}

void Queue::leaveShelves(const Message &message)
{
    ready(message.deadLetter).erase(message.sequence);
    if (const auto at = message.expiresAt())
        m_expiries.erase({*at, message.sequence});
}

Delivery Queue::lock(Message &message, core::TimePoint now, core::Random &random, QList<Change> &changes)
{
    leaveShelves(message);
    if (!message.deadLetter)
        ++message.deliveryCount; // the service does not count in the dead-letter queue (azure-sdk-for-net#53437)
    const bool wasDeferred = message.state == Message::State::Deferred;
    const Lock lock{guid(random), now + m_settings.lockDuration, wasDeferred};
    m_locks.insert(message.sequence, lock);
    m_lockEnds.emplace(lock.until, message.sequence);
    changes.append(MessageMoved{withoutDraft(message)});
    return Delivery{message, lock.token, lock.until};
}

std::optional<Delivery> Queue::peekLock(bool deadLetter, core::TimePoint now, core::Random &random,
                                        QList<Change> &changes)
{
    m_lastUse = now;
    tick(now, changes);
    const std::set<qint64> &shelf = ready(deadLetter);
    if (shelf.empty())
        return {};
    return lock(m_messages.at(*shelf.begin()), now, random, changes);
}

std::optional<Delivery> Queue::receiveAndDelete(bool deadLetter, core::TimePoint now, QList<Change> &changes)
{
    m_lastUse = now;
    tick(now, changes);
    const std::set<qint64> &shelf = ready(deadLetter);
    if (shelf.empty())
        return {};
    Message &message = m_messages.at(*shelf.begin());
    if (!message.deadLetter)
        ++message.deliveryCount;
    const Delivery delivery{message, {}, {}};
    drop(message.sequence, changes);
    return delivery;
}

Outcome<Delivery> Queue::receiveDeferred(bool deadLetter, qint64 sequence, core::TimePoint now, core::Random &random,
                                         QList<Change> &changes)
{
    m_lastUse = now;
    tick(now, changes);
    const auto found = m_messages.find(sequence);
    if (found == m_messages.end() || found->second.state != Message::State::Deferred || m_locks.contains(sequence)
        || found->second.deadLetter != deadLetter)
        return refuse(Refusal::Kind::LockLost, QStringLiteral("No deferred message has this sequence number."));
    return lock(found->second, now, random, changes);
}

Message *Queue::locked(qint64 sequence, const QString &token, core::TimePoint now)
{
    m_lastUse = now;
    const auto found = m_locks.constFind(sequence);
    if (found == m_locks.cend() || found->token.compare(token, Qt::CaseInsensitive) != 0 || found->until <= now)
        return nullptr;
    return &m_messages.at(sequence);
}

void Queue::unlock(qint64 sequence)
{
    const Lock lock = m_locks.take(sequence);
    m_lockEnds.erase({lock.until, sequence});
}

void Queue::drop(qint64 sequence, QList<Change> &changes)
{
    const auto found = m_messages.find(sequence);
    leaveShelves(found->second);
    m_counts.bytes -= found->second.draft.size();
    m_counts.deadLetter -= found->second.deadLetter ? 1 : 0;
    m_messages.erase(found);
    changes.append(MessageGone{sequence});
}

Outcome<> Queue::complete(qint64 sequence, const QString &token, core::TimePoint now, QList<Change> &changes)
{
    if (locked(sequence, token, now) == nullptr)
        return lockLost();
    unlock(sequence);
    drop(sequence, changes);
    return {};
}

Outcome<> Queue::abandon(qint64 sequence, const QString &token, core::TimePoint now, QList<Change> &changes)
{
    Message *message = locked(sequence, token, now);
    if (message == nullptr)
        return lockLost();
    const bool wasDeferred = m_locks.value(sequence).wasDeferred;
    unlock(sequence);
    giveBack(*message, wasDeferred, changes);
    expire(now, changes);
    return {};
}

Outcome<> Queue::defer(qint64 sequence, const QString &token, core::TimePoint now, QList<Change> &changes)
{
    Message *message = locked(sequence, token, now);
    if (message == nullptr)
        return lockLost();
    unlock(sequence);
    message->state = Message::State::Deferred;
    changes.append(MessageMoved{withoutDraft(*message)});
    return {};
}

Outcome<> Queue::deadLetter(qint64 sequence, const QString &token, const QString &reason, const QString &description,
                            core::TimePoint now, QList<Change> &changes)
{
    Message *message = locked(sequence, token, now);
    if (message == nullptr)
        return lockLost();
    if (message->deadLetter)
        return refuse(Refusal::Kind::NotAllowed, QStringLiteral("The message is already in the dead-letter queue."));
    unlock(sequence);
    toDeadLetter(*message, reason, description, changes);
    return {};
}

Outcome<core::TimePoint> Queue::renew(qint64 sequence, const QString &token, core::TimePoint now)
{
    if (locked(sequence, token, now) == nullptr)
        return lockLost();
    Lock &lock = m_locks[sequence];
    m_lockEnds.erase({lock.until, sequence});
    lock.until = now + m_settings.lockDuration;
    m_lockEnds.emplace(lock.until, sequence);
    return lock.until;
}

void Queue::giveBack(Message &message, bool wasDeferred, QList<Change> &changes)
{
    if (!message.deadLetter && message.deliveryCount >= m_settings.maxDeliveryCount) {
        toDeadLetter(
            message, QStringLiteral("MaxDeliveryCountExceeded"),
            QStringLiteral("Message could not be consumed after %1 delivery attempts.").arg(message.deliveryCount),
            changes);
        return;
    }
    if (!wasDeferred)
        makeReady(message);
    changes.append(MessageMoved{withoutDraft(message)});
}

void Queue::toDeadLetter(Message &message, const QString &reason, const QString &description, QList<Change> &changes)
{
    leaveShelves(message);
    message.deadLetter = true;
    message.state = Message::State::Ready;
    message.deadLetterReason = reason;
    message.deadLetterDescription = description;
    ++m_counts.deadLetter;
    makeReady(message);
    changes.append(MessageMoved{withoutDraft(message)});
}

QList<Message> Queue::takeLeaving()
{
    QList<Message> messages;
    const std::set<qint64> leaving = std::exchange(m_leaving, {});
    for (const qint64 sequence : leaving) {
        const auto found = m_messages.find(sequence);
        if (found == m_messages.end())
            continue;
        const bool deadLetter = found->second.deadLetter;
        if (passesOn(deadLetter) && ready(deadLetter).count(sequence) > 0)
            messages.append(found->second);
    }
    return messages;
}

void Queue::cannotLeave(qint64 sequence, const QString &reason, const QString &description, QList<Change> &changes)
{
    toDeadLetter(m_messages.at(sequence), reason, description, changes);
}

void Queue::expire(core::TimePoint now, QList<Change> &changes)
{
    while (!m_expiries.empty() && m_expiries.begin()->first <= now) {
        const qint64 sequence = m_expiries.begin()->second;
        if (m_settings.deadLetteringOnExpiration)
            toDeadLetter(m_messages.at(sequence), QStringLiteral("TTLExpiredException"),
                         QStringLiteral("The message expired and was dead lettered."), changes);
        else
            drop(sequence, changes);
    }
}

bool Queue::tick(core::TimePoint now, QList<Change> &changes)
{
    bool becameReady = false;
    while (!m_lockEnds.empty() && m_lockEnds.begin()->first <= now) {
        const qint64 sequence = m_lockEnds.begin()->second;
        const bool wasDeferred = m_locks.value(sequence).wasDeferred;
        unlock(sequence);
        giveBack(m_messages.at(sequence), wasDeferred, changes);
        becameReady = true;
    }
    while (!m_due.empty() && m_due.begin()->first <= now) {
        Message &message = m_messages.at(m_due.begin()->second);
        m_due.erase(m_due.begin());
        message.state = Message::State::Ready;
        message.enqueuedAt = *message.draft.scheduledFor;
        makeReady(message);
        changes.append(MessageMoved{withoutDraft(message)});
        becameReady = true;
    }
    while (!m_triesAgain.empty() && m_triesAgain.begin()->first <= now) {
        m_leaving.insert(m_triesAgain.begin()->second);
        m_triesAgain.erase(m_triesAgain.begin());
    }
    const size_t deadBefore = m_readyDead.size();
    expire(now, changes);
    while (!m_seenInOrder.empty() && now - m_seenInOrder.front().first >= m_settings.duplicateWindow) {
        const auto [at, id] = m_seenInOrder.front();
        m_seenInOrder.pop_front();
        // An id that was sent again after its window is here twice. The later time counts.
        if (m_seen.value(id) != at)
            continue;
        m_seen.remove(id);
        changes.append(IdForgotten{m_settings.name, id});
    }
    return becameReady || m_readyDead.size() != deadBefore;
}

std::optional<core::TimePoint> Queue::nextEvent() const
{
    if (hasLeaving()) // found in the file
        return m_lastUse;
    std::optional<core::TimePoint> next;
    for (const Timetable *table : {&m_lockEnds, &m_expiries, &m_due, &m_triesAgain}) {
        if (!table->empty() && (!next || table->begin()->first < *next))
            next = table->begin()->first;
    }
    if (m_settings.autoDeleteOnIdle) {
        const core::TimePoint idle = m_lastUse + *m_settings.autoDeleteOnIdle;
        next = next ? std::min(*next, idle) : idle;
    }
    return next;
}

bool Queue::isIdle(core::TimePoint now) const
{
    return m_settings.autoDeleteOnIdle && now - m_lastUse >= *m_settings.autoDeleteOnIdle;
}

QList<Message> Queue::browse(bool deadLetter, qint64 fromSequence, int top) const
{
    QList<Message> page;
    qint64 bytes = 0;
    for (auto it = m_messages.lower_bound(fromSequence);
         it != m_messages.end() && page.size() < top && bytes < browseBytes; ++it) {
        if (it->second.deadLetter != deadLetter || it->second.state == Message::State::Scheduled)
            continue;
        page.append(it->second);
        bytes += it->second.draft.body.size();
    }
    return page;
}

} // namespace localbroker
