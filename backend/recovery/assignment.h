#pragma once

#include "backend/core/ids.h"
#include "backend/records/conventions/glob.h"
#include "backend/records/messages/message.h"

#include <QHash>
#include <QList>
#include <QString>

#include <array>
#include <vector>

namespace recovery {

// Selects messages by patterns (glob.h). A message must match each pattern that is not empty.
struct Rule
{
    QString queue; // where the message was found
    QString destination; // the queue that it goes back to
    QString exception; // type of the exception
    QString message; // text of the exception
    QString messageType;
    QString endpoint;

    [[nodiscard]] int patterns() const; // how many are not empty

    REDRIVE_FIELDS(queue, destination, exception, message, messageType, endpoint)
    friend bool operator==(const Rule &, const Rule &) = default;
};

// Which failed messages a policy is for.
struct Scope
{
    enum class Of { Queue, Group, Rule };
    friend constexpr Of lastOf(Of) { return Of::Rule; }

    Of of = Of::Queue;
    core::ConnectionId connection; // of the queue or the group; of a rule: nothing means all connections
    QString queue; // for Queue: where the messages were found
    core::GroupId group; // for Group
    Rule rule; // for Rule

    REDRIVE_FIELDS(of, connection, queue, group, rule)
    friend bool operator==(const Scope &, const Scope &) = default;
};

struct Assignment
{
    core::AssignmentId id;
    QString policy; // its name
    Scope scope;
    // It is for failures that the store learnt after this change number, and for messages that it has already. 0: for all
    qint64 since = 0;

    REDRIVE_FIELDS(id, policy, scope, since)
    friend bool operator==(const Assignment &, const Assignment &) = default;
};

// What the assignments need to know of a message.
struct Subject
{
    core::ConnectionId connection;
    std::array<core::GroupId, records::classifierCount> groups; // in the order of records::Classifier
    Rule facts; // its values in the places of the patterns
    qint64 failedIn = 0; // the change number with which the store learnt its newest failure
    core::AssignmentId under; // which has it already; invalid: none
};

[[nodiscard]] Subject subjectOf(const records::FailedMessage &message,
                                const std::array<core::GroupId, records::classifierCount> &groups);

enum class Covers { NewFailures, Everything }; // whether Assignment::since counts

// Finds the policy of a message. At most one policy has a message: the most specific assignment wins. A group is more
// specific than a rule, and a rule more than a queue. Of two groups the one with the narrower classifier wins (exception
// and stack, type, instance, address, endpoint), of two rules the one with more patterns, and otherwise the older
// assignment. Immutable after construction: any thread.
class Assignments final
{
public:
    Assignments() = default;
    explicit Assignments(const QList<Assignment> &assignments);

    [[nodiscard]] bool isEmpty() const { return m_all.empty(); }
    // Null: no policy is for this message. The pointer is valid as long as this object.
    [[nodiscard]] const Assignment *of(const Subject &subject, Covers covers = Covers::NewFailures) const;

private:
    struct Matcher // one rule
    {
        size_t place = 0; // in m_all
        std::vector<std::pair<QString Rule::*, records::Glob>> patterns;
    };
    [[nodiscard]] static bool matches(const Matcher &matcher, const Rule &facts);

    std::vector<Assignment> m_all; // oldest first
    QHash<core::GroupId, size_t> m_groups; // the place of the oldest assignment
    QHash<std::pair<core::ConnectionId, QString>, size_t> m_queues;
    std::vector<Matcher> m_rules; // most specific first
};

} // namespace recovery
