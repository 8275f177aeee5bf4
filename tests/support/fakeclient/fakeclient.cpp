#include "tests/support/fakeclient/fakeclient.h"

namespace support {

FakeClient::FakeClient()
{
    snapshot.at = core::fromMs(1767323045000);
    snapshot.engine = api::EngineState::Running;
    snapshot.session = QStringLiteral("5d0f");
    snapshot.storePath = QStringLiteral("redrive.db");
    snapshot.change = 1;
    serve<api::SaveConnection>();
    serve<api::ChooseErrorQueues>();
    serve<api::RemoveConnection>();
    serve<api::TestConnection>();
    serve<api::RefreshQueues>();
    serve<api::TakeMessages>();
    serve<api::BrowseMessages>();
    serve<api::ChangeSubscription>();
    serve<api::PreviewRetry>();
    serve<api::ConfirmRetry>();
    serve<api::ChangeOperation>();
    serve<api::PauseAll>();
    serve<api::SettleInDoubt>();
    serve<api::DecideMessages>();
    serve<api::SetRate>();
    serve<api::PreviewEdit>();
    serve<api::ChangeRedirect>();
    serve<api::ChangeSettings>();
    serve<api::SetGroupNote>();
    serve<api::MuteGroups>();
    serve<api::SetPolicy>();
    serve<api::RemovePolicy>();
    serve<api::PreviewAssignment>();
    serve<api::AssignPolicy>();
    serve<api::UnassignPolicy>();
    serve<api::PausePolicy>();
    serve<api::ExcludeFromPolicy>();
    serve<api::MoveQueue>();
    serve<api::AddPipeline>();
    serve<api::RemovePipeline>();
    serve<api::ListPipelines>();
    serve<api::ReadPipeline>();
    serve<api::RaiseEvent>();
    serve<api::Rehearse>();
    serve<api::AskRehearsal>();
    serve<api::SetConvention>();
    serve<api::RemoveConvention>();
    serve<api::ApplyConventions>();
    serve<api::AskWork>();
    serve<api::CancelWork>();
    serve<api::TryConvention>();
    serve<api::FindEmptyHeaders>();
    serve<api::ConventionQuery>();
    serve<api::ExportQuery>();
    serve<api::NoteExport>();
    serve<api::ImportMessages>();
    serve<api::NoteImport>();
    serveQueries();
}

void FakeClient::serveQueries()
{
    serve<api::OperationQuery>();
    serve<api::OperationDetailQuery>();
    serve<api::MemberQuery>();
    serve<api::EventQuery>();
    serve<api::TrailCheckQuery>();
    serve<api::SeriesQuery>();
    serve<api::MarkQuery>();
    serve<api::GroupQuery>();
    serve<api::ExpiryQuery>();
    serve<api::MessageQuery>();
    serve<api::MessageCountQuery>();
    serve<api::MessageIdQuery>();
    serve<api::OtherMatchesQuery>();
    serve<api::MessageRowQuery>();
    serve<api::MessageDetailQuery>();
    serve<api::BodyQuery>();
}

void FakeClient::publish()
{
    ++snapshot.sequence;
    snapshot.unresolvedTotal = std::count_if(store.cbegin(), store.cend(), [](const records::FailedMessage &one) {
        return one.status == records::MessageStatus::Unresolved;
    });
    if (m_listener)
        m_listener(std::make_shared<const api::Snapshot>(snapshot));
}

void FakeClient::touchMessages()
{
    ++snapshot.revisions.messages;
    ++snapshot.change;
    publish();
}

void FakeClient::holdAnswers(bool prefetch)
{
    m_hold = prefetch;
    while (!m_hold && !m_held.isEmpty())
        releaseOne();
}

void FakeClient::releaseOne()
{
    const std::function<void()> deliver = m_held.takeFirst();
    deliver();
}

void FakeClient::send(api::RequestPtr request)
{
    const std::string_view name = request->rules().name;
    const auto handler = m_handlers.find(name);
    calls.append(QString::fromLatin1(name.data(), qsizetype(name.size())));
    if (handler == m_handlers.end()) {
        request->fail({core::ErrorKind::Refused, QStringLiteral("The fake client does not know this."), {}, {}});
        return;
    }
    std::function<void()> deliver = handler->second(request);
    if (m_failures.contains(calls.last()))
        deliver = [request, error = m_failures.take(calls.last())] { request->fail(error); };
    if (m_hold || heldNames.contains(calls.last()))
        m_held.append(std::move(deliver));
    else
        deliver();
}

void FakeClient::listen(Listener listener)
{
    m_listener = std::move(listener);
}

core::Result<core::ConnectionId> FakeClient::respond(const api::SaveConnection &asked)
{
    const auto &draft = asked.draft;
    savedConnections.append(draft);
    api::ConnectionView view;
    view.connection = draft.connection;
    for (api::ConnectionView &one : snapshot.connections) {
        if (one.connection.id == draft.connection.id) {
            one.connection = draft.connection;
            return draft.connection.id;
        }
    }
    view.connection.id = core::ConnectionId{100 + snapshot.connections.size()};
    if (draft.secret)
        view.secretNotKept = secretNotKept;
    snapshot.connections.append(view);
    return view.connection.id;
}

core::Result<> FakeClient::respond(const api::ChooseErrorQueues &asked)
{
    choices.append(asked);
    for (api::ConnectionView &one : snapshot.connections) {
        if (one.connection.id != asked.connection)
            continue;
        one.connection.errorQueues += asked.take;
        one.connection.errorQueues.removeIf([&asked](const QString &queue) { return asked.leave.contains(queue); });
        one.unanswered.removeIf([&asked](const api::CandidateQueue &queue) {
            return asked.take.contains(queue.name) || asked.leave.contains(queue.name);
        });
    }
    for (api::QueueView &queue : snapshot.queues) {
        if (queue.connection == asked.connection && asked.take.contains(queue.name)) {
            queue.holdsFailed = true;
            queue.isCandidate = false;
        }
    }
    return {};
}

core::Result<> FakeClient::respond(const api::RemoveConnection &asked)
{
    const auto id = asked.connection;
    removedConnections.append(id);
    snapshot.connections.removeIf([id](const api::ConnectionView &one) { return one.connection.id == id; });
    snapshot.queues.removeIf([id](const api::QueueView &one) { return one.connection == id; });
    return {};
}

core::Result<api::ConnectionTest> FakeClient::respond(const api::TestConnection &asked)
{
    const auto &draft = asked.draft;
    testedConnections.append(draft);
    return testAnswer;
}

core::Result<> FakeClient::respond(const api::RefreshQueues &)
{
    return {};
}

core::Result<records::IntakeCounts> FakeClient::respond(const api::TakeMessages &request)
{
    intakes.append(request);
    return intakeAnswer;
}

core::Result<records::BrowseCounts> FakeClient::respond(const api::BrowseMessages &request)
{
    browses.append(request);
    return lookAnswer;
}

core::Result<> FakeClient::respond(const api::ChangeSubscription &request)
{
    subscribes.append(request);
    for (api::QueueView &queue : snapshot.queues) {
        if (queue.connection == request.connection && queue.name == request.queue)
            queue.subscribed = request.subscribe;
    }
    return {};
}

core::Result<api::PlanPreview> FakeClient::respond(const api::PreviewRetry &asked)
{
    const auto &request = asked.draft;
    previews.append(request);
    api::PlanPreview plan = previewAnswer;
    plan.asOfChange = request.asOfChange.value_or(snapshot.change);
    if (plan.frozenCount == 0) {
        for (const records::FailedMessage &one : std::as_const(store)) {
            if (matches(request.filter, one)) {
                ++plan.frozenCount;
                plan.connection = one.connection;
            }
        }
        if (request.plan.limit && *request.plan.limit < plan.frozenCount) {
            plan.leftOut[records::LeftOut::BeyondLimit] = plan.frozenCount - *request.plan.limit;
            plan.frozenCount = *request.plan.limit;
        }
    }
    return plan;
}

core::Result<core::OperationId> FakeClient::respond(const api::ConfirmRetry &command)
{
    retries.append(command);
    return core::OperationId{1000 + retries.size()};
}

core::Result<api::WorkProgress> FakeClient::respond(const api::AskWork &)
{
    return workProgress;
}

core::Result<> FakeClient::respond(const api::CancelWork &asked)
{
    cancelledWork.append(asked.ticket);
    return {};
}

core::Result<> FakeClient::respond(const api::ChangeOperation &command)
{
    actions.append({command.operation, command.action});
    return {};
}

core::Result<api::PauseAllAnswer> FakeClient::respond(const api::PauseAll &asked)
{
    const auto pause = asked.pause;
    pauses.append(pause);
    snapshot.engine = pause ? api::EngineState::Paused : api::EngineState::Running;
    return pauseAllAnswer;
}

core::Result<qint64> FakeClient::respond(const api::SettleInDoubt &command)
{
    settles.append(command);
    const bool again = command.settlement == api::Settlement::SendAgain;
    qint64 settled = 0;
    for (records::RetryMember &member : memberList) {
        if (member.operation != command.operation || member.outcome != records::Outcome::InDoubt
            || (!command.ordinals.isEmpty() && !command.ordinals.contains(member.ordinal)))
            continue;
        member.outcome = again ? records::Outcome::Claimed : records::Outcome::Sent;
        ++settled;
    }
    for (records::RetryOperation &one : operationList) {
        if (one.id == command.operation)
            one.counts.inDoubt -= settled;
    }
    return settled;
}

static std::pair<records::MessageStatus, records::MessageStatus> movesOf(api::Decision decision)
{
    using records::MessageStatus;
    switch (decision) {
    case api::Decision::Archive:
        return {MessageStatus::Unresolved, MessageStatus::Archived};
    case api::Decision::Restore:
        return {MessageStatus::Archived, MessageStatus::Unresolved};
    case api::Decision::TakeBack:
        return {MessageStatus::RetryIssued, MessageStatus::Unresolved};
    case api::Decision::Resolve:
        return {MessageStatus::RetryIssued, MessageStatus::Resolved};
    case api::Decision::Delete:
        return {MessageStatus::Archived, MessageStatus::Archived};
    }
    Q_UNREACHABLE();
}

core::Result<api::DecisionCounts> FakeClient::respond(const api::DecideMessages &command)
{
    decisions.append(command);
    auto [from, to] = movesOf(command.decision);
    const bool isDelete = command.decision == api::Decision::Delete;
    if (command.filter.status == records::MessageStatus::Unknown || isDelete)
        from = command.filter.status.value_or(from);
    QList<core::MessageId> gone;
    api::DecisionCounts counts;
    for (records::FailedMessage &one : store) {
        if (command.asOfChange > 0 && changedByOthers.contains(one.id) && command.filter.messages.contains(one.id)) {
            ++counts.conflicts;
            counts.conflict = QStringLiteral("Archived by bob@ops.");
            continue;
        }
        if (one.status != from || !matches(command.filter, one))
            continue;
        if (one.flags.testFlag(records::MessageFlag::BrowsedOnly)) {
            ++counts.browsedOnly;
            counts.browsedOnlyReason = QStringLiteral("the plugin is missing");
            continue;
        }
        if (underWay.contains(one.id)) {
            ++counts.underWay;
            continue;
        }
        one.status = isDelete ? one.status : to;
        if (isDelete)
            gone.append(one.id);
        ++counts.changed;
    }
    store.removeIf([&gone](const records::FailedMessage &one) { return gone.contains(one.id); });
    if (counts.conflicts > 0 && counts.changed == 0)
        return core::fail(core::ErrorKind::Conflict, counts.conflict);
    counts.change = snapshot.change + 1;
    counts.isCancelled = decisionsAreCancelled;
    return counts;
}

core::Result<> FakeClient::respond(const api::SetRate &command)
{
    rates.append(command);
    return {};
}

core::Result<api::EditSample> FakeClient::respond(const api::PreviewEdit &question)
{
    editQuestions.append(question);
    api::EditSample sample = sampleAnswer;
    if (!sample.message.isValid())
        sample.message = question.message;
    return sample;
}

// The snapshot has what comes of it.
core::Result<api::RedirectAnswer> FakeClient::respond(const api::ChangeRedirect &command)
{
    redirects.append(command);
    for (api::ConnectionView &view : snapshot.connections) {
        if (view.connection.id != command.connection)
            continue;
        view.redirects.removeIf([&](const records::Redirect &one) { return one.from == command.redirect.from; });
        if (!command.remove)
            view.redirects.append(command.redirect);
    }
    return redirectAnswer;
}

core::Result<api::Settings> FakeClient::respond(const api::ChangeSettings &command)
{
    settingsCommands.append(command);
    if (command.retention)
        settingsAnswer.retention = *command.retention;
    if (command.quiet) {
        settingsAnswer.quiet.removeIf(
            [&](const records::QuietRule &rule) { return rule.connection == command.quiet->connection; });
        settingsAnswer.quiet.append(*command.quiet);
    }
    return settingsAnswer;
}

// An empty text removes the note, as the engine does it.
core::Result<> FakeClient::respond(const api::SetGroupNote &command)
{
    notes.append(command);
    records::GroupMarks &of = groupMarks[command.group];
    of.note.reset();
    if (!command.text.isEmpty())
        of.note = records::GroupNote{command.text, QStringLiteral("maria"), snapshot.at};
    return {};
}

core::Result<> FakeClient::respond(const api::MuteGroups &command)
{
    mutes.append(command);
    for (const core::GroupId group : command.groups) {
        records::GroupMarks &of = groupMarks[group];
        of.mute.reset();
        if (command.until)
            of.mute = records::GroupMute{*command.until, QStringLiteral("maria"), snapshot.at, 0, false};
    }
    return {};
}

core::Result<api::MoveAnswer> FakeClient::respond(const api::MoveQueue &command)
{
    moves.append(command);
    const api::MoveAnswer now = moveAnswers.value(0);
    if (moveAnswers.size() > 1)
        moveAnswers.removeFirst();
    return now;
}

core::Result<api::PipelineAdded> FakeClient::respond(const api::AddPipeline &command)
{
    addedPipelines.append(command);
    records::Pipeline added = command.pipeline;
    added.id = core::PipelineId{pipelines.size() + 1};
    pipelines.append(added);
    return api::PipelineAdded{added.id, command.secret ? secretNotKept : QString()};
}

core::Result<> FakeClient::respond(const api::RemovePipeline &command)
{
    pipelines.removeIf([&](const records::Pipeline &one) { return one.id == command.pipeline; });
    return {};
}

core::Result<QList<records::Pipeline>> FakeClient::respond(const api::ListPipelines &)
{
    return pipelines;
}

core::Result<api::PipelineReading> FakeClient::respond(const api::ReadPipeline &query)
{
    pipelineQuestions.append(query);
    api::PipelineReading answer = pipelineReading;
    answer.overdue.removeIf([&](const records::StepTasks &one) { return !query.steps.contains(one.step); });
    if (!query.receivers)
        answer.receivers.clear();
    if (!query.sends) {
        answer.sendActions.clear();
        answer.sendRetries.clear();
    }
    return answer;
}

core::Result<api::RaisedEvent> FakeClient::respond(const api::RaiseEvent &command)
{
    raises.append(command);
    return raisedAnswer;
}

core::Result<api::OperationPage> FakeClient::respond(const api::OperationQuery &query)
{
    operationQueries.append(query);
    QList<records::RetryOperation> newestFirst = operationList;
    std::sort(newestFirst.begin(), newestFirst.end(), [](const auto &a, const auto &b) { return b.id < a.id; });
    api::OperationPage page;
    for (const records::RetryOperation &one : std::as_const(newestFirst)) {
        const bool asked = (!query.before.isValid() || one.id < query.before)
                           && (query.wanted != api::OperationsWanted::NotEnded || !one.finished);
        if (!asked)
            continue;
        ++page.total;
        page.sent += one.counts.sent;
        page.cameBack += one.counts.cameBack;
        if (page.rows.size() < query.limit)
            page.rows.append(
                {one, snapshot.connections.isEmpty() ? QString() : snapshot.connections.first().connection.name});
        else
            page.next = page.rows.last().operation.id;
    }
    return page;
}

core::Result<api::OperationDetail> FakeClient::respond(const api::OperationDetailQuery &asked)
{
    const auto id = asked.operation;
    for (const records::RetryOperation &one : std::as_const(operationList)) {
        if (one.id != id)
            continue;
        api::OperationDetail detail = operationDetail;
        detail.operation = one;
        return detail;
    }
    return core::fail(core::ErrorKind::NotFound, QStringLiteral("There is no such operation."));
}

core::Result<QList<records::RetryMember>> FakeClient::respond(const api::MemberQuery &query)
{
    QList<records::RetryMember> rows;
    for (const records::RetryMember &one : std::as_const(memberList)) {
        const bool mine = !query.operation.isValid() || one.operation == query.operation;
        if (mine && (!query.outcome || one.outcome == *query.outcome) && one.ordinal > query.afterOrdinal
            && rows.size() < query.limit)
            rows.append(one);
    }
    return rows;
}

core::Result<QList<records::Event>> FakeClient::respond(const api::EventQuery &query)
{
    QList<records::Event> rows;
    for (const records::Event &one : std::as_const(eventList)) {
        if (one.sequence > query.afterSequence && (!query.since || one.at >= *query.since))
            rows.append(one);
    }
    std::sort(rows.begin(), rows.end(), [&](const records::Event &a, const records::Event &b) {
        return query.newestFirst ? a.sequence > b.sequence : a.sequence < b.sequence;
    });
    return rows.first(std::min(qsizetype(query.limit), rows.size()));
}

core::Result<records::TrailCheck> FakeClient::respond(const api::TrailCheckQuery &asked)
{
    const auto &seal = asked.seal;
    trailSeal = seal;
    return trail;
}

core::Result<QList<records::RunSample>> FakeClient::respond(const api::SeriesQuery &query)
{
    QList<records::RunSample> points = samples.value(query.operation);
    points.removeIf([&](const records::RunSample &one) { return one.at < query.since || one.at >= query.until; });
    return points;
}

core::Result<QList<records::RunMark>> FakeClient::respond(const api::MarkQuery &asked)
{
    const auto id = asked.operation;
    return runMarks.value(id);
}

} // namespace support
