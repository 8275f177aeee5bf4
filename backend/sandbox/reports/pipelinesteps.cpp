#include "backend/sandbox/reports/pipelinesteps.h"

#include "backend/core/time/durationtext.h"
#include "backend/recovery/schedule.h"
#include "backend/sandbox/dice.h"
#include "backend/sandbox/messagemarks.h"
#include "backend/sandbox/reports/pipelineevent.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace sandbox {

using Do = recovery::Decision::Do;

namespace {

enum ReportRoll : quint64 { ReportIdRoll = 1, ReceiverRoll, ItemsRoll, NextIdRoll, BatchIdRoll };

constexpr int mostItems = 8;

records::Envelope sendEvent(const QString &id)
{
    return envelopeOf({PipelineEvent::Step::Send, id});
}

// The token of a send that failed in part, as ReportStream's RetryToken. The same failure always gives the same token, so a step that is repeated
// after a kill changes nothing.
QString tokenOf(int retries, const QList<int> &items)
{
    QJsonArray list;
    for (const int item : items)
        list.append(item);
    const QJsonObject token{{QStringLiteral("retryCount"), retries}, {QStringLiteral("items"), list}};
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
    return QJsonDocument::fromJson(task.retryToken.toUtf8()).object().value(QLatin1String("retryCount")).toInt();
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

void PipelineSteps::log(PipelineEvent::Step step, const QString &subject, const QString &what) const
{
    const QString names[] = {QStringLiteral("Process"), QStringLiteral("Batch"), QStringLiteral("Send")};
    log(names[int(step)], subject, what);
}

void PipelineSteps::log(const QString &step, const QString &subject, const QString &what) const
{
    if (!m_context.log)
        return;
    const QString time = QDateTime::fromMSecsSinceEpoch(core::toMs(now()), Qt::UTC).toString(Qt::ISODate);
    m_context.log(QStringLiteral("%1 %2 %3: %4").arg(time, step, subject, what));
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

std::optional<int> PipelineSteps::placeOf(const QString &receiver) const
{
    for (qsizetype i = 0; i < m_settings.receivers.size(); ++i) {
        if (m_settings.receivers.at(i).name == receiver)
            return int(i);
    }
    return std::nullopt;
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
        const int status = failure->what.httpStatus > 0 ? failure->what.httpStatus : serverError;
        log(QStringLiteral("Receive"), report.id, QStringLiteral("answered with %1; its sender repeats it").arg(status));
        co_return status;
    }
    const core::Result<> stored = m_table.receive(report, now());
    if (!stored)
        co_return serverError;
    records::Envelope event = envelopeOf({PipelineEvent::Step::Process, report.id});
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
    const QString id = subjectOf(held.envelope, PipelineEvent::Step::Process).value_or(QString());
    const core::Result<std::optional<PipelineTask>> task = m_table.task(id);
    const core::Result<int> number = m_table.numberOf(id);
    if (!task || !number)
        co_return putBackUncounted(held);
    const Report report = reportOf(*number);
    if (!*task || report.id != id) {
        const Settle settle = co_await poison(std::move(held));
        co_return settle;
    }
    if ((*task)->nextAction == processQueue) {
        std::optional<HandlerFailure> failure = m_processFaults.strikes(report.number, attemptOf(held), sinceStart());
        if (failure) {
            const Settle settle = co_await recoverProcess(std::move(held), std::move(*failure));
            co_return settle;
        }
        const core::Result<> stored = m_table.process(report, afterProcess(report), now());
        if (!stored)
            co_return putBackUncounted(held);
    }
    const NewTask next = afterProcess(report);
    if (next.nextAction == sendQueue) {
        const bool sent = co_await sendOne(m_broker, sendQueue.toString(), sendEvent(next.id));
        co_return sent ? Settle::Remove : Settle::PutBack;
    }
    co_return Settle::Remove;
}

// The transaction is aborted: TASK stays as it is, and the queue brings the message again.
core::Task<PipelineSteps::Settle> PipelineSteps::recoverProcess(broker::ReceivedMessage held, HandlerFailure failure)
{
    const int attempt = attemptOf(held);
    const QString subject = subjectOf(held.envelope, PipelineEvent::Step::Process).value_or(QString());
    const recovery::Decision decision =
        m_processDecider.decide(failure.what, attempt, now(), now(), &m_context.random);
    if (decision.what == Do::RetryNow || decision.what == Do::RetryAt) {
        ++m_counts.processRetries;
        log(PipelineEvent::Step::Process, subject,
            QStringLiteral("attempt %1 failed: %2; the queue brings it again").arg(attempt).arg(failure.what.message));
        co_return Settle::PutBack;
    }
    log(PipelineEvent::Step::Process, subject,
        QStringLiteral("attempt %1 failed: %2; to %3").arg(attempt).arg(failure.what.message, m_settings.poisonQueue()));
    const Settle settle = co_await poison(std::move(held));
    co_return settle;
}

core::Task<PipelineSteps::Settle> PipelineSteps::poison(broker::ReceivedMessage held)
{
    const bool sent = co_await sendOne(m_broker, m_settings.poisonQueue(), held.envelope);
    if (!sent)
        co_return Settle::PutBack;
    ++m_counts.toPoison;
    co_return Settle::Remove;
}

int PipelineSteps::attemptOf(const broker::ReceivedMessage &held) const
{
    return held.deliveryCount.value_or(1) - m_uncounted.value(held.nativeId);
}

PipelineSteps::Settle PipelineSteps::putBackUncounted(const broker::ReceivedMessage &held)
{
    ++m_uncounted[held.nativeId];
    return Settle::PutBack;
}

core::Task<> PipelineSteps::decideBatches(core::TimePoint before, core::TimePoint now)
{
    for (const ReportReceiver &receiver : m_settings.receivers) {
        if (!receiver.timing)
            continue;
        const core::TimePoint turn = before + recovery::delayOf(receiver.timing->schedule, 0, before);
        if (turn > now)
            continue;
        records::Envelope event = envelopeOf({PipelineEvent::Step::Batch, receiver.name});
        const bool sent = co_await sendOne(m_broker, batchQueue.toString(), std::move(event));
        Q_UNUSED(sent) // what is lost here waits for the next turn
    }
}

core::Task<PipelineSteps::Settle> PipelineSteps::batch(broker::ReceivedMessage held)
{
    const std::optional<int> place = placeOf(subjectOf(held.envelope, PipelineEvent::Step::Batch).value_or(QString()));
    if (!place) {
        const Settle settle = co_await poison(std::move(held));
        co_return settle;
    }
    const int index = *place;
    const ReportReceiver &receiver = m_settings.receivers.at(index);
    const std::optional<HandlerFailure> failure = m_batchFaults.at(size_t(index)).strikes(index, 1, sinceStart());
    if (failure) { // the transaction is aborted; the next turn takes the same tasks again
        ++m_counts.batchAborts;
        log(PipelineEvent::Step::Batch, receiver.name,
            QStringLiteral("aborted: %1; its tasks wait for the next turn").arg(failure->what.message));
        co_return Settle::Remove;
    }
    const core::Result<int> before = m_table.batches(receiver.name);
    if (!before)
        co_return Settle::PutBack;
    NewTask merged;
    merged.id = uuidFrom(dice(dice(m_context.seed, index, BatchIdRoll), *before, BatchIdRoll));
    merged.nextAction = sendQueue.toString();
    merged.at = now();
    merged.receiver = receiver.name;
    const core::Result<int> count = m_table.batch(merged, oldestFor(receiver, now()), now());
    const core::Result<QStringList> ids = m_table.firstSends(receiver.name);
    if (!count || !ids)
        co_return Settle::PutBack;
    if (*count > 0)
        log(PipelineEvent::Step::Batch, receiver.name, QStringLiteral("%1 tasks merged into %2").arg(*count).arg(merged.id));
    for (const QString &id : *ids) {
        const bool sent = co_await sendOne(m_broker, sendQueue.toString(), sendEvent(id));
        if (!sent)
            co_return Settle::PutBack;
    }
    co_return Settle::Remove;
}

core::Task<PipelineSteps::Settle> PipelineSteps::send(broker::ReceivedMessage held)
{
    const QString id = subjectOf(held.envelope, PipelineEvent::Step::Send).value_or(QString());
    const core::Result<std::optional<PipelineTask>> task = m_table.task(id);
    if (!task)
        co_return Settle::PutBack;
    const std::optional<int> receiver = *task ? placeOf((*task)->receiver) : std::nullopt;
    if (!receiver) {
        const Settle settle = co_await poison(std::move(held));
        co_return settle;
    }
    TaskTable::SendStep step{**task, {}, now()};
    const bool continues = !step.task.retryToken.isEmpty() && step.task.at > step.now;
    if (step.task.nextAction != sendQueue || continues)
        co_return Settle::Remove; // this send is done, or a message for later continues it
    const FaultScript &faults = m_itemFaults.at(size_t(*receiver));
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
        log(PipelineEvent::Step::Send, step.task.id,
            QStringLiteral("send_error: %1 items failed after %2 retries: %3")
                .arg(failed.size())
                .arg(tries - 1)
                .arg(failure.what.message));
        const core::Result<> stored = m_table.giveUp(step, tokenOf(tries - 1, failed), failure.what.message);
        co_return stored ? Settle::Remove : Settle::PutBack;
    }
    const QString token = tokenOf(tries, failed);
    records::Envelope event = sendEvent(step.task.id);
    const core::TimePoint at = step.now + decision.delay;
    scheduleFor(event, at);
    log(PipelineEvent::Step::Send, step.task.id,
        QStringLiteral("send_warning: %1 items failed: %2; retry %3 in %4")
            .arg(failed.size())
            .arg(failure.what.message)
            .arg(tries)
            .arg(core::durationWord(decision.delay)));
    const bool sent = co_await sendOne(m_broker, sendQueue.toString(), std::move(event));
    if (!sent)
        co_return Settle::PutBack;
    const core::Result<> stored = m_table.retryLater(step, token, at);
    co_return stored ? Settle::Remove : Settle::PutBack;
}

} // namespace sandbox
