#pragma once

#include "backend/broker/broker.h"
#include "backend/broker/sqs/endpoint.h"

#include <QHash>
#include <QMultiHash>

namespace broker::sqs {

// The queues of the account: their addresses, what waits in them, and whose dead letters they take.
class QueueList final
{
public:
    QueueList(Endpoint &endpoint, QStringList errorQueues);

    // Whether the account may list at all: Refused when not.
    [[nodiscard]] core::Task<core::Result<>> tryListing();
    // Where listing is not allowed: the queues that the connection names.
    [[nodiscard]] core::Task<core::Result<QList<QueueInfo>>> all();
    // What names the queue in calls. NotFound: no such queue.
    [[nodiscard]] core::Task<core::Result<QString>> urlOf(QString queue);
    // Why each receive of a message of this queue may move it away; empty: it does not.
    [[nodiscard]] core::Task<core::Result<QString>> whyNotLook(QString queue);
    // The only queue whose dead letters lie in this one, as far as is known; else empty.
    [[nodiscard]] QString originOf(const QString &queue) const;

private:
    struct Page
    {
        QStringList urls;
        QString next;
    };
    struct Facts
    {
        std::optional<qint64> depth;
        QString deadLetters; // the queue that takes its dead letters
    };
    struct Known // by the last listing
    {
        QHash<QString, std::optional<qint64>> depths;
        QMultiHash<QString, QString> sources; // dead-letter queue to each of its sources
    };

    [[nodiscard]] core::Task<core::Result<Page>> page(QString token, int most);
    [[nodiscard]] core::Task<core::Result<QStringList>> names();
    [[nodiscard]] core::Task<core::Result<Facts>> factsOf(QString queue);
    [[nodiscard]] core::Task<> learn(QStringList names);
    [[nodiscard]] core::Task<QStringList> askSources(QString queue);
    [[nodiscard]] QStringList namedFirst(const QStringList &names) const;
    [[nodiscard]] QList<QueueInfo> infosOf(const QStringList &names) const;
    void keep(const QString &url);

    Endpoint &m_endpoint;
    QStringList m_errorQueues;
    QHash<QString, QString> m_urls;
    Known m_known;
    bool m_knowsSources = true; // the server can be asked for them
};

} // namespace broker::sqs
