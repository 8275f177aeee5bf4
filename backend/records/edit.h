// What a retry changes in the copies that it sends. The stored message stays as it failed.
#pragma once

#include <QByteArray>
#include <QCborValue>
#include <QList>
#include <QString>

namespace records {

// One change. Steps are done in order, each on what the one before left.
struct EditStep
{
    enum class Do {
        SetHeader, // name -> value, with the kind of the value: text, integer, double or bool
        RemoveHeader, // name
        RenameHeader, // name -> text; value and kind stay
        SetJson, // name: JSON pointer (RFC 6901); text: the JSON that comes there. "-" adds to a list
        RemoveJson, // name: JSON pointer
        ReplaceText, // name: regular expression (PCRE); text: what comes instead of every match, \1 for what is in brackets
        SetBody, // body: all of it. For one message only
    };
    Do what = Do::SetHeader;
    QString name{};
    QString text{};
    QCborValue value{};
    QByteArray body{};
    // Left out where it finds nothing to change; else a message in which it finds nothing is not edited, and not sent.
    bool whereThere = false;

    friend bool operator==(const EditStep &, const EditStep &) = default;
};

struct Edit
{
    QList<EditStep> steps;

    [[nodiscard]] bool isEmpty() const { return steps.isEmpty(); } // nothing is changed
    friend bool operator==(const Edit &, const Edit &) = default;
};

inline constexpr int mostEditSteps = 100;
inline constexpr qsizetype longestEditName = 4000; // of a header, a pointer, a regular expression; in characters
inline constexpr qsizetype longestEditedBody = 4 * 1024 * 1024; // before and after; longer ones stay as they are

// Whether a person may change a header. Locked: our stamp, what says which message it is and which ones belong together, and what
// does not go back anyway. Sensitive: it decides where a message or its answer goes, or what it is taken for.
enum class HeaderCare { Free, Sensitive, Locked };

} // namespace records
