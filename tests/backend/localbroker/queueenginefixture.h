#pragma once

#include "backend/localbroker/queueengine.h"
#include "tests/support/fakeclock.h"

#include <QTest>

namespace support {

using localbroker::EntityKind;
using localbroker::QueueSettings;

inline QueueSettings named(const QString &name, EntityKind kind = EntityKind::Queue)
{
    QueueSettings settings;
    settings.name = name;
    settings.kind = kind;
    return settings;
}

inline QString subscription(const QString &name)
{
    return QStringLiteral("orders/Subscriptions/") + name;
}

// The engine with short words for what the tests do all the time. Its topic is "orders".
class QueueEngineFixture : public QObject
{
protected:
    using Delivery = localbroker::Delivery;
    using Draft = localbroker::Draft;
    using Message = localbroker::Message;
    template<typename T = void>
    using Outcome = localbroker::Outcome<T>;

    void reset()
    {
        m_engine.reset();
        m_clock = std::make_unique<FakeClock>();
        m_random = std::make_unique<core::SeededRandom>(1);
        m_engine = std::make_unique<localbroker::QueueEngine>(*m_clock, *m_random);
    }
    void make(QueueSettings settings)
    {
        const Outcome<> made = m_engine->createQueue(std::move(settings));
        QVERIFY2(made, made ? "" : qPrintable(made.error().text));
    }
    void makeTopic(const QStringList &subscriptions)
    {
        make(named(QStringLiteral("orders"), EntityKind::Topic));
        for (const QString &one : subscriptions)
            make(named(subscription(one), EntityKind::Subscription));
    }
    void makeForwarding(const QString &name, const QString &to, const QString &deadTo = {})
    {
        QueueSettings settings = named(name);
        settings.forwardTo = to;
        settings.forwardDeadLettersTo = deadTo;
        make(settings);
    }
    void send(const QString &to, const QByteArray &body, const std::function<void(Draft &)> &change = {})
    {
        Draft draft;
        draft.body = body;
        if (change)
            change(draft);
        const Outcome<> sent = m_engine->send({to, false}, {draft});
        QVERIFY2(sent, sent ? "" : qPrintable(sent.error().text));
    }
    std::optional<Delivery> take(const QString &from, bool deadLetter = false)
    {
        const auto taken = m_engine->peekLock({from, deadLetter});
        return taken ? *taken : std::nullopt;
    }
    QByteArrayList bodies(const QString &of, bool deadLetter = false)
    {
        QByteArrayList all;
        const auto page = m_engine->browse({of, deadLetter}, 0, 1000);
        for (const Message &message : page.value_or(QList<Message>()))
            all.append(message.draft.body);
        return all;
    }
    void die(const QString &queue)
    {
        const auto taken = take(queue);
        QVERIFY(taken);
        QVERIFY(m_engine->deadLetter({queue, false}, taken->message.sequence, taken->lockToken, QStringLiteral("Bad"),
                                     QStringLiteral("it is bad")));
    }
    localbroker::QueueCounts counts(const QString &of) { return m_engine->queue(of)->counts; }
    void later(core::Milliseconds time)
    {
        m_clock->advance(time);
        m_engine->tick();
    }

    const QString m_topic = QStringLiteral("orders");
    std::unique_ptr<FakeClock> m_clock;
    std::unique_ptr<core::SeededRandom> m_random;
    std::unique_ptr<localbroker::QueueEngine> m_engine;
};

} // namespace support
