#include "backend/broker/rabbitmq/prober.h"

#include "backend/broker/rabbitmq/holding/heldqueues.h"
#include "backend/broker/rabbitmq/permissions.h"
#include "backend/broker/rabbitmq/policies.h"
#include "backend/broker/rabbitmq/quotas.h"
#include "backend/broker/rabbitmq/staging/placenames.h"
#include "backend/broker/rabbitmq/text.h"
#include "backend/records/takinginsteps.h"

#include <QCborArray>

namespace broker::rabbitmq {

using core::ErrorKind;
using core::fail;

namespace {

QString guaranteeFor(records::HandOver handOver)
{
    if (handOver == records::HandOver::StagingQueue) {
        return Text::tr(
            "Redrive sends each message once, even if Redrive stops midway. If RabbitMQ restarts while it forwards a "
            "batch, no message is lost, but messages of that batch may arrive twice: they are then flagged. Messages "
            "may "
            "overtake each other, unless the plan keeps their order. HTTP does not show some header types: integer and "
            "float width, decimals, bytes, timestamps and void. Floats arrive as doubles; messages whose headers may "
            "hold "
            "decimals are left out.");
    }
    return Text::tr(
        "Redrive sends each message once. If RabbitMQ does not answer, the message is listed as in doubt "
        "and is sent again only if you ask for it. Messages may overtake each other. Header types that HTTP does "
        "not show (bytes, timestamps, floats) arrive as text, integers or doubles; messages whose headers may "
        "hold decimals are left out.");
}

// What is not shown leaves no trace in the message (mc_amqpl.erl of 4.0 and 4.3), so it is said of all.
QString guaranteeOfAmqp10()
{
    return Text::tr(
        "Messages of AMQP 1.0 clients go back as AMQP 0.9.1 has them: without subject, \"to\", group sequence, "
        "absolute expiry time, footer and names over 255 bytes; ids that are numbers arrive as text, data "
        "sections as one, and times of properties as numbers of seconds.");
}

QString guaranteeOfTaking()
{
    return Text::tr("Each interruption while messages are taken from a quorum queue with a delivery limit counts as a "
                    "delivery of at most %1 messages: Redrive counts these, and takes no more well before the limit.")
               .arg(records::mostInHand)
           + QLatin1Char(' ')
           + Text::tr("The messages that are being taken or forwarded are for a moment on one node alone, also on a "
                      "cluster. If that node loses its disk, copies are listed as in doubt, and messages that are "
                      "being taken are lost.");
}

// Of one page and one batch.
QStringList exampleQueues()
{
    const PlaceNames batch(QStringLiteral("redrive.probe.0.batch"));
    return {HeldQueues::exampleOf(QStringLiteral("redrive.probe.0.page")), batch.staging, batch.dead, batch.unroutable};
}

} // namespace

Prober::Prober(ManagementApi &api)
    : m_api(api)
{
}

Task<Result<Prober::Account>> Prober::account()
{
    CO_TRY(const http::Response answer, co_await m_api.exchange(m_api.request("GET", "/whoami")));
    core::Error error = answer.status == 200 ? core::Error() : m_api.errorOf(answer, Text::tr("this account"));
    if (answer.status == 404) { // whoever answers so: a proxy, another server
        error.kind = ErrorKind::Rejected;
        error.message =
            Text::tr("No RabbitMQ management interface answers at this address: check the host and the port.");
    } else if (answer.status != 200 && error.kind == ErrorKind::Unauthorized) {
        error.message = Text::tr(
            "RabbitMQ refuses the user name or the password, or this user may not use the management interface.");
    }
    if (answer.status != 200)
        co_return fail(std::move(error));
    CO_TRY(const QCborValue who, ManagementApi::jsonOf(answer));
    Account account;
    account.name = who.toMap().value(QLatin1String("name")).toString();
    const QCborValue tags = who.toMap().value(QLatin1String("tags"));
    if (tags.isString()) // brokers before 3.9
        account.tags = tags.toString().split(QLatin1Char(','), Qt::SkipEmptyParts);
    const QCborArray array = tags.toArray();
    for (const QCborValue &tag : array)
        account.tags.append(tag.toString());
    co_return account;
}

Task<Result<>> Prober::reachVhost()
{
    const QString vhost = m_api.settings().vhost;
    const Result<QCborValue> queues =
        co_await m_api.get("/queues/" + m_api.vhost() + "?page=1&page_size=1&disable_stats=true",
                           Text::tr("virtual host %1").arg(vhost), Absence::Fact);
    if (queues)
        co_return Result<>();
    if (queues.error().kind == ErrorKind::NotFound)
        co_return fail(ErrorKind::NotFound, Text::tr("RabbitMQ has no virtual host \"%1\".").arg(vhost),
                       queues.error().detail);
    if (queues.error().kind == ErrorKind::Unauthorized)
        co_return fail(ErrorKind::Unauthorized,
                       Text::tr("This account has no access to the virtual host \"%1\".").arg(vhost),
                       queues.error().detail);
    co_return fail(queues.error());
}

Task<Result<bool>> Prober::hasShovel()
{
    const Result<QCborValue> shovels =
        co_await m_api.list("/shovels/" + m_api.vhost(), Text::tr("the shovels"), Absence::Fact);
    if (shovels)
        co_return true;
    // The plugin answers 401 to an account without the tag "monitoring".
    if (shovels.error().kind == ErrorKind::Unauthorized)
        co_return true;
    if (shovels.error().kind == ErrorKind::NotFound || shovels.error().kind == ErrorKind::Rejected)
        co_return false;
    co_return fail(shovels.error());
}

// Nothing: this account may not read them, or what answers there is no list of them. The version tells enough then.
Task<Result<std::optional<QCborArray>>> Prober::featureFlags()
{
    const std::optional<QCborArray> unknown;
    http::Request call = m_api.request("GET", "/feature-flags");
    call.maxResponseBytes = http::listAnswerBytes;
    CO_TRY(const http::Response answer, co_await m_api.exchange(std::move(call)));
    const Result<QCborValue> flags = ManagementApi::jsonOf(answer);
    if (answer.status != 200 || !flags || !flags->isArray())
        co_return unknown;
    const std::optional<QCborArray> known = flags->toArray();
    co_return known;
}

bool Prober::Account::has(QLatin1String tag) const
{
    return tags.contains(QLatin1String("administrator")) || tags.contains(tag);
}

// Removes from the capabilities what the rights on names forbid. False: nothing can be sent.
Task<Result<bool>> Prober::judgeRights(Account account, Capabilities &found)
{
    const bool isAdministrator = account.tags.contains(QLatin1String("administrator"));
    CO_TRY(const std::optional<Permissions> told, co_await readPermissions(m_api, account.name, isAdministrator));
    if (!told) {
        found.rightsUnknown = Text::tr("RabbitMQ shows the rights of an account only to administrators. If a right is "
                                       "missing, the first attempt shows it.");
        co_return true;
    }
    const Permissions &permissions = *told;
    found.missing += missingToHold(permissions);
    found.canTake = found.missing.isEmpty();
    const QString toSend = missingToSend(permissions);
    if (!toSend.isEmpty())
        found.missing.append(toSend);
    const QStringList &queues = m_api.settings().errorQueues;
    const QStringList unreadable = missingToBrowse(permissions, queues);
    found.canBrowse = queues.isEmpty() || unreadable.size() < queues.size();
    found.missing += unreadable;
    co_return toSend.isEmpty();
}

// Where the virtual host has no room for a page and a batch now, taking still says so by itself, because room may come.
// False: nothing can be sent.
Task<Result<bool>> Prober::judgeQuotas(Account account, Capabilities &found)
{
    Quotas quotas(m_api);
    CO_TRY(const std::optional<qint64> atOnce, co_await quotas.sendsAtOnce(account.name));
    const qint64 usual = m_api.settings().sendsInFlight;
    found.sendsInFlight = int(std::clamp<qint64>(atOnce.value_or(usual), 1, usual));
    m_api.setSendsAtOnce(found.sendsInFlight);
    if (atOnce == 0) {
        found.missing.append(
            Text::tr("the limits max-connections and max-channels of user %1: one of them is 0").arg(account.name));
        found.canTake = false;
        found.canBrowse = false;
        co_return false;
    }
    if (!found.canTake)
        co_return true;
    CO_TRY(const QString obstacle, co_await quotas.obstacle(exampleQueues(), account.name));
    if (!obstacle.isEmpty())
        found.missing.append(obstacle.chopped(1)); // the full stop
    co_return true;
}

Task<Result<Capabilities>> Prober::probe()
{
    CO_TRY(const Account account, co_await this->account());
    CO_TRY(co_await reachVhost());
    CO_TRY(const QCborValue overview,
           co_await m_api.get("/overview?columns=rabbitmq_version,product_version,product_name,disable_stats",
                              Text::tr("the overview")));
    CO_TRY(const bool shovel, co_await hasShovel());
    CO_TRY(const std::optional<QCborArray> flags, co_await featureFlags());

    Capabilities found;
    const QString version = overview.toMap().value(QLatin1String("rabbitmq_version")).toString();
    found.product = QStringLiteral("RabbitMQ ") + version;
    found.canBrowse = true;
    m_api.setMostBytes(mostBytesOf(version));
    m_api.setDeliveryRules(deliveryRulesOf(flags, version));
    found.largestBody = largestBodyIn(m_api.mostBytes());
    if (!shovel)
        found.missing.append(Text::tr("the plugins rabbitmq_shovel and rabbitmq_shovel_management"));
    if (!account.has(QLatin1String("policymaker")))
        found.missing.append(Text::tr("the user tag \"policymaker\""));
    m_mayMonitor = account.has(QLatin1String("monitoring"));
    if (!m_mayMonitor)
        found.missing.append(Text::tr("the user tag \"monitoring\""));
    const bool hasStatistics = !overview.toMap().value(QLatin1String("disable_stats")).toBool(false);
    if (!hasStatistics) { // without the uptime of its nodes a restart goes unnoticed
        found.missing.append(Text::tr("the statistics of RabbitMQ, which its administrator has switched off "
                                      "(management_agent.disable_metrics_collector, or management_metrics_collection "
                                      "among the deprecated features)"));
    }
    found.canTake = found.missing.isEmpty();
    CO_TRY(const bool hasRight, co_await judgeRights(account, found));
    CO_TRY(const bool hasRoom, co_await judgeQuotas(account, found));
    const bool maySend = hasRight && hasRoom;
    const bool canHold = found.canTake;
    // Its runs tell whether what was removed may be there again, and only "monitoring" sees them.
    const bool canStep = !canHold && found.canBrowse && m_mayMonitor && hasStatistics;
    found.takesInSteps = canStep && m_api.settings().takesInSteps;
    found.offersSteps = canStep && !found.takesInSteps;
    found.canTake = canHold || found.takesInSteps;
    if (maySend)
        found.handOver =
            canHold && m_api.settings().doublesAllowed ? records::HandOver::StagingQueue : records::HandOver::IntentLog;
    if (maySend)
        found.guarantee = guaranteeFor(found.handOver);
    if (maySend && version.section(QLatin1Char('.'), 0, 0).toInt() >= 4)
        found.guarantee += QLatin1Char(' ') + guaranteeOfAmqp10();
    if (maySend && canHold)
        found.guarantee += QLatin1Char(' ') + guaranteeOfTaking();
    if (found.takesInSteps)
        found.guarantee = (found.guarantee + QLatin1Char(' ') + records::stepsGuarantee()).trimmed();
    if (canHold) {
        Policies policies(m_api);
        CO_TRY(co_await policies.refuseOperatorPolicies(exampleQueues()));
    }
    co_return found;
}

} // namespace broker::rabbitmq
