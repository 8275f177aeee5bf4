#pragma once

#include "backend/core/fields.h"

#include <QList>
#include <QString>

namespace records {

// Sends messages to another queue than their own destination. Names are compared as the broker compares them. Redirects
// are not chained.
struct Redirect
{
    // Which messages. Stored as numbers.
    //  - Queue: messages whose destination is `from`.
    //  - Unknown: messages whose destination is unknown.
    //  - Everything: all messages to which no other redirect applies.
    enum class Of { Queue, Unknown, Everything };
    friend constexpr Of lastOf(Of) { return Of::Everything; }
    Of of = Of::Queue;
    QString from; // for Queue only
    QString to;

    REDRIVE_FIELDS(of, from, to)
    friend bool operator==(const Redirect &, const Redirect &) = default;
};

inline constexpr int mostRedirects = 200; // of one connection or one plan

// The redirects that apply to a set, in order of precedence: those of the plan come before the standing ones of the
// connection. If the plan redirects everything, no standing one applies.
[[nodiscard]] QList<Redirect> redirectsInForce(const QList<Redirect> &ofPlan, const QList<Redirect> &standing);
// The first redirect that applies to this destination (empty: unknown), or null. The pointer is valid until the list
// changes.
[[nodiscard]] const Redirect *redirectOf(const QList<Redirect> &inForce, const QString &destination,
                                         Qt::CaseSensitivity sensitivity);
[[nodiscard]] QString toString(Redirect::Of of); // "queue", "unknown", "everything": command line and JSON

} // namespace records
