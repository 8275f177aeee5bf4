// What an edit changes in one message, to be shown.
#pragma once

#include "backend/records/headers.h"

#include <optional>

namespace records {

struct HeaderChange
{
    QString name;
    std::optional<QCborValue> before; // nothing: it is new
    std::optional<QCborValue> after; // nothing: it is taken out
};

struct BodyLine
{
    enum class Kind { Same, Removed, Added, Skipped }; // Skipped: so many lines that are the same
    Kind kind = Kind::Same;
    QString text; // a long line is cut to what differs in it; of Skipped: empty
    int before = 0; // line number, from 1; 0: it is not there. Of Skipped: how many
    int after = 0;
};

struct Difference
{
    QList<HeaderChange> headers; // in the order of the message, new ones last
    QList<BodyLine> body; // empty: the body stays as it is, or is no text
    qsizetype bytesBefore = 0; // of the body
    qsizetype bytesAfter = 0;
    bool bodyChanges = false;
    bool bodyIsText = true; // both are; else only the lengths tell
    bool bodyCut = false; // more lines differ than are told
    bool bodyLinedUp = false; // it is JSON on one line, and was compared in lines that it does not have

    [[nodiscard]] bool isEmpty() const { return headers.isEmpty() && !bodyChanges; }
};

inline constexpr int mostDifferentLines = 400;

[[nodiscard]] Difference difference(const Envelope &before, const Envelope &after);

} // namespace records
