#include "backend/broker/servicebus/describe.h"

#include "backend/broker/servicebus/text.h"

#include <QHash>

#include <algorithm>

namespace broker {

namespace {

const QString deadLetterSuffix = QStringLiteral("/$DeadLetterQueue");

// The destination of a dead letter: the topic for a subscription, else the queue itself.
QString originOf(const QString &name)
{
    const QString topic = topicOf(name);
    return topic.isEmpty() ? name : topic;
}

class Describer
{
public:
    Describer(const QList<FeedQueue> &entities, const QStringList &errorQueues, bool countsAreExact)
        : m_errorQueues(errorQueues)
        , m_countsAreExact(countsAreExact)
    {
        for (const FeedQueue &entity : entities)
            note(entity);
    }

    void add(const FeedQueue &entity, QList<QueueInfo> &infos) const
    {
        if (entity.kind == FeedQueue::Kind::Topic) {
            infos.append(topic(entity));
            return;
        }
        const QueueInfo work = queue(entity);
        infos.append(work);
        infos.append(deadLettersOf(entity, work));
    }

private:
    void note(const FeedQueue &entity)
    {
        if (entity.kind == FeedQueue::Kind::Subscription) {
            qint64 &most = m_waiting[topicOf(entity.name).toLower()];
            most = std::max(most, entity.active);
        }
        if (entity.forwardDeadLettersTo.isEmpty())
            return;
        QStringList &origins = m_deadLetters[entity.forwardDeadLettersTo.toLower()];
        if (const QString origin = originOf(entity.name); !origins.contains(origin))
            origins.append(origin);
    }

    [[nodiscard]] QueueInfo topic(const FeedQueue &entity) const
    {
        QueueInfo info;
        info.name = entity.name;
        // Of its fullest subscription, because all get the same messages
        info.depth = m_waiting.value(entity.name.toLower());
        info.depthIsExact = m_countsAreExact;
        info.refusal = servicebus::Text::tr("This is a topic: its messages are in its subscriptions.");
        return info;
    }

    [[nodiscard]] QueueInfo queue(const FeedQueue &entity) const
    {
        QueueInfo info;
        info.name = entity.name;
        // Anybody can send to a queue to which others forward their dead letters, so it may hold live work, too. Dead
        // letters that are forwarded to a topic arrive in its subscriptions.
        const QStringList origins = m_deadLetters.value(originOf(entity.name).toLower());
        if (m_errorQueues.contains(entity.name, Qt::CaseInsensitive)) // the service ignores the case of names
            info.role = QueueRole::ErrorQueue;
        else if (!origins.isEmpty())
            info.role = QueueRole::Candidate;
        info.origin = origins.size() == 1 ? origins.constFirst() : QString(); // several: unknown
        for (const QString &origin : origins)
            info.facts.append({records::QueueFact::Kind::DeadLettersOf, origin});
        if (!origins.isEmpty() && records::isNamedForFailures(entity.name))
            info.facts.append({records::QueueFact::Kind::NamedForFailures});
        if (!origins.isEmpty() && !entity.forwardTo.isEmpty())
            info.facts.append({records::QueueFact::Kind::PassesOn, entity.forwardTo});
        info.depth = entity.active;
        info.depthIsExact = m_countsAreExact; // the service promises nothing about its counts
        info.averageBytes = entity.messages > 0 ? entity.sizeBytes / entity.messages : 0;
        if (entity.mostBytes > 0)
            info.limits.bytes = entity.mostBytes;
        info.limits.keeps = entity.timeToLive;
        info.limits.deadLetters = entity.deadLettersExpired;
        if (!entity.forwardTo.isEmpty())
            info.refusal = servicebus::Text::tr("This queue forwards all its messages to %1: take them there.")
                               .arg(entity.forwardTo);
        else if (entity.session)
            info.refusal = sessionText();
        return info;
    }

    [[nodiscard]] QueueInfo deadLettersOf(const FeedQueue &entity, const QueueInfo &work) const
    {
        QueueInfo info = work;
        info.name = entity.name + deadLetterSuffix;
        // Nobody can send to this sub-queue: only the service puts messages there, each one a failure. So it is taken
        // from without being named.
        info.role = QueueRole::DeadLetter;
        info.origin = originOf(entity.name);
        info.facts = {{records::QueueFact::Kind::DeadLettersOf, info.origin}};
        info.depth = entity.deadLetter;
        info.retention.known = records::BrokerRetention::Known::Forever;
        info.limits = {};
        info.refusal.clear();
        if (entity.session)
            info.refusal = sessionText();
        if (entity.forwardDeadLettersTo.isEmpty())
            return info;
        // No failed messages stay here, so this is no dead-letter queue: they are where they are forwarded to.
        info.role = QueueRole::Work;
        info.origin.clear();
        info.facts.clear();
        info.refusal = servicebus::Text::tr("Its dead letters are forwarded to %1: take them there.")
                           .arg(entity.forwardDeadLettersTo);
        return info;
    }

    [[nodiscard]] static QString sessionText()
    {
        return servicebus::Text::tr("This queue uses sessions: its messages cannot be received over HTTP.");
    }

    QStringList m_errorQueues;
    bool m_countsAreExact;
    QHash<QString, qint64> m_waiting; // by lower-case topic
    QHash<QString, QStringList> m_deadLetters; // sources of forwarded dead letters, by lower-case target
};

} // namespace

bool isDeadLetter(const QString &queue)
{
    return queue.endsWith(deadLetterSuffix, Qt::CaseInsensitive);
}

QList<QueueInfo> describe(const QList<FeedQueue> &entities, const QStringList &errorQueues, bool countsAreExact)
{
    const Describer describer(entities, errorQueues, countsAreExact);
    QList<QueueInfo> infos;
    for (const FeedQueue &entity : entities)
        describer.add(entity, infos);
    return infos;
}

QueueInfo describeNamed(const QString &name)
{
    QueueInfo named;
    named.name = name;
    named.role = isDeadLetter(name) ? QueueRole::DeadLetter : QueueRole::ErrorQueue;
    if (named.role == QueueRole::DeadLetter) {
        named.origin = originOf(name.chopped(deadLetterSuffix.size()));
        named.facts = {{records::QueueFact::Kind::DeadLettersOf, named.origin}};
        named.retention.known = records::BrokerRetention::Known::Forever;
    }
    return named;
}

} // namespace broker
