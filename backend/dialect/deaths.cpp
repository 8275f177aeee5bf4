#include "backend/dialect/deaths.h"

#include <QCborArray>
#include <QCborMap>

#include <algorithm>

namespace dialect {

namespace {

constexpr qint64 latestSecond = 253402300799; // 9999-12-31; a later time is invalid
constexpr qsizetype mostKeys = 10; // routing keys of one death; more come from hostile messages only

std::optional<core::TimePoint> deathTime(const QCborValue &value, qint64 perSecond)
{
    if (!value.isInteger() || value.toInteger() <= 0 || value.toInteger() / perSecond > latestSecond)
        return std::nullopt;
    return core::fromMs(value.toInteger() * (1000 / perSecond));
}

QStringList keysFrom(const QCborArray &list)
{
    QStringList keys;
    for (qsizetype i = 0; i < std::min(list.size(), mostKeys); ++i) {
        if (list.at(i).isString() && list.at(i).toString().size() <= bounds::address)
            keys.append(list.at(i).toString());
    }
    return keys;
}

Death deathFrom(const QCborMap &entry)
{
    Death death;
    death.queue = entry.value(QLatin1String("queue")).toString();
    death.reason = entry.value(QLatin1String("reason")).toString().left(bounds::name);
    const QCborValue count = entry.value(QLatin1String("count"));
    if (count.isInteger() && count.toInteger() > 0)
        death.count = count.toInteger();
    death.at = deathTime(entry.value(QLatin1String("last-time")), 1000);
    // "time" is that of the first death with this queue and reason. If there was only one, it is also the last.
    death.first = deathTime(entry.value(QLatin1String("first-time")), 1000);
    if (!death.first)
        death.first = deathTime(entry.value(QLatin1String("time")), 1);
    if (!death.at && death.count == 1)
        death.at = death.first;
    death.exchange = entry.value(QLatin1String("exchange")).toString().left(bounds::address);
    death.keys = keysFrom(entry.value(QLatin1String("routing-keys")).toArray());
    return death;
}

// Only known reasons are named, so that a hostile message cannot make a text of its own for each copy.
QString reasonText(const Death &death)
{
    static const QStringList known{QStringLiteral("rejected"), QStringLiteral("expired"), QStringLiteral("maxlen"),
                                   QStringLiteral("delivery_limit")};
    return known.contains(death.reason) ? death.reason : QStringLiteral("dead-lettered");
}

void add(Deaths &deaths, const Death &death)
{
    if (isDelayQueue(death.queue))
        deaths.delayed = true;
    else if (!death.queue.isEmpty() && death.queue.size() <= bounds::address)
        (death.reason == QLatin1String("expired") ? deaths.expired : deaths.failed).append(death);
}

// Up to 3.12: the newest entry is the first, the one before it the last, then the second, the last but one, and so on,
// because each death turned around what came behind the first entry.
int ageIfTurned(qsizetype place, qsizetype size)
{
    return int(place < size - place ? 2 * place : 2 * (size - place) - 1);
}

bool isOlderOrEqual(const std::optional<core::TimePoint> &older, const std::optional<core::TimePoint> &newer)
{
    return !older || !newer || *older <= *newer;
}

// Whether the times of deaths that happened once agree with these ages.
bool agree(QList<Death> table)
{
    std::sort(table.begin(), table.end(), [](const Death &a, const Death &b) { return a.age < b.age; });
    std::optional<core::TimePoint> last;
    for (const Death &death : table) {
        if (!isOlderOrEqual(death.at, last))
            return false;
        last = death.at ? death.at : last;
    }
    return true;
}

// A broker of today also says which death was the last one.
bool isWrittenInOrder(const records::Headers &headers, const QString &table)
{
    return table == QLatin1String("x-opt-deaths") || findLoosely(headers, u"x-last-death-queue") != nullptr;
}

void setAges(Deaths &deaths, QList<Death> &table)
{
    const bool hasTimes =
        std::any_of(table.cbegin(), table.cend(), [](const Death &death) { return death.first.has_value(); });
    if (deaths.isOrdered || !hasTimes)
        return;
    QList<Death> turned = table;
    for (qsizetype i = 0; i < turned.size(); ++i)
        turned[i].age = ageIfTurned(i, turned.size());
    if (agree(turned) || !agree(table))
        table = turned;
}

void addTable(Deaths &deaths, const records::Headers &headers, const QString &header, const QCborArray &entries)
{
    deaths.header = header;
    deaths.isOrdered = isWrittenInOrder(headers, header);
    QList<Death> table;
    for (qsizetype i = 0; i < std::min(entries.size(), bounds::deaths); ++i) {
        Death death = deathFrom(entries.at(i).toMap());
        death.entry = int(i) + 1;
        death.age = int(i);
        deaths.reasons.append(reasonText(death));
        table.append(death);
    }
    setAges(deaths, table);
    for (const Death &death : std::as_const(table))
        add(deaths, death);
}

// When it happened last at the earliest.
std::optional<core::TimePoint> atLeast(const Death &death)
{
    return death.at ? death.at : death.first;
}

bool isProvedOlder(const Deaths &deaths, const Death &older, const Death &newer)
{
    if (deaths.isOrdered || newer.entry <= 1 || older.entry <= 1)
        return older.age > newer.age;
    const std::optional<core::TimePoint> since = atLeast(newer);
    if (!older.at || !since || *older.at > *since)
        return false;
    // In the same second the order of the table counts. It is known if each of the two happened once.
    return *older.at < *since || (newer.at && older.age > newer.age);
}

const Death *newestOf(const Deaths &deaths, const QList<Death> &list)
{
    const Death *newest = nullptr;
    for (const Death &death : list) {
        const bool isNewer = newest == nullptr || isProvedOlder(deaths, *newest, death)
                             || (death.age < newest->age && !isProvedOlder(deaths, death, *newest));
        newest = isNewer ? &death : newest;
    }
    return newest;
}

const Death *oldestOf(const QList<Death> &list, const QString &queue, const Death *oldest)
{
    for (const Death &death : list) {
        if (!queue.isEmpty() && death.queue != queue)
            continue;
        const bool bothKnown = oldest != nullptr && oldest->first && death.first && *oldest->first != *death.first;
        const bool isOlder = oldest == nullptr || (bothKnown ? *death.first < *oldest->first : death.age > oldest->age);
        oldest = isOlder ? &death : oldest;
    }
    return oldest;
}

} // namespace

bool isDelayQueue(QStringView queue)
{
    if (queue.startsWith(u"nsb.v2.delay-level-") || queue.startsWith(u"nsb.delay-level-"))
        return true; // NServiceBus.RabbitMQ DelayInfrastructure.cs
    if (queue.startsWith(u"celery_delayed_"))
        return true; // kombu transport/native_delayed_delivery.py
    return queue.startsWith(u"delay_")
           && (queue.endsWith(u"_retry") || queue.endsWith(u"_delay")); // amqp-messenger Connection.php
}

Deaths deathsOf(const records::Headers &headers)
{
    Deaths deaths;
    for (const QString &name : {QStringLiteral("x-death"), QStringLiteral("x-opt-deaths")}) {
        const QCborValue *table = findLoosely(headers, name);
        if (table == nullptr)
            continue;
        addTable(deaths, headers, name, table->toArray());
        break;
    }
    if (!deaths.isEmpty())
        return deaths;
    // RabbitMQ 3.13 and later. These headers also remain if a consumer removes x-death.
    for (const QString &which : {QStringLiteral("last"), QStringLiteral("first")}) {
        Death death;
        deaths.header = QStringLiteral("x-%1-death-queue").arg(which);
        death.queue = records::text(headers, deaths.header);
        death.reason = records::text(headers, QStringLiteral("x-%1-death-reason").arg(which)).left(bounds::name);
        add(deaths, death);
        if (!deaths.isEmpty())
            break;
    }
    return deaths;
}

// After delays the newest death may be in a queue on the way; the oldest one is where the message was consumed. If the
// message only expired, that counts only in the queue whose dead letters come here. In any other queue it waited for
// another try.
const Death *decisive(const Deaths &deaths, const QString &origin)
{
    if (!deaths.failed.isEmpty())
        return deaths.delayed ? oldestOf(deaths.failed, {}, nullptr) : newestOf(deaths, deaths.failed);
    const Death *expired = newestOf(deaths, deaths.expired);
    return expired != nullptr && expired->queue == origin ? expired : nullptr;
}

bool isCertain(const Deaths &deaths, const Death &death)
{
    return deaths.delayed || std::all_of(deaths.failed.cbegin(), deaths.failed.cend(), [&](const Death &other) {
               return other.queue == death.queue || isProvedOlder(deaths, other, death);
           });
}

const Death *oldestDeath(const Deaths &deaths, const QString &queue)
{
    return oldestOf(deaths.expired, queue, oldestOf(deaths.failed, queue, nullptr));
}

bool diedBehind(const records::Headers &headers, QStringView exchange)
{
    for (const QString &name : {QStringLiteral("x-death"), QStringLiteral("x-opt-deaths")}) {
        const QCborValue *table = findLoosely(headers, name);
        const QCborArray entries = table == nullptr ? QCborArray() : table->toArray();
        for (qsizetype i = 0; i < std::min(entries.size(), bounds::deaths); ++i) {
            if (deathFrom(entries.at(i).toMap()).exchange == exchange)
                return true;
        }
    }
    return records::text(headers, u"x-first-death-exchange") == exchange;
}

QString deathText(const Death &death)
{
    if (death.reason == QLatin1String("rejected"))
        return QStringLiteral("A consumer of %1 rejected it.").arg(death.queue);
    if (death.reason == QLatin1String("expired"))
        return QStringLiteral("It expired in %1.").arg(death.queue);
    if (death.reason == QLatin1String("maxlen"))
        return QStringLiteral("%1 had reached its length limit.").arg(death.queue);
    if (death.reason == QLatin1String("delivery_limit"))
        return QStringLiteral("%1 delivered it as often as its delivery limit allows.").arg(death.queue);
    return QStringLiteral("It was dead-lettered in %1.").arg(death.queue);
}

QString evidenceOf(const Deaths &deaths, const Death &death)
{
    QString what = QStringLiteral("dead-lettered in");
    if (death.reason == QLatin1String("rejected"))
        what = QStringLiteral("rejected from");
    else if (death.reason == QLatin1String("expired"))
        what = QStringLiteral("expired in");
    else if (death.reason == QLatin1String("maxlen"))
        what = QStringLiteral("dropped by the length limit of");
    else if (death.reason == QLatin1String("delivery_limit"))
        what = QStringLiteral("over the delivery limit of");
    const QString text = deaths.header + QStringLiteral(": ") + what + QLatin1Char(' ') + death.queue;
    QStringList others = deaths.reasons;
    if (death.entry == 0 || others.size() < 2)
        return text;
    const QString number = QStringLiteral(", entry %1 of %2").arg(death.entry).arg(others.size());
    others.removeAt(death.entry - 1);
    others.sort();
    others.removeDuplicates();
    return text + number + QStringLiteral(" (others: ") + others.join(QStringLiteral(", ")) + QLatin1Char(')');
}

} // namespace dialect
