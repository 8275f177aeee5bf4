#pragma once

#include "tests/support/network/brokenserver.h"

#include <QMap>

namespace support {

// Service Bus in memory, as far as REST goes: queues with peek-lock, sends alone and in batches, lists in pages. Time stands still;
// locks end when the test says so.
class FakeServiceBus final
{
public:
    FakeServiceBus();

    void addQueue(const QString &name) { m_queues[name]; }
    void put(const QString &queue, const QByteArray &body);
    // What was locked is free again, its lock tokens good no more.
    void show(const QString &queue);
    [[nodiscard]] int size(const QString &queue) const { return int(m_queues.value(queue).size()); }
    [[nodiscard]] QList<QByteArray> bodies(const QString &queue) const;
    void setLargestPage(int entries) { m_page = entries; }

    [[nodiscard]] BrokenServer &server() { return m_server; }

private:
    struct Entry
    {
        int number = 0;
        QByteArray token; // empty: not locked
        QByteArray body;
    };

    [[nodiscard]] QByteArray answer(const BrokenServer::Seen &seen);
    [[nodiscard]] QByteArray lock(const QString &name, QList<Entry> &queue);
    [[nodiscard]] QByteArray settle(QList<Entry> &queue, const QByteArray &verb, const QList<QByteArray> &lock);
    [[nodiscard]] QByteArray send(const QString &name, const BrokenServer::Seen &seen);
    [[nodiscard]] QByteArray list(const QUrl &url) const;
    [[nodiscard]] static QByteArray entry(const QString &name, qsizetype messages);

    BrokenServer m_server;
    QMap<QString, QList<Entry>> m_queues;
    int m_page = 1000;
    int m_last = 0;
};

} // namespace support
