#pragma once

#include "backend/core/result.h"
#include "backend/records/messages/message.h"

#include <QHash>
#include <array>

namespace store {

class Database;

using GroupIds = std::array<core::GroupId, records::classifierCount>; // 0: the message has no title there

// 63 bits of SHA-256 over connection, classifier and text. Invalid for an empty text.
[[nodiscard]] core::GroupId groupId(core::ConnectionId connection, records::Classifier classifier, const QString &text);

// Where one message is counted.
struct Place
{
    core::ConnectionId connection;
    QString queue;
    records::MessageStatus status = records::MessageStatus::Unresolved;
    bool cameBack = false;
    bool browsedOnly = false;
    GroupIds groups;
};

// The first and last failure that a message adds to the groups it enters.
struct FailedBetween
{
    core::TimePoint first{};
    core::TimePoint last{};
};

// The kept counts of groups and queues. Changes are added up in memory and written once, before the commit: a thousand
// messages of one cause are a handful of updates.
class GroupCounters final
{
public:
    explicit GroupCounters(Database &database);

    // Creates the group if it is new. The title is cut to limits::groupTitleChars; the id is made from the whole title.
    // `cause`: what the title is short for, empty if for nothing. The first cause with a title has the group with the id of
    // the title, so that the notes, mutes and policies of a group stay with it; each other one has a group of its own,
    // which shows the cause in full.
    [[nodiscard]] core::Result<core::GroupId> open(core::ConnectionId connection, records::Classifier classifier,
                                                   const QString &title, const QString &cause = {});
    // The message enters because it failed.
    void enter(const Place &place, const FailedBetween &failed);
    // The message is counted differently now; it did not fail.
    void enter(const Place &place) { move(place, 1); }
    void leave(const Place &place) { move(place, -1); }

    [[nodiscard]] core::Result<> flush();
    // The transaction was rolled back: forgets changes and created groups.
    void forget();
    // Groups were removed: each one is read again.
    void forgetKnown() { m_known.clear(); }

private:
    struct Counts
    {
        std::array<qint64, 6> byStatus{};
        qint64 cameBack = 0;
        qint64 browsedOnly = 0;
        qint64 firstFailed = 0;
        qint64 lastFailed = 0;
        bool seen = false; // both times are set
    };
    using Key = std::pair<qint64, QString>; // group or connection, queue
    struct NewGroup
    {
        core::GroupId id;
        core::ConnectionId connection;
        records::Classifier classifier{};
        QString title;
        core::GroupId cause;
    };
    // False: the group is there and has another cause.
    [[nodiscard]] core::Result<bool> take(const NewGroup &group);
    void move(const Place &place, int by);
    [[nodiscard]] core::Result<> writeGroup(const Key &key, const Counts &counts);
    [[nodiscard]] core::Result<> writeQueue(const Key &key, const Counts &counts);

    Database &m_database;
    QHash<Key, Counts> m_groups;
    QHash<Key, Counts> m_queues;
    QHash<std::pair<qint64, qint64>, core::GroupId> m_known; // by title and cause: groups that are in the store
};

} // namespace store
