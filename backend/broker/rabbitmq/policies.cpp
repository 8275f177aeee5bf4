#include "backend/broker/rabbitmq/policies.h"

#include "backend/broker/rabbitmq/text.h"
#include "backend/core/text/losslessjson.h"

#include <QCborArray>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <limits>

namespace broker::rabbitmq {

using core::ErrorKind;
using core::fail;

namespace {

constexpr qint64 lowestPriority = 1000;
constexpr qint64 highestPriority = std::numeric_limits<qint64>::max() - 1;

QString nameOf(const QCborMap &policy)
{
    return policy.value(QLatin1String("name")).toString();
}

qint64 priorityOf(const QCborMap &policy)
{
    return core::integerOf(policy.value(QLatin1String("priority")));
}

} // namespace

Task<Result<QCborArray>> policiesAt(ManagementApi &api, QByteArray path)
{
    const QString what = Text::tr("the policies");
    const Result<QCborValue> found = co_await api.list(path + api.vhost(), what, Absence::Fact);
    if (!found && found.error().kind != ErrorKind::NotFound)
        co_return fail(found.error());
    co_return found ? found->toArray() : QCborArray();
}

bool policyMatches(const QCborMap &policy, const QString &queue, const QString &type)
{
    const QString applyTo = policy.value(QLatin1String("apply-to")).toString();
    if (applyTo == QLatin1String("exchanges"))
        return false;
    if (applyTo == QLatin1String("streams") && type != QLatin1String("stream"))
        return false;
    if (applyTo.endsWith(QLatin1String("_queues")) && applyTo != type + QLatin1String("_queues"))
        return false;
    QRegularExpression pattern;
    pattern.setPattern(policy.value(QLatin1String("pattern")).toString());
    // A pattern that we cannot read counts as a match: better to outrank or refuse a policy too often than to lose
    // messages.
    return !pattern.isValid() || pattern.match(queue).hasMatch();
}

QCborMap policyOf(const LiveQueue &queue, const QCborArray &policies)
{
    QCborMap best;
    for (const QCborValue &value : policies) {
        const QCborMap policy = value.toMap();
        if (!policyMatches(policy, queue.name, queue.type))
            continue;
        if (best.isEmpty()
            || core::integerOf(policy.value(QLatin1String("priority")))
                   > core::integerOf(best.value(QLatin1String("priority"))))
            best = policy;
    }
    return best.value(QLatin1String("definition")).toMap();
}

QString harmfulKey(const QCborMap &policy)
{
    static constexpr std::array keys{"message-ttl", "expires", "max-length", "max-length-bytes"};
    const QCborMap definition = policy.value(QLatin1String("definition")).toMap();
    for (const char *key : keys) {
        if (definition.contains(QLatin1String(key)))
            return QString::fromLatin1(key);
    }
    return {};
}

Policies::Policies(ManagementApi &api)
    : m_api(api)
{
}

Task<Result<>> Policies::refuseOperatorPolicies(QStringList queues)
{
    const Result<QCborValue> answer =
        co_await m_api.list("/operator-policies/" + m_api.vhost(), Text::tr("the operator policies"), Absence::Fact);
    if (!answer && answer.error().kind == ErrorKind::NotFound)
        co_return Result<>();
    if (!answer)
        co_return fail(answer.error());
    const QCborArray policies = answer->toArray();
    for (const QCborValue &value : policies) {
        const QCborMap policy = value.toMap();
        const QString key = harmfulKey(policy);
        const bool isOfOurs = std::any_of(queues.cbegin(), queues.cend(),
                                          [&](const QString &name) { return policyMatches(policy, name); });
        if (key.isEmpty() || !isOfOurs)
            continue;
        co_return fail(
            ErrorKind::Refused,
            Text::tr("The operator policy \"%1\" sets %2 on the queues of Redrive, so they could lose messages: ask "
                     "the RabbitMQ administrator to exclude queues whose names start with \"redrive.\".")
                .arg(nameOf(policy), key));
    }
    co_return Result<>();
}

Task<Result<>> Policies::guard(QStringList queues)
{
    CO_TRY(co_await refuseOperatorPolicies(std::move(queues)));
    CO_TRY(const QCborValue answer, co_await m_api.list("/policies/" + m_api.vhost(), Text::tr("the policies")));
    static const QString ours = QStringLiteral("redrive");
    qint64 highest = lowestPriority;
    std::optional<qint64> standing;
    const QCborArray policies = answer.toArray();
    for (const QCborValue &value : policies) {
        const QCborMap policy = value.toMap();
        // Whatever their patterns: an alternate exchange by policy would carry copies to queues of others, too.
        if (nameOf(policy) == ours)
            standing = priorityOf(policy);
        else
            highest = std::max(highest, std::min(priorityOf(policy), highestPriority) + 1);
    }
    if (standing && *standing >= highest)
        co_return Result<>();
    // RabbitMQ refuses an empty definition; this one states the default and is known to every version.
    const QCborMap definition{{QStringLiteral("overflow"), QStringLiteral("drop-head")}};
    const QCborMap policy{{QStringLiteral("pattern"), QStringLiteral("^redrive\\.")},
                          {QStringLiteral("definition"), definition},
                          {QStringLiteral("priority"), highest},
                          {QStringLiteral("apply-to"), QStringLiteral("all")}};
    const Result<> written = co_await m_api.put("/policies/" + m_api.vhost() + "/redrive", policy,
                                                Text::tr("the policy that protects the queues of Redrive"));
    co_return written;
}

} // namespace broker::rabbitmq
