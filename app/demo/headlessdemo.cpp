#include "app/demo/headlessdemo.h"

#include "app/commandline/await.h"
#include "app/commandline/printer.h"
#include "backend/api/requests/connections.h"
#include "backend/api/requests/operations.h"
#include "backend/api/requests/retryplan.h"

#include <QJsonArray>

namespace app {

using commandline::answerOf;

namespace {

constexpr int groupsRetried = 3; // the biggest ones
constexpr core::Milliseconds pollPause{100};

QJsonArray groupsJson(const api::GroupPage &page)
{
    QJsonArray rows;
    for (const api::GroupRow &row : page.rows)
        rows << QJsonObject{{QStringLiteral("title"), row.title}, {QStringLiteral("count"), row.count}};
    return rows;
}

QJsonObject operationJson(const QString &title, const records::RetryOperation &operation)
{
    return {{QStringLiteral("group"), title},
            {QStringLiteral("state"), records::toString(operation.state)},
            {QStringLiteral("total"), operation.total},
            {QStringLiteral("sent"), operation.counts.sent},
            {QStringLiteral("skipped"), operation.counts.skipped},
            {QStringLiteral("ejected"), operation.counts.ejected},
            {QStringLiteral("in_doubt"), operation.counts.inDoubt},
            {QStringLiteral("came_back"), operation.counts.cameBack}};
}

} // namespace

HeadlessDemo::HeadlessDemo(api::EngineClient &client, records::Connection connection, std::function<qint64()> processed)
    : m_client(client)
    , m_connection(std::move(connection))
    , m_processed(std::move(processed))
    , m_timers(m_clock)
    , m_snapshots(client, m_clock)
{
}

void HeadlessDemo::run(std::function<void(core::Result<QJsonObject>)> done)
{
    static_cast<void>(runAll(std::move(done)));
}

core::Task<> HeadlessDemo::runAll(std::function<void(core::Result<QJsonObject>)> done)
{
    const core::Result<QJsonObject> outcome = co_await scenario();
    done(outcome);
}

core::Task<core::Result<core::ConnectionId>> HeadlessDemo::connected()
{
    core::Result<api::SnapshotPtr> snapshot = co_await m_snapshots.ready();
    while (snapshot) {
        for (const api::ConnectionView &view : (*snapshot)->connections) {
            if (view.connection.name == m_connection.name && view.health == api::Health::Connected)
                co_return view.connection.id;
        }
        snapshot = co_await m_snapshots.next();
    }
    co_return core::fail(snapshot.error());
}

core::Task<core::Result<api::GroupPage>> HeadlessDemo::groups()
{
    api::GroupQuery query;
    api::Answer<api::GroupPage> asked = m_client.ask(query);
    const core::Result<api::GroupPage> page = co_await answerOf(*this, std::move(asked));
    co_return page;
}

core::Task<core::Result<core::OperationId>> HeadlessDemo::retry(api::GroupRow group)
{
    api::RetryDraft draft;
    draft.filter.connection = group.connection;
    draft.filter.groups = {group.id};
    draft.plan.reason = tr("Demo");
    api::Answer<api::PlanPreview> asked = m_client.ask(api::PreviewRetry{draft});
    CO_TRY(const api::PlanPreview preview, co_await answerOf(*this, std::move(asked)));
    if (!preview.refusal.isEmpty())
        co_return core::fail(core::ErrorKind::Refused, preview.refusal);
    api::ConfirmRetry command;
    command.draft = draft;
    command.draft.asOfChange = preview.asOfChange;
    command.draft.plan.onUnknown = preview.onUnknownDefault;
    command.expectedCount = preview.frozenCount;
    api::Answer<core::OperationId> filed = m_client.ask(command);
    const core::Result<core::OperationId> id = co_await answerOf(*this, std::move(filed));
    co_return id;
}

core::Task<core::Result<records::RetryOperation>> HeadlessDemo::operation(core::OperationId id)
{
    api::Answer<api::OperationPage> asked = m_client.ask(api::OperationQuery{});
    CO_TRY(const api::OperationPage page, co_await answerOf(*this, std::move(asked)));
    for (const api::OperationRow &one : page.rows) {
        if (one.operation.id == id)
            co_return one.operation;
    }
    co_return core::fail(core::ErrorKind::NotFound, tr("The operation of the demo does not exist any more."));
}

core::Task<core::Result<records::RetryOperation>> HeadlessDemo::ended(core::OperationId id)
{
    while (true) {
        const core::Result<records::RetryOperation> found = co_await operation(id);
        if (!found || !records::isLive(found->state))
            co_return found;
        CO_TRY(co_await m_timers.sleep(pollPause));
    }
}

// Waits until the consumers have processed all sent messages; those that fail again are in the error queue then.
core::Task<core::Result<>> HeadlessDemo::consumed(qint64 sent)
{
    while (m_processed() < sent)
        CO_TRY(co_await m_timers.sleep(pollPause));
    co_return core::Result<>{};
}

core::Task<core::Result<QJsonObject>> HeadlessDemo::scenario()
{
    CO_TRY(const core::ConnectionId connection, co_await connected());
    api::TakeMessages everything;
    everything.connection = connection;
    api::Answer<records::IntakeCounts> taking = m_client.ask(everything);
    CO_TRY(const records::IntakeCounts taken, co_await answerOf(*this, std::move(taking)));
    CO_TRY(const api::GroupPage page, co_await groups());
    QJsonObject outcome{{QStringLiteral("taken"), taken.taken}, {QStringLiteral("groups"), groupsJson(page)}};

    QList<core::OperationId> ids;
    const QList<api::GroupRow> chosen = page.rows.mid(0, groupsRetried);
    for (qsizetype i = 0; i < chosen.size(); ++i) {
        CO_TRY(const core::OperationId id, co_await retry(chosen.at(i)));
        ids << id;
    }
    qint64 sent = 0;
    for (qsizetype i = 0; i < ids.size(); ++i) {
        CO_TRY(const records::RetryOperation one, co_await ended(ids.at(i)));
        sent += one.counts.sent;
    }
    CO_TRY(co_await consumed(sent));
    api::Answer<records::IntakeCounts> again = m_client.ask(everything);
    CO_TRY(const records::IntakeCounts returned, co_await answerOf(*this, std::move(again)));
    outcome.insert(QStringLiteral("came_back"), returned.cameBack);
    QJsonArray operations;
    for (qsizetype i = 0; i < ids.size(); ++i) {
        CO_TRY(const records::RetryOperation one, co_await operation(ids.at(i)));
        operations << operationJson(chosen.at(i).title, one);
    }
    outcome.insert(QStringLiteral("operations"), operations);
    CO_TRY(const api::GroupPage left, co_await groups());
    outcome.insert(QStringLiteral("left"), groupsJson(left));
    co_return outcome;
}

void HeadlessDemo::print(commandline::Printer &printer, const QJsonObject &outcome) const
{
    const auto table = [&printer](const QJsonArray &rows) {
        commandline::Table shown{{tr("count"), tr("failure group")}, {true, false}, {}};
        for (const QJsonValue &row : rows) {
            shown.rows << QStringList{QString::number(row[QLatin1StringView("count")].toInteger()),
                                      row[QLatin1StringView("title")].toString()};
        }
        printer.table(shown);
    };
    printer.line(tr("Failed messages taken: %1").arg(outcome.value(QLatin1StringView("taken")).toInteger()));
    table(outcome.value(QLatin1StringView("groups")).toArray());
    printer.line({});
    const QJsonArray operations = outcome.value(QLatin1StringView("operations")).toArray();
    for (const QJsonValue &one : operations) {
        printer.line(tr("Retried: %1").arg(one[QLatin1StringView("group")].toString()));
        const auto number = [&one](const char *field) {
            return QString::number(one[QLatin1StringView(field)].toInteger());
        };
        printer.line(tr("  %1: %2 of %3 sent, %4 came back, %5 ejected, %6 in doubt")
                         .arg(one[QLatin1StringView("state")].toString(), number("sent"), number("total"),
                              number("came_back"), number("ejected"), number("in_doubt")));
    }
    printer.line({});
    printer.line(tr("Still unresolved:"));
    table(outcome.value(QLatin1StringView("left")).toArray());
}

} // namespace app

#include "moc_headlessdemo.cpp"
