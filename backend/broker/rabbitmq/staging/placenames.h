#pragma once

#include <QString>

namespace broker::rabbitmq {

// The names of everything that belongs to one staging place.
struct PlaceNames
{
    explicit PlaceNames(const QString &place)
        : staging(place)
        , out(place + QLatin1String(".out"))
        , unroutable(place + QLatin1String(".unroutable"))
        , dead(place + QLatin1String(".dead"))
    {
    }

    // The fanout exchange that brings copies into the staging queue. The first entrance has the name of the queue; each
    // later one has a name that no earlier request knows.
    [[nodiscard]] QString entrance(int number) const
    {
        return number == 0 ? staging : laterEntrances() + QString::number(number);
    }
    [[nodiscard]] QString laterEntrances() const { return staging + QLatin1String(".in."); } // prefix of their names

    QString staging; // queue, shovel and the first entrance
    QString out; // direct exchange with one key per destination
    QString unroutable; // fanout exchange and queue: copies whose destination does not exist
    QString dead; // queue: copies that were dead-lettered while staged
};

} // namespace broker::rabbitmq
