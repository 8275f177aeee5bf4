// What the tests about live queues share: queues that dead-letter to each other, and a service at work.
#pragma once

#include "tests/support/rabbit/rabbitserver.h"

#include <QCborMap>
#include <QProcess>
#include <QUrl>

namespace support {

// Arguments of a queue whose dead letters go to another one; with a time limit in milliseconds, also what waited that long.
inline QCborMap deadLettersTo(const QString &queue, int ttl = 0)
{
    QCborMap arguments{{QStringLiteral("x-dead-letter-exchange"), QString()},
                       {QStringLiteral("x-dead-letter-routing-key"), queue}};
    if (ttl > 0)
        arguments.insert(QStringLiteral("x-message-ttl"), ttl);
    return arguments;
}

// Starts a script of Python on a queue.
inline void startOn(QProcess &process, const char *script, const RabbitServer &server, const QString &vhost,
                    const QString &queue)
{
    const QUrl url(server.amqpUrl(vhost));
    process.start(QStringLiteral("/usr/bin/python3"), // of Debian, whose packages bring amqp
                  {QStringLiteral("-c"), QString::fromUtf8(script), QStringLiteral("127.0.0.1:%1").arg(url.port()),
                   url.userName(), url.password(), vhost, queue});
}

// Starts a process that holds one message of the queue without an answer, as a slow service does. It prints "got" then.
inline void startConsumer(QProcess &process, const RabbitServer &server, const QString &vhost, const QString &queue)
{
    const auto *const script = R"(
import sys, amqp
host, user, password, vhost, queue = sys.argv[1:]
connection = amqp.Connection(host, userid=user, password=password, virtual_host=vhost)
connection.connect()
channel = connection.channel()
channel.basic_qos(0, 1, False)
channel.basic_consume(queue, callback=lambda message: print("got", flush=True))
while True:
    connection.drain_events()
)";
    startOn(process, script, server, vhost, queue);
}

// Starts a process that consumes from the queue and takes each message at once.
inline void startReader(QProcess &process, const RabbitServer &server, const QString &vhost, const QString &queue)
{
    const auto *const script = R"(
import sys, amqp
host, user, password, vhost, queue = sys.argv[1:]
connection = amqp.Connection(host, userid=user, password=password, virtual_host=vhost)
connection.connect()
connection.channel().basic_consume(queue, no_ack=True, callback=lambda message: None)
while True:
    connection.drain_events()
)";
    startOn(process, script, server, vhost, queue);
}

// Starts a process whose connection declares an exclusive queue and keeps it. It prints "got" then.
inline void startOwner(QProcess &process, const RabbitServer &server, const QString &vhost, const QString &queue)
{
    const auto *const script = R"(
import sys, amqp
host, user, password, vhost, queue = sys.argv[1:]
connection = amqp.Connection(host, userid=user, password=password, virtual_host=vhost)
connection.connect()
connection.channel().queue_declare(queue, exclusive=True)
print("got", flush=True)
while True:
    connection.drain_events()
)";
    startOn(process, script, server, vhost, queue);
}

} // namespace support
