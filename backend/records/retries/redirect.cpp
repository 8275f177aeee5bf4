#include "backend/records/retries/redirect.h"

#include <algorithm>

namespace records {

QList<Redirect> redirectsInForce(const QList<Redirect> &ofPlan, const QList<Redirect> &standing)
{
    QList<Redirect> ordered = ofPlan;
    // The narrower redirect comes first, in whatever order they were given.
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const Redirect &one, const Redirect &other) { return one.of < other.of; });
    const auto everything = std::find_if(ordered.cbegin(), ordered.cend(),
                                         [](const Redirect &one) { return one.of == Redirect::Of::Everything; });
    if (everything != ordered.cend())
        return ordered; // no message is left for the standing ones
    return ordered + standing;
}

const Redirect *redirectOf(const QList<Redirect> &inForce, const QString &destination, Qt::CaseSensitivity sensitivity)
{
    const auto names = [&](const Redirect &one) {
        switch (one.of) {
        case Redirect::Of::Queue:
            return one.from.compare(destination, sensitivity) == 0;
        case Redirect::Of::Unknown:
            return destination.isEmpty();
        case Redirect::Of::Everything:
            return true;
        }
        return false;
    };
    const auto found = std::find_if(inForce.cbegin(), inForce.cend(), names);
    return found == inForce.cend() ? nullptr : &*found;
}

QString toString(Redirect::Of of)
{
    switch (of) {
    case Redirect::Of::Queue:
        return QStringLiteral("queue");
    case Redirect::Of::Unknown:
        return QStringLiteral("unknown");
    case Redirect::Of::Everything:
        return QStringLiteral("everything");
    }
    Q_UNREACHABLE();
}

} // namespace records
