#include "backend/engine/connection/errorqueuechoice.h"

#include "backend/broker/brokertraits.h"
#include "backend/engine/planning/planrules.h"
#include "backend/engine/text.h"

#include <QHash>

#include <algorithm>

namespace engine {

namespace {

constexpr int mostOfAKind = 5;

core::Error badChoice(core::ErrorKind kind, const QString &text)
{
    return {kind, text, {}, {}};
}

} // namespace

records::QueueFacts shortened(const records::QueueFacts &facts)
{
    QHash<records::QueueFact::Kind, int> count;
    records::QueueFacts some;
    for (const records::QueueFact &fact : facts) {
        if (++count[fact.kind] <= mostOfAKind)
            some.append(fact);
    }
    return some;
}

QList<api::CandidateQueue> candidatesIn(const QList<broker::QueueInfo> &queues)
{
    QList<api::CandidateQueue> candidates;
    for (const broker::QueueInfo &queue : queues) {
        if (queue.role == broker::QueueRole::Candidate)
            candidates.append({queue.name, queue.depth, shortened(queue.facts)});
    }
    std::sort(candidates.begin(), candidates.end(), [](const auto &one, const auto &other) {
        const bool first = records::isRecommended(one.facts);
        const bool second = records::isRecommended(other.facts);
        return first != second ? first : one.name < other.name;
    });
    return candidates;
}

QList<api::CandidateQueue> unansweredOf(const QStringList &found, const records::Connection &connection,
                                        const broker::Listing &listing)
{
    QList<api::CandidateQueue> queues = candidatesIn(listing.queues);
    queues.removeIf([&found](const api::CandidateQueue &queue) { return !found.contains(queue.name); });
    if (!listing.queues.isEmpty())
        return queues;
    const Qt::CaseSensitivity sensitivity = broker::traitsOf(connection.kind).nameCase;
    for (const QString &name : found) {
        // What accepts no messages holds only what the broker put there.
        if (broker::acceptsMessages(connection.kind, name) && !connection.errorQueues.contains(name, sensitivity))
            queues.append({name, {}, {}});
    }
    return queues;
}

void addCandidates(api::ConnectionTest &test, const core::Result<broker::Listing> &listing)
{
    if (!listing) {
        test.candidatesUnknown = listing.error().message;
        return;
    }
    test.candidates = candidatesIn(listing->queues);
    if (!listing->complete)
        test.candidatesUnknown = Text::tr("Not all queues are known, so others may hold failed messages: this account "
                                          "may not see all of them, or a part of the broker is down.");
}

core::Result<QStringList> errorQueuesAfter(const records::Connection &connection, const broker::Listing *listing,
                                           const api::ChooseErrorQueues &choice)
{
    using core::ErrorKind;
    const Qt::CaseSensitivity sensitivity = broker::traitsOf(connection.kind).nameCase;
    if (choice.take.isEmpty() && choice.leave.isEmpty())
        return core::fail(badChoice(ErrorKind::Rejected, Text::tr("Name a queue to take from, or one to leave.")));
    QStringList after = connection.errorQueues;
    for (const QString &queue : choice.leave) {
        after.removeIf([&](const QString &one) { return one.compare(queue, sensitivity) == 0; });
    }
    for (const QString &queue : choice.take) {
        if (queue.isEmpty() || choice.leave.contains(queue, sensitivity))
            return core::fail(
                badChoice(ErrorKind::Rejected, Text::tr("Either take from the queue \"%1\" or leave it.").arg(queue)));
        if (queue.startsWith(QLatin1StringView("redrive."), sensitivity))
            return core::fail(badChoice(ErrorKind::Rejected, Text::tr("%1 is a queue of Redrive itself.").arg(queue)));
        const broker::QueueInfo *found =
            listing == nullptr ? nullptr : findQueue(connection.kind, listing->queues, queue);
        if (listing != nullptr && listing->complete && found == nullptr)
            return core::fail(badChoice(ErrorKind::NotFound,
                                        Text::tr("The queue %1 does not exist on %2.").arg(queue, connection.name)));
        if (!after.contains(queue, sensitivity))
            after.append(found == nullptr ? queue : found->name);
    }
    return after;
}

} // namespace engine
