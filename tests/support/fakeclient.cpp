#include "tests/support/fakeclient.h"

namespace support {

FakeClient::FakeClient()
{
    snapshot.at = core::fromMs(1767323045000);
    snapshot.engine = api::EngineState::Running;
    snapshot.session = QStringLiteral("5d0f");
    snapshot.storePath = QStringLiteral("redrive.db");
    snapshot.change = 1;
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

void FakeClient::failNext(const QString &call, core::Error error)
{
    m_failures.insert(call, std::move(error));
}

void FakeClient::listen(Listener listener)
{
    m_listener = std::move(listener);
}

api::Answer<core::ConnectionId> FakeClient::saveConnection(const api::ConnectionDraft &draft)
{
    savedConnections.append(draft);
    api::ConnectionView view;
    view.connection = draft.connection;
    for (api::ConnectionView &one : snapshot.connections) {
        if (one.connection.id == draft.connection.id) {
            one.connection = draft.connection;
            return answer<core::ConnectionId>(QStringLiteral("saveConnection"), draft.connection.id);
        }
    }
    view.connection.id = core::ConnectionId{100 + snapshot.connections.size()};
    if (draft.secret)
        view.secretNotKept = secretNotKept;
    snapshot.connections.append(view);
    return answer<core::ConnectionId>(QStringLiteral("saveConnection"), view.connection.id);
}

api::Answer<> FakeClient::removeConnection(core::ConnectionId id)
{
    removedConnections.append(id);
    snapshot.connections.removeIf([id](const api::ConnectionView &one) { return one.connection.id == id; });
    snapshot.queues.removeIf([id](const api::QueueView &one) { return one.connection == id; });
    return answer<void>(QStringLiteral("removeConnection"), {});
}

api::Answer<api::ConnectionTest> FakeClient::testConnection(const api::ConnectionDraft &draft)
{
    testedConnections.append(draft);
    return answer<api::ConnectionTest>(QStringLiteral("testConnection"), testAnswer);
}

api::Answer<> FakeClient::refreshQueues()
{
    return answer<void>(QStringLiteral("refreshQueues"), {});
}

api::Answer<records::IntakeCounts> FakeClient::intake(const api::IntakeRequest &request)
{
    intakes.append(request);
    return answer<records::IntakeCounts>(QStringLiteral("intake"), intakeAnswer);
}

api::Answer<records::BrowseCounts> FakeClient::browse(const api::BrowseRequest &request)
{
    browses.append(request);
    return answer<records::BrowseCounts>(QStringLiteral("look"), lookAnswer);
}

api::Answer<> FakeClient::subscribe(const api::SubscribeRequest &request)
{
    subscribes.append(request);
    for (api::QueueView &queue : snapshot.queues) {
        if (queue.connection == request.connection && queue.name == request.queue)
            queue.subscribed = request.subscribe;
    }
    return answer<void>(QStringLiteral("follow"), {});
}

api::Answer<api::PlanPreview> FakeClient::preview(const api::RetryRequest &request)
{
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
            plan.beyondLimit = plan.frozenCount - *request.plan.limit;
            plan.frozenCount = *request.plan.limit;
        }
    }
    return answer<api::PlanPreview>(QStringLiteral("preview"), plan);
}

api::Answer<core::OperationId> FakeClient::retry(const api::RetryCommand &command)
{
    retries.append(command);
    return answer<core::OperationId>(QStringLiteral("retry"), core::OperationId{1000 + retries.size()});
}

api::Answer<> FakeClient::act(core::OperationId id, api::OperationAction action)
{
    actions.append({id, action});
    return answer<void>(QStringLiteral("act"), {});
}

api::Answer<api::PauseAllAnswer> FakeClient::pauseAll(bool pause)
{
    pauses.append(pause);
    snapshot.engine = pause ? api::EngineState::Paused : api::EngineState::Running;
    return answer<api::PauseAllAnswer>(QStringLiteral("pauseAll"), pauseAllAnswer);
}

