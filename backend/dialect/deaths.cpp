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
    if (!death.at && death.count == 1)
        death.at = deathTime(entry.value(QLatin1String("time")), 1);
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

void addTable(Deaths &deaths, const QString &header, const QCborArray &entries)
{
    deaths.header = header;
    for (qsizetype i = 0; i < std::min(entries.size(), bounds::deaths); ++i) {
        Death death = deathFrom(entries.at(i).toMap());
        death.entry = int(i) + 1;
        deaths.reasons.append(reasonText(death));
        add(deaths, death);
    }
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
        addTable(deaths, name, table->toArray());
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
        return deaths.delayed ? &deaths.failed.constLast() : &deaths.failed.constFirst();
    if (!deaths.expired.isEmpty() && deaths.expired.constFirst().queue == origin)
        return &deaths.expired.constFirst();
    return nullptr;
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
