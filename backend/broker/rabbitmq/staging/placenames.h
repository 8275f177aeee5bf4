#pragma once

#include <QString>

namespace broker::rabbitmq {

// The names of everything that belongs to one staging place, and of the exchanges that all places of a store share.
struct PlaceNames
{
    explicit PlaceNames(const QString &place)
        : staging(place)
        , returnExchange(place.section(QLatin1Char('.'), 0, 1) + QLatin1String(".return"))
        , alternate(returnExchange + QLatin1String(".unroutable"))
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

    // For the end marker before the start of a shovel, if no entrance is left: no copy was ever sent to it.
    [[nodiscard]] QString entranceForEnd(int shovel) const
    {
        return laterEntrances() + QLatin1String("end.") + QString::number(shovel);
    }

    // Each start of a shovel has a name of its own: a late request to remove one does not meet the next. All are found
    // by the name of the place, which Redrive 0.1.0 gave to its shovels.
    [[nodiscard]] QString shovel(int number) const
    {
        return staging + QLatin1String(".shovel.") + QString::number(number);
    }

    // The message id of the end marker before the start of a shovel, and the routing key of all of them: no queue is bound to
    // the return exchange by the name of a place.
    [[nodiscard]] QString end(int shovel) const { return staging + QLatin1String(".end.") + QString::number(shovel); }
    [[nodiscard]] const QString &endKey() const { return staging; }

    // Prefix of the names of exchanges through which Redrive 0.1.0 forwarded.
    [[nodiscard]] QString exchangesOf010() const { return staging + QLatin1String(".out"); }

    QString staging; // queue and the first entrance
    QString returnExchange; // direct exchange with one key per destination; it stays
    QString alternate; // its alternate exchange, a fanout; it stays
    QString unroutable; // queue: copies whose destination does not exist
    QString dead; // queue: copies that were dead-lettered while staged
};

} // namespace broker::rabbitmq
