#include "backend/localbroker/queueengine.h"

#include <algorithm>

namespace localbroker {

using core::Milliseconds;

namespace {

tl::unexpected<Refusal> noQueue(const QString &name)
{
    return refuse(Refusal::Kind::NoQueue, QStringLiteral("The queue %1 does not exist.").arg(name));
}

bool isPossibleName(const QString &name, qsizetype longest)
{
    return !name.isEmpty() && name.size() <= longest && !name.startsWith(QLatin1Char('/'))
           && !name.endsWith(QLatin1Char('/')) && !name.startsWith(QLatin1Char('$'))
           && !name.contains(QLatin1String("/$")) && std::none_of(name.cbegin(), name.cend(), [](QChar c) {
                  return c < QLatin1Char(' ') || c == QLatin1Char('\\');
              });
}

// "orders/Subscriptions" and everything below it are paths of the protocol, so they cannot be names of queues.
bool namesNoSubscription(const QString &name)
{
    return !subscriptionPath(name) && !name.endsWith(QLatin1String("/Subscriptions"), Qt::CaseInsensitive);
}

Outcome<> checkSettings(const QueueSettings &settings)
{
    constexpr qsizetype longestName = 260;
    constexpr qsizetype longestSubscription = 50;
    if (settings.kind == EntityKind::Subscription) {
        const std::optional<SubscriptionPath> path = subscriptionPath(settings.name);
        if (!path || !isPossibleName(path->name, longestSubscription))
            return refuse(Refusal::Kind::Invalid, QStringLiteral("The subscription name is invalid."));
    } else if (!isPossibleName(settings.name, longestName) || !namesNoSubscription(settings.name)) {
        return refuse(Refusal::Kind::Invalid, QStringLiteral("The queue name is invalid."));
    }
    if (settings.lockDuration < std::chrono::seconds{1} || settings.lockDuration > std::chrono::minutes{5})
        return refuse(Refusal::Kind::Invalid, QStringLiteral("LockDuration must be between 1 second and 5 minutes."));
    if (settings.defaultTimeToLive && *settings.defaultTimeToLive <= Milliseconds{0})
        return refuse(Refusal::Kind::Invalid, QStringLiteral("DefaultMessageTimeToLive must be greater than zero."));
    if (settings.autoDeleteOnIdle && *settings.autoDeleteOnIdle < std::chrono::minutes{5})
        return refuse(Refusal::Kind::Invalid, QStringLiteral("AutoDeleteOnIdle must be at least 5 minutes."));
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

const Queue *QueueEngine::find(const QString &name) const
{
    const auto found = m_queues.find(name.toLower());
    return found == m_queues.end() ? nullptr : &found->second;
}

// The name of a subscription contains the name of its topic in the spelling of the topic.
Outcome<> QueueEngine::placeInTopic(QueueSettings &settings) const
{
    const SubscriptionPath path = *subscriptionPath(settings.name);
    const Queue *topic = find(path.topic);
    if (topic == nullptr || topic->settings().kind != EntityKind::Topic)
        return refuse(Refusal::Kind::NoQueue, QStringLiteral("The topic %1 does not exist.").arg(path.topic));
    if (subscriptionsOf(*topic) >= m_limits.subscriptions)
        return refuse(Refusal::Kind::QuotaExceeded, QStringLiteral("There are too many subscriptions."));
    settings.name = pathOfSubscription(topic->settings().name, path.name);
    return {};
}

// Like the service: a target must exist when the setting is made. It may be deleted later.
Outcome<> QueueEngine::findTargets(QueueSettings &settings) const
{
    for (QString QueueSettings::*to : {&QueueSettings::forwardTo, &QueueSettings::forwardDeadLettersTo}) {
        QString &name = settings.*to;
        if (settings.kind == EntityKind::Topic)
            name.clear();
        if (name.isEmpty())
            continue;
        if (name.compare(settings.name, Qt::CaseInsensitive) == 0)
            return refuse(Refusal::Kind::Invalid, QStringLiteral("%1 cannot forward to itself.").arg(settings.name));
        const Queue *target = find(name);
        if (target == nullptr || target->settings().kind == EntityKind::Subscription) {
            const QString text =
                QStringLiteral("SubCode=40400. The auto forwarding destination entity does not exist: %1.");
            return refuse(Refusal::Kind::Invalid, text.arg(name));
        }
        name = target->settings().name;
    }
    return {};
}

Outcome<> QueueEngine::createQueue(QueueSettings settings)
{
    Outcome<> checked = checkSettings(settings);
    if (checked && find(settings.name) != nullptr)
        return refuse(Refusal::Kind::QueueExists, QStringLiteral("The queue %1 already exists.").arg(settings.name));
    if (checked && settings.kind == EntityKind::Subscription)
        checked = placeInTopic(settings);
    if (checked)
        checked = findTargets(settings);
    if (!checked)
        return checked;
    if (m_queues.size() >= size_t(m_limits.queues))
        return refuse(Refusal::Kind::QuotaExceeded, QStringLiteral("There are too many queues."));
    m_changes.append(QueueSaved{settings});
    restoreQueue(std::move(settings));
    return {};
}

Outcome<> QueueEngine::updateQueue(QueueSettings settings)
{
    Outcome<> checked = checkSettings(settings);
    if (!checked)
        return checked;
    Queue *queue = find(settings.name);
    if (queue == nullptr)
        return noQueue(settings.name);
    if (queue->settings().kind != settings.kind)
        return refuse(Refusal::Kind::Invalid,
                      QStringLiteral("%1 is another kind of entity than the description says.").arg(settings.name));
    settings.name = queue->settings().name;
    checked = findTargets(settings);
    if (!checked)
        return checked;
    m_changes.append(QueueSaved{settings});
    queue->setSettings(std::move(settings));
    queue->touch(m_clock.now());
    follow(*queue);
    return {};
}

// Deleting a topic deletes its subscriptions.
Outcome<> QueueEngine::deleteQueue(const QString &name)
{
    const Queue *queue = find(name);
    if (queue == nullptr)
        return noQueue(name);
    QStringList names{queue->settings().name};
    if (queue->settings().kind == EntityKind::Topic)
        eachSubscription(m_queues, names.constFirst(), [&](const Queue &one) { names.append(one.settings().name); });
    for (const QString &one : std::as_const(names)) {
        m_changes.append(QueueDropped{one});
        m_queues.erase(one.toLower());
    }
    return {};
}

QueueState QueueEngine::stateOf(const Queue &queue) const
{
    QueueState state{queue.settings(), queue.counts()};
    state.counts.bytes = bytesOf(queue);
    state.counts.subscriptions = subscriptionsOf(queue);
    return state;
}

std::optional<QueueState> QueueEngine::queue(const QString &name) const
{
    const Queue *found = find(name);
    return found == nullptr ? std::nullopt : std::optional(stateOf(*found));
}

QList<QueueState> QueueEngine::entities(EntityKind kind, const QString &topic, int skip, int top) const
{
    QList<QueueState> page;
    const auto add = [&](const Queue &queue) {
        if (queue.settings().kind == kind && skip-- <= 0 && page.size() < top)
            page.append(stateOf(queue));
    };
    if (kind == EntityKind::Subscription) {
        eachSubscription(m_queues, topic, add);
    } else {
        for (const auto &[key, queue] : m_queues)
            add(queue);
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
    total *= std::max(1, subscriptionsOf(queue));
    if (bytesOf(queue) + total > queue.settings().maxSizeBytes)
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
    if (queue->settings().kind == EntityKind::Subscription)
        return refuse(Refusal::Kind::NoQueue,
                      QStringLiteral("%1 is a subscription: messages are sent to its topic.").arg(place.queue));
    const Outcome<> checked = check(*queue, drafts);
    if (!checked)
        return checked;
    for (Draft &draft : drafts) {
        if (draft.messageId.isEmpty())
            draft.messageId = m_random.hexId();
        Message message;
        message.draft = std::move(draft);
        enter(*queue, std::move(message), false);
    }
    passOnAll();
    return {};
}

Outcome<> QueueEngine::sendDeadLetters(const QString &name, QList<DeadLetterDraft> drafts)
{
    Queue *queue = find(name);
    if (queue == nullptr)
        return noQueue(name);
    if (queue->settings().kind == EntityKind::Topic)
        return refuse(Refusal::Kind::NotAllowed, QStringLiteral("%1 is a topic: it has no dead letters.").arg(name));
    QList<Draft> sizes;
    for (const DeadLetterDraft &one : std::as_const(drafts))
        sizes.append(one.draft);
    const Outcome<> checked = check(*queue, sizes);
    if (!checked)
        return checked;
    for (DeadLetterDraft &one : drafts)
        enterDead(*queue, std::move(one));
    follow(*queue);
    return {};
}

void QueueEngine::enterDead(Queue &queue, DeadLetterDraft draft)
{
    Message message;
    message.draft = std::move(draft.draft);
    message.draft.scheduledFor.reset();
    if (message.draft.messageId.isEmpty())
        message.draft.messageId = m_random.hexId();
    message.deadLetter = true;
    message.deadLetterReason = std::move(draft.reason);
    message.deadLetterDescription = std::move(draft.description);
    message.sequence = ++m_lastSequence;
    message.enqueuedAt = m_clock.now();
    queue.touch(message.enqueuedAt);
    queue.add(std::move(message), m_clock.now(), m_changes);
}

Outcome<Queue *> QueueEngine::receivable(const Place &place)
{
    Queue *queue = find(place.queue);
    if (queue == nullptr)
        return noQueue(place.queue);
    if (queue->settings().kind == EntityKind::Topic)
        return refuse(Refusal::Kind::NotAllowed,
                      QStringLiteral("%1 is a topic: messages are received from its subscriptions.").arg(place.queue));
    if (queue->passesOn(place.deadLetter))
        return refuse(Refusal::Kind::NotAllowed,
                      QStringLiteral("Cannot create a message receiver on an entity with auto-forwarding enabled."));
    return queue;
}

Outcome<std::optional<Delivery>> QueueEngine::peekLock(const Place &place)
{
    const Outcome<Queue *> queue = receivable(place);
    if (!queue)
        return tl::unexpected(queue.error());
    std::optional<Delivery> delivery = (*queue)->peekLock(place.deadLetter, m_clock.now(), m_random, m_changes);
    follow(**queue);
    return delivery;
}

Outcome<std::optional<Delivery>> QueueEngine::receiveAndDelete(const Place &place)
{
    const Outcome<Queue *> queue = receivable(place);
    if (!queue)
        return tl::unexpected(queue.error());
    std::optional<Delivery> delivery = (*queue)->receiveAndDelete(place.deadLetter, m_clock.now(), m_changes);
    follow(**queue);
    return delivery;
}

Outcome<Delivery> QueueEngine::receiveDeferred(const Place &place, qint64 sequence)
{
    const Outcome<Queue *> queue = receivable(place);
    if (!queue)
        return tl::unexpected(queue.error());
    Outcome<Delivery> delivery =
        (*queue)->receiveDeferred(place.deadLetter, sequence, m_clock.now(), m_random, m_changes);
    follow(**queue);
    return delivery;
}

Outcome<> QueueEngine::complete(const Place &place, qint64 sequence, const QString &token)
{
    Queue *queue = find(place.queue);
    return queue == nullptr ? noQueue(place.queue) : queue->complete(sequence, token, m_clock.now(), m_changes);
}

Outcome<> QueueEngine::abandon(const Place &place, qint64 sequence, const QString &token)
{
    Queue *queue = find(place.queue);
    if (queue == nullptr)
        return noQueue(place.queue);
    const Outcome<> done = queue->abandon(sequence, token, m_clock.now(), m_changes);
    follow(*queue);
    return done;
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
    const Outcome<> done = queue->deadLetter(sequence, token, reason, description, m_clock.now(), m_changes);
    follow(*queue);
    return done;
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
    const Queue *queue = find(place.queue);
    if (queue == nullptr)
        return noQueue(place.queue);
    return queue->browse(place.deadLetter, fromSequence, top);
}

void QueueEngine::follow(Queue &queue)
{
    if (!queue.hasLeaving())
        return;
    m_leaving.push_back(&queue);
    passOnAll();
}

// A topic is in use as long as one of its subscriptions is.
bool QueueEngine::keptInUse(Queue &topic, core::TimePoint now)
{
    eachSubscription(m_queues, topic.settings().name, [&](const Queue &one) { topic.touch(one.lastUse()); });
    return !topic.isIdle(now);
}

void QueueEngine::touch(const Place &place)
{
    if (Queue *queue = find(place.queue))
        queue->touch(m_clock.now());
}

bool QueueEngine::tick()
{
    const core::TimePoint now = m_clock.now();
    bool becameReady = false;
    QStringList idle;
    for (auto &[key, queue] : m_queues) {
        if (queue.isIdle(now) && !keptInUse(queue, now)) {
            idle.append(queue.settings().name);
            continue;
        }
        becameReady = queue.tick(now, m_changes) || becameReady;
        if (queue.hasLeaving())
            m_leaving.push_back(&queue);
    }
    passOnAll();
    for (const QString &name : std::as_const(idle)) {
        const Queue *queue = find(name); // it may be deleted with its topic, or no longer idle
        if (queue != nullptr && queue->isIdle(now))
            (void)deleteQueue(name);
    }
    return becameReady || !m_arrivals.isEmpty();
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

// ---- topics and auto-forwarding: all that one request causes is one list of changes, so that the file gets all or
//  nothing ----

namespace {

constexpr int mostHops = 4; // like the service
constexpr core::Milliseconds nextTry{30000};

// The copy of a message that the broker itself sends on.
Message sentOn(const Message &message)
{
    Message next;
    next.draft = message.draft;
    next.draft.scheduledFor.reset();
    next.deadLetterReason = message.deadLetterReason;
    next.deadLetterDescription = message.deadLetterDescription;
    next.travel = message.travel;
    if (next.travel.firstSequence == 0)
        next.travel.firstSequence = message.sequence;
    return next;
}

} // namespace

qint64 QueueEngine::bytesOf(const Queue &queue) const
{
    qint64 bytes = queue.counts().bytes;
    if (queue.settings().kind == EntityKind::Topic)
        eachSubscription(m_queues, queue.settings().name, [&](const Queue &one) { bytes += one.counts().bytes; });
    return bytes;
}

int QueueEngine::subscriptionsOf(const Queue &topic) const
{
    int count = 0;
    if (topic.settings().kind == EntityKind::Topic)
        eachSubscription(m_queues, topic.settings().name, [&](const Queue &) { ++count; });
    return count;
}

// Puts a message into an entity by its rules for new messages. `isForeign`: the message was sent to another entity.
void QueueEngine::enter(Queue &queue, Message message, bool isForeign)
{
    const core::TimePoint now = m_clock.now();
    if (queue.isDuplicate(message.draft.messageId, now))
        return;
    const std::optional<core::Milliseconds> standard = queue.settings().defaultTimeToLive;
    if (standard && (!message.draft.timeToLive || *message.draft.timeToLive > *standard))
        message.draft.timeToLive = standard;
    message.sequence = ++m_lastSequence;
    message.enqueuedAt = now;
    queue.arrived(message, now, m_changes);
    const bool waits = message.draft.scheduledFor && *message.draft.scheduledFor > now;
    if (!waits && queue.passesOn(false)) {
        const std::optional<Obstacle> obstacle = goOn(queue, message);
        if (!obstacle)
            return;
        message.deadLetter = true;
        message.deadLetterReason = obstacle->reason;
        message.deadLetterDescription = obstacle->description;
    }
    const bool deadLetter = message.deadLetter;
    queue.add(std::move(message), now, m_changes);
    if (isForeign || deadLetter)
        m_arrivals.append(Place{queue.settings().name, deadLetter});
    if (queue.hasLeaving())
        m_leaving.push_back(&queue);
}

std::optional<QueueEngine::Obstacle> QueueEngine::goOn(const Queue &from, const Message &message)
{
    if (message.deadLetter)
        return forward(from, message, from.settings().forwardDeadLettersTo);
    if (from.settings().kind != EntityKind::Topic)
        return forward(from, message, from.settings().forwardTo);
    Message copy = sentOn(message);
    copy.travel.spread *= std::max(1, subscriptionsOf(from));
    eachSubscription(m_queues, from.settings().name, [&](Queue &subscription) { enter(subscription, copy, true); });
    return {};
}

std::optional<QueueEngine::Obstacle> QueueEngine::forward(const Queue &from, const Message &message, const QString &to)
{
    if (message.travel.hops >= mostHops)
        return Obstacle{QStringLiteral("MaxTransferHopCountExceeded"),
                        QStringLiteral("The maximum number of allowed hops when forwarding between entities has been "
                                       "exceeded. This value is set to %1.")
                            .arg(mostHops)};
    Queue *target = find(to);
    if (target == nullptr || target->settings().kind == EntityKind::Subscription)
        return Obstacle{QStringLiteral("TransferDestinationNotFound"),
                        QStringLiteral("The transfer destination entity does not exist."), true};
    const qint64 copies = std::max(1, subscriptionsOf(*target));
    if (message.travel.spread * copies > m_limits.spread)
        return Obstacle{
            QStringLiteral("TransferTooWide"),
            QStringLiteral("Chained topics would make more than %1 copies of one message.").arg(m_limits.spread)};
    if (bytesOf(*target) + message.draft.size() * copies > target->settings().maxSizeBytes)
        return Obstacle{QStringLiteral("TransferDestinationFull"),
                        QStringLiteral("The transfer destination entity has reached its maximum size."), true};
    Message next = sentOn(message);
    ++next.travel.hops;
    if (message.deadLetter) {
        next.travel.deadLetterSource = from.settings().name;
        next.draft.timeToLive.reset(); // a dead letter has no time to live: it may be the one with which it expired
    }
    enter(*target, std::move(next), true);
    return {};
}

void QueueEngine::passOn(Queue &queue)
{
    const QList<Message> leaving = queue.takeLeaving();
    for (const Message &message : leaving) {
        const std::optional<Obstacle> obstacle = goOn(queue, message);
        if (!obstacle) {
            queue.left(message.sequence, m_changes);
        } else if (!message.deadLetter) {
            queue.cannotLeave(message.sequence, obstacle->reason, obstacle->description, m_changes);
            m_arrivals.append(Place{queue.settings().name, true});
        } else if (obstacle->mayPass) {
            queue.triesAgain(message.sequence, m_clock.now() + nextTry);
        }
    }
    if (queue.hasLeaving())
        m_leaving.push_back(&queue);
}

// This ends, because each step adds a hop and the number of hops is limited.
void QueueEngine::passOnAll()
{
    while (!m_leaving.empty()) {
        Queue *queue = m_leaving.back();
        m_leaving.pop_back();
        passOn(*queue);
    }
}

} // namespace localbroker
