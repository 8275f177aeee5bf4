#include "backend/intake/steps/stepmatch.h"

#include "backend/intake/pages/identity.h"

#include <QHash>

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

StepRest restOfStep(const QList<ReceivedMessage> &noted, const QList<ReceivedMessage> &there, const StepCounts &counts)
{
    QHash<QString, int> left;
    for (const ReceivedMessage &message : there)
        ++left[stepKey(message.envelope)];
    QHash<QString, int> all;
    for (const ReceivedMessage &message : noted)
        ++all[stepKey(message.envelope)];
    StepRest rest;
    for (const ReceivedMessage &message : noted) { // the first of twins went first
        const QString key = stepKey(message.envelope);
        if (all[key]-- > left.value(key))
            rest.gone.append(message);
    }
    const qsizetype gone = rest.gone.size();
    rest.othersTook = gone > counts.wanted || counts.now < counts.before - gone;
    rest.isOurs = (gone == 0 || gone == counts.wanted) && !rest.othersTook;
    return rest;
}

} // namespace intake
