#include "backend/sandbox/reports/pipelinesteps.h"

#include "backend/recovery/schedule.h"
#include "backend/sandbox/dice.h"
#include "backend/sandbox/messagemarks.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace sandbox {

using Do = recovery::Decision::Do;

namespace {

enum ReportRoll : quint64 { ReportIdRoll = 1, ReceiverRoll, ItemsRoll, NextIdRoll, BatchIdRoll };

constexpr int mostItems = 8;

records::Envelope eventOf(const QJsonObject &body)
{
    records::Envelope envelope;
    envelope.body = QJsonDocument(body).toJson(QJsonDocument::Compact);
    records::set(envelope.properties, QStringLiteral("ContentType"), QStringLiteral("application/json"));
    return envelope;
}

QJsonObject eventIn(const broker::ReceivedMessage &held)
{
    return QJsonDocument::fromJson(held.envelope.body).object();
}

records::Envelope sendEvent(const QString &id, const QString &token)
{
    return eventOf({{QStringLiteral("report_id"), id}, {QStringLiteral("retry_token"), token}});
}

// The token of a send that failed in part. The same failure always gives the same token, so a step that is repeated
// after a kill changes nothing.
QString tokenOf(int retries, const QList<int> &items)
{
    QJsonArray list;
    for (const int item : items)
        list.append(item);
    const QJsonObject token{{QStringLiteral("retries"), retries}, {QStringLiteral("items"), list}};
    return QString::fromUtf8(QJsonDocument(token).toJson(QJsonDocument::Compact));
}

QList<int> itemsToSend(const PipelineTask &task)
{
    QList<int> items;
    if (task.retryToken.isEmpty()) {
        for (int item = 0; item < task.items; ++item)
            items.append(item);
        return items;
    }
    const QJsonArray list =
        QJsonDocument::fromJson(task.retryToken.toUtf8()).object().value(QLatin1String("items")).toArray();
    for (const QJsonValue &item : list)
        items.append(item.toInt());
    return items;
}

int retriesOf(const PipelineTask &task)
{
    return QJsonDocument::fromJson(task.retryToken.toUtf8()).object().value(QLatin1String("retries")).toInt();
}

// For the dice: the item of a report, or of a batch, by the beginning of its id.
int itemNumber(const QString &id, int item)
{
    return int(QStringView(id).left(6).toUInt(nullptr, 16)) * 64 + item;
}

} // namespace

PipelineSteps::PipelineSteps(const ReportsSettings &settings, const ScenarioContext &context, TaskTable &table,
                             core::TimePoint origin, std::shared_ptr<broker::Broker> broker)
    : m_settings(settings)
    , m_context(context)
    , m_table(table)
    , m_origin(origin)
    , m_broker(std::move(broker))
    , m_processDecider(settings.process)
    , m_sendDecider(settings.send)
    , m_receiveFaults(context.seed, settings.receiveFaults)
    , m_processFaults(context.seed, settings.processFaults)
{
    for (const ReportReceiver &receiver : settings.receivers) {
        m_batchFaults.emplace_back(context.seed, receiver.batchFaults);
        m_itemFaults.emplace_back(context.seed, receiver.faults);
    }
}

Report PipelineSteps::reportOf(int number) const
{
    const quint64 seed = m_context.seed;
    return {number, uuidFrom(dice(seed, number, ReportIdRoll)), QStringLiteral("covid-19"),
            1 + int(dice(seed, number, ItemsRoll) % mostItems)};
}

int PipelineSteps::receiverOf(int number) const
{
    QList<int> shares;
    for (const ReportReceiver &receiver : m_settings.receivers)
        shares.append(receiver.share);
    return shareOf(dice(m_context.seed, number, ReceiverRoll), shares);
}

core::TimePoint PipelineSteps::oldestFor(const ReportReceiver &receiver, core::TimePoint now) const
{
    const std::optional<core::Milliseconds> age = receiver.timing ? backstopOf(*receiver.timing) : std::nullopt;
    return age ? now - *age : core::TimePoint{};
}

