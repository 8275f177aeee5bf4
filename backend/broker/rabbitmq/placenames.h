#pragma once

#include <QString>

namespace broker::rabbitmq {

// Everything that belongs to one staging place, named after it.
struct PlaceNames
{
    explicit PlaceNames(const QString &place)
        : staging(place)
        , out(place + QLatin1String(".out"))
        , unroutable(place + QLatin1String(".unroutable"))
        , dead(place + QLatin1String(".dead"))
    {
    }

    // The fanout exchange by which copies come into the staging queue. The first has its name; when one was closed, the next
    // has a name that no request before it knows.
    [[nodiscard]] QString entrance(int number) const
    {
        return number == 0 ? staging : laterEntrances() + QString::number(number);
    }
    [[nodiscard]] QString laterEntrances() const { return staging + QLatin1String(".in."); } // how their names begin

    QString staging; // queue, shovel and the first entrance
    QString out; // direct exchange with one key per destination
    QString unroutable; // fanout exchange and queue: copies without destination
    QString dead; // queue: copies that died while they waited
};

} // namespace broker::rabbitmq
