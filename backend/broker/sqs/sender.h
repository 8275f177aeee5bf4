#pragma once

#include "backend/broker/broker.h"
#include "backend/broker/sqs/messageform.h"
#include "backend/broker/sqs/queuelist.h"

namespace broker::sqs {

inline constexpr int mostPerCall = 10; // messages, a bound of the service

// Sends copies to their queues, up to ten in a call, with an outcome for each.
class Sender final
{
public:
    Sender(Endpoint &endpoint, QueueList &queues);

    [[nodiscard]] core::Task<QList<SendOutcome>> send(QList<Outgoing> messages);

private:
    struct Parcel // of one call
    {
        QString queue;
        QList<qsizetype> members; // places in the list
        qint64 bytes = 0;
    };
    struct Work
    {
        QList<Entry> entries; // one for each message
        std::vector<Parcel> parcels;
        QList<SendOutcome> outcomes;
    };

    static void prepare(const QList<Outgoing> &messages, Work &work);
    [[nodiscard]] static QJsonObject bodyOf(const Work &work, const Parcel &parcel, const QString &url);
    [[nodiscard]] core::Task<> deliver(Work &work, Parcel parcel);
    void readOutcomes(const QJsonObject &answer, const Parcel &parcel, Work &work) const;

    Endpoint &m_endpoint;
    QueueList &m_queues;
};

} // namespace broker::sqs
