#include "tests/crash/campaign/verdict.h"

#include <QStringList>

#include <algorithm>

namespace killing {

namespace {

QString wordsOf(const char *name, const QSet<int> &set)
{
    constexpr qsizetype shown = 40;
    QList<int> sorted(set.cbegin(), set.cend());
    std::sort(sorted.begin(), sorted.end());
    QStringList texts;
    for (const int number : sorted.mid(0, shown))
        texts.append(QString::number(number));
    if (sorted.size() > shown)
        texts.append(QStringLiteral("..."));
    return QStringLiteral("%1 %2 {%3}").arg(QLatin1String(name)).arg(set.size()).arg(texts.join(QLatin1String(", ")));
}

} // namespace

QString Verdict::words() const
{
    return QStringList{wordsOf("lost", lost), wordsOf("unexpected", unexpected), wordsOf("duplicated", duplicated),
                       wordsOf("not flagged", unflagged), wordsOf("recovered", recovered)}
        .join(QLatin1String("; "));
}

Verdict verdictOn(const Evidence &evidence)
{
    Verdict verdict;
    for (auto one = evidence.expected.cbegin(); one != evidence.expected.cend(); ++one) {
        const int number = one.key();
        const int copies = evidence.arrived.value(number);
        const bool isDoubtful = evidence.inDoubt.contains(number) || evidence.flagged.contains(number);
        if (copies + evidence.inDoubt.value(number) < one.value())
            verdict.lost.insert(number);
        if (copies > one.value())
            verdict.duplicated.insert(number);
        if (copies > one.value() && !isDoubtful)
            verdict.unflagged.insert(number);
        if (copies == one.value() && isDoubtful)
            verdict.recovered.insert(number);
    }
    for (auto one = evidence.arrived.cbegin(); one != evidence.arrived.cend(); ++one) {
        if (!evidence.expected.contains(one.key()))
            verdict.unexpected.insert(one.key());
    }
    return verdict;
}

Copies oneOfEach(const QList<int> &numbers)
{
    Copies copies;
    for (const int number : numbers)
        copies.insert(number, 1);
    return copies;
}

} // namespace killing
