#include "tests/support/rabbitconsole/rabbitconsole.h"

#include "tests/support/must.h"
#include "tests/support/rabbit/failedorders.h"

#include <QTest>

namespace support {

namespace {

constexpr int startMs = 60000;
constexpr int membersAtOnce = 1000;

} // namespace

RabbitConsole::RabbitConsole(const QString &storePath, records::Connection connection)
    : m_storePath(storePath)
    , m_connection(std::move(connection))
{
}

void RabbitConsole::close()
{
    m_access.reset();
}

void RabbitConsole::open()
{
    m_access.reset();
    m_snapshot.reset();
    app::RoomSettings room;
    room.storePath = m_storePath;
    room.keychain = false;
    room.servesOthers = false;
    room.secrets.insert(m_connection.name, password);
    m_access = std::make_unique<app::StoreAccess>(std::move(room), app::StoreAccess::Patience::OfACommand);
    test::must(m_access->open());
    client().listen([this](api::SnapshotPtr next) { m_snapshot = std::move(next); });
    if (!QTest::qWaitFor([this] { return m_snapshot && m_snapshot->engine == api::EngineState::Running; }, startMs))
        qFatal("The engine does not start.");
}

core::ConnectionId RabbitConsole::connection()
{
    if (m_connection.id.isValid())
        return m_connection.id;
    for (const api::ConnectionView &known : m_snapshot->connections) {
        if (known.connection.name == m_connection.name)
            return m_connection.id = known.connection.id;
    }
    api::ConnectionDraft draft;
    draft.connection = m_connection;
    draft.secret = password;
    m_connection.id = test::must(client().saveConnection(draft).result());
    return m_connection.id;
}

core::Result<records::IntakeCounts> RabbitConsole::takeAll()
{
    api::IntakeRequest request;
    request.connection = connection();
    return client().intake(request).result();
}

std::optional<api::GroupRow> RabbitConsole::group(const QString &title)
{
    const api::GroupPage page = test::must(client().groups({}).result());
    for (const api::GroupRow &row : page.rows) {
        if (row.title.startsWith(title))
            return row;
    }
    return std::nullopt;
}

core::Result<core::OperationId> RabbitConsole::retryGroup(const QString &title, records::Plan plan)
{
    const std::optional<api::GroupRow> row = group(title);
    if (!row)
        return core::fail(core::ErrorKind::NotFound, QStringLiteral("no group %1").arg(title));
    api::RetryRequest request;
    request.filter.connection = connection();
    request.filter.groups = {row->id};
    request.plan = std::move(plan);
    request.who = QStringLiteral("tester");
    const core::Result<api::PlanPreview> preview = client().preview(request).result();
    if (!preview)
        return core::fail(preview.error());
    if (!preview->refusal.isEmpty())
        return core::fail(core::ErrorKind::Refused, preview->refusal);
    api::RetryCommand command;
    command.request = std::move(request);
    command.request.asOfChange = preview->asOfChange;
    command.expectedCount = preview->frozenCount;
    return client().retry(command).result();
}

QList<records::RetryOperation> RabbitConsole::operations()
{
    QList<records::RetryOperation> found;
    for (const api::OperationRow &row : test::must(client().operations({}).result()).rows)
        found.append(row.operation);
    return found;
}

bool RabbitConsole::allCompleted()
{
    const QList<records::RetryOperation> all = operations();
    return std::all_of(all.cbegin(), all.cend(), [](const records::RetryOperation &one) {
        return one.state == records::OperationState::Completed;
    });
}

QList<int> RabbitConsole::numbers(records::MessageStatus status)
{
    QList<int> found;
    api::MessageQuery query;
    query.filter.status = status;
    query.limit = membersAtOnce;
    do {
        const api::MessagePage page = test::must(client().messages(query).result());
        for (const records::FailedMessage &message : page.rows)
            found.append(FailedOrders::numberOf(message.messageId).value_or(-1));
        query.after = page.next;
    } while (!query.after.isEmpty());
    std::sort(found.begin(), found.end());
    return found;
}

QList<api::MemberRow> RabbitConsole::members()
{
    QList<api::MemberRow> all;
    for (const records::RetryOperation &operation : operations()) {
        api::MemberQuery query;
        query.operation = operation.id;
        query.limit = membersAtOnce;
        while (true) {
            const QList<api::MemberRow> rows = test::must(client().members(query).result());
            if (rows.isEmpty())
                break;
            query.afterOrdinal = rows.last().ordinal;
            all += rows;
        }
    }
    return all;
}

QSet<int> RabbitConsole::flagged()
{
    QList<core::MessageId> ids;
    for (const api::MemberRow &member : members()) {
        if (member.possibleDuplicate)
            ids.append(member.message);
    }
    QSet<int> found;
    const QList<records::FailedMessage> rows = test::must(client().messageRows(ids).result());
    for (const records::FailedMessage &message : rows)
        found.insert(FailedOrders::numberOf(message.messageId).value_or(-1));
    return found;
}

} // namespace support
