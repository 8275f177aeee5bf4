#include "models/pipelines/pipelinesfeed.h"

#include "models/common/visibletext.h"

#include <algorithm>

namespace models {

using records::PipelineStep;

namespace {
constexpr std::chrono::seconds refreshPause{30};
}

PipelinesFeed::PipelinesFeed(ConsoleSession &session, QObject *parent)
    : QObject(parent)
    , m_session(session)
    , m_list(session, [this] { listPipelines(); })
    , m_read(session, [this] { read(); })
{
    m_read.setActive(false);
    m_refresh.setInterval(refreshPause);
    connect(&m_refresh, &QTimer::timeout, &m_read, &EngineCall::refresh);
    // Adding and removing is in the activity log.
    connect(&session, &ConsoleSession::eventsRevised, &m_list, &EngineCall::refresh);
    connect(&session, &ConsoleSession::snapshotTaken, this, [this] {
        if (!m_isListed)
            m_list.refresh();
    });
    m_list.refresh();
}

const records::Pipeline *PipelinesFeed::pipeline(core::PipelineId id) const
{
    const auto found = std::find_if(m_pipelines.cbegin(), m_pipelines.cend(),
                                    [id](const records::Pipeline &one) { return one.id == id; });
    return found == m_pipelines.cend() ? nullptr : &*found;
}

void PipelinesFeed::setActive(bool active)
{
    if (active)
        m_refresh.start();
    else
        m_refresh.stop();
    m_read.setActive(active);
    m_read.refresh();
}

void PipelinesFeed::choose(core::PipelineId id)
{
    if (m_chosen == id)
        return;
    m_chosen = id;
    m_reading = {};
    m_hasReading = false;
    m_error.clear();
    Q_EMIT readingChanged();
    m_read.restart();
}

void PipelinesFeed::chooseAdded(core::PipelineId id)
{
    m_added = id;
    m_list.refresh();
}

void PipelinesFeed::remove(core::PipelineId id)
{
    const api::RemovePipeline command{id};
    m_session.ask(this, command, [this](const core::Result<> &removed) {
        if (!removed)
            Q_EMIT m_session.failed(tr("The pipeline was not removed: %1").arg(visibleLine(removed.error().message)));
        else
            Q_EMIT m_session.succeeded(tr("The pipeline is removed. Its database is unchanged."));
        m_list.refresh();
    });
}

void PipelinesFeed::listPipelines()
{
    m_isListed = true;
    m_list.ask(api::ListPipelines{}, [this](const core::Result<QList<records::Pipeline>> &all) { takeList(all); });
}

void PipelinesFeed::takeList(const core::Result<QList<records::Pipeline>> &all)
{
    m_isListed = all.has_value();
    if (!all)
        return;
    const bool isOther = *all != m_pipelines;
    m_pipelines = *all;
    if (isOther)
        Q_EMIT pipelinesChanged();
    if (pipeline(m_added) != nullptr)
        choose(std::exchange(m_added, {}));
    else if (chosen() == nullptr)
        choose(m_pipelines.isEmpty() ? core::PipelineId() : m_pipelines.first().id);
}

void PipelinesFeed::read()
{
    if (chosen() == nullptr)
        return;
    api::ReadPipeline question;
    question.pipeline = m_chosen;
    question.steps = {records::taskSteps.begin(), records::taskSteps.end()};
    question.sends = true;
    question.receivers = true;
    question.limit = rowsAtMost;
    m_read.ask(question, [this](const core::Result<api::PipelineReading> &reading) { take(reading); });
}

void PipelinesFeed::take(const core::Result<api::PipelineReading> &reading)
{
    m_error = reading ? QString() : visibleLine(reading.error().message);
    if (reading) {
        m_reading = *reading;
        m_hasReading = true;
    }
    Q_EMIT readingChanged();
}

api::StepQueues PipelinesFeed::queuesOf(PipelineStep step) const
{
    const records::Pipeline *pipeline = chosen();
    return pipeline == nullptr ? api::StepQueues{} : api::stepQueues(m_session.snapshot(), *pipeline, step);
}

QString PipelinesFeed::countText(PipelineList list) const
{
    if (!m_hasReading)
        return {};
    const auto text = [](qsizetype count, bool more) {
        return formatNumber(count) + (more ? QStringLiteral("+") : QString());
    };
    if (list == PipelineList::SendRetries)
        return text(m_reading.sendRetries.size(), m_reading.moreSendRetries);
    if (list == PipelineList::SendActions)
        return text(m_reading.sendActions.size(), m_reading.moreSendActions);
    if (list == PipelineList::Receivers)
        return text(m_reading.receivers.size(), m_reading.moreReceivers);
    for (const records::StepTasks &tasks : m_reading.overdue) {
        if (stepOf(list) == tasks.step)
            return text(tasks.tasks.size(), tasks.more);
    }
    return {};
}

QString PipelinesFeed::sqlOf(PipelineStep step) const
{
    for (const records::StepTasks &tasks : m_reading.overdue) {
        if (tasks.step == step)
            return tasks.sql;
    }
    return {};
}

QString PipelinesFeed::raiseRefusal() const
{
    const records::Pipeline *pipeline = chosen();
    if (pipeline == nullptr)
        return tr("There is no pipeline.");
    if (!pipeline->rights.testFlag(records::Right::Retry))
        return tr("The pipeline %1 does not allow \"retry\".").arg(visibleLine(pipeline->name));
    return pipeline->connection.isValid() ? m_session.refusal(Verb::Retry, pipeline->connection) : QString();
}

void PipelinesFeed::raise(core::PipelineId pipeline, const records::PipelineTask &shown)
{
    const api::RaiseEvent command{pipeline, shown.reportId, shown.nextActionAt};
    m_session.ask(this, command, [this](const core::Result<api::RaisedEvent> &raised) { takeRaised(raised); });
}

void PipelinesFeed::takeRaised(const core::Result<api::RaisedEvent> &raised)
{
    if (!raised) {
        Q_EMIT m_session.failed(tr("The event was not raised: %1").arg(visibleLine(raised.error().message)));
    } else {
        const QString report = visibleLine(raised->task.reportId);
        const QString step = records::toString(raised->step);
        Q_EMIT m_session.succeeded(raised->queue.isEmpty()
                                       ? tr("Task %1 is due for %2 now. No event was sent.").arg(report, step)
                                       : tr("Task %1 is due for %2 now, and its event is in the queue %3.")
                                             .arg(report, step, visibleLine(raised->queue)));
    }
    reload();
}

} // namespace models

#include "moc_pipelinesfeed.cpp"