core::Task<int> PipelineSteps::receive(Report report, int attempt)
{
    constexpr int serverError = 500;
    constexpr int created = 201;
    if (const std::optional<HandlerFailure> failure = m_receiveFaults.strikes(report.number, attempt, sinceStart())) {
        ++m_counts.refusedReceives;
        co_return failure->what.httpStatus > 0 ? failure->what.httpStatus : serverError;
    }
    const core::Result<> stored = m_table.receive(report, now());
    if (!stored)
        co_return serverError;
    records::Envelope event =
        eventOf({{QStringLiteral("report_id"), report.id}, {QStringLiteral("number"), report.number}});
    const bool sent = co_await sendOne(m_broker, processQueue.toString(), std::move(event));
    co_return sent ? created : serverError;
}

NewTask PipelineSteps::afterProcess(const Report &report) const
{
    const ReportReceiver &receiver = m_settings.receivers.at(receiverOf(report.number));
    NewTask next;
    next.id = uuidFrom(dice(m_context.seed, report.number, NextIdRoll));
    next.receiver = receiver.name;
    next.items = report.items;
    next.nextAction = receiver.timing ? batchQueue.toString() : sendQueue.toString();
    next.at = now();
    if (receiver.timing)
        next.at += recovery::delayOf(receiver.timing->schedule, 0, now());
    return next;
}

core::Task<PipelineSteps::Settle> PipelineSteps::process(broker::ReceivedMessage held)
{
    const Report report = reportOf(eventIn(held).value(QLatin1String("number")).toInt());
    const core::Result<std::optional<PipelineTask>> task = m_table.task(report.id);
    if (!task || !*task)
        co_return Settle::PutBack;
    if ((*task)->nextAction == processQueue) {
        const int attempt = held.deliveryCount.value_or(1);
        std::optional<HandlerFailure> failure = m_processFaults.strikes(report.number, attempt, sinceStart());
        if (failure) {
            const Settle settle = co_await recoverProcess(std::move(held), std::move(*failure));
            co_return settle;
        }
        const core::Result<> stored = m_table.process(report, afterProcess(report), now());
        if (!stored)
            co_return Settle::PutBack;
    }
    const NewTask next = afterProcess(report);
    if (next.nextAction == sendQueue) {
        const bool sent = co_await sendOne(m_broker, sendQueue.toString(), sendEvent(next.id, {}));
        co_return sent ? Settle::Remove : Settle::PutBack;
    }
    co_return Settle::Remove;
}

// The transaction is aborted: TASK stays as it is, and the queue brings the message again.
core::Task<PipelineSteps::Settle> PipelineSteps::recoverProcess(broker::ReceivedMessage held, HandlerFailure failure)
{
    const int failed = held.deliveryCount.value_or(1);
    const recovery::Decision decision = m_processDecider.decide(failure.what, failed, now(), now(), &m_context.random);
    if (decision.what == Do::RetryNow || decision.what == Do::RetryAt) {
        ++m_counts.processRetries;
        co_return Settle::PutBack;
    }
    const bool sent = co_await sendOne(m_broker, m_settings.poisonQueue(), held.envelope);
    if (!sent)
        co_return Settle::PutBack;
    ++m_counts.toPoison;
    co_return Settle::Remove;
}

core::Task<> PipelineSteps::decideBatches(core::TimePoint before, core::TimePoint now)
{
    for (qsizetype i = 0; i < m_settings.receivers.size(); ++i) {
        const ReportReceiver &receiver = m_settings.receivers.at(i);
        if (!receiver.timing)
            continue;
        const core::TimePoint turn = before + recovery::delayOf(receiver.timing->schedule, 0, before);
        if (turn > now)
            continue;
        records::Envelope event =
            eventOf({{QStringLiteral("receiver"), int(i)}, {QStringLiteral("turn"), qint64{core::toMs(turn)}}});
        const bool sent = co_await sendOne(m_broker, batchQueue.toString(), std::move(event));
        Q_UNUSED(sent) // what is lost here waits for the next turn
    }
}

