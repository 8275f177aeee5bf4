#include "app/commandline/json/json.h"

#include "app/commandline/json/jsonparts.h"
#include "app/commandline/json/policyjson.h"

#include "backend/records/address/connectionurl.h"

#include <QDateTime>

namespace commandline::json {

namespace {

QString word(api::Health health)
{
    switch (health) {
    case api::Health::Unknown:
        return QStringLiteral("unknown");
    case api::Health::Connected:
        return QStringLiteral("connected");
    case api::Health::Slow:
        return QStringLiteral("slow");
    case api::Health::Unreachable:
        return QStringLiteral("unreachable");
    case api::Health::Refused:
        return QStringLiteral("refused");
    case api::Health::LoginNeeded:
        return QStringLiteral("login-needed");
    }
    Q_UNREACHABLE();
}

QString word(records::Severity severity)
{
    switch (severity) {
    case records::Severity::Info:
        return QStringLiteral("info");
    case records::Severity::Warning:
        return QStringLiteral("warning");
    case records::Severity::Problem:
        return QStringLiteral("problem");
    }
    Q_UNREACHABLE();
}

QJsonArray headers(const records::Headers &headers)
{
    QJsonArray list;
    for (const records::Header &header : headers)
        list.append(
            QJsonObject{{QStringLiteral("name"), header.name}, {QStringLiteral("value"), header.value.toJsonValue()}});
    return list;
}

} // namespace

QJsonValue time(core::TimePoint time)
{
    return QDateTime::fromMSecsSinceEpoch(core::toMs(time), Qt::UTC).toString(Qt::ISODateWithMs);
}

QJsonValue time(const std::optional<core::TimePoint> &at)
{
    return at ? time(*at) : QJsonValue(QJsonValue::Null);
}

static QJsonObject circuitBreaker(const records::CircuitBreaker &breaker)
{
    using State = records::CircuitBreaker::State;
    QString state = QStringLiteral("closed");
    if (breaker.state != State::Closed)
        state = breaker.state == State::Open ? QStringLiteral("open") : QStringLiteral("probing");
    return {
        {QStringLiteral("state"), state},
        {QStringLiteral("failures"), breaker.failures},
        {QStringLiteral("next_try"), time(breaker.nextTry)},
    };
}

QJsonValue unreadable(const api::Unreadable &messages)
{
    if (messages.count == 0)
        return QJsonValue();
    return QJsonObject{{QStringLiteral("messages"), messages.count},
                       {QStringLiteral("first"), QString::number(messages.example.value)},
                       {QStringLiteral("reason"), messages.why}};
}

QJsonObject connection(const api::ConnectionView &view)
{
    const records::Connection &record = view.connection;
    return {
        {QStringLiteral("id"), id(record.id)},
        {QStringLiteral("name"), record.name},
        {QStringLiteral("kind"), records::toString(record.kind)},
        {QStringLiteral("url"), records::connectionUrlText(record.kind, record.url)},
        {QStringLiteral("environment"), records::toString(record.environment)},
        {QStringLiteral("rights"), QJsonArray::fromStringList(records::toStrings(record.rights))},
        {QStringLiteral("error_queues"), QJsonArray::fromStringList(record.errorQueues)},
        {QStringLiteral("health"), word(view.health)},
        {QStringLiteral("state"), orNull(view.words)},
        {QStringLiteral("circuit_breaker"), circuitBreaker(view.breaker)},
        {QStringLiteral("product"), orNull(view.product)},
        {QStringLiteral("guarantee"), orNull(view.guarantee)},
        {QStringLiteral("unanswered_queues"), candidates(view.unanswered)},
    };
}

static QJsonArray queueFacts(const records::QueueFacts &all)
{
    QJsonArray facts;
    for (const records::QueueFact &fact : all) {
        facts.append(QJsonObject{{QStringLiteral("fact"), records::toString(fact.kind)},
                                 {QStringLiteral("against"), records::speaksAgainst(fact.kind)},
                                 {QStringLiteral("name"), orNull(fact.name)},
                                 {QStringLiteral("count"), fact.count}});
    }
    return facts;
}

QJsonArray candidates(const QList<api::CandidateQueue> &queues)
{
    QJsonArray all;
    for (const api::CandidateQueue &one : queues) {
        all.append(QJsonObject{{QStringLiteral("queue"), one.name},
                               {QStringLiteral("depth"), orNull(one.depth)},
                               {QStringLiteral("recommended"), records::isRecommended(one.facts)},
                               {QStringLiteral("facts"), queueFacts(one.facts)}});
    }
    return all;
}

QJsonObject connectionTest(const api::ConnectionTest &test)
{
    QJsonArray others;
    for (const api::ConnectionTest::Queue &queue : test.otherQueues) {
        others.append(QJsonObject{{QStringLiteral("queue"), queue.name},
                                  {QStringLiteral("depth"), queue.depth ? QJsonValue(*queue.depth) : QJsonValue()}});
    }
    return {
        {QStringLiteral("product"), test.product},
        {QStringLiteral("can"), QJsonArray::fromStringList(test.can)},
        {QStringLiteral("not_known"), QJsonArray::fromStringList(test.notKnown)},
        {QStringLiteral("not_known_reason"), orNull(test.notKnownReason)},
        {QStringLiteral("missing"), QJsonArray::fromStringList(test.missing)},
        {QStringLiteral("guarantee"), test.guarantee},
        {QStringLiteral("missing_queues"), QJsonArray::fromStringList(test.missingQueues)},
        {QStringLiteral("other_queues"), others},
        {QStringLiteral("candidates"), candidates(test.candidates)},
        {QStringLiteral("candidates_unknown"), orNull(test.candidatesUnknown)},
    };
}

QJsonObject queue(const api::QueueView &view, const QString &connection)
{
    return {
        {QStringLiteral("connection"), connection},
        {QStringLiteral("name"), view.name},
        {QStringLiteral("holds_failed"), view.holdsFailed},
        {QStringLiteral("candidate"), view.isCandidate},
        {QStringLiteral("facts"), queueFacts(view.facts)},
        {QStringLiteral("depth"), orNull(view.depth)},
        {QStringLiteral("counted_at"), view.depth ? time(view.asOf) : QJsonValue()},
        {QStringLiteral("consumers"), orNull(view.consumers)},
        {QStringLiteral("unresolved"), view.unresolved},
        {QStringLiteral("browsed_only"), view.browsedOnly},
        {QStringLiteral("subscribed"), view.subscribed},
        {QStringLiteral("refusal"), orNull(view.refusal)},
        {QStringLiteral("notes"), QJsonArray::fromStringList(view.loss.retention.also)},
    };
}

QJsonArray queueResults(const QList<records::QueueResult> &queues)
{
    QJsonArray all;
    for (const records::QueueResult &one : queues) {
        all.append(QJsonObject{{QStringLiteral("queue"), one.queue},
                               {QStringLiteral("messages"), one.messages},
                               {QStringLiteral("new"), one.fresh},
                               {QStringLiteral("refused"), orNull(one.reason)}});
    }
    return all;
}

QJsonObject intake(const records::IntakeCounts &counts)
{
    return {
        {QStringLiteral("taken"), counts.taken},
        {QStringLiteral("new"), counts.fresh},
        {QStringLiteral("came_back"), counts.cameBack},
        {QStringLiteral("confirmed"), counts.confirmed},
        {QStringLiteral("undecodable"), counts.undecodable},
        {QStringLiteral("queues"), queueResults(counts.queues)},
        {QStringLiteral("cancelled"), counts.isCancelled},
    };
}

QJsonObject browse(const records::BrowseCounts &counts)
{
    return {
        {QStringLiteral("seen"), counts.seen},
        {QStringLiteral("new"), counts.fresh},
        {QStringLiteral("seen_before"), counts.again},
        {QStringLiteral("in_store"), counts.known},
        {QStringLiteral("undecodable"), counts.undecodable},
        {QStringLiteral("more"), counts.more},
        {QStringLiteral("gone"), counts.gone},
        {QStringLiteral("queues"), queueResults(counts.queues)},
    };
}

QJsonObject message(const records::FailedMessage &message)
{
    return {
        {QStringLiteral("id"), id(message.id)},
        {QStringLiteral("message_id"), message.messageId},
        {QStringLiteral("message_type"), message.messageType},
        {QStringLiteral("status"), records::toString(message.status)},
        {QStringLiteral("browsed_only"), message.flags.testFlag(records::MessageFlag::BrowsedOnly)},
        {QStringLiteral("queue"), message.queue},
        {QStringLiteral("destination"), orNull(message.destination.queue)},
        {QStringLiteral("exception_type"), message.failure.exceptionType},
        {QStringLiteral("exception_message"), message.failure.exceptionMessage},
        {QStringLiteral("time_of_failure"), time(message.failure.at.value_or(message.lastFailed))},
        {QStringLiteral("attempts"), message.attempts},
        {QStringLiteral("size"), message.bodySize},
    };
}

QJsonObject messagePage(const api::MessagePage &page)
{
    QJsonArray items;
    for (const records::FailedMessage &row : page.rows)
        items.append(message(row));
    return {
        {QStringLiteral("items"), items},
        {QStringLiteral("total"), page.total},
        {QStringLiteral("next"), orNull(page.next)},
        {QStringLiteral("change"), page.change},
    };
}

QJsonObject otherMatches(const api::OtherMatches &others)
{
    QJsonObject counts;
    for (const api::StatusCount &one : others.counts)
        counts.insert(records::toString(one.status), one.count);
    return {{QStringLiteral("counts"), counts}, {QStringLiteral("at_least"), others.atLeast}};
}

QJsonObject messageDetail(const api::MessageDetail &detail)
{
    QJsonArray attempts;
    for (const records::ProcessingAttempt &attempt : detail.attempts) {
        attempts.append(QJsonObject{
            {QStringLiteral("taken_at"), time(attempt.takenAt)},
            {QStringLiteral("time_of_failure"), time(attempt.failure.at)},
            {QStringLiteral("queue"), attempt.queue},
            {QStringLiteral("exception_type"), attempt.failure.exceptionType},
            {QStringLiteral("exception_message"), attempt.failure.exceptionMessage},
            {QStringLiteral("stack_trace"), attempt.failure.stackTrace},
        });
    }
    QJsonArray trail;
    for (const records::TrailEntry &entry : detail.trail) {
        trail.append(QJsonObject{
            {QStringLiteral("at"), time(entry.at)},
            {QStringLiteral("what"), entry.what},
            {QStringLiteral("who"), entry.who},
        });
    }
    QJsonObject shape = message(detail.message);
    shape.insert(QStringLiteral("dialect"), detail.message.dialect);
    shape.insert(QStringLiteral("conventions"), QJsonArray::fromStringList(detail.message.conventions));
    shape.insert(QStringLiteral("stack_trace"), detail.message.failure.stackTrace);
    shape.insert(QStringLiteral("headers"), headers(detail.envelope.headers));
    shape.insert(QStringLiteral("properties"), headers(detail.envelope.properties));
    shape.insert(QStringLiteral("processing_attempts"), attempts);
    shape.insert(QStringLiteral("trail"), trail);
    shape.insert(QStringLiteral("policy"), standing(detail.policy));
    shape.insert(QStringLiteral("lost_at"), detail.expiry.hasTime() ? time(detail.expiry.at) : QJsonValue());
    return shape;
}

QJsonObject trail(const records::TrailCheck &check)
{
    return {
        {QStringLiteral("intact"), check.fault == records::TrailCheck::Fault::None},
        {QStringLiteral("fault"), records::toString(check.fault)},
        {QStringLiteral("entries"), check.entries},
        {QStringLiteral("seal"), QString::fromLatin1(check.seal.toHex())},
    };
}

QJsonObject event(const records::Event &event)
{
    return {
        {QStringLiteral("sequence"), event.sequence},
        {QStringLiteral("at"), time(event.at)},
        {QStringLiteral("severity"), word(event.severity)},
        {QStringLiteral("who"), event.who},
        {QStringLiteral("what"), event.what},
        {QStringLiteral("on"), event.onWhat},
        {QStringLiteral("result"), event.result},
    };
}

} // namespace commandline::json
