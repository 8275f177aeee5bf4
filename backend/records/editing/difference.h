// What an edit changes in one message, in a form to be shown.
#pragma once

#include "backend/records/messages/headers.h"

#include <optional>

namespace records {

struct HeaderChange
{
    QString name;
    std::optional<QCborValue> before; // nothing: the header is new
    std::optional<QCborValue> after; // nothing: the header is removed
};

struct BodyLine
{
    enum class Kind { Same, Removed, Added, Skipped }; // Skipped stands for a run of equal lines
    Kind kind = Kind::Same;
    QString text; // a long line is cut to the part that differs; empty for Skipped
    int before = 0; // line number from 1 before the edit; 0: the line is new. Skipped: the number of lines
    int after = 0; // likewise after the edit; 0: the line is removed
};

struct Difference
{
    QList<HeaderChange> headers; // in the order of the message, new ones last
    QList<BodyLine> body; // empty: the body does not change, or is not text
    qsizetype bytesBefore = 0; // of the body
    qsizetype bytesAfter = 0;
    bool bodyChanges = false;
    bool bodyIsText = true; // before and after the edit; if false, only the lengths can be shown
    bool bodyCut = false; // `body` was cut to mostDifferentLines
    bool bodyLinedUp = false; // the body is JSON on one line and was broken into lines for the comparison

    [[nodiscard]] bool isEmpty() const { return headers.isEmpty() && !bodyChanges; }
};

inline constexpr int mostDifferentLines = 400;

// Never fails. A body beyond the limits of an edit, or one that is not text, is compared by its length only. Any
// thread.
[[nodiscard]] Difference difference(const Envelope &before, const Envelope &after);

} // namespace records
