#include "backend/engine/connection/connectiontext.h"

#include "backend/core/text/editdistance.h"
#include "backend/engine/connection/localsecrets.h"
#include "backend/engine/planning/planrules.h"
#include "backend/engine/text.h"
#include "backend/records/address/connectionurl.h"

#include <algorithm>
#include <cstdlib>

namespace engine {

namespace {

constexpr qsizetype longestName = 100;

} // namespace

core::Result<> checkConnection(const records::Connection &connection)
{
    if (connection.name.trimmed().isEmpty())
        return core::fail(core::ErrorKind::Rejected, Text::tr("A connection needs a name."));
    const QString scheme = connection.url.scheme();
    if (!connection.url.isValid() || connection.url.host().isEmpty() || (scheme != u"http" && scheme != u"https")) {
        const QString text = Text::tr("The address of %1 must be an http or https URL with a host.");
        return core::fail(core::ErrorKind::Rejected, text.arg(connection.name));
    }
    if (!connection.url.password().isEmpty()) {
        const QString text = Text::tr("The address of %1 must not contain a password. Enter it as the secret.");
        return core::fail(core::ErrorKind::Rejected, text.arg(connection.name));
    }
    return {};
}

QString changesText(const records::Connection &before, const records::Connection &now, bool secret)
{
    QStringList parts;
    const auto add = [&parts](bool changed, const QString &part) {
        if (changed)
            parts.append(part);
    };
    const auto fromTo = [](const QString &text, const QString &from, const QString &to) { return text.arg(from, to); };
    add(before.name != now.name, Text::tr("name (was %1)").arg(before.name));
    add(before.kind != now.kind || before.url != now.url,
        Text::tr("address (was %1)").arg(records::connectionUrlText(before.kind, before.url)));
    add(before.environment != now.environment,
        fromTo(Text::tr("environment (%1 to %2)"), records::toString(before.environment),
               records::toString(now.environment)));
    add(before.rights != now.rights, fromTo(Text::tr("rights (%1 to %2)"), records::toStrings(before.rights).join(u','),
                                            records::toStrings(now.rights).join(u',')));
    add(before.errorQueues != now.errorQueues,
        fromTo(Text::tr("error queues (%1 to %2)"), before.errorQueues.join(u','), now.errorQueues.join(u',')));
    add(before.doublesAllowed != now.doublesAllowed, Text::tr("what may be sent twice"));
    add(before.caFile != now.caFile, Text::tr("certificate file"));
    add(secret, Text::tr("secret"));
    return parts.isEmpty() ? Text::tr("nothing") : parts.join(QStringLiteral("; "));
}

core::Result<> checkName(const QString &name, const core::Result<QStringList> &others)
{
    if (!others)
        return core::fail(others.error());
    if (name.size() > longestName) {
        const QString text = Text::tr("The name of a connection must have at most %1 characters, and this one has %2.");
        return core::fail(core::ErrorKind::Rejected,
                          text.arg(QString::number(longestName), QString::number(name.size())));
    }
    const bool isPrintable = std::all_of(name.cbegin(), name.cend(), [](QChar one) { return one.isPrint(); });
    if (!isPrintable || name != name.trimmed())
        return core::fail(core::ErrorKind::Rejected,
                          Text::tr("The name of a connection must not contain control characters, or begin or end with "
                                   "a space."));
    if (name.contains(QLatin1Char('='))) {
        const QString text =
            Text::tr("The name %1 contains \"=\", which ends the name in a secret file. Choose a name without it.");
        return core::fail(core::ErrorKind::Rejected, text.arg(name));
    }
    const QStringList sharing = LocalSecrets::sharingVariable(name, *others);
    if (sharing.isEmpty())
        return {};
    const QString text =
        Text::tr("The name %1 is too similar to %2: both would get their secret from %3. Choose another name.");
    const QString variable = QString::fromLatin1(LocalSecrets::variableFor(name));
    return core::fail(core::ErrorKind::Conflict, text.arg(name, sharing.join(QStringLiteral(", ")), variable));
}

api::ConnectionTest testOf(const broker::Capabilities &capabilities)
{
    api::ConnectionTest test;
    test.product = capabilities.product;
    test.missing = capabilities.missing;
    test.guarantee = capabilities.guarantee;
    // Promise nothing that the broker may refuse.
    test.notKnownReason = capabilities.rightsUnknown;
    const bool isSure = capabilities.rightsUnknown.isEmpty();
    QStringList &granted = isSure ? test.can : test.notKnown;
    if (!isSure) {
        test.can << Text::tr("see queues");
        test.notKnown << Text::tr("browse failed messages");
    } else if (capabilities.canBrowse || capabilities.canTake) {
        test.can << Text::tr("see queues and failed messages");
    }
    test.offersSteps = capabilities.offersSteps;
    if (capabilities.takesInSteps)
        granted << Text::tr("take failed messages in small steps");
    else if (capabilities.canTake)
        granted << Text::tr("take failed messages after storing a durable copy");
    switch (capabilities.handOver) {
    case records::HandOver::StagingQueue:
        granted << Text::tr("send messages back through a staging queue on the broker");
        break;
    case records::HandOver::IntentLog:
        granted << Text::tr("send messages back, each one recorded in the store's intent log");
        break;
    case records::HandOver::None:
        break;
    }
    return test;
}

void addMissingQueues(api::ConnectionTest &test, const records::Connection &connection, const broker::Listing &listing)
{
    constexpr qsizetype mostNamed = 10;
    constexpr int slips = 2; // mistyped letters in a name that is meant
    if (!listing.complete)
        return;
    for (const QString &name : connection.errorQueues) {
        if (findQueue(connection.kind, listing.queues, name) == nullptr)
            test.missingQueues.append(name);
    }
    if (test.missingQueues.isEmpty())
        return;
    for (const broker::QueueInfo &queue : listing.queues) {
        const bool holdsFailed = queue.role == broker::QueueRole::ErrorQueue
                                 || queue.role == broker::QueueRole::DeadLetter || records::isRecommended(queue.facts);
        const bool isNear =
            std::any_of(test.missingQueues.cbegin(), test.missingQueues.cend(), [&queue](const QString &missing) {
                return std::abs(missing.size() - queue.name.size()) <= slips
                       && core::editDistance(missing.toLower(), queue.name.toLower()) <= slips;
            });
        if (queue.role != broker::QueueRole::Ours && ((holdsFailed && queue.depth != 0) || isNear))
            test.otherQueues.append({queue.name, queue.depth});
    }
    std::stable_sort(test.otherQueues.begin(), test.otherQueues.end(), [](const auto &one, const auto &other) {
        return one.depth.value_or(0) > other.depth.value_or(0);
    });
    test.otherQueues = test.otherQueues.mid(0, mostNamed);
}

} // namespace engine
