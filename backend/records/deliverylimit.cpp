#include "backend/records/deliverylimit.h"

#include "backend/records/text.h"

#include <algorithm>

namespace records {

namespace {

QString beyondTheLimit(const DeliveryLimit &limit)
{
    if (limit.deadLetters.isEmpty())
        return Text::tr("The broker drops a message that exceeds the limit.");
    return Text::tr("The broker moves a message that exceeds the limit to %1.")
        .arg(limit.deadLetters.join(QStringLiteral(", ")));
}

QString usedOf(const DeliveryLimit &limit, const DeliveriesUsed &used)
{
    return Text::tr("%1 of %2 used").arg(std::min(used.most(), limit.most)).arg(limit.most);
}

QString joined(QStringList sentences)
{
    sentences.removeAll(QString());
    return sentences.join(QLatin1Char(' '));
}

// A policy can raise a limit that is not an argument of the queue; a look shows what was really counted.
QString wayOn(const DeliveryLimit &limit, const DeliveriesUsed &used)
{
    QStringList ways;
    if (mayTake(limit, used))
        ways += Text::tr("Take the messages.");
    else if (used.returned > 1 && mayLook(limit, used))
        ways += Text::tr("Browse the queue: that shows how often its messages were delivered.");
    if (!limit.byArgument)
        ways += Text::tr("Raise delivery-limit of the queue with a policy.");
    else if (ways.isEmpty())
        ways += Text::tr("The limit is an argument of the queue, which no policy raises: empty the queue with another "
                         "program. When Redrive takes from the empty queue, it begins to count anew.");
    return ways.join(QLatin1Char(' ') + Text::tr("Or:") + QLatin1Char(' '));
}

} // namespace

qint64 keptOf(const DeliveryLimit &limit)
{
    return limit.most < 3 ? 1 : std::max<qint64>(2, limit.most / 4);
}

bool mayTake(const DeliveryLimit &limit, const DeliveriesUsed &used)
{
    return limit.most - used.most() >= keptOf(limit);
}

// One more than is kept: the end of each page returns some messages.
bool mayLook(const DeliveryLimit &limit, const DeliveriesUsed &used)
{
    const qint64 left = limit.most - (used.most() + 1);
    const bool mayHelp = used.returned > 1 && used.underWay == 0 && !mayTake(limit, used) && left > 0;
    return !limit.looksCount || left > keptOf(limit) || mayHelp;
}

DeliveriesUsed beforePage(DeliveriesUsed used, qint64 inHand)
{
    ++used.returned;
    ++used.underWay;
    used.atHead = std::max(used.atHead, inHand);
    return used;
}

DeliveriesUsed afterPage(DeliveriesUsed used, qint64 taken, bool interrupted)
{
    used = afterLatePage(used);
    if (interrupted)
        return used;
    if (taken >= used.atHead) // what remains was returned when this page ended, or by those that began after it
        used.returned = std::min(used.returned, 1 + used.underWay);
    else if (used.underWay == 0) // it returned as many as it had in hand when it ended, never more than it took
        used.atHead = std::max(used.atHead - taken, std::min(taken, mostInHand));
    return used; // those that began after it may have returned as many as before
}

DeliveriesUsed afterLatePage(DeliveriesUsed used)
{
    used.underWay = std::max<qint64>(0, used.underWay - 1);
    return used;
}

DeliveriesUsed beforeLook(DeliveriesUsed used)
{
    ++used.looked;
    return used;
}

DeliveriesUsed afterLook(DeliveriesUsed used, const DeliveryLimit &limit, const LookResult &look)
{
    const qint64 now = std::min(look.counted, limit.most) + (limit.looksCount ? 1 : 0);
    if (look.whole && used.underWay == 0)
        return {now, 0, 0, 0};
    used.looked = std::max(used.looked, now);
    if (look.shown >= used.atHead && used.underWay == 0)
        return {used.looked, 0, 0, 0};
    return used;
}

QString lookPrice(const DeliveryLimit &limit, const DeliveriesUsed &used)
{
    if (!limit.looksCount)
        return {};
    return joined(
        {Text::tr("This look counts as a delivery of each message that it shows, as two where bodies are large; %1.")
             .arg(usedOf(limit, used)),
         beyondTheLimit(limit)});
}

QString failedLookPrice(const DeliveryLimit &limit, const DeliveriesUsed &used)
{
    return joined(
        {Text::tr("A look that fails counts as a delivery; %1.").arg(usedOf(limit, used)), beyondTheLimit(limit)});
}

QString takingRisk(const DeliveryLimit &limit, const DeliveriesUsed &used)
{
    const qint64 kept = keptOf(limit);
    return joined({Text::tr("An interruption counts as a delivery of at most %1 messages; %2.")
                       .arg(QString::number(mostInHand), usedOf(limit, used)),
                   kept == 1 ? Text::tr("Redrive stops when none is left.")
                             : Text::tr("Redrive stops when fewer than %1 are left.").arg(kept),
                   beyondTheLimit(limit)});
}

QString takingRefusal(const DeliveryLimit &limit, const DeliveriesUsed &used, const QString &queue)
{
    if (mayTake(limit, used))
        return {};
    return joined({Text::tr("Redrive takes no more messages from %1: looks and interruptions may have used the "
                            "deliveries that its delivery limit allows (%2).")
                       .arg(queue, usedOf(limit, used)),
                   beyondTheLimit(limit), wayOn(limit, used)});
}

QString lookRefusal(const DeliveryLimit &limit, const DeliveriesUsed &used, const QString &queue)
{
    if (mayLook(limit, used))
        return {};
    return joined(
        {Text::tr("Redrive does not browse %1: a look counts as a delivery, and the last ones that the delivery "
                  "limit allows are kept for taking (%2).")
             .arg(queue, usedOf(limit, used)),
         beyondTheLimit(limit), wayOn(limit, used)});
}

} // namespace records
