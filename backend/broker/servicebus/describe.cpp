#include "backend/broker/servicebus/describe.h"

#include "backend/broker/servicebus/text.h"

#include <QHash>

#include <algorithm>

namespace broker {

namespace {

const QString deadLetterSuffix = QStringLiteral("/$DeadLetterQueue");

// Where a message is sent that died there: to the topic, for a subscription.
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
        const QString origin = originOf(entity.name);
        const QString grave = entity.forwardDeadLettersTo.toLower();
        const bool isKnown = m_deadLetters.contains(grave);
        m_deadLetters.insert(grave,
                             isKnown && m_deadLetters.value(grave) != origin ? QString() : origin); // else of several
    }

    [[nodiscard]] QueueInfo topic(const FeedQueue &entity) const
    {
        QueueInfo info;
        info.name = entity.name;
        info.depth = m_waiting.value(entity.name.toLower()); // of its fullest subscription: they all get the same
        info.depthIsExact = m_countsAreExact;
        info.refusal = servicebus::Text::tr("This is a topic: its messages lie in its subscriptions.");
        return info;
    }

    [[nodiscard]] QueueInfo queue(const FeedQueue &entity) const
    {
        QueueInfo info;
        info.name = entity.name;
        // To a topic that dead letters are forwarded to, they lie in its subscriptions.
        const auto grave = m_deadLetters.constFind(originOf(entity.name).toLower());
        if (m_errorQueues.contains(entity.name, Qt::CaseInsensitive)) { // as the service compares names
            info.role = QueueRole::ErrorQueue;
        } else if (grave != m_deadLetters.cend()) {
            info.role = QueueRole::DeadLetter;
            info.origin = *grave;
        }
        info.depth = entity.active;
        info.depthIsExact = m_countsAreExact; // the service itself promises nothing about its counts
        info.averageBytes = entity.messages > 0 ? entity.sizeBytes / entity.messages : 0;
        if (!entity.forwardTo.isEmpty())
            info.refusal = servicebus::Text::tr("All that comes here is forwarded to %1.").arg(entity.forwardTo);
        else if (entity.session)
            info.refusal = sessionText();
        return info;
    }

    [[nodiscard]] QueueInfo deadLettersOf(const FeedQueue &entity, const QueueInfo &work) const
    {
        QueueInfo info = work;
        info.name = entity.name + deadLetterSuffix;
        info.role = QueueRole::DeadLetter;
        info.origin = originOf(entity.name);
        info.depth = entity.deadLetter;
        info.retention.known = records::BrokerRetention::Known::Forever;
        info.refusal.clear();
        if (entity.session)
            info.refusal = sessionText();
        if (entity.forwardDeadLettersTo.isEmpty())
            return info;
        // None lie here: who looks for failed messages finds them where they go.
        info.role = QueueRole::Work;
        info.origin.clear();
        info.refusal = servicebus::Text::tr("Its dead letters are forwarded to %1: take them there.")
                           .arg(entity.forwardDeadLettersTo);
        return info;
    }

    [[nodiscard]] static QString sessionText()
    {
        return servicebus::Text::tr("Messages of a queue with sessions cannot be received over HTTP.");
    }

    QStringList m_errorQueues;
    bool m_countsAreExact;
    QHash<QString, qint64> m_waiting; // by lower-case topic
    QHash<QString, QString> m_deadLetters; // where dead letters are forwarded to, in lower case, and from where
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
        named.retention.known = records::BrokerRetention::Known::Forever;
    }
    return named;
}

} // namespace broker
