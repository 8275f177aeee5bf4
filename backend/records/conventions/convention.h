// Conventions of one's own: what a person says about messages of an application that no dialect knows, or knows only in
// part: where the cause is, where a message goes back to, and what goes before a retry. backend/dialect applies them on
// top of a dialect. What a convention cannot read stays as the dialect read it.
#pragma once

#include "backend/core/fields.h"
#include "backend/records/messages/message.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace records {

// A place in a message.
struct MessagePlace
{
    enum class In { Header, Property, Body };
    friend constexpr In lastOf(In) { return In::Body; }
    In in = In::Header;
    QString name; // of the header or property, in this case (Ordinal); empty for Body
    // JSON pointer (RFC 6901) into a header that is a map, a list or JSON text, or into a JSON body; empty: all of it,
    // which only a header or property can be
    QString pointer;

    REDRIVE_FIELDS(in, name, pointer)
    friend bool operator==(const MessagePlace &, const MessagePlace &) = default;
};

struct Convention
{
    // The messages that it is for: all conditions must hold. Those that are empty hold always.
    struct For
    {
        QString connection; // its name
        QStringList queues; // where the message was found: names with * and ?
        QStringList dialects; // "unknown", "RabbitMQ", ...
        struct Header
        {
            QString name;
            QString value; // with * and ?
            REDRIVE_FIELDS(name, value)
            friend bool operator==(const Header &, const Header &) = default;
        };
        QList<Header> headers;
        // The failure group that the message would be in without this convention.
        struct Group
        {
            Classifier by = Classifier::ExceptionAndStack;
            QString title;
            REDRIVE_FIELDS(by, title)
            friend bool operator==(const Group &, const Group &) = default;
        };
        std::optional<Group> group;

        REDRIVE_FIELDS(connection, queues, dialects, headers, group)
        friend bool operator==(const For &, const For &) = default;
    };

    enum class Fact {
        ExceptionType,
        ExceptionMessage,
        StackTrace,
        MessageType,
        Endpoint, // not of a framework whose message ids are unique: id and endpoint are the identity of its messages
        Host,
        FailedAt, // ISO 8601, or seconds or milliseconds since 1970
        Attempts,
        ReturnTo, // a queue
    };
    friend constexpr Fact lastOf(Fact) { return Fact::ReturnTo; }
    struct Read
    {
        Fact fact = Fact::ExceptionType;
        QList<MessagePlace> from; // the first that has a value counts

        REDRIVE_FIELDS(fact, from)
        friend bool operator==(const Read &, const Read &) = default;
    };

    struct BeforeRetry
    {
        enum class Do {
            Remove,
            SetToZero, // of the type that it had; what is no number stays
            EmptyIsMissing, // removed if it is null: a missing one means the same to the application
        };
        friend constexpr Do lastOf(Do) { return Do::EmptyIsMissing; }
        Do what = Do::Remove;
        MessagePlace place; // EmptyIsMissing: a whole header

        REDRIVE_FIELDS(what, place)
        friend bool operator==(const BeforeRetry &, const BeforeRetry &) = default;
    };

    QString name; // unique, by which it is stored with messages
    QString note; // why, for people; may be empty
    For isFor;
    QList<Read> reads; // each fact once
    QString returnTo; // the queue to which all of these messages go back, whatever they say; empty: as they say
    QList<BeforeRetry> beforeRetry;

    REDRIVE_FIELDS(name, note, isFor, reads, returnTo, beforeRetry)
    friend bool operator==(const Convention &, const Convention &) = default;
};

// In the order of their names, in which they are applied: each sees what those before it have read.
using Conventions = QList<Convention>;

inline constexpr int mostConventions = 200; // of one store
inline constexpr qsizetype longestConventionName = 100; // characters
inline constexpr int mostConventionRules = 100; // facts' places and rules before a retry, of one convention

} // namespace records
