#pragma once

#include "tests/support/network/brokenserver.h"

#include <QMap>

namespace support {

// Storage Queues in memory. Strict: what the service's documentation does not allow is answered with 400 and counted. Time
// stands still; messages come in sight again when the test says so.
class FakeStorageQueue final
{
public:
    FakeStorageQueue();

    void put(const QByteArray &queue, const QByteArray &xmlText);
    void addQueue(const QByteArray &queue) { m_queues[queue]; }
    // What was taken is in sight again, its receipts good until somebody takes it.
    void show(const QByteArray &queue);
    // Somebody else takes all that is in sight.
    void takeAsSomebodyElse(const QByteArray &queue);
    [[nodiscard]] int size(const QByteArray &queue) const { return int(m_queues.value(queue).size()); }
    [[nodiscard]] int inSight(const QByteArray &queue) const;
    [[nodiscard]] QList<QByteArray> texts(const QByteArray &queue) const; // as they stood in the XML

    void setLargestPage(qsizetype queues) { m_page = queues; }

    // The next `times` requests of that verb are carried out, and their answers lost.
    void loseAnswers(const QByteArray &verb, int times) { m_lost[verb] = times; }
    // The next `times` requests of that verb are not carried out, but answered so.
    void answerWith(const QByteArray &verb, const QByteArray &answer, int times);

    [[nodiscard]] static QByteArray error(int status, const QByteArray &code, const QByteArray &message = "Words.",
                                          const QByteArray &headers = {});

    [[nodiscard]] BrokenServer &server() { return m_server; } // with its switches
    [[nodiscard]] quint16 port() const { return m_server.serverPort(); }
    [[nodiscard]] int count(const QByteArray &verb) const { return m_counts.value(verb); }
    [[nodiscard]] const QList<QByteArray> &complaints() const { return m_complaints; }

private:
    struct Entry
    {
        QByteArray id;
        QByteArray receipt;
        QByteArray text;
        int dequeued = 0;
        bool visible = true;
    };
    struct Asked
    {
        QByteArray verb;
        QList<QByteArray> path; // queue, "messages", id
        QMap<QByteArray, QByteArray> query;
        QByteArray body;
    };

    [[nodiscard]] BrokenServer::Reaction react(const BrokenServer::Seen &seen);
    [[nodiscard]] QByteArray complaint(const BrokenServer::Seen &seen, const Asked &asked) const;
    [[nodiscard]] QByteArray answer(const Asked &asked);
    [[nodiscard]] QByteArray get(QList<Entry> &queue, const Asked &asked);
    [[nodiscard]] QByteArray settle(QList<Entry> &queue, const Asked &asked);
    [[nodiscard]] QByteArray list(const Asked &asked) const;

    BrokenServer m_server;
    QMap<QByteArray, QList<Entry>> m_queues;
    QMap<QByteArray, int> m_lost;
    QMap<QByteArray, std::pair<QByteArray, int>> m_scripted;
    QMap<QByteArray, int> m_counts;
    QList<QByteArray> m_complaints;
    qsizetype m_page = 5000;
    int m_last = 0;
};

} // namespace support
