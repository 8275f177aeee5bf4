#include "backend/engine/planning/redirectrules.h"

#include "backend/broker/brokertraits.h"
#include "backend/engine/planning/filterdescription.h"
#include "backend/engine/text.h"

namespace engine {

namespace {

using core::ErrorKind;
using core::fail;
using records::Redirect;

constexpr qsizetype longestName = 1000; // longer than any broker allows
constexpr int told = 5; // redirects listed in one sentence

core::Result<> checkName(const QString &name)
{
    if (name.isEmpty())
        return fail(ErrorKind::Rejected, Text::tr("A redirect needs the name of a queue."));
    if (name.size() > longestName)
        return fail(
            ErrorKind::Rejected,
            Text::tr("A queue name cannot have %1 characters. A redirect needs the name of a queue.").arg(name.size()));
    return {};
}

bool holdsFailed(const PlanBasis &basis, const QString &queue)
{
    return basis.failing.contains(queue, broker::traitsOf(basis.connection.kind).nameCase);
}

// The first redirect that `fits`; null: none.
template<typename Fits>
const Redirect *findRedirect(const QList<Redirect> &redirects, const Fits &fits)
{
    const auto found = std::find_if(redirects.cbegin(), redirects.cend(), fits);
    return found == redirects.cend() ? nullptr : &*found;
}

core::Result<> checkOne(const PlanBasis &basis, const QList<Redirect> &redirects, const Redirect &one)
{
    const Qt::CaseSensitivity sensitivity = broker::traitsOf(basis.connection.kind).nameCase;
    const bool ofQueue = one.of == Redirect::Of::Queue;
    const auto same = [&](const Redirect &other) {
        return other.of == one.of && (!ofQueue || other.from.compare(one.from, sensitivity) == 0);
    };
    if (std::count_if(redirects.cbegin(), redirects.cend(), same) > 1) {
        const QString text =
            ofQueue ? Text::tr("The plan redirects the messages for %1 to more than one queue. Choose one.")
                    : Text::tr("The plan redirects the same messages to more than one queue. Choose one.");
        return fail(ErrorKind::Rejected, ofQueue ? text.arg(one.from) : text);
    }
    if (!ofQueue)
        return checkRedirectTarget(basis, one.to);
    TRY(checkName(one.from));
    // A redirect to its own queue cancels a standing redirect for this plan.
    return one.from.compare(one.to, sensitivity) == 0 ? core::Result<>() : checkRedirectTarget(basis, one.to);
}

} // namespace

core::Result<> checkRedirectTarget(const PlanBasis &basis, const QString &to)
{
    TRY(checkName(to));
    const Qt::CaseSensitivity sensitivity = broker::traitsOf(basis.connection.kind).nameCase;
    if (to.startsWith(QLatin1StringView("redrive."), sensitivity))
        return fail(ErrorKind::Rejected,
                    Text::tr("%1 is a queue of Redrive itself. Redirect to the queue of a service.").arg(to));
    if (holdsFailed(basis, to)) {
        const QString text = Text::tr(
            "%1 is an error queue: messages sent there come straight back. Redirect to the queue of a service.");
        return fail(ErrorKind::Rejected, text.arg(to));
    }
    broker::QueueInfo unlisted; // its name alone may say that nothing can be sent there
    unlisted.name = to;
    const broker::QueueInfo *queue = findQueue(basis, to);
    if (const QString refusal = cannotSendTo(basis, queue != nullptr ? *queue : unlisted); !refusal.isEmpty())
        return fail(ErrorKind::Refused, refusal + QLatin1Char(' ') + Text::tr("Choose another queue."));
    const std::optional<QStringList> existing = existingQueues(basis);
    if (existing && !existing->contains(to, sensitivity))
        return fail(
            ErrorKind::NotFound,
            Text::tr("There is no queue %1 on %2. Redirect to a queue that exists.").arg(to, basis.connection.name));
    return {};
}

QString targetNotKnown(const PlanBasis &basis)
{
    if (!basis.known) {
        const QString text = Text::tr("%1 does not answer: %2");
        return text.arg(basis.connection.name,
                        basis.trouble.isEmpty() ? Text::tr("not connected yet.") : basis.trouble);
    }
    return existingQueues(basis) ? QString() : Text::tr("%1 does not list its queues.").arg(basis.connection.name);
}

QStringList redirectTargets(const PlanBasis &basis)
{
    QStringList names;
    for (const broker::QueueInfo &queue : basis.listing.queues) {
        // A candidate with something against it is a queue of a service, such as the target of a delay queue.
        const bool isOfService =
            queue.role == broker::QueueRole::Work
            || (queue.role == broker::QueueRole::Candidate && !records::isRecommended(queue.facts));
        if (isOfService && !holdsFailed(basis, queue.name) && cannotSendTo(basis, queue).isEmpty())
            names << queue.name;
    }
    names.sort(Qt::CaseInsensitive);
    return names;
}

core::Result<> checkStanding(const QList<Redirect> &standing, const Redirect &fresh, Qt::CaseSensitivity sensitivity)
{
    TRY(checkName(fresh.from));
    const auto same = [sensitivity](const QString &one, const QString &other) {
        return one.compare(other, sensitivity) == 0;
    };
    if (same(fresh.from, fresh.to))
        return fail(ErrorKind::Rejected,
                    Text::tr("A redirect from %1 to itself changes nothing. Name another queue.").arg(fresh.from));
    if (const Redirect *there = findRedirect(standing, [&](const auto &one) { return same(one.from, fresh.from); }))
        return fail(
            ErrorKind::Conflict,
            Text::tr("%1 is already redirected to %2. Remove that redirect first.").arg(there->from, there->to));
    if (const Redirect *next = findRedirect(standing, [&](const auto &one) { return same(one.from, fresh.to); })) {
        const QString text =
            Text::tr("%1 is itself redirected to %2, and redirects are not chained. Redirect %3 to %2, or remove the "
                     "redirect from %1 first.");
        return fail(ErrorKind::Conflict, text.arg(next->from, next->to, fresh.from));
    }
    if (const Redirect *before = findRedirect(standing, [&](const auto &one) { return same(one.to, fresh.from); })) {
        const QString text = Text::tr(
            "%1 is already redirected to %2, and redirects are not chained. Remove the redirect from %1 first, "
            "then redirect both to %3.");
        return fail(ErrorKind::Conflict, text.arg(before->from, before->to, fresh.to));
    }
    if (standing.size() >= records::mostRedirects)
        return fail(
            ErrorKind::Refused,
            Text::tr("A connection can have at most %1 redirects. Remove one first.").arg(records::mostRedirects));
    return {};
}

core::Result<> checkPlanRedirects(const PlanBasis &basis, const QList<Redirect> &redirects)
{
    if (redirects.isEmpty())
        return {};
    if (redirects.size() > records::mostRedirects)
        return fail(ErrorKind::Refused, Text::tr("A plan can have at most %1 redirects; this one has %2.")
                                            .arg(records::mostRedirects)
                                            .arg(redirects.size()));
    for (const Redirect &one : redirects)
        TRY(checkOne(basis, redirects, one));
    return {};
}

core::Result<RememberedRedirects> rememberedRedirects(const QList<Redirect> &standing, const QList<Redirect> &ofPlan,
                                                      const QStringList &queues, Qt::CaseSensitivity sensitivity)
{
    RememberedRedirects changes;
    QList<Redirect> left = standing;
    for (const QString &queue : queues) {
        const auto fromIt = [&](const Redirect &one) {
            return one.of == Redirect::Of::Queue && one.from.compare(queue, sensitivity) == 0;
        };
        const Redirect *chosen = findRedirect(ofPlan, fromIt);
        if (chosen == nullptr) {
            return fail(ErrorKind::Rejected,
                        Text::tr("The plan does not redirect the messages for %1, so there is nothing to remember.")
                            .arg(queue));
        }
        if (const Redirect *there = findRedirect(left, fromIt)) {
            changes.gone.append(*there);
            left.removeIf(fromIt);
        }
        if (chosen->from.compare(chosen->to, sensitivity) == 0)
            continue;
        TRY(checkStanding(left, *chosen, sensitivity));
        left.append(*chosen);
        changes.added.append(*chosen);
    }
    return changes;
}

QString rememberedText(const QList<Redirect> &ofPlan, const QStringList &queues, Qt::CaseSensitivity sensitivity)
{
    QStringList ways;
    for (const Redirect &one : ofPlan) {
        if (one.of != Redirect::Of::Queue || !queues.contains(one.from, sensitivity))
            continue;
        ways << (one.from.compare(one.to, sensitivity) == 0
                     ? Text::tr("%1 not redirected any more").arg(quoted(one.from))
                     : Text::tr("%1 to %2").arg(quoted(one.from), quoted(one.to)));
    }
    const qsizetype more = ways.size() - told;
    ways = ways.mid(0, told);
    if (more > 0)
        ways << Text::tr("%1 more").arg(more);
    return ways.isEmpty() ? QString() : Text::tr("Remembered: %1.").arg(ways.join(QStringLiteral(", ")));
}

QString redirectsPart(const QList<Redirect> &redirects)
{
    QString part;
    for (const Redirect &one : redirects.mid(0, told)) {
        switch (one.of) {
        case Redirect::Of::Queue:
            part += Text::tr(", those for %1 sent to %2").arg(quoted(one.from), quoted(one.to));
            break;
        case Redirect::Of::Unknown:
            part += Text::tr(", those without a known destination sent to %1").arg(quoted(one.to));
            break;
        case Redirect::Of::Everything:
            part += redirects.size() == 1 ? Text::tr(", all sent to %1").arg(quoted(one.to))
                                          : Text::tr(", all others sent to %1").arg(quoted(one.to));
            break;
        }
    }
    if (redirects.size() > told)
        part += Text::tr(", and %1 more").arg(redirects.size() - told);
    return part;
}

qint64 redirectedOf(const QList<records::FrozenShare> &shares)
{
    qint64 count = 0;
    for (const records::FrozenShare &share : shares)
        count += share.insteadOf ? share.count : 0;
    return count;
}

QString redirectedText(const QList<records::FrozenShare> &shares)
{
    QStringList ways;
    int more = 0;
    for (const records::FrozenShare &share : shares) {
        if (!share.insteadOf)
            continue;
        if (ways.size() == told) {
            ++more;
            continue;
        }
        const QString from = share.origin().isEmpty() ? Text::tr("unknown") : quoted(share.origin());
        ways << Text::tr("%1 to %2 (%3)").arg(from, quoted(share.destination.queue), QString::number(share.count));
    }
    if (ways.isEmpty())
        return {};
    if (more > 0)
        ways << Text::tr("%1 more").arg(more);
    return Text::tr("Redirected: %1.").arg(ways.join(QStringLiteral(", ")));
}

} // namespace engine
