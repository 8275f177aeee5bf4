// What lies on the fake broker. Plain values; the rules are in the classes beside.
#pragma once

#include "backend/core/time/clock.h"

#include <QCborMap>
#include <QList>
#include <QMap>

#include <deque>
#include <map>

namespace support::fakerabbit {

struct Message
{
    QCborMap properties; // with "headers"
    QByteArray body;
    QString exchange;
    QString routingKey;
    bool redelivered = false;
    qint64 returns = 0; // to this quorum queue, as its delivery limit counts them
    qint64 acquired = 0; // the same with those that do not count (RabbitMQ 4.3)
    bool isUnshowable = false; // of an AMQP 1.0 client: with something that AMQP 0.9.1 does not have
};

struct Queue
{
    QString name;
    QString type = QStringLiteral("classic");
    QString node = QStringLiteral("fake@localhost");
    QCborMap arguments;
    bool durable = true;
    bool exclusive = false; // of a connection that is not ours
    std::deque<Message> ready;
    std::deque<Message> taken; // delivered to a consumer and not answered yet, oldest first
    // What statistics still say: the length some seconds ago, and how many of these somebody had in hand.
    qint64 statisticsLength = 0;
    qint64 statisticsTaken = 0;

    [[nodiscard]] qint64 length() const { return qint64(ready.size() + taken.size()); }
};

struct Binding
{
    QString queue;
    QString key;
};

struct Exchange
{
    QString name;
    QString type;
    QCborMap arguments;
    QList<Binding> bindings;
};

struct Shovel
{
    QString name;
    QCborMap definition;
    bool running = false; // has its consumer
    bool stuck = false; // never gets one
    bool broken = false; // its connection was closed: it rests, and starts again
    QString reason{}; // why
    qint64 left = -1; // messages until it removes itself; -1: not known before it starts
    qint64 starts = 0;
    core::TimePoint changed{};
    core::SteadyTime consumerListedFrom{};
    std::deque<Message> unconfirmed; // copies at the destination whose source is not acknowledged on disk yet
};

struct Policy
{
    QCborMap value; // as the API shows it
    bool byOperator = false;
};

struct Vhost
{
    std::map<QString, Queue> queues;
    std::map<QString, Exchange> exchanges; // without the default one
    std::map<QString, Shovel> shovels;
    std::map<QString, Shovel> endedShovels; // removed ones that are still listed
    std::map<QString, Policy> policies; // key: "o/" or "u/" and the name
};

struct Node
{
    QString name;
    int process = 100;
    core::SteadyTime started{};
    bool isRunning = true;
    qint64 runQueue = 1; // the process that counts is one of them
};

struct User
{
    QByteArray authorization;
    QString name;
    QStringList tags;
};

} // namespace support::fakerabbit
