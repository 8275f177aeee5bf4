// What conventions of one's own would do to messages of the store. Pure functions, so that each rule is tested alone.
#pragma once

#include "backend/api/requests/conventions.h"
#include "backend/store/messages/messagestore.h"

#include <QMap>
#include <QSet>

namespace engine {

// Tries one convention on messages of one connection.
class ConventionTrials final
{
public:
    // `stored`: the conventions of the store; one of the same name is left out. `counters`: those of all policies.
    ConventionTrials(const records::Connection &connection, const records::Conventions &stored,
                     const records::Convention &convention, const QStringList &counters);

    // Long texts and bodies are cut, because the answer crosses the control socket.
    [[nodiscard]] api::ConventionTrial of(const records::FailedMessage &record, const store::Original &original,
                                          const store::MessagePast &past) const;

private:
    [[nodiscard]] records::Envelope sent(const store::Original &original, const QString &dialect,
                                         const records::Conventions &applied) const;

    const records::Connection &m_connection;
    const records::Conventions &m_stored;
    records::Conventions m_with; // the stored ones and the one that is tried
    records::Conventions m_counters; // as a convention, which each retry follows
    QString m_name;
};

// Collects the null headers of messages that are left out of a retry only because of them.
class EmptyHeaderSearch final
{
public:
    void add(const records::Connection &connection, const records::FailedMessage &record,
             const store::Original &original, const store::MessagePast &past, const records::Conventions &conventions);

    // The convention is for the group of the messages; if they are of several groups, for their queues. One that this
    // search proposed before is extended.
    [[nodiscard]] api::EmptyHeaders found(const records::Conventions &conventions) const;

private:
    [[nodiscard]] records::Convention proposal(const records::Conventions &conventions) const;

    qint64 m_messages = 0;
    QMap<QString, qint64> m_headers;
    QSet<QString> m_connections;
    QSet<QString> m_queues;
    QSet<QString> m_titles;
};

} // namespace engine
