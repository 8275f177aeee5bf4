// What a retry changes in the copies that it sends. The message in the store stays as it failed.
#pragma once

#include "backend/core/fields.h"
#include "backend/core/ids.h"

#include <QByteArray>
#include <QCborValue>
#include <QList>
#include <QString>

namespace records {

// One change. Steps run in order, each on the result of the one before.
struct EditStep
{
    enum class Do {
        SetHeader, // sets the header `name` to `value`: text, integer, double or bool
        RemoveHeader, // removes the header `name`
        RenameHeader, // renames the header `name` to `text`; its value and type stay
        SetJson, // sets the value at the JSON pointer `name` (RFC 6901) to the JSON in `text`; "-" adds to a list
        RemoveJson, // removes the value at the JSON pointer `name`
        ReplaceText, // replaces every match of the regular expression `name` (PCRE) with `text`; \1 is the first group
        SetBody, // replaces the whole body with `body`; for one message only
    };
    friend constexpr Do lastOf(Do) { return Do::SetBody; }
    Do what = Do::SetHeader;
    QString name{};
    QString text{};
    QCborValue value{};
    QByteArray body{};
    // True: the step is skipped in a message in which it finds nothing to change. False: the edit does not fit such a
    // message, which is then not sent.
    bool whereThere = false;

    REDRIVE_FIELDS(what, name, text, value, body, whereThere)
    friend bool operator==(const EditStep &, const EditStep &) = default;
};

struct Edit
{
    QList<EditStep> steps;

    [[nodiscard]] bool isEmpty() const { return steps.isEmpty(); }
    REDRIVE_FIELDS(steps)
    friend bool operator==(const Edit &, const Edit &) = default;
};

// Why an edit cannot be applied to some messages that would be sent otherwise.
struct EditMisfit
{
    QString reason;
    qint64 count = 0;
    core::MessageId example;

    REDRIVE_FIELDS(reason, count, example)
    friend bool operator==(const EditMisfit &, const EditMisfit &) = default;
};

inline constexpr int mostEditSteps = 100;
inline constexpr qsizetype longestEditName = 4000; // characters of a header name, pointer or regular expression
inline constexpr qsizetype longestEditedBody = 4 * 1024 * 1024; // bytes, before and after the edit

// Whether a person may change a header.
//  - Free: yes.
//  - Sensitive: yes, with a warning. It controls where a message or its reply goes, or how the message is read.
//  - Locked: no. It is our stamp, it identifies the message or links it to others, or Redrive removes it on retry
//    anyway.
enum class HeaderCare { Free, Sensitive, Locked };
constexpr HeaderCare lastOf(HeaderCare)
{
    return HeaderCare::Locked;
}

} // namespace records
