#include "backend/api/candidatequeue.h"

#include "backend/api/text.h"

#include <QHash>

namespace api {

namespace {

QString wordsOf(const records::QueueFact &fact)
{
    switch (fact.kind) {
    case records::QueueFact::Kind::DeadLettersOf:
        return Text::tr("receives the dead letters of %1").arg(fact.name);
    case records::QueueFact::Kind::PoisonOf:
        return Text::tr("is by its name the poison queue of %1").arg(fact.name);
    case records::QueueFact::Kind::NamedForFailures:
        return Text::tr("its name says that it holds failures");
    case records::QueueFact::Kind::HasConsumers:
        return fact.count == 1 ? Text::tr("1 consumer takes its messages")
                               : Text::tr("%1 consumers take its messages").arg(fact.count);
    case records::QueueFact::Kind::LoopsBack:
        return Text::tr("its dead letters come back to it by way of %1: a retry loop").arg(fact.name);
    case records::QueueFact::Kind::AfterWaiting:
        return Text::tr("messages only wait in %1 and then go on here").arg(fact.name);
    case records::QueueFact::Kind::PassesOn:
        return Text::tr("its own dead letters go on to %1").arg(fact.name);
    case records::QueueFact::Kind::BoundTo:
        return Text::tr("the exchange %1 sends it other messages, too").arg(fact.name);
    }
    return {};
}

// Names some of each kind: a dead-letter queue may serve a thousand others.
QStringList reasons(const records::QueueFacts &facts, bool against)
{
    constexpr int mostOfAKind = 3;
    QHash<records::QueueFact::Kind, int> told;
    QStringList words;
    bool isMore = false;
    for (const records::QueueFact &fact : facts) {
        if (records::speaksAgainst(fact.kind) != against)
            continue;
        if (++told[fact.kind] > mostOfAKind)
            isMore = true;
        else
            words.append(wordsOf(fact));
    }
    if (isMore)
        words.append(Text::tr("and more of this kind"));
    return words;
}

} // namespace

QStringList reasonsFor(const records::QueueFacts &facts)
{
    return reasons(facts, false);
}

QStringList reasonsAgainst(const records::QueueFacts &facts)
{
    return reasons(facts, true);
}

} // namespace api
