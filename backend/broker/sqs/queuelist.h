#pragma once

#include "backend/broker/broker.h"
#include "backend/broker/pagednames.h"
#include "backend/broker/sqs/endpoint.h"

#include <QHash>
#include <QMultiHash>

namespace broker::sqs {

// Which queues may send dead letters to a queue, by its redrive allow policy.
struct Allowance
{
    enum class Who { NotSaid, Anybody, Nobody, Named };
    Who who = Who::NotSaid;
    QStringList sources; // only if who is Named
};

// What a person must know of one queue before its dead letters are moved.
struct QueueAbout
{
    QString arn;
    std::optional<qint64> depth;
    Allowance allows;
    QStringList sources; // queues whose dead letters arrive here, as far as known
};

// The queues of the account: their addresses, message counts and dead-letter sources.
class QueueList final
{
public:
    QueueList(Endpoint &endpoint, QStringList errorQueues);

    // Success: the account may list queues. Refused: it may not.
    [[nodiscard]] core::Task<core::Result<>> tryListing();
    // All queues with counts and sources. If the account may not list, only the queues that the connection names.
    [[nodiscard]] core::Task<core::Result<Listing>> all();
    // The URL that names the queue in calls. NotFound: no such queue.
    [[nodiscard]] core::Task<core::Result<QString>> urlOf(QString queue);
    // Why the queue must not be browsed, for people: a receive could move a message away. Empty: it may be browsed.
    [[nodiscard]] core::Task<core::Result<QString>> whyNotBrowse(QString queue);
    [[nodiscard]] core::Task<core::Result<QueueAbout>> about(QString queue);
    // The only queue whose dead letters arrive in this one; empty: unknown, or several.
    [[nodiscard]] QString originOf(const QString &queue) const;

private:
    using Urls = QHash<QString, QString>; // by name
    struct Facts // as the queue reported them last
    {
        std::optional<qint64> depth; // nothing: not reported this time
        QString deadLetters; // the queue that takes its dead letters
        std::optional<core::Milliseconds> keeps; // retention of each message, from when it was sent
        bool hasPolicy = false; // it has a redrive policy, readable or not
        Allowance allows;
        QString arn;
    };

    [[nodiscard]] core::Task<core::Result<PageOfNames>> page(QString token, int most, Urls &urls);
    [[nodiscard]] core::Task<core::Result<PagedNames>> names();
    [[nodiscard]] core::Task<core::Result<Facts>> factsOf(QString queue);
    // Transient, Throttled or similar: too many queues did not answer, so the sources of the others are unknown.
    [[nodiscard]] core::Task<core::Result<>> learn(QStringList names);
    [[nodiscard]] core::Task<> learnSources();
    [[nodiscard]] core::Task<core::Result<QStringList>> askSources(QString queue);
    void linkSources();
    [[nodiscard]] QStringList namedSources() const;
    [[nodiscard]] QStringList namedFirst(const QStringList &names) const;
    [[nodiscard]] records::QueueFacts factsAbout(const QString &queue) const; // empty: no dead letters arrive there
    [[nodiscard]] QList<QueueInfo> infosOf(const QStringList &names) const;
    void keep(const QString &url, Urls &urls) const;

    Endpoint &m_endpoint;
    const QStringList m_errorQueues;
    Urls m_urls;
    QHash<QString, Facts> m_facts; // a failed call keeps the earlier facts
    // Sources that the service named, by error queue or queue with a redrive allow policy
    QHash<QString, QStringList> m_told;
    QMultiHash<QString, QString> m_sources; // dead-letter queue to each of its sources, from m_facts and m_told
    bool m_knowsSources = true; // the server knows ListDeadLetterSourceQueues
};

} // namespace broker::sqs
