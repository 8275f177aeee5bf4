#include "tests/support/console/console.h"

#include "backend/api/requests/connections.h"
#include "backend/api/requests/operations.h"
#include "backend/core/time/systemclock.h"
#include "tests/support/must.h"

#include <QCoreApplication>
#include <QTest>

namespace support {

namespace {

constexpr int startMs = 60000;
constexpr int rowsAtOnce = 1000;

} // namespace

Console::Console(const QString &storePath, QList<Account> accounts)
    : m_storePath(storePath)
    , m_accounts(std::move(accounts))
{
}

void Console::close()
{
    m_access.reset();
}

void Console::open()
{
    m_access.reset();
    m_snapshot.reset();
    app::EngineHostSettings settings;
    settings.store = m_storePath;
    settings.keychain = false;
    settings.servesOthers = false;
    settings.longestCall = m_longestCall;
    for (const Account &account : std::as_const(m_accounts))
        settings.secrets.insert(account.connection.name, account.secret);
    m_access = std::make_unique<app::StoreAccess>(std::move(settings), app::StoreAccess::WaitLimit::OfACommand);
    test::must(m_access->open());
    client().listen([this](api::SnapshotPtr next) { m_snapshot = std::move(next); });
    if (!QTest::qWaitFor([this] { return m_snapshot && m_snapshot->engine == api::EngineState::Running; }, startMs))
        qFatal("The engine does not start.");
}

core::ConnectionId Console::connection(qsizetype account)
{
    records::Connection &own = m_accounts[account].connection;
    if (own.id.isValid())
        return own.id;
    for (const api::ConnectionView &known : m_snapshot->connections) {
        if (known.connection.name == own.name)
            return own.id = known.connection.id;
    }
    api::ConnectionDraft draft;
    draft.connection = own;
    draft.secret = m_accounts.at(account).secret;
    own.id = test::must(client().ask(api::SaveConnection{draft}).result());
    return own.id;
}

api::Answer<records::IntakeCounts> Console::startTaking(qsizetype account)
{
    api::TakeMessages request;
    request.connection = connection(account);
    return client().ask(request);
}

core::Result<records::IntakeCounts> Console::takeAll(qsizetype account)
{
    return startTaking(account).result();
}

std::optional<qint64> Console::onBrokers()
{
    const core::TimePoint asked = core::SystemClock().now();
    if (!client().ask(api::RefreshQueues{}).result())
        return std::nullopt;
    QCoreApplication::processEvents(); // the snapshot came before the answer
    qint64 count = 0;
    QSet<core::ConnectionId> told;
    for (const api::QueueView &queue : std::as_const(m_snapshot->queues)) {
        if (!queue.holdsFailed)
            continue;
        if (!queue.depth || queue.asOf < asked)
            return std::nullopt;
        told.insert(queue.connection);
        count += *queue.depth;
    }
    return told.size() == m_accounts.size() ? std::optional(count) : std::nullopt;
}

QList<api::GroupRow> Console::groups()
{
    return test::must(client().ask(api::GroupQuery{}).result()).rows;
}

std::optional<api::GroupRow> Console::group(const QString &title)
{
    const QList<api::GroupRow> all = groups();
    for (const api::GroupRow &row : all) {
        if (row.title.startsWith(title))
            return row;
    }
    return std::nullopt;
}

core::Result<api::ConfirmRetry> Console::plan(const api::GroupRow &group, records::Plan plan)
{
    api::RetryDraft request;
    request.filter.connection = group.connection;
    request.filter.groups = {group.id};
    request.plan = std::move(plan);
    const core::Result<api::PlanPreview> preview = client().ask(api::PreviewRetry{request}).result();
    if (!preview)
        return core::fail(preview.error());
    if (!preview->refusal.isEmpty())
        return core::fail(preview->refusalKind, preview->refusal);
    api::ConfirmRetry command;
    command.draft = std::move(request);
    command.draft.asOfChange = preview->asOfChange;
    command.expectedCount = preview->frozenCount;
    return command;
}

core::Result<core::OperationId> Console::retryGroup(const QString &title, records::Plan plan)
{
    const std::optional<api::GroupRow> row = group(title);
    if (!row)
        return core::fail(core::ErrorKind::NotFound, QStringLiteral("no group %1").arg(title));
    const core::Result<api::ConfirmRetry> command = this->plan(*row, std::move(plan));
    if (!command)
        return core::fail(command.error());
    return client().ask(*command).result();
}

QList<records::RetryOperation> Console::operations()
{
    QList<records::RetryOperation> found;
    for (const api::OperationRow &row : test::must(client().ask(api::OperationQuery{}).result()).rows)
        found.append(row.operation);
    return found;
}

bool Console::allCompleted()
{
    const QList<records::RetryOperation> all = operations();
    return std::all_of(all.cbegin(), all.cend(), [](const records::RetryOperation &one) {
        return one.state == records::OperationState::Completed;
    });
}

QList<records::RetryMember> Console::members(core::OperationId operation)
{
    QList<records::RetryMember> all;
    api::MemberQuery query;
    query.operation = operation;
    query.limit = rowsAtOnce;
    while (true) {
        const QList<records::RetryMember> rows = test::must(client().ask(query).result());
        if (rows.isEmpty())
            return all;
        query.afterOrdinal = rows.last().ordinal;
        all += rows;
    }
}

QList<records::RetryMember> Console::members()
{
    QList<records::RetryMember> all;
    for (const records::RetryOperation &operation : operations())
        all += members(operation.id);
    return all;
}

QList<records::FailedMessage> Console::messages(records::MessageStatus status)
{
    QList<records::FailedMessage> all;
    api::MessageQuery query;
    query.filter.status = status;
    query.limit = rowsAtOnce;
    do {
        const api::MessagePage page = test::must(client().ask(query).result());
        all += page.rows;
        query.after = page.next;
    } while (!query.after.isEmpty());
    return all;
}

qint64 Console::count(records::MessageStatus status)
{
    api::MessageQuery query;
    query.filter.status = status;
    query.limit = 1;
    return test::must(client().ask(query).result()).total;
}

} // namespace support
