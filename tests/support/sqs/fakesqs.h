#pragma once

#include "tests/support/network/brokenserver.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QMap>
#include <QSet>

namespace support {

// SQS in memory. Strict: what the service's documentation does not allow is answered with 400 and counted, a wrong signature
// with 403. Time stands still; messages come in sight again when the test says so.
class FakeSqs final
{
public:
    FakeSqs();

    void addQueue(const QString &name, const QString &deadLetters = {});
    void put(const QString &queue, const QString &body, const QJsonObject &attributes = {});
    // What was received is in sight again, its receipts good until somebody receives it.
    void show(const QString &queue);
    // Somebody else receives all that is in sight.
    void takeAsSomebodyElse(const QString &queue);
    [[nodiscard]] int size(const QString &queue) const { return int(m_queues.value(queue).entries.size()); }
    [[nodiscard]] int inSight(const QString &queue) const;
    [[nodiscard]] QList<QJsonObject> sent(const QString &queue) const; // entries, as they were sent

    // The next `times` calls of that action are carried out, and their answers lost.
    void loseAnswers(const QString &action, int times) { m_lost[action] = times; }
    // The next `times` calls of that action are not carried out, but answered so.
    void answerWith(const QString &action, const QByteArray &answer, int times);
    // The next entry of a batch of that action fails so; the others of the call are carried out.
    void failEntry(const QString &action, const QString &code, bool senderFault, const QString &message = {});
    // Actions that this server does not know.
    void forget(const QString &action) { m_unknown.insert(action); }
    // What the account may not do.
    void forbid(const QString &action) { m_forbidden.insert(action); }
    // Of this queue the account may not see the attributes, or what that action tells or does: "orders", "GetQueueUrl".
    void hideAttributes(const QString &queue) { m_hidden.insert(queue); }
    void deny(const QString &queue, const QString &action) { m_denied.insert({queue, action}); }
    // The next calls of that action about this queue are answered so.
    void answerAbout(const QString &queue, const QString &action, const QByteArray &answer, int times);
    // The next answer to that action comes when letGo() is called.
    void prefetch(const QString &action) { m_holding.insert(action); }
    void letGo() { m_server.letGo(); }
    // Attributes that are told whatever is true: counts that lag behind, a policy that nobody can read.
    void tell(const QString &queue, const QString &attribute, const QString &value);
    // The next messages of that queue are received with this in place of their own: null takes a member away.
    void spoil(const QString &queue, int messages, const QString &member, const QJsonValue &value);
    // A move task goes on by that many messages, and is completed with the last; or fails.
    void advanceMove(const QString &from, int messages);
    void failMove(const QString &from, const QString &reason);
    void setLargestPage(qsizetype queues) { m_page = queues; }
    void setLargestBody(qsizetype bytes) { m_largest = bytes; }

    [[nodiscard]] static QByteArray error(int status, const QByteArray &code, const QByteArray &message = "Words.",
                                          const QByteArray &headers = {});

    [[nodiscard]] BrokenServer &server() { return m_server; } // with its switches
    [[nodiscard]] quint16 port() const { return m_server.serverPort(); }
    [[nodiscard]] int count(const QString &action) const { return m_counts.value(action); }
    [[nodiscard]] const QStringList &complaints() const { return m_complaints; }
    [[nodiscard]] const QList<BrokenServer::Seen> &seen() const { return m_server.complete(); }

private:
    struct Entry
    {
        QString id;
        QString receipt;
        QJsonObject message; // as it was sent
        int received = 0;
        bool visible = true;
    };
    struct Queue
    {
        QString deadLetters;
        bool fifo = false;
        QList<Entry> entries;
        QSet<QString> taken; // de-duplication ids
        QJsonObject told; // attributes, instead of the true ones
        int spoiled = 0; // messages to come
        QString member;
        QJsonValue value;
        QMap<QString, QByteArray> attempts; // to receive: what each was answered
    };
    struct Move
    {
        QString from;
        QString to; // empty: each to where it came from
        QString handle;
        QString status = QStringLiteral("RUNNING");
        QString reason;
        int moved = 0;
        int toMove = 0;
        int perSecond = 0;
        qint64 started = 0;
    };

    [[nodiscard]] BrokenServer::Reaction react(const BrokenServer::Seen &seen);
    [[nodiscard]] static QString wrongSignature(const BrokenServer::Seen &seen);
    [[nodiscard]] QString complaint(const BrokenServer::Seen &seen, const QJsonObject &body) const;
    [[nodiscard]] QByteArray answer(const QString &action, const QJsonObject &body);
    [[nodiscard]] QByteArray list(const QJsonObject &body) const;
    [[nodiscard]] QByteArray attributes(const QString &name, const Queue &queue) const;
    [[nodiscard]] QByteArray sources(const QString &queue) const;
    [[nodiscard]] QByteArray receive(Queue &queue, const QJsonObject &body);
    [[nodiscard]] QByteArray batch(const QString &action, Queue &queue, const QJsonObject &body);
    // The code of what is wrong with the entry; empty: it was carried out.
    [[nodiscard]] QString carryOut(const QString &action, Queue &queue, const QJsonObject &entry, QJsonObject &told);
    [[nodiscard]] QString send(Queue &queue, const QJsonObject &entry, QJsonObject &told);
    [[nodiscard]] static QString urlOf(const QString &queue);
    [[nodiscard]] static QString arnOf(const QString &queue);
    [[nodiscard]] static bool isMove(const QString &action);
    [[nodiscard]] QByteArray move(const QString &action, const QJsonObject &body);
    [[nodiscard]] QByteArray complain(const QString &what);
    [[nodiscard]] QByteArray startMove(const QString &from, const QJsonObject &body);
    [[nodiscard]] QByteArray listMoves(const QString &from, int most);
    [[nodiscard]] QByteArray cancelMove(const QJsonObject &body);

    BrokenServer m_server;
    QMap<QString, Queue> m_queues;
    QList<Move> m_moves; // the newest first
    QMap<QString, QString> m_receipts; // of each ever given: the id
    QMap<QString, int> m_lost;
    QMap<QString, std::pair<QByteArray, int>> m_scripted;
    QMap<QString, QJsonObject> m_failing;
    QMap<QString, int> m_counts;
    QSet<QString> m_unknown;
    QSet<QString> m_forbidden;
    QSet<QString> m_hidden;
    QSet<std::pair<QString, QString>> m_denied; // queue and action
    QMap<std::pair<QString, QString>, std::pair<QByteArray, int>> m_about; // likewise
    QSet<QString> m_holding;
    QStringList m_complaints;
    qsizetype m_largest = 1024 * 1024;
    qsizetype m_page = 1000;
    int m_last = 0;
};

} // namespace support
