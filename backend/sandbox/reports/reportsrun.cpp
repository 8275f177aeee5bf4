#include "backend/sandbox/reports/reportsrun.h"

#include "backend/sandbox/reports/pipelineevent.h"
#include "backend/sandbox/text.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTime>
#include <QUuid>

namespace sandbox {

using namespace std::chrono_literals;
using core::Result;

namespace {

constexpr core::Milliseconds decisionPause = 1min; // ReportStream: BatchDecider runs at second 0 of each minute
constexpr core::Milliseconds watchPause = 1min;
constexpr core::Milliseconds senderPause = 10s; // before it repeats what was not answered with 201
constexpr int created = 201;
constexpr int workersOfAStep = 2;

// A database in memory that all connections of this process share, with the locks of a file.
QString memoryPlace()
{
    return QStringLiteral("file:/redrive-%1?vfs=memdb").arg(QUuid::createUuid().toString(QUuid::Id128));
}

// As ReportStream's Receiver.Timing, in UTC. A cadence that is no number of times a day cannot be said there.
QJsonValue timingOf(const ReportReceiver &receiver)
{
    constexpr core::Milliseconds day = 24h;
    if (!receiver.timing || day % receiver.timing->schedule.every != 0ms)
        return QJsonValue::Null;
    const recovery::Schedule &schedule = receiver.timing->schedule;
    const QTime first = QTime::fromMSecsSinceStartOfDay(int((schedule.offset % day).count()));
    return QJsonObject{{QStringLiteral("operation"), QStringLiteral("MERGE")},
                       {QStringLiteral("numberPerDay"), int(day / schedule.every)},
                       {QStringLiteral("initialTime"), first.toString(QStringLiteral("HH:mm"))},
                       {QStringLiteral("timeZone"), QStringLiteral("UTC")}};
}

// ReportStream calls a receiver ORGANIZATION.NAME.
QList<KnownReceiver> knownReceivers(const QList<ReportReceiver> &receivers)
{
    QList<KnownReceiver> known;
    for (const ReportReceiver &one : receivers) {
        const qsizetype dot = one.name.indexOf(QLatin1Char('.'));
        if (dot < 0)
            continue;
        const QJsonObject values{{QStringLiteral("name"), one.name.mid(dot + 1)},
                                 {QStringLiteral("organizationName"), one.name.left(dot)},
                                 {QStringLiteral("timing"), timingOf(one)}};
        known.append({one.name.left(dot), one.name.mid(dot + 1), QJsonDocument(values).toJson(QJsonDocument::Compact)});
    }
    return known;
}

} // namespace

ReportsRun::ReportsRun(ReportsSettings settings, ScenarioContext context)
    : m_settings(std::move(settings))
    , m_context(std::move(context))
    , m_group(m_context.clock)
{
}

Result<TaskTable *> ReportsRun::connectTable()
{
    m_tables.push_back(std::make_unique<TaskTable>());
    TRY(m_tables.back()->open(m_place));
    if (m_place.postgres)
        m_place.postgres->startsAnew = false; // the others find the tables of the first
    return m_tables.back().get();
}

Result<> ReportsRun::prepareTables()
{
    const QString folder = m_context.folder;
    m_place.postgres = m_context.database;
    m_place.file = folder.isEmpty() ? memoryPlace() : QDir(folder).filePath(pipelineFile.toString());
    TRY(m_table, connectTable());
    TRY(const bool begun, m_table->begin());
    if (!begun)
        return core::fail(core::ErrorKind::StoreFailed, Text::tr("The task tables are locked by another program."));
    TRY(m_origin, m_table->origin(m_context.clock.now()));
    TRY(m_table->know(knownReceivers(m_settings.receivers)));
    return m_table->commit(m_context.clock.now());
}

Result<> ReportsRun::start()
{
    TRY(prepareTables());
    m_broker = m_context.makeBroker();
    m_steps = std::make_unique<PipelineSteps>(m_settings, m_context, m_group.timers(), m_origin, m_broker);
    using Step = core::Task<PipelineSteps::Settle> (PipelineSteps::*)(TaskTable *, broker::ReceivedMessage);
    const std::pair<QStringView, Step> steps[] = {{processQueue, &PipelineSteps::process},
                                                  {batchQueue, &PipelineSteps::batch},
                                                  {sendQueue, &PipelineSteps::send}};
    for (const auto &[queue, step] : steps) {
        for (int worker = 0; worker < workersOfAStep; ++worker) {
            TRY(TaskTable *const table, connectTable());
            m_consumers.push_back(std::make_unique<QueueConsumer>(
                queue.toString(), m_context.longestPause, [this, table, step = step](broker::ReceivedMessage held) {
                    return (m_steps.get()->*step)(table, std::move(held));
                }));
        }
    }
    m_group.start([this] { return begin(); });
    return {};
}

core::Task<> ReportsRun::begin()
{
    const bool ready = co_await probeUntilReady(&m_group, m_broker);
    if (!ready)
        co_return;
    for (const std::unique_ptr<QueueConsumer> &consumer : m_consumers)
        consumer->start(m_group, m_broker);
    m_group.start([this] { return sendReports(); });
    m_group.start([this] { return decideBatches(); });
    m_group.start([this] { return watch(); });
}

// One after the other, so that the number of acknowledged reports says where to go on after a kill.
core::Task<> ReportsRun::sendReports()
{
    const Result<> begun = co_await beginWhenFree(m_table, &m_group.timers());
    const int first = begun ? m_table->acknowledged().value_or(0) : 0;
    m_table->abort();
    for (int number = first; number < planned(); ++number) {
        const core::Milliseconds wait = m_origin + number * m_settings.every - m_context.clock.now();
        const Result<> due = co_await m_group.timers().sleep(std::max(wait, core::Milliseconds{0}));
        if (!due)
            co_return;
        const Report report = m_steps->reportOf(number);
        for (int attempt = 1;; ++attempt) {
            const bool accepted = co_await send(report, attempt);
            if (accepted)
                break;
            const Result<> slept = co_await m_group.timers().sleep(senderPause);
            if (!slept)
                co_return;
        }
    }
    m_hasSentAll = true;
}

// True: Receive answered 201, and the sender has kept that.
core::Task<bool> ReportsRun::send(Report report, int attempt)
{
    const int status = co_await m_steps->receive(m_table, report, attempt);
    if (status != created)
        co_return false;
    const Result<> begun = co_await beginWhenFree(m_table, &m_group.timers());
    if (!begun)
        co_return false;
    const Result<> kept =
        m_table->acknowledge(report).and_then([this] { return m_table->commit(m_context.clock.now()); });
    m_table->abort();
    co_return kept.has_value();
}

core::Task<> ReportsRun::decideBatches()
{
    core::TimePoint before = m_context.clock.now();
    while (!m_group.isStopped()) {
        const core::Milliseconds sinceMinute =
            m_context.clock.now() - std::chrono::floor<std::chrono::minutes>(m_context.clock.now());
        const Result<> slept = co_await m_group.timers().sleep(decisionPause - sinceMinute);
        if (!slept)
            co_return;
        const core::TimePoint now = m_context.clock.now();
        co_await m_steps->decideBatches(m_table, before, now);
        before = now;
    }
}

core::Task<> ReportsRun::watch()
{
    while (!m_group.isStopped()) {
        const Result<> slept = co_await m_group.timers().sleep(watchPause);
        if (!slept)
            co_return;
        const Result<bool> ended = co_await everythingHasEnded();
        m_isOver = ended.value_or(false);
    }
}

core::Task<Result<QSet<QString>>> ReportsRun::poisoned()
{
    CO_TRY(const broker::ReceivedPage page, co_await m_broker->browse(m_settings.poisonQueue(), messageLimit));
    QSet<QString> ids;
    for (const broker::ReceivedMessage &held : page.messages)
        ids.insert(subjectOf(held.envelope, PipelineEvent::Step::Process).value_or(QString()));
    co_return ids;
}

Result<int> ReportsRun::ignoredPastBackstop()
{
    int ignored = 0;
    for (const ReportReceiver &receiver : m_settings.receivers) {
        if (!receiver.timing)
            continue;
        TRY(const int some, m_table->ignored(receiver.name, m_steps->oldestFor(receiver, m_context.clock.now())));
        ignored += some;
    }
    return ignored;
}

core::Task<Result<bool>> ReportsRun::everythingHasEnded()
{
    if (!m_hasSentAll)
        co_return false;
    CO_TRY(const QSet<QString> poison, co_await poisoned());
    CO_TRY(co_await beginWhenFree(m_table, &m_group.timers()));
    const Result<bool> ended = allHaveEnded(poison);
    m_table->abort();
    co_return ended;
}

Result<bool> ReportsRun::allHaveEnded(const QSet<QString> &poison)
{
    TRY(const QStringList processing, m_table->waiting(QStringLiteral("process")));
    TRY(const QStringList batching, m_table->waiting(QStringLiteral("batch")));
    TRY(const QStringList sending, m_table->waiting(QStringLiteral("send")));
    TRY(const QStringList errors, m_table->sendErrors());
    TRY(const int ignored, ignoredPastBackstop());
    const bool allPoisoned = std::all_of(processing.cbegin(), processing.cend(),
                                         [&poison](const QString &id) { return poison.contains(id); });
    const bool allFailed =
        std::all_of(sending.cbegin(), sending.cend(), [&errors](const QString &id) { return errors.contains(id); });
    return allPoisoned && allFailed && batching.size() == ignored;
}

core::Task<Result<QJsonObject>> ReportsRun::report()
{
    CO_TRY(const QSet<QString> poison, co_await poisoned());
    CO_TRY(co_await beginWhenFree(m_table, &m_group.timers()));
    const Result<QJsonObject> counted = counts(poison);
    m_table->abort();
    co_return counted;
}

Result<QJsonObject> ReportsRun::counts(const QSet<QString> &poison)
{
    TRY(const QStringList processing, m_table->waiting(QStringLiteral("process")));
    const auto inPoison = std::count_if(processing.cbegin(), processing.cend(),
                                        [&poison](const QString &id) { return poison.contains(id); });
    TRY(const int sent, m_table->acknowledged());
    TRY(const int delivered, m_table->deliveredReports());
    TRY(const int inSendErrors, m_table->reportsInSendErrors());
    TRY(const int ignored, ignoredPastBackstop());
    TRY(const int warnings, m_table->actions(QStringLiteral("send_warning")));
    TRY(const int errors, m_table->actions(QStringLiteral("send_error")));
    TRY(const int batches, m_table->actions(QStringLiteral("batch")));
    TRY(const int twice, m_table->deliveredTwice());
    const PipelineSteps::Counts &counts = m_steps->counts();
    const int failed = int(inPoison) + inSendErrors + ignored;
    return QJsonObject{{QStringLiteral("sent"), sent},
                       {QStringLiteral("processed"), delivered},
                       {QStringLiteral("failed_for_good"), failed},
                       {QStringLiteral("immediate_retries"), counts.processRetries},
                       {QStringLiteral("delayed_retries"), warnings},
                       {QStringLiteral("to_error_queue"), counts.toPoison},
                       {QStringLiteral("rate_limit"), QJsonArray{}},
                       {QStringLiteral("returned_by_policy"), 0},
                       {QStringLiteral("came_back"), 0},
                       {QStringLiteral("left_for_a_person"), failed},
                       {QStringLiteral("unaccounted"), sent - delivered - failed},
                       {QStringLiteral("poison"), qint64(inPoison)},
                       {QStringLiteral("reports_in_send_errors"), inSendErrors},
                       {QStringLiteral("send_warnings"), warnings},
                       {QStringLiteral("send_errors"), errors},
                       {QStringLiteral("ignored_past_backstop"), ignored},
                       {QStringLiteral("batches"), batches},
                       {QStringLiteral("batch_aborts"), counts.batchAborts},
                       {QStringLiteral("send_aborts"), counts.sendAborts},
                       {QStringLiteral("receive_refused"), counts.refusedReceives},
                       {QStringLiteral("delivered_twice"), twice}};
}

void ReportsRun::stop(std::function<void()> done)
{
    if (m_broker)
        m_broker->cancelAll();
    m_group.stop(std::move(done));
}

} // namespace sandbox
