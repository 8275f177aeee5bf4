#pragma once

#include "backend/broker/sendbatch.h"
#include "backend/broker/servicebus/endpoint.h"

#include <QHash>

namespace broker {

// Sends messages to their queues: in batches if Service Bus can carry them together, else one by one; always with one
// outcome for each.
class Sender final
{
public:
    struct Limits
    {
        qint64 batchBytes = 200 * 1024; // below the 256 KB of the Basic and Standard tiers, headers included
        int batchMembers = 100;
        int inFlight = 16;
        bool batchKeepsContentType = false; // certain only for the embedded broker
    };

    explicit Sender(Endpoint &endpoint);

    // The embedded broker: a message for a dead-letter queue is put there.
    void setReachesDeadLetters(bool reaches) { m_reachesDeadLetters = reaches; }

    void setLimits(const Limits &limits) { m_limits = limits; }
    void setDuplicateDetection(const QString &queue, bool on) { m_duplicateDetection.insert(queue.toLower(), on); }
    void cancelAll() { m_cancelled = true; }

    [[nodiscard]] core::Task<QList<SendOutcome>> send(QList<Outgoing> messages);

private:
    struct Work // one send(), shared by its open calls
    {
        QList<Outgoing> messages;
        QList<SendOutcome> outcomes;
        QList<QByteArray> forms; // batch form of each message that uses it
    };

    [[nodiscard]] bool isPutIntoDeadLetters(const QString &queue) const;
    [[nodiscard]] core::Task<> learnDestinations(QStringList queues);
    void applyDedupId(Outgoing &message) const;
    [[nodiscard]] std::vector<SendBatch> prepare(Work &work) const;
    [[nodiscard]] bool mayTravelTogether(const records::Envelope &envelope) const;
    [[nodiscard]] core::Task<QList<SendOutcome>> deliver(const Work &work, SendBatch batch);
    [[nodiscard]] core::Task<SendOutcome> post(QString queue, QList<http::HeaderField> headers, QByteArray body);

    Endpoint &m_endpoint;
    Limits m_limits;
    QHash<QString, bool> m_duplicateDetection; // by lower-case queue
    bool m_reachesDeadLetters = false;
    bool m_cancelled = false;
};

} // namespace broker
