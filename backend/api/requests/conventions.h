// Requests about conventions of one's own (records/convention.h).
#pragma once

#include "backend/api/request.h"
#include "backend/api/requests/conventionview.h"
#include "backend/api/unreadable.h"
#include "backend/records/conventions/convention.h"

#include <QList>
#include <QStringList>

#include <algorithm>
#include <optional>

namespace api {

// What every connection must grant that a convention is for: like a retry, and like a redirect or an edit where it says
// where messages go back to, or what is removed or reset before a retry.
[[nodiscard]] inline records::Rights rightsToSet(const records::Convention &convention)
{
    using Do = records::Convention::BeforeRetry::Do;
    records::Rights rights = records::Right::Retry;
    rights.setFlag(records::Right::Redirect,
                   !convention.returnTo.isEmpty()
                       || std::any_of(convention.reads.cbegin(), convention.reads.cend(), [](const auto &read) {
                              return read.fact == records::Convention::Fact::ReturnTo;
                          }));
    rights.setFlag(records::Right::Edit, std::any_of(convention.beforeRetry.cbegin(), convention.beforeRetry.cend(),
                                                     [](const auto &rule) { return rule.what != Do::EmptyIsMissing; }));
    return rights;
}

// Adds a convention, or replaces the one of the same name. It holds for what is taken from now on; ApplyConventions applies
// it to what is there. Rejected: an invalid convention; the message names the field. Conflict: `isNew`, and there is one of
// this name. NotFound: it is for a connection that does not exist. Refused: a connection that it is for does not grant what
// rightsToSet() says.
struct SetConvention
{
    using Answer = QString; // its name
    static constexpr RequestRules rules{"SetConvention", AskedFrom::AnyProcess};
    // rightsToSet() are checked with the file, as soon as it is known which connections it is for.
    [[nodiscard]] RightsNeeded rights() const { return {}; }
    [[nodiscard]] QString activity() const { return Text::tr("Convention set"); }

    QByteArray file; // JSON: records/conventionfile.h
    bool isNew = false;

    REDRIVE_FIELDS(file, isNew)
};

// Removes a convention. Messages stay as they were read with it until ApplyConventions reads them again. NotFound: there
// is no such convention.
struct RemoveConvention
{
    using Answer = void;
    static constexpr RequestRules rules{"RemoveConvention", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {records::Right::Retry, RightsNeeded::AnyConnection{}}; }
    [[nodiscard]] QString activity() const { return Text::tr("Convention removed"); }

    QString name;

    REDRIVE_FIELDS(name)
};

struct Reread
{
    qint64 read = 0; // messages
    qint64 changed = 0; // of these, read otherwise than before
    qint64 skipped = 0; // in a retry now, or stored undecoded: they stay as they are
    Unreadable unreadable{}; // they stay as they are

    REDRIVE_FIELDS(read, changed, skipped, unreadable)
    friend bool operator==(const Reread &, const Reread &) = default;
};

// Reads messages of the store again, with the dialects and conventions of today: cause, destination and groups are formed
// anew. Headers, bodies, attempts and states stay. In slices; after a crash some messages are read again and others not,
// and the same command completes it. Cancelled: by CancelWork; what was read again stays.
struct ApplyConventions
{
    using Answer = Reread;
    static constexpr RequestRules rules{"ApplyConventions", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {records::Right::Retry, filter}; }
    [[nodiscard]] QString activity() const { return Text::tr("Conventions applied"); }

    records::MessageFilter filter; // without a status: unresolved messages
    QString ticket{}; // for AskWork and CancelWork; empty: nobody asks

    REDRIVE_FIELDS(filter, ticket)
};

// How one message is read.
struct ReadMessage
{
    records::Failure failure;
    QString messageType;
    records::Destination destination;
    std::optional<int> attempts; // as the message says
    QString group; // the title of its group by exception and stack
    QStringList conventions; // that were applied
    QString cannotGoBack; // why a retry would leave it out, as far as the message itself says it; empty: it would not

    REDRIVE_FIELDS(failure, messageType, destination, attempts, group, conventions, cannotGoBack)
};

// A convention tried on one message of the store.
struct ConventionTrial
{
    core::MessageId message;
    bool applies = false; // it is for this message
    QString unreadable; // why nobody can read this message, and the rest is empty; empty: it can be read
    ReadMessage before; // as stored now
    ReadMessage after; // with the convention
    // As it is sent, without Redrive's stamp: with the conventions of the store, and with this one, too.
    records::Envelope sentBefore;
    records::Envelope sentAfter;

    REDRIVE_FIELDS(message, applies, unreadable, before, after, sentBefore, sentAfter)
};

// Shows what a convention would do to some messages. Writes nothing. Rejected: an invalid convention.
struct TryConvention
{
    using Answer = QList<ConventionTrial>; // at most `limit`, messages that it applies to first
    static constexpr RequestRules rules{"TryConvention", AskedFrom::AnyProcess};
    static constexpr int mostMessages = 50;
    [[nodiscard]] RightsNeeded rights() const { return {}; }
    [[nodiscard]] QString activity() const { return {}; }

    QByteArray file; // a convention, of the store or not; one of the same name in the store is left out
    records::MessageFilter filter; // with `messages` empty: the first of these
    QList<core::MessageId> messages;
    int limit = 5;

    REDRIVE_FIELDS(file, filter, messages, limit)
};

// A null header of messages that the broker's interface cannot send back.
struct EmptyHeader
{
    QString name;
    qint64 count = 0; // messages that have it

    REDRIVE_FIELDS(name, count)
    friend bool operator==(const EmptyHeader &, const EmptyHeader &) = default;
};

// Messages that are left out of a retry only because they have headers that are null, which RabbitMQ's HTTP interface can
// neither tell from the text "undefined" nor send. Without these headers they could be sent.
struct EmptyHeaders
{
    qint64 messages = 0;
    QList<EmptyHeader> headers; // by name
    QByteArray convention; // a file for SetConvention that says of these headers, for these groups: empty means missing

    REDRIVE_FIELDS(messages, headers, convention)
};

// Which these are in a selection. Writes nothing.
struct FindEmptyHeaders
{
    using Answer = EmptyHeaders;
    static constexpr RequestRules rules{"FindEmptyHeaders", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {}; }
    [[nodiscard]] QString activity() const { return {}; }

    records::MessageFilter filter; // without a status: unresolved messages

    REDRIVE_FIELDS(filter)
};

} // namespace api
