#pragma once

#include <QList>
#include <QString>

namespace records {

// Sends elsewhere what would go to a queue. Names are exact, as the broker compares them, and what one redirect gives is never
// looked up again.
struct Redirect
{
    // Stored as numbers. Unknown: messages that do not say where they failed. Everything: what no other redirect names.
    enum class Of { Queue, Unknown, Everything };
    Of of = Of::Queue;
    QString from; // of a queue
    QString to;

    friend bool operator==(const Redirect &, const Redirect &) = default;
};

inline constexpr int mostRedirects = 200; // of one connection, or of one plan

// What is in force for a set, in the order in which it counts: the plan's own, which outrank the standing ones.
[[nodiscard]] QList<Redirect> redirectsInForce(const QList<Redirect> &ofPlan, const QList<Redirect> &standing);
// The first that names this destination (empty: unknown), or null.
[[nodiscard]] const Redirect *redirectOf(const QList<Redirect> &inForce, const QString &destination,
                                         Qt::CaseSensitivity sensitivity);
[[nodiscard]] QString toString(Redirect::Of of); // "queue", "unknown", "everything": CLI and JSON

} // namespace records
