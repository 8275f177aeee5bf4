#include "backend/records/queuefacts.h"

#include <QSet>

#include <algorithm>
#include <utility>

namespace records {

namespace {

// The words of a name in lower case: what punctuation, digits and a capital after a small letter divide.
QStringList wordsOf(const QString &name)
{
    QStringList words;
    QString word;
    bool wasSmall = false;
    for (const QChar one : name) {
        const bool begins = !one.isLetter() || (wasSmall && one.isUpper());
        if (begins && !word.isEmpty())
            words.append(std::exchange(word, {}));
        if (one.isLetter())
            word += one.toLower();
        wasSmall = one.isLower();
    }
    if (!word.isEmpty())
        words.append(word);
    return words;
}

} // namespace

bool speaksAgainst(QueueFact::Kind kind)
{
    switch (kind) {
    case QueueFact::Kind::DeadLettersOf:
    case QueueFact::Kind::PoisonOf:
    case QueueFact::Kind::NamedForFailures:
        return false;
    case QueueFact::Kind::HasConsumers:
    case QueueFact::Kind::LoopsBack:
    case QueueFact::Kind::AfterWaiting:
    case QueueFact::Kind::PassesOn:
    case QueueFact::Kind::BoundTo:
        return true;
    }
    return true;
}

bool isRecommended(const QueueFacts &facts)
{
    const auto has = [&facts](QueueFact::Kind kind) {
        return std::any_of(facts.cbegin(), facts.cend(), [kind](const QueueFact &one) { return one.kind == kind; });
    };
    return has(QueueFact::Kind::NamedForFailures)
           && std::none_of(facts.cbegin(), facts.cend(), [](const QueueFact &one) { return speaksAgainst(one.kind); });
}

QStringList failuresOf(const QueueFacts &facts)
{
    QStringList queues;
    for (const QueueFact &one : facts) {
        if (one.kind == QueueFact::Kind::DeadLettersOf || one.kind == QueueFact::Kind::PoisonOf)
            queues.append(one.name);
    }
    return queues;
}

bool isNamedForFailures(const QString &queue)
{
    static const QSet<QString> failures{
        QStringLiteral("dead"),    QStringLiteral("deadletter"), QStringLiteral("deadletters"),
        QStringLiteral("dlq"),     QStringLiteral("dlqs"),       QStringLiteral("dlx"),
        QStringLiteral("error"),   QStringLiteral("errors"),     QStringLiteral("err"),
        QStringLiteral("fail"),    QStringLiteral("fails"),      QStringLiteral("failed"),
        QStringLiteral("failure"), QStringLiteral("failures"),   QStringLiteral("fault"),
        QStringLiteral("faults"),  QStringLiteral("faulted"),    QStringLiteral("faulty"),
        QStringLiteral("poison"),  QStringLiteral("poisoned"),   QStringLiteral("rejected"),
        QStringLiteral("rejects"), QStringLiteral("skipped"),    QStringLiteral("parked"),
        QStringLiteral("parking"), QStringLiteral("parkinglot"), QStringLiteral("quarantine"),
        QStringLiteral("grave"),   QStringLiteral("graveyard"),  QStringLiteral("undeliverable")};
    const QStringList words = wordsOf(queue);
    return std::any_of(words.cbegin(), words.cend(), [](const QString &word) { return failures.contains(word); });
}

QString toString(QueueFact::Kind kind)
{
    switch (kind) {
    case QueueFact::Kind::DeadLettersOf:
        return QStringLiteral("dead_letters_of");
    case QueueFact::Kind::PoisonOf:
        return QStringLiteral("poison_of");
    case QueueFact::Kind::NamedForFailures:
        return QStringLiteral("named_for_failures");
    case QueueFact::Kind::HasConsumers:
        return QStringLiteral("has_consumers");
    case QueueFact::Kind::LoopsBack:
        return QStringLiteral("loops_back");
    case QueueFact::Kind::AfterWaiting:
        return QStringLiteral("after_waiting");
    case QueueFact::Kind::PassesOn:
        return QStringLiteral("passes_on");
    case QueueFact::Kind::BoundTo:
        return QStringLiteral("bound_to");
    }
    return {};
}

} // namespace records
