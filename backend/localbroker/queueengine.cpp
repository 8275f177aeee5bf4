#include "backend/localbroker/queueengine.h"

#include <algorithm>

namespace localbroker {

using core::Milliseconds;

namespace {

tl::unexpected<Refusal> noQueue(const QString &name)
{
    return refuse(Refusal::Kind::NoQueue, QStringLiteral("The queue %1 does not exist.").arg(name));
}

Outcome<> checkSettings(const QueueSettings &settings)
{
    const QString &name = settings.name;
    const bool nameOk = !name.isEmpty() && name.size() <= 260 && !name.startsWith(QLatin1Char('/'))
                        && !name.endsWith(QLatin1Char('/')) && !name.startsWith(QLatin1Char('$'))
                        && !name.contains(QLatin1String("/$")) && std::none_of(name.cbegin(), name.cend(), [](QChar c) {
                               return c < QLatin1Char(' ') || c == QLatin1Char('\\');
                           });
    if (!nameOk)
        return refuse(Refusal::Kind::Invalid, QStringLiteral("This is not a possible queue name."));
    if (settings.lockDuration < std::chrono::seconds{1} || settings.lockDuration > std::chrono::minutes{5})
        return refuse(Refusal::Kind::Invalid, QStringLiteral("LockDuration must be between 1 second and 5 minutes."));
    if (settings.maxDeliveryCount < 1 || settings.maxDeliveryCount > 2000)
        return refuse(Refusal::Kind::Invalid, QStringLiteral("MaxDeliveryCount must be between 1 and 2000."));
    return {};
}

} // namespace

QueueEngine::QueueEngine(core::Clock &clock, core::Random &random, EngineLimits limits)
    : m_clock(clock)
    , m_random(random)
    , m_limits(limits)
{
}

Queue *QueueEngine::find(const QString &name)
{
    const auto found = m_queues.find(name.toLower());
    return found == m_queues.end() ? nullptr : &found->second;
}

Outcome<> QueueEngine::createQueue(QueueSettings settings)
{
    const Outcome<> checked = checkSettings(settings);
    if (!checked)
        return checked;
    if (find(settings.name) != nullptr)
        return refuse(Refusal::Kind::QueueExists, QStringLiteral("The queue %1 exists already.").arg(settings.name));
    if (m_queues.size() >= size_t(m_limits.queues))
        return refuse(Refusal::Kind::QuotaExceeded, QStringLiteral("There are too many queues."));
    m_changes.append(QueueSaved{settings});
    restoreQueue(std::move(settings));
    return {};
}

Outcome<> QueueEngine::updateQueue(QueueSettings settings)
{
    const Outcome<> checked = checkSettings(settings);
    if (!checked)
        return checked;
    Queue *queue = find(settings.name);
    if (queue == nullptr)
        return noQueue(settings.name);
    settings.name = queue->settings().name;
    m_changes.append(QueueSaved{settings});
    queue->setSettings(std::move(settings));
    return {};
}

Outcome<> QueueEngine::deleteQueue(const QString &name)
{
    const auto found = m_queues.find(name.toLower());
    if (found == m_queues.end())
        return noQueue(name);
    m_changes.append(QueueDropped{found->second.settings().name});
    m_queues.erase(found);
    return {};
}

std::optional<QueueState> QueueEngine::queue(const QString &name) const
{
    const auto found = m_queues.find(name.toLower());
    if (found == m_queues.end())
        return {};
    return QueueState{found->second.settings(), found->second.counts()};
}

QList<QueueState> QueueEngine::queues(int skip, int top) const
{
    QList<QueueState> page;
    for (const auto &[key, queue] : m_queues) {
        if (skip-- > 0)
            continue;
        if (page.size() >= top)
            break;
        page.append(QueueState{queue.settings(), queue.counts()});
    }
    return page;
}

Outcome<> QueueEngine::check(const Queue &queue, const QList<Draft> &drafts) const
{
    qint64 total = 0;
    for (const Draft &draft : drafts) {
        if (draft.size() > m_limits.messageBytes)
            return refuse(Refusal::Kind::TooLarge,
                          QStringLiteral("The message is larger than %1 bytes.").arg(m_limits.messageBytes));
        if (draft.headerBytes() > m_limits.headerBytes)
            return refuse(Refusal::Kind::TooLarge,
                          QStringLiteral("The properties are larger than %1 bytes.").arg(m_limits.headerBytes));
        if (!draft.partitionKey.isEmpty() && !draft.sessionId.isEmpty() && draft.partitionKey != draft.sessionId)
            return refuse(Refusal::Kind::Invalid, QStringLiteral("PartitionKey and SessionId must be the same."));
        if (draft.timeToLive && *draft.timeToLive <= Milliseconds{0})
            return refuse(Refusal::Kind::Invalid, QStringLiteral("TimeToLive must be greater than zero."));
        total += draft.size();
    }
    if (drafts.size() > 1 && total > m_limits.batchBytes)
        return refuse(Refusal::Kind::TooLarge,
                      QStringLiteral("The batch is larger than %1 bytes.").arg(m_limits.batchBytes));
    if (queue.counts().bytes + total > queue.settings().maxSizeBytes)
        return refuse(Refusal::Kind::QuotaExceeded, QStringLiteral("The queue %1 is full.").arg(queue.settings().name));
    return {};
}

Outcome<> QueueEngine::send(const Place &place, QList<Draft> drafts)
{
    Queue *queue = find(place.queue);
    if (queue == nullptr)
        return noQueue(place.queue);
    if (place.deadLetter)
        return refuse(Refusal::Kind::NotAllowed, QStringLiteral("Nothing can be sent to a dead-letter queue."));
    const Outcome<> checked = check(*queue, drafts);
    if (!checked)
        return checked;
    const core::TimePoint now = m_clock.now();
    for (Draft &draft : drafts) {
        if (draft.messageId.isEmpty())
            draft.messageId = m_random.hexId();
        if (queue->isDuplicate(draft.messageId, now))
            continue;
        const std::optional<Milliseconds> standard = queue->settings().defaultTimeToLive;
        if (standard && (!draft.timeToLive || *draft.timeToLive > *standard))
            draft.timeToLive = standard;
        Message message;
        message.sequence = ++m_lastSequence;
        message.enqueuedAt = now;
        message.draft = std::move(draft);
        queue->add(std::move(message), now, m_changes);
    }
    return {};
}

Outcome<std::optional<Delivery>> QueueEngine::peekLock(const Place &place)
{
    Queue *queue = find(place.queue);
    if (queue == nullptr)
        return noQueue(place.queue);
    return queue->peekLock(place.deadLetter, m_clock.now(), m_random, m_changes);
}

Outcome<std::optional<Delivery>> QueueEngine::receiveAndDelete(const Place &place)
{
    Queue *queue = find(place.queue);
    if (queue == nullptr)
        return noQueue(place.queue);
    return queue->receiveAndDelete(place.deadLetter, m_clock.now(), m_changes);
}

Outcome<Delivery> QueueEngine::receiveDeferred(const Place &place, qint64 sequence)
{
    Queue *queue = find(place.queue);
    if (queue == nullptr)
        return noQueue(place.queue);
    return queue->receiveDeferred(place.deadLetter, sequence, m_clock.now(), m_random, m_changes);
}

Outcome<> QueueEngine::complete(const Place &place, qint64 sequence, const QString &token)
{
    Queue *queue = find(place.queue);
    return queue == nullptr ? noQueue(place.queue) : queue->complete(sequence, token, m_clock.now(), m_changes);
}

Outcome<> QueueEngine::abandon(const Place &place, qint64 sequence, const QString &token)
{
    Queue *queue = find(place.queue);
    return queue == nullptr ? noQueue(place.queue) : queue->abandon(sequence, token, m_clock.now(), m_changes);
}

Outcome<> QueueEngine::defer(const Place &place, qint64 sequence, const QString &token)
{
    Queue *queue = find(place.queue);
    return queue == nullptr ? noQueue(place.queue) : queue->defer(sequence, token, m_clock.now(), m_changes);
}

Outcome<> QueueEngine::deadLetter(const Place &place, qint64 sequence, const QString &token, const QString &reason,
                                  const QString &description)
{
    Queue *queue = find(place.queue);
    if (queue == nullptr)
        return noQueue(place.queue);
    return queue->deadLetter(sequence, token, reason, description, m_clock.now(), m_changes);
}

Outcome<core::TimePoint> QueueEngine::renew(const Place &place, qint64 sequence, const QString &token)
{
    Queue *queue = find(place.queue);
    if (queue == nullptr)
        return noQueue(place.queue);
    return queue->renew(sequence, token, m_clock.now());
}

Outcome<QList<Message>> QueueEngine::browse(const Place &place, qint64 fromSequence, int top) const
{
    const auto found = m_queues.find(place.queue.toLower());
    if (found == m_queues.end())
        return noQueue(place.queue);
    return found->second.browse(place.deadLetter, fromSequence, top);
}

bool QueueEngine::tick()
{
    const core::TimePoint now = m_clock.now();
    bool becameReady = false;
    for (auto it = m_queues.begin(); it != m_queues.end();) {
        if (it->second.isIdle(now)) {
            m_changes.append(QueueDropped{it->second.settings().name});
            it = m_queues.erase(it);
            continue;
        }
        becameReady = it->second.tick(now, m_changes) || becameReady;
        ++it;
    }
    return becameReady;
}

std::optional<core::TimePoint> QueueEngine::nextEvent() const
{
    std::optional<core::TimePoint> next;
    for (const auto &[key, queue] : m_queues) {
        const std::optional<core::TimePoint> one = queue.nextEvent();
        if (one && (!next || *one < *next))
            next = one;
    }
    return next;
}

void QueueEngine::restoreQueue(QueueSettings settings)
{
    const QString key = settings.name.toLower();
    m_queues.emplace(key, Queue(std::move(settings), m_clock.now()));
}

void QueueEngine::restoreMessage(const QString &queue, Message message)
{
    m_lastSequence = std::max(m_lastSequence, message.sequence);
    if (Queue *found = find(queue))
        found->restore(std::move(message));
}

void QueueEngine::restoreSeen(const QString &queue, const QString &messageId, core::TimePoint at)
{
    if (Queue *found = find(queue))
        found->restoreSeen(messageId, at);
}

} // namespace localbroker