api::Answer<qint64> FakeClient::settle(const api::SettleCommand &command)
{
    settles.append(command);
    const bool again = command.settlement == api::Settlement::SendAgain;
    qint64 settled = 0;
    for (api::MemberRow &member : memberList) {
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
    return answer<qint64>(QStringLiteral("settle"), settled);
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

api::Answer<api::DecisionCounts> FakeClient::decide(const api::DecisionCommand &command)
{
    decisions.append(command);
    auto [from, to] = movesOf(command.decision);
    const bool isDelete = command.decision == api::Decision::Delete;
    if (command.filter.status == records::MessageStatus::Unknown || isDelete)
        from = command.filter.status.value_or(from);
    QList<core::MessageId> gone;
    api::DecisionCounts counts;
    for (records::FailedMessage &one : store) {
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
    return answer<api::DecisionCounts>(QStringLiteral("decide"), counts);
}

api::Answer<> FakeClient::setRate(const api::RateCommand &command)
{
    rates.append(command);
    return answer<void>(QStringLiteral("setRate"), {});
}

api::Answer<api::EditSample> FakeClient::editSample(const api::EditQuestion &question)
{
    editQuestions.append(question);
    api::EditSample sample = sampleAnswer;
    if (!sample.message.isValid())
        sample.message = question.message;
    return answer<api::EditSample>(QStringLiteral("editSample"), sample);
}

// The snapshot has what comes of it.
api::Answer<api::RedirectAnswer> FakeClient::redirect(const api::RedirectCommand &command)
{
    redirects.append(command);
    for (api::ConnectionView &view : snapshot.connections) {
        if (view.connection.id != command.connection)
            continue;
        view.redirects.removeIf([&](const records::Redirect &one) { return one.from == command.redirect.from; });
        if (!command.remove)
            view.redirects.append(command.redirect);
    }
    return answer<api::RedirectAnswer>(QStringLiteral("redirect"), redirectAnswer);
}

api::Answer<api::Settings> FakeClient::settings(const api::SettingsCommand &command)
{
    settingsCommands.append(command);
    if (command.retention)
        settingsAnswer.retention = *command.retention;
    if (command.quiet) {
        settingsAnswer.quiet.removeIf(
            [&](const records::QuietRule &rule) { return rule.connection == command.quiet->connection; });
        settingsAnswer.quiet.append(*command.quiet);
    }
    return answer<api::Settings>(QStringLiteral("settings"), settingsAnswer);
}

// An empty text removes the note, as the engine does it.
api::Answer<> FakeClient::setGroupNote(const api::GroupNoteCommand &command)
{
    notes.append(command);
    records::GroupMarks &of = groupMarks[command.group];
    of.note.reset();
    if (!command.text.isEmpty())
        of.note = records::GroupNote{command.text, command.who, snapshot.at};
    return answer<void>(QStringLiteral("setGroupNote"), {});
}

api::Answer<> FakeClient::muteGroups(const api::GroupMuteCommand &command)
{
    mutes.append(command);
    for (const core::GroupId group : command.groups) {
        records::GroupMarks &of = groupMarks[group];
        of.mute.reset();
        if (command.until)
            of.mute = records::GroupMute{*command.until, command.who, snapshot.at, 0, false};
    }
    return answer<void>(QStringLiteral("muteGroups"), {});
}

api::Answer<api::MoveAnswer> FakeClient::moveQueue(const api::MoveCommand &command)
{
    moves.append(command);
    const api::MoveAnswer now = moveAnswers.value(0);
    if (moveAnswers.size() > 1)
        moveAnswers.removeFirst();
    return answer<api::MoveAnswer>(QStringLiteral("moveQueue"), now);
}

api::Answer<api::OperationPage> FakeClient::operations(const api::OperationQuery &query)
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
    return answer<api::OperationPage>(QStringLiteral("operations"), page);
}

api::Answer<api::OperationDetail> FakeClient::operation(core::OperationId id)
{
    for (const records::RetryOperation &one : std::as_const(operationList)) {
        if (one.id != id)
            continue;
        api::OperationDetail detail = operationDetail;
        detail.operation = one;
        return answer<api::OperationDetail>(QStringLiteral("operation"), detail);
    }
    return answer<api::OperationDetail>(
        QStringLiteral("operation"),
        core::fail(core::ErrorKind::NotFound, QStringLiteral("There is no such operation.")));
}

api::Answer<QList<api::MemberRow>> FakeClient::members(const api::MemberQuery &query)
{
    QList<api::MemberRow> rows;
    for (const api::MemberRow &one : std::as_const(memberList)) {
        const bool mine = !query.operation.isValid() || one.operation == query.operation;
        if (mine && (!query.outcome || one.outcome == *query.outcome) && one.ordinal > query.afterOrdinal
            && rows.size() < query.limit)
            rows.append(one);
    }
    return answer<QList<api::MemberRow>>(QStringLiteral("members"), rows);
}

api::Answer<QList<records::Event>> FakeClient::events(const api::EventQuery &query)
{
    QList<records::Event> rows;
    for (const records::Event &one : std::as_const(eventList)) {
        if (one.sequence > query.afterSequence && (!query.since || one.at >= *query.since))
            rows.append(one);
    }
    std::sort(rows.begin(), rows.end(), [&](const records::Event &a, const records::Event &b) {
        return query.newestFirst ? a.sequence > b.sequence : a.sequence < b.sequence;
    });
    return answer<QList<records::Event>>(QStringLiteral("events"),
                                         rows.first(std::min(qsizetype(query.limit), rows.size())));
}

api::Answer<records::TrailCheck> FakeClient::checkTrail(const QByteArray &seal)
{
    trailSeal = seal;
    return answer<records::TrailCheck>(QStringLiteral("checkTrail"), trail);
}

api::Answer<QList<api::RunSample>> FakeClient::series(const api::SeriesQuery &query)
{
    QList<api::RunSample> points = samples.value(query.operation);
    points.removeIf([&](const api::RunSample &one) { return one.at < query.since || one.at >= query.until; });
    return answer<QList<api::RunSample>>(QStringLiteral("series"), points);
}

api::Answer<QList<api::RunMark>> FakeClient::marks(core::OperationId id)
{
    return answer<QList<api::RunMark>>(QStringLiteral("marks"), runMarks.value(id));
}

} // namespace support
