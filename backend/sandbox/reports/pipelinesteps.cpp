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

enum ReportRoll : quint64 { ReportIdRoll = 1, ReceiverRoll, ItemsRoll, NextIdRoll, BatchIdRoll, PartIdRoll };

constexpr int mostItems = 8;
constexpr core::Milliseconds stepTakes{200}; // between the writes of a step and the end of its transaction

records::Envelope sendEvent(const QString &id)
{
    return envelopeOf({PipelineEvent::Step::Send, id, {}});
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

// For the dice, and for the ids of what is made of a task: a number from its id.
int numberFrom(const QString &id)
{
    return int(QStringView(id).left(6).toUInt(nullptr, 16));
}

// For the dice: the item of a report, or of a batch, by the beginning of its id.
int itemNumber(const QString &id, int item)
{
    return numberFrom(id) * 64 + item;
}

} // namespace

PipelineSteps::PipelineSteps(const ReportsSettings &settings, const ScenarioContext &context, core::Timers &timers,
                             core::TimePoint origin, std::shared_ptr<broker::Broker> broker)
    : m_settings(settings)
    , m_context(context)
    , m_timers(timers)
    , m_origin(origin)
    , m_broker(std::move(broker))
    , m_processDecider(settings.process)
    , m_sendDecider(settings.send)
    , m_receiveFaults(context.seed, settings.receiveFaults)
    , m_processFaults(context.seed, settings.processFaults)
    , m_sendFaults(context.seed, settings.sendFaults)
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

