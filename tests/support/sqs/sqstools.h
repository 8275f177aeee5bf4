#pragma once

#include "tests/support/sqs/sqsclient.h"

#include <QJsonArray>

namespace support {

// What the applications around an account do: create queues, send messages, see what lies there. Not signed: for servers that
// do not ask for it.
class SqsTools final
{
public:
    explicit SqsTools(quint16 port);

    // With a dead-letter queue: what is received three times goes there.
    void create(const QString &queue, const QString &deadLetters = {});
    void send(const QString &queue, const QJsonObject &message);
    void sendAll(const QString &queue, const QList<QJsonObject> &messages);
    // Receives what waits as a consumer that fails each time, until all of it is in the dead-letter queue.
    void fail(const QString &queue);
    // All that waits, taken away.
    [[nodiscard]] QList<QJsonObject> drain(const QString &queue);
    [[nodiscard]] int count(const QString &queue);

private:
    QJsonObject call(const QByteArray &action, const QJsonObject &body);
    void callAll(const QByteArray &action, const QString &queue, const QJsonArray &entries);
    [[nodiscard]] QString urlOf(const QString &queue) const;
    [[nodiscard]] QJsonArray receive(const QString &queue, int hiddenSeconds);

    http::QnamHttpClient m_client;
    quint16 m_port;
};

} // namespace support
