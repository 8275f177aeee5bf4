#include "backend/records/rules/rampplan.h"

#include <QStringList>

#include <limits>

namespace records {

namespace {

constexpr qint64 growth = 10; // of a step over the one before
constexpr qint64 most = std::numeric_limits<qint64>::max();
constexpr qint64 mostOfStep = 1'000'000'000;
constexpr qsizetype mostSteps = 20;
constexpr qint64 wholePercent = 100;
const QString rest = QStringLiteral("rest");

std::optional<qint64> numberFrom(QStringView text, qint64 largest)
{
    bool ok = false;
    const qint64 number = text.trimmed().toLongLong(&ok);
    return ok && number >= 1 && number <= largest ? std::optional(number) : std::nullopt;
}

} // namespace

qint64 allowed(const Ramp &ramp, int proved)
{
    qint64 sum = 0;
    qint64 step = 0;
    for (int i = 0; i <= proved; ++i) {
        const bool listed = i < ramp.steps.size();
        if (!listed && (ramp.thenRest || step > most / growth))
            return most;
        step = listed ? ramp.steps.at(i) : step * growth;
        if (sum > most - step)
            return most;
        sum += step;
    }
    return sum;
}

std::optional<Ramp> rampFrom(QStringView text)
{
    Ramp ramp;
    const QList<QStringView> parts = text.split(u',');
    for (const QStringView part : parts) {
        if (ramp.thenRest)
            return std::nullopt; // nothing comes after the rest
        if (part.trimmed() == rest) {
            ramp.thenRest = true;
            continue;
        }
        const std::optional<qint64> step = numberFrom(part, mostOfStep);
        if (!step)
            return std::nullopt;
        ramp.steps.append(*step);
    }
    if (ramp.steps.isEmpty() || ramp.steps.size() > mostSteps)
        return std::nullopt;
    return ramp;
}

QString toString(const Ramp &ramp)
{
    QStringList parts;
    for (const qint64 step : ramp.steps)
        parts.append(QString::number(step));
    if (ramp.thenRest)
        parts.append(rest);
    return parts.join(u',');
}

std::optional<StopWhen> stopWhenFrom(QStringView text)
{
    const QStringView trimmed = text.trimmed();
    const bool percent = trimmed.endsWith(u'%');
    const std::optional<qint64> amount =
        numberFrom(percent ? trimmed.chopped(1) : trimmed, percent ? wholePercent : mostOfStep);
    if (!amount)
        return std::nullopt;
    return StopWhen{*amount, percent};
}

QString toString(const StopWhen &stop)
{
    return QString::number(stop.amount) + (stop.percent ? QStringLiteral("%") : QString());
}

Ramp defaultRamp()
{
    return Ramp{{1, 10, 100, 1000}, false};
}

StopWhen defaultStop()
{
    return StopWhen{5, true};
}

} // namespace records
