#include "backend/intake/steps/stepmatch.h"

#include "backend/intake/pages/identity.h"

#include <QHash>
#include <QSet>

#include <algorithm>

namespace intake {

using broker::ReceivedMessage;

QString stepKey(const records::Envelope &envelope)
{
    records::Envelope same = envelope;
    same.headers.removeIf([](const records::Header &header) { return isDeliveryCount(header.name); });
    return contentDigest(same) + QLatin1Char('\n') + envelope.exchange + QLatin1Char('\n') + envelope.routingKey;
}

StepAnswer matchedAnswer(const QList<ReceivedMessage> &noted, const QList<ReceivedMessage> &answer)
{
    QHash<QString, QList<qsizetype>> places; // the first twin last
    for (qsizetype i = noted.size() - 1; i >= 0; --i)
        places[stepKey(noted.at(i).envelope)].append(i);
    StepAnswer matched;
    for (const ReceivedMessage &message : answer) {
        QList<qsizetype> &twins = places[stepKey(message.envelope)];
        if (twins.isEmpty())
            matched.others.append(message);
        else
            matched.known.append(noted.at(twins.takeLast()));
    }
    return matched;
}

namespace {

QStringList keysOf(const QList<ReceivedMessage> &messages)
{
    QStringList keys;
    for (const ReceivedMessage &message : messages)
        keys.append(stepKey(message.envelope));
    return keys;
}

// Whether the first `gone` of the stored messages can be gone: those that are left must be there first, and were shown
// before. If all of the queue was stored, what comes behind them arrived later, and was not.
bool fits(qsizetype gone, const QStringList &noted, const QStringList &there, const QList<ReceivedMessage> &shown,
          const StepCounts &counts)
{
    const qsizetype left = noted.size() - gone;
    if (there.size() < left || counts.now < counts.before - gone)
        return false;
    if (!std::equal(noted.cbegin() + gone, noted.cend(), there.cbegin()))
        return false;
    if (!counts.knowsReturned)
        return true;
    const auto wasShown = [](const ReceivedMessage &message) { return message.wasReturned; };
    const bool areLater = counts.before == noted.size();
    return std::all_of(shown.cbegin(), shown.cbegin() + left, wasShown)
           && (!areLater || std::none_of(shown.cbegin() + left, shown.cend(), wasShown));
}

} // namespace

StepRest restOfStep(const QList<ReceivedMessage> &noted, const QList<ReceivedMessage> &there, const StepCounts &counts)
{
    const QStringList before = keysOf(noted);
    const QStringList now = keysOf(there);
    QList<qsizetype> ours; // how many can be gone
    QList<qsizetype> others;
    for (qsizetype gone = 0; gone <= noted.size(); ++gone) {
        if (fits(gone, before, now, there, counts))
            (gone <= counts.wanted ? ours : others).append(gone);
    }
    StepRest rest;
    rest.othersTook = ours.isEmpty();
    rest.isOurs = ours.size() == 1 && (ours.first() == 0 || ours.first() == counts.wanted);
    // That others took all, and the same arrived again in the same order, is believed of twins alone.
    const bool areDifferent = QSet<QString>(before.cbegin(), before.cend()).size() == before.size();
    if (areDifferent && others.size() > 1)
        others.resize(1);
    // Twins: any of these numbers can be true, and the largest one covers all of them.
    const QList<qsizetype> &possible = ours.isEmpty() ? others : ours;
    rest.gone = noted.first(possible.isEmpty() ? noted.size() : possible.last());
    return rest;
}

} // namespace intake