core::Task<int> PipelineSteps::receive(TaskTable *table, Report report, int attempt)
{
    constexpr int serverError = 500;
    constexpr int created = 201;
    if (const std::optional<HandlerFailure> failure = m_receiveFaults.strikes(report.number, attempt, sinceStart())) {
        ++m_counts.refusedReceives;
        const int status = failure->what.httpStatus > 0 ? failure->what.httpStatus : serverError;
        log(QStringLiteral("Receive"), report.id,
            QStringLiteral("answered with %1; its sender repeats it").arg(status));
        co_return status;
    }
    const core::Result<> begun = co_await beginWhenFree(table, &m_timers);
    if (!begun)
        co_return serverError;
    const core::Result<> stored = table->receive(report, now()).and_then([&] { return table->commit(now()); });
    table->abort();
    if (!stored)
        co_return serverError;
    records::Envelope event = envelopeOf({PipelineEvent::Step::Process, report.id, {}});
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

core::Task<PipelineSteps::Settle> PipelineSteps::process(TaskTable *table, broker::ReceivedMessage held)
{
    const Settle settle = co_await processLocked(table, std::move(held));
    table->abort();
    co_return settle;
}

core::Task<PipelineSteps::Settle> PipelineSteps::processLocked(TaskTable *table, broker::ReceivedMessage held)
{
    const QString id = subjectOf(held.envelope, PipelineEvent::Step::Process).value_or(QString());
    const core::Result<std::optional<PipelineTask>> task = co_await lockWhenFree(table, &m_timers, id);
    const core::Result<int> number = task ? table->numberOf(id) : core::Result<int>(-1);
    if (!task || !number)
        co_return putBackUncounted(held);
    const Report report = reportOf(*number);
    if (!*task || report.id != id) {
        table->abort();
        const Settle settle = co_await poison(std::move(held));
        co_return settle;
    }
    const NewTask next = afterProcess(report);
    if ((*task)->nextAction == processQueue) {
        const core::Result<> written = table->process(report, next, now());
        const core::Result<> worked = co_await m_timers.sleep(stepTakes);
        if (!written || !worked)
            co_return putBackUncounted(held);
        std::optional<HandlerFailure> failure = m_processFaults.strikes(report.number, attemptOf(held), sinceStart());
        if (failure) {
            table->abort();
            const Settle settle = co_await recoverProcess(std::move(held), std::move(*failure));
            co_return settle;
        }
        const core::Result<> stored = table->commit(now());
        if (!stored)
            co_return putBackUncounted(held);
    }
    table->abort();
    if (next.nextAction == sendQueue) {
        const bool sent = co_await sendOne(m_broker, sendQueue.toString(), sendEvent(next.id));
        co_return sent ? Settle::Remove : Settle::PutBack;
    }
    co_return Settle::Remove;
}

// The transaction was aborted: TASK is as it was, and the queue brings the message again.
core::Task<PipelineSteps::Settle> PipelineSteps::recoverProcess(broker::ReceivedMessage held, HandlerFailure failure)
{
    const int attempt = attemptOf(held);
    const QString subject = subjectOf(held.envelope, PipelineEvent::Step::Process).value_or(QString());
    const recovery::Decision decision = m_processDecider.decide(failure.what, attempt, now(), now(), &m_context.random);
    if (decision.what == Do::RetryNow || decision.what == Do::RetryAt) {
        ++m_counts.processRetries;
        log(PipelineEvent::Step::Process, subject,
            QStringLiteral("attempt %1 failed: %2; the queue brings it again").arg(attempt).arg(failure.what.message));
        co_return Settle::PutBack;
    }
    log(PipelineEvent::Step::Process, subject,
        QStringLiteral("attempt %1 failed: %2; to %3")
            .arg(attempt)
            .arg(failure.what.message, m_settings.poisonQueue()));
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

// At least one, and as many as its tasks need.
core::Task<core::Result<int>> PipelineSteps::eventsFor(TaskTable *table, const ReportReceiver *receiver,
                                                       core::TimePoint now)
{
    CO_TRY(co_await beginWhenFree(table, &m_timers));
    const core::Result<int> tasks = table->batchable(receiver->name, oldestFor(*receiver, now));
    table->abort();
    if (!tasks)
        co_return core::fail(tasks.error());
    co_return std::max(1, (*tasks + receiver->maxReports - 1) / receiver->maxReports);
}

core::Task<> PipelineSteps::decideBatches(TaskTable *table, core::TimePoint before, core::TimePoint now)
{
    for (const ReportReceiver &receiver : m_settings.receivers) {
        if (!receiver.timing)
            continue;
        const core::TimePoint turn = before + recovery::delayOf(receiver.timing->schedule, 0, before);
        if (turn > now)
            continue;
        const core::Result<int> events = co_await eventsFor(table, &receiver, now);
        const int count = events.value_or(1); // what is lost here waits for the next turn
        log(QStringLiteral("BatchDecider"), receiver.name, QStringLiteral("%1 events").arg(count));
        for (int i = 0; i < count; ++i) {
            records::Envelope event = envelopeOf({PipelineEvent::Step::Batch, receiver.name, {}});
            const bool sent = co_await sendOne(m_broker, batchQueue.toString(), std::move(event));
            Q_UNUSED(sent) // likewise
        }
    }
}

core::Task<PipelineSteps::Settle> PipelineSteps::batch(TaskTable *table, broker::ReceivedMessage held)
{
    const std::optional<int> place = placeOf(subjectOf(held.envelope, PipelineEvent::Step::Batch).value_or(QString()));
    if (!place) {
        const Settle settle = co_await poison(std::move(held));
        co_return settle;
    }
    const Settle settle = co_await batchLocked(table, std::move(held), *place);
    table->abort();
    co_return settle;
}

core::Result<int> PipelineSteps::writeBatch(TaskTable *table, const ReportReceiver &receiver,
                                            const QList<PipelineTask> &tasks) const
{
    NewTask next;
    next.nextAction = sendQueue.toString();
    next.at = now();
    next.receiver = receiver.name;
    // Nobody else makes a batch of tasks that are locked here, and later on it is another one.
    const quint64 seed = m_context.seed + quint64(sinceStart().count());
    if (!receiver.splits) {
        next.id = uuidFrom(dice(seed, numberFrom(tasks.first().id), BatchIdRoll));
        for (const PipelineTask &task : tasks)
            next.items += task.items;
        TRY(table->merge(tasks, next, now()));
        return 1;
    }
    int count = 0;
    for (const PipelineTask &task : tasks) {
        QList<NewTask> parts;
        for (int item = 0; item < task.items; ++item) {
            next.id = uuidFrom(dice(seed, itemNumber(task.id, item), PartIdRoll));
            next.items = 1;
            parts.append(next);
        }
        TRY(table->split(task, parts, now()));
        count += int(parts.size());
    }
    return count;
}

core::Task<PipelineSteps::Settle> PipelineSteps::batchLocked(TaskTable *table, broker::ReceivedMessage held,
                                                             int receiverPlace)
{
    Q_UNUSED(held)
    const ReportReceiver &receiver = m_settings.receivers.at(receiverPlace);
    const core::Result<> begun = co_await beginWhenFree(table, &m_timers);
    if (!begun)
        co_return Settle::PutBack;
    const auto tasks = table->lockBatch(receiver.name, oldestFor(receiver, now()), receiver.maxReports);
    if (!tasks)
        co_return Settle::PutBack;
    core::Result<int> sends = 0;
    if (!tasks->isEmpty())
        sends = writeBatch(table, receiver, *tasks);
    const core::Result<> worked = co_await m_timers.sleep(stepTakes);
    if (!sends || !worked)
        co_return Settle::PutBack;
    const std::optional<HandlerFailure> failure =
        m_batchFaults.at(size_t(receiverPlace)).strikes(receiverPlace, 1, sinceStart());
    if (failure) { // the transaction is aborted; the next turn takes the same tasks again
        ++m_counts.batchAborts;
        log(PipelineEvent::Step::Batch, receiver.name,
            QStringLiteral("aborted: %1; %2 tasks wait for the next turn")
                .arg(failure->what.message, QString::number(tasks->size())));
        co_return Settle::Remove;
    }
    const core::Result<> stored = table->commit(now());
    if (!stored)
        co_return Settle::PutBack;
    if (*sends > 0)
        log(PipelineEvent::Step::Batch, receiver.name,
            QStringLiteral("%1 tasks became %2 sends").arg(tasks->size()).arg(*sends));
    const bool sent = co_await sendFirst(table, receiver.name);
    co_return sent ? Settle::Remove : Settle::PutBack;
}

core::Task<bool> PipelineSteps::sendFirst(TaskTable *table, QString receiver)
{
    const core::Result<> begun = co_await beginWhenFree(table, &m_timers);
    if (!begun)
        co_return false;
    const core::Result<QStringList> ids = table->firstSends(receiver);
    table->abort();
    if (!ids)
        co_return false;
    for (const QString &id : *ids) {
        const bool sent = co_await sendOne(m_broker, sendQueue.toString(), sendEvent(id));
        if (!sent)
            co_return false;
    }
    co_return true;
}

core::Task<PipelineSteps::Settle> PipelineSteps::send(TaskTable *table, broker::ReceivedMessage held)
{
    const Settle settle = co_await sendLocked(table, std::move(held));
    table->abort();
    co_return settle;
}

core::Task<PipelineSteps::Settle> PipelineSteps::sendLocked(TaskTable *table, broker::ReceivedMessage held)
{
    const QString id = subjectOf(held.envelope, PipelineEvent::Step::Send).value_or(QString());
    const core::Result<std::optional<PipelineTask>> task = co_await lockWhenFree(table, &m_timers, id);
    if (!task)
        co_return Settle::PutBack;
    const std::optional<int> receiver = *task ? placeOf((*task)->receiver) : std::nullopt;
    if (!receiver) {
        table->abort();
        const Settle settle = co_await poison(std::move(held));
        co_return settle;
    }
    const core::TimePoint start = now();
    const bool continues = !(*task)->retryToken.isEmpty() && (*task)->at > start;
    if ((*task)->nextAction != sendQueue || continues)
        co_return Settle::Remove; // this send is done, or a message for later continues it
    const core::Result<> worked = co_await m_timers.sleep(stepTakes);
    if (!worked)
        co_return Settle::PutBack;
    TaskTable::SendStep step{**task, {}, start};
    std::optional<HandlerFailure> thrown =
        m_sendFaults.strikes(itemNumber(id, 0), retriesOf(step.task) + 1, sinceStart());
    if (thrown) {
        const Settle settle = co_await swallow(table, id, std::move(*thrown));
        co_return settle;
    }
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
        const Settle settle = co_await recoverSend(table, std::move(step), std::move(failed), std::move(*last));
        co_return settle;
    }
    const core::Result<> stored = table->sent(step).and_then([&] { return table->commit(now()); });
    co_return stored ? Settle::Remove : Settle::PutBack;
}

// ReportStream catches what SendFunction throws, and does not try again: TASK is as it was, and ACTION says so.
core::Task<PipelineSteps::Settle> PipelineSteps::swallow(TaskTable *table, QString id, HandlerFailure failure)
{
    table->abort();
    ++m_counts.sendAborts;
    log(PipelineEvent::Step::Send, id, QStringLiteral("aborted: %1; it is not tried again").arg(failure.what.message));
    const core::Result<> begun = co_await beginWhenFree(table, &m_timers);
    if (!begun)
        co_return Settle::PutBack;
    const core::Result<> stored =
        table->noteSendError(id, failure.what.message, now()).and_then([&] { return table->commit(now()); });
    co_return stored ? Settle::Remove : Settle::PutBack;
}

core::Task<PipelineSteps::Settle> PipelineSteps::recoverSend(TaskTable *table, TaskTable::SendStep step,
                                                             QList<int> failed, HandlerFailure failure)
{
    const int tries = retriesOf(step.task) + 1;
    const recovery::Decision decision =
        m_sendDecider.decide(failure.what, tries, step.now, step.now, &m_context.random);
    if (decision.what != Do::RetryAt && decision.what != Do::RetryNow) {
        log(PipelineEvent::Step::Send, step.task.id,
            QStringLiteral("send_error: %1 items failed after %2 retries: %3")
                .arg(QString::number(failed.size()), QString::number(tries - 1), failure.what.message));
        const core::Result<> stored =
            table->giveUp(step, tokenOf(tries - 1, failed), failure.what.message).and_then([&] {
                return table->commit(now());
            });
        co_return stored ? Settle::Remove : Settle::PutBack;
    }
    const QString token = tokenOf(tries, failed);
    records::Envelope event = envelopeOf({PipelineEvent::Step::Send, step.task.id, token});
    const core::TimePoint at = step.now + decision.delay;
    scheduleFor(event, at);
    log(PipelineEvent::Step::Send, step.task.id,
        QStringLiteral("send_warning: %1 items failed: %2; retry %3 in %4")
            .arg(QString::number(failed.size()), failure.what.message, QString::number(tries),
                 core::durationWord(decision.delay)));
    const bool sent = co_await sendOne(m_broker, sendQueue.toString(), std::move(event));
    if (!sent)
        co_return Settle::PutBack;
    const core::Result<> stored = table->retryLater(step, token, at).and_then([&] { return table->commit(now()); });
    co_return stored ? Settle::Remove : Settle::PutBack;
}

} // namespace sandbox