core::Task<PipelineSteps::Settle> PipelineSteps::batch(broker::ReceivedMessage held)
{
    const QJsonObject event = eventIn(held);
    const int index = event.value(QLatin1String("receiver")).toInt(-1);
    if (index < 0 || index >= m_settings.receivers.size())
        co_return Settle::Remove;
    const ReportReceiver &receiver = m_settings.receivers.at(index);
    const std::optional<HandlerFailure> failure = m_batchFaults.at(size_t(index)).strikes(index, 1, sinceStart());
    if (failure) { // the transaction is aborted; the next turn takes the same tasks again
        ++m_counts.batchAborts;
        co_return Settle::Remove;
    }
    const qint64 minute = event.value(QLatin1String("turn")).toInteger() / 60000;
    NewTask merged;
    merged.id = uuidFrom(dice(m_context.seed, index, BatchIdRoll + (quint64(minute) << 8)));
    merged.nextAction = sendQueue.toString();
    merged.at = now();
    merged.receiver = receiver.name;
    const core::Result<int> count = m_table.batch(merged, oldestFor(receiver, now()), now());
    const core::Result<QStringList> ids = m_table.firstSends(receiver.name);
    if (!count || !ids)
        co_return Settle::PutBack;
    for (const QString &id : *ids) {
        const bool sent = co_await sendOne(m_broker, sendQueue.toString(), sendEvent(id, {}));
        if (!sent)
            co_return Settle::PutBack;
    }
    co_return Settle::Remove;
}

core::Task<PipelineSteps::Settle> PipelineSteps::send(broker::ReceivedMessage held)
{
    const QJsonObject event = eventIn(held);
    const core::Result<std::optional<PipelineTask>> task =
        m_table.task(event.value(QLatin1String("report_id")).toString());
    if (!task)
        co_return Settle::PutBack;
    const QString token = event.value(QLatin1String("retry_token")).toString();
    if (!*task || (*task)->nextAction != sendQueue || (*task)->retryToken != token)
        co_return Settle::Remove; // this send is done, or another message continues it
    TaskTable::SendStep step{**task, {}, now()};
    const auto receiver = std::find_if(m_settings.receivers.cbegin(), m_settings.receivers.cend(),
                                       [&step](const ReportReceiver &one) { return one.name == step.task.receiver; });
    if (receiver == m_settings.receivers.cend())
        co_return Settle::PutBack;
    const FaultScript &faults = m_itemFaults.at(size_t(receiver - m_settings.receivers.cbegin()));
    QList<int> failed;
    std::optional<HandlerFailure> last;
    for (const int item : itemsToSend(step.task)) {
        std::optional<HandlerFailure> failure =
            faults.strikes(itemNumber(step.task.id, item), retriesOf(step.task) + 1, sinceStart());
        (failure ? failed : step.delivered).append(item);
        if (failure)
            last = std::move(failure);
    }
    if (last) {
        const Settle settle = co_await recoverSend(std::move(step), std::move(failed), std::move(*last));
        co_return settle;
    }
    const core::Result<> stored = m_table.sent(step);
    co_return stored ? Settle::Remove : Settle::PutBack;
}

core::Task<PipelineSteps::Settle> PipelineSteps::recoverSend(TaskTable::SendStep step, QList<int> failed,
                                                             HandlerFailure failure)
{
    const int tries = retriesOf(step.task) + 1;
    const recovery::Decision decision =
        m_sendDecider.decide(failure.what, tries, step.now, step.now, &m_context.random);
    if (decision.what != Do::RetryAt && decision.what != Do::RetryNow) {
        const core::Result<> stored = m_table.giveUp(step, failure.what.message);
        co_return stored ? Settle::Remove : Settle::PutBack;
    }
    const QString token = tokenOf(tries, failed);
    records::Envelope event = sendEvent(step.task.id, token);
    const core::TimePoint at = step.now + decision.delay;
    scheduleFor(event, at);
    const bool sent = co_await sendOne(m_broker, sendQueue.toString(), std::move(event));
    if (!sent)
        co_return Settle::PutBack;
    const core::Result<> stored = m_table.retryLater(step, token, at);
    co_return stored ? Settle::Remove : Settle::PutBack;
}

} // namespace sandbox
