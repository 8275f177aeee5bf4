#pragma once

#include "backend/broker/broker.h"
#include "backend/broker/pagednames.h"
#include "backend/broker/sqs/endpoint.h"

#include <QHash>
#include <QMultiHash>

namespace broker::sqs {

// Whose dead letters a queue may take, by its redrive allow policy.
struct Allowance
{
    enum class Who { NotSaid, Anybody, Nobody, Named };
    Who who = Who::NotSaid;
    QStringList sources; // Named
};

// What is to be known of one queue before its dead letters are moved.
struct QueueAbout
{
    QString arn;
    std::optional<qint64> depth;
    Allowance allows;
    QStringList sources; // whose dead letters lie there, as far as is known
};

// The queues of the account: their addresses, what waits in them, and whose dead letters they take.
class QueueList final
{
public:
    QueueList(Endpoint &endpoint, QStringList errorQueues);

    // Whether the account may list at all: Refused when not.
    [[nodiscard]] core::Task<core::Result<>> tryListing();
    // Where listing is not allowed: the queues that the connection names.
    [[nodiscard]] core::Task<core::Result<Listing>> all();
    // What names the queue in calls. NotFound: no such queue.
    [[nodiscard]] core::Task<core::Result<QString>> urlOf(QString queue);
    // Why each receive of a message of this queue may move it away; empty: it does not.
    [[nodiscard]] core::Task<core::Result<QString>> whyNotBrowse(QString queue);
    [[nodiscard]] core::Task<core::Result<QueueAbout>> about(QString queue);
    // The only queue whose dead letters lie in this one, as far as is known; else empty.
    [[nodiscard]] QString originOf(const QString &queue) const;

private:
    using Urls = QHash<QString, QString>; // by name
    struct Facts // as a queue told them last
    {
        std::optional<qint64> depth; // nothing: it did not say so this time
        QString deadLetters; // the queue that takes its dead letters
        std::optional<core::Milliseconds> keeps; // each message, from when it was sent
        bool hasPolicy = false; // it moves what is received too often, to wherever
        Allowance allows;
        QString arn;
    };

    [[nodiscard]] core::Task<core::Result<PageOfNames>> page(QString token, int most, Urls &urls);
    [[nodiscard]] core::Task<core::Result<PagedNames>> names();
    [[nodiscard]] core::Task<core::Result<Facts>> factsOf(QString queue);
    // Transient, Throttled or the like: what is known of too many is not enough to say what they are.
    [[nodiscard]] core::Task<core::Result<>> learn(QStringList names);
    [[nodiscard]] core::Task<> learnSources();
    [[nodiscard]] core::Task<core::Result<QStringList>> askSources(QString queue);
    void linkSources();
    [[nodiscard]] QStringList namedSources() const;
    [[nodiscard]] QStringList namedFirst(const QStringList &names) const;
    [[nodiscard]] QList<QueueInfo> infosOf(const QStringList &names) const;
    void keep(const QString &url, Urls &urls) const;

    Endpoint &m_endpoint;
    const QStringList m_errorQueues;
    Urls m_urls;
    QHash<QString, Facts> m_facts; // a call that fails takes nothing of what a queue is
    QHash<QString, QStringList> m_told; // of error queues and those that allow some: the sources that the service named
    QMultiHash<QString, QString> m_sources; // dead-letter queue to each of its sources, from both
    bool m_knowsSources = true; // the server can be asked for them
};

} // namespace broker::sqs
