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

    QString staging; // fanout exchange, queue and shovel
    QString out; // direct exchange with one key per destination
    QString unroutable; // fanout exchange and queue: copies without destination
    QString dead; // queue: copies that died while they waited
};

} // namespace broker::rabbitmq
