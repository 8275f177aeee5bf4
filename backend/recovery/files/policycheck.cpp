#include "backend/recovery/files/policycheck.h"

#include "backend/core/time/durationtext.h"
#include "backend/records/editing/jsonnode.h"
#include "backend/recovery/text.h"

#include <algorithm>

namespace recovery {

using core::Milliseconds;
using core::Result;
using records::shown;
using records::wrongAt;

namespace {

constexpr Milliseconds second = std::chrono::seconds(1);
constexpr Milliseconds year = std::chrono::hours(366 * 24);

Result<> checkSpan(const QString &path, Milliseconds span, Milliseconds least, Milliseconds most)
{
    if (span < least || span > most)
        return wrongAt(
            path,
            Text::tr("The time span must be from %1 to %2.").arg(core::durationWord(least), core::durationWord(most)));
    if (span % second != Milliseconds{0})
        return wrongAt(path, Text::tr("The time span must be whole seconds."));
    return {};
}

Result<> checkWords(const QString &path, const QString &text, qsizetype longest)
{
    if (text.trimmed().isEmpty())
        return wrongAt(path, Text::tr("The text is empty. Fill it in."));
    if (text.size() > longest)
        return wrongAt(path, Text::tr("The text can have at most %1 characters.").arg(longest));
    return {};
}

Result<> checkPolicyName(const QString &name)
{
    const QString path = QStringLiteral("name");
    TRY(checkWords(path, name, limits::nameChars));
    const bool hasControl = std::any_of(name.cbegin(), name.cend(), [](QChar one) { return !one.isPrint(); });
    if (hasControl || name != name.trimmed())
        return wrongAt(path, Text::tr("The name has an invisible character, or a space at its beginning or end. Remove "
                                      "it."));
    return {};
}

Result<> checkCounter(const QString &counter)
{
    const QString path = QStringLiteral("counter");
    if (counter.isEmpty())
        return {};
    TRY(checkWords(path, counter, limits::nameChars));
    const bool isName =
        std::all_of(counter.cbegin(), counter.cend(), [](QChar one) { return one.isPrint() && !one.isSpace(); });
    if (!isName)
        return wrongAt(path, Text::tr("The name of a header has no spaces and no invisible characters."));
    if (counter.startsWith(QLatin1StringView("redrive-"), Qt::CaseInsensitive))
        return wrongAt(path, Text::tr("This header belongs to Redrive. Name the header of your application."));
    return {};
}

Result<> checkRules(const Policy &policy)
{
    if (policy.rules.size() > limits::rules)
        return wrongAt(QStringLiteral("classify"), Text::tr("A policy can have at most %1 rules.").arg(limits::rules));
    constexpr std::array names{"exception", "message", "http_status", "dead_letter_reason"};
    for (qsizetype i = 0; i < policy.rules.size(); ++i) {
        const ClassRule &rule = policy.rules.at(i);
        const QString path =
            QStringLiteral("classify[%1].%2").arg(QString::number(i), QLatin1StringView(names.at(size_t(rule.by))));
        if (rule.by != ClassRule::By::HttpStatus) {
            TRY(checkWords(path, rule.pattern, limits::patternChars));
        } else if (rule.httpStatus < 100 || rule.httpStatus > 599) {
            return wrongAt(path, Text::tr("An HTTP status is a number from 100 to 599."));
        }
    }
    return {};
}

Result<> checkSubtypes(const Policy &policy)
{
    const QString all = QStringLiteral("subtypes");
    if (policy.subtypes.size() > limits::baseTypes)
        return wrongAt(all, Text::tr("At most %1 types can have subtypes.").arg(limits::baseTypes));
    for (auto entry = policy.subtypes.cbegin(); entry != policy.subtypes.cend(); ++entry) {
        const QString path = all + QStringLiteral("[\"%1\"]").arg(shown(entry.key()));
        TRY(checkWords(path, entry.key(), limits::patternChars));
        if (entry->size() > limits::subtypes)
            return wrongAt(path, Text::tr("A type can have at most %1 subtypes.").arg(limits::subtypes));
        for (qsizetype i = 0; i < entry->size(); ++i)
            TRY(checkWords(path + QStringLiteral("[%1]").arg(i), entry->at(i), limits::patternChars));
    }
    return {};
}

Result<> checkCounts(const Policy &policy)
{
    if (policy.immediate < 0 || policy.immediate > limits::immediate)
        return wrongAt(QStringLiteral("immediate"),
                       Text::tr("The value must be a whole number from %1 to %2.").arg(0).arg(limits::immediate));
    const QString delayed = QStringLiteral("delayed");
    if (policy.delayed < 0)
        return wrongAt(delayed, Text::tr("The value must be at least 0."));
    if (attemptsOf(policy) > limits::attempts)
        return wrongAt(delayed, Text::tr("The policy has %1 attempts, but can have at most %2. Lower \"immediate\" or "
                                         "\"delayed\".")
                                    .arg(QString::number(attemptsOf(policy)), QString::number(limits::attempts)));
    return {};
}

// A delay that no delayed retry can have ends the retries before it.
Result<> checkReach(const Policy &policy, const QString &path, Milliseconds delay)
{
    TRY(checkSpan(path, delay, second, year));
    const std::optional<Milliseconds> gap = longestGapOf(policy);
    if (gap && delay > *gap)
        return wrongAt(path,
                       Text::tr("This delay is longer than the longest gap, %1, so this retry would never happen. "
                                "Shorten the delay.")
                           .arg(core::durationWord(*gap)));
    const std::optional<Milliseconds> backstop = backstopOf(policy);
    if (backstop && delay > *backstop)
        return wrongAt(path, Text::tr("No retry comes later than %1 after the first failure (the backstop), so this "
                                      "retry would never happen. Shorten the delay or raise the backstop.")
                                 .arg(core::durationWord(*backstop)));
    return {};
}

Result<> checkExponential(const Policy &policy)
{
    const Schedule &schedule = policy.schedule;
    TRY(checkReach(policy, QStringLiteral("schedule.first"), schedule.first));
    if (!(schedule.factor >= 1 && schedule.factor <= limits::factor)) // also refuses what is not a number
        return wrongAt(QStringLiteral("schedule.factor"),
                       Text::tr("The factor must be from 1 to %1, so that no delay is shorter than the one before.")
                           .arg(limits::factor));
    if (!schedule.cap)
        return {};
    const QString cap = QStringLiteral("schedule.cap");
    if (*schedule.cap < schedule.first)
        return wrongAt(cap, Text::tr("The cap is shorter than the first delay, %1. Raise the cap or shorten \"first\".")
                                .arg(core::durationWord(schedule.first)));
    return checkSpan(cap, *schedule.cap, second, year);
}

Result<> checkList(const Policy &policy)
{
    const QString path = QStringLiteral("schedule.delays");
    const QList<Milliseconds> &delays = policy.schedule.delays;
    if (delays.isEmpty())
        return wrongAt(path, Text::tr("The list is empty. Add at least one delay, for example \"10s\"."));
    if (delays.size() > limits::delays)
        return wrongAt(path, Text::tr("The list can have at most %1 entries.").arg(limits::delays));
    for (qsizetype i = 0; i < delays.size(); ++i)
        TRY(checkReach(policy, path + QStringLiteral("[%1]").arg(i), delays.at(i)));
    return {};
}

Result<> checkCadence(const Policy &policy)
{
    const Schedule &schedule = policy.schedule;
    TRY(checkReach(policy, QStringLiteral("schedule.every"), schedule.every));
    const QString offset = QStringLiteral("schedule.offset");
    TRY(checkSpan(offset, schedule.offset, Milliseconds{0}, year));
    if (schedule.offset >= schedule.every)
        return wrongAt(offset, Text::tr("The offset must be shorter than \"every\", %1. Shorten the offset.")
                                   .arg(core::durationWord(schedule.every)));
    if (policy.jitter.kind != Jitter::Kind::None)
        return wrongAt(QStringLiteral("jitter"),
                       Text::tr("A cadence keeps its turns. Use \"none\", or leave the field out."));
    return {};
}

Result<> checkSchedule(const Policy &policy)
{
    switch (policy.schedule.kind) {
    case Schedule::Kind::Linear:
        return checkReach(policy, QStringLiteral("schedule.first"), policy.schedule.first);
    case Schedule::Kind::Exponential:
        return checkExponential(policy);
    case Schedule::Kind::List:
        return checkList(policy);
    case Schedule::Kind::Cadence:
        return checkCadence(policy);
    }
    Q_UNREACHABLE();
}

Result<> checkLimits(const Policy &policy)
{
    if (policy.jitter.kind == Jitter::Kind::Percent && (policy.jitter.percent < 1 || policy.jitter.percent > 100))
        return wrongAt(QStringLiteral("jitter"), Text::tr("The share must be from 1% to 100%."));
    if (policy.longestGap)
        TRY(checkSpan(QStringLiteral("longest_gap"), *policy.longestGap, second, longestGapByDefault));
    if (policy.backstop) {
        TRY(checkSpan(QStringLiteral("backstop.cycle"), policy.backstop->cycle, second, year));
        TRY(checkSpan(QStringLiteral("backstop.plus"), policy.backstop->plus, Milliseconds{0}, year));
    }
    if (policy.rateLimit) {
        if (policy.rateLimit->after < 1 || policy.rateLimit->after > limits::rateLimitAfter)
            return wrongAt(
                QStringLiteral("rate_limit.after"),
                Text::tr("The value must be a whole number from %1 to %2.").arg(1).arg(limits::rateLimitAfter));
        TRY(checkSpan(QStringLiteral("rate_limit.wait"), policy.rateLimit->wait, second, year));
    }
    return {};
}

Result<> checkExhausted(const Exhausted &exhausted)
{
    const QString path = QStringLiteral("exhausted.queue");
    if (exhausted.what == Exhausted::Do::Move)
        return checkWords(path, exhausted.queue, limits::patternChars);
    if (exhausted.queue.isEmpty())
        return {};
    if (exhausted.what == Exhausted::Do::DeadLetter)
        return checkWords(path, exhausted.queue, limits::patternChars);
    return wrongAt(path, Text::tr("Only \"move\" and \"dead-letter\" have a queue. Remove the field, or set \"do\" to "
                                  "\"move\"."));
}

} // namespace

Result<> checkPolicy(const Policy &policy)
{
    TRY(checkPolicyName(policy.name));
    TRY(checkRules(policy));
    TRY(checkSubtypes(policy));
    TRY(checkCounts(policy));
    TRY(checkLimits(policy));
    TRY(checkCounter(policy.counter));
    TRY(checkSchedule(policy));
    return checkExhausted(policy.exhausted);
}

} // namespace recovery
