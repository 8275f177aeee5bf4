#pragma once

#include "backend/api/text.h"
#include "backend/core/fields.h"
#include "backend/core/ids.h"
#include "backend/core/result.h"

namespace api {

// Messages whose content the store has but nobody can read: damaged headers or properties. Work on many messages skips
// them, counts them and names one; the others are not held up.
struct Unreadable
{
    qint64 count = 0;
    core::MessageId example; // the first one
    QString why; // of that one, for people

    // An error about one message; others, of the store itself, end the work.
    [[nodiscard]] static bool isAbout(const core::Error &error) { return error.kind == core::ErrorKind::Corrupt; }

    void add(core::MessageId message, const core::Error &error)
    {
        if (count++ == 0) {
            example = message;
            why = error.message;
        }
    }
    Unreadable &operator+=(const Unreadable &other)
    {
        if (count == 0)
            *this = other;
        else
            count += other.count;
        return *this;
    }
    // "12, the first is message 4711: ...", for people; only if there are some.
    [[nodiscard]] QString text() const
    {
        return Text::tr("%1, the first is message %2: %3")
            .arg(QString::number(count), QString::number(example.value), why);
    }

    REDRIVE_FIELDS(count, example, why)
    friend bool operator==(const Unreadable &, const Unreadable &) = default;
};

} // namespace api
