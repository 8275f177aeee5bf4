#include "backend/store/messages/intakestore.h"

#include "backend/store/database/database.h"
#include "backend/store/database/textlist.h"
#include "backend/store/text.h"

namespace store {

using core::ErrorKind;

IntakeStore::IntakeStore(Database &database)
    : m_database(database)
{
}

Result<core::IntakeRunId> IntakeStore::begin(const records::IntakeRun &run)
{
    Statement insert =
        m_database.sql(QStringLiteral("INSERT INTO intake_run (connection, source_queue, holding_name, asked, state,"
                                      " started, page) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id"));
    TRY(insert
            .bind(run.connection, run.sourceQueue, run.holdingName, run.asked, run.state, run.started, toCbor(run.page))
            .step());
    return core::IntakeRunId{insert.integer(0)};
}

Result<> IntakeStore::update(const records::IntakeRun &run)
{
    if (run.state == records::IntakeState::Done) {
        TRY(m_database.sql(QStringLiteral("DELETE FROM intake_step WHERE run = ?")).bind(run.id).run());
        return m_database.sql(QStringLiteral("DELETE FROM intake_run WHERE id = ?")).bind(run.id).run().map([](int) {});
    }
    TRY(const int changed,
        m_database.sql(QStringLiteral("UPDATE intake_run SET state = ?, asked = ?, page = ? WHERE id = ?"))
            .bind(run.state, run.asked, toCbor(run.page), run.id)
            .run());
    if (changed == 0)
        return core::fail(ErrorKind::NotFound, Text::tr("This intake run is not in the store."));
    return {};
}

Result<> IntakeStore::removeDone()
{
    return m_database.sql(QStringLiteral("DELETE FROM intake_run WHERE state = ?"))
        .bind(records::IntakeState::Done)
        .run()
        .map([](int) {});
}

Result<> IntakeStore::setStep(core::IntakeRunId run, const records::IntakeStep &step)
{
    return m_database
        .sql(QStringLiteral("INSERT INTO intake_step (run, nodes, wanted, waiting, messages) VALUES (?, ?, ?, ?, ?)"
                            " ON CONFLICT (run) DO UPDATE SET nodes = excluded.nodes, wanted = excluded.wanted,"
                            " waiting = excluded.waiting, messages = excluded.messages"))
        .bind(run, step.nodes, step.wanted, step.waiting, step.messages)
        .run()
        .map([](int) {});
}

Result<std::optional<records::IntakeStep>> IntakeStore::step(core::IntakeRunId run)
{
    Statement row =
        m_database.sql(QStringLiteral("SELECT nodes, wanted, waiting, messages FROM intake_step WHERE run = ?"));
    TRY(const bool found, row.bind(run).step());
    std::optional<records::IntakeStep> step;
    if (found)
        step = records::IntakeStep{row.text(0), row.integer(1), row.integer(2), row.blob(3)};
    return step;
}

Result<QList<records::IntakeRun>> IntakeStore::open(core::ConnectionId connection)
{
    Statement rows = m_database.sql(QStringLiteral("SELECT id, source_queue, holding_name, asked, state, started, page"
                                                   " FROM intake_run WHERE connection = ? ORDER BY id"));
    rows.bind(connection);
    QList<records::IntakeRun> runs;
    TRY(rows.each([&] {
        records::IntakeRun run;
        run.id = core::IntakeRunId{rows.integer(0)};
        run.connection = connection;
        run.sourceQueue = rows.text(1);
        run.holdingName = rows.text(2);
        run.asked = rows.optionalInteger(3);
        run.state = rows.as<records::IntakeState>(4);
        run.started = rows.time(5);
        run.page = textsFromCbor(rows.blob(6));
        runs.append(run);
    }));
    return runs;
}

Result<> IntakeStore::setSubscribed(core::ConnectionId connection, const QString &queue, bool subscribed)
{
    return m_database
        .sql(subscribed
                 ? QStringLiteral("INSERT INTO followed_queue (connection, queue) VALUES (?, ?) ON CONFLICT DO NOTHING")
                 : QStringLiteral("DELETE FROM followed_queue WHERE connection = ? AND queue = ?"))
        .bind(connection, queue)
        .run()
        .map([](int) {});
}

Result<QStringList> IntakeStore::subscribed(core::ConnectionId connection)
{
    Statement rows =
        m_database.sql(QStringLiteral("SELECT queue FROM followed_queue WHERE connection = ? ORDER BY queue"));
    rows.bind(connection);
    QStringList queues;
    TRY(rows.each([&] { queues.append(rows.text(0)); }));
    return queues;
}

Result<> IntakeStore::setDeliveriesUsed(core::ConnectionId connection, const QString &queue,
                                        const records::DeliveriesUsed &used)
{
    if (used == records::DeliveriesUsed{}) {
        return m_database.sql(QStringLiteral("DELETE FROM deliveries_used WHERE connection = ? AND queue = ?"))
            .bind(connection, queue)
            .run()
            .map([](int) {});
    }
    return m_database
        .sql(QStringLiteral("INSERT INTO deliveries_used (connection, queue, looked, returned, at_head,"
                            " under_way) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (connection, queue) DO UPDATE"
                            " SET looked = excluded.looked, returned = excluded.returned,"
                            " at_head = excluded.at_head, under_way = excluded.under_way"))
        .bind(connection, queue, used.looked, used.returned, used.atHead, used.underWay)
        .run()
        .map([](int) {});
}

Result<records::DeliveriesUsed> IntakeStore::deliveriesUsed(core::ConnectionId connection, const QString &queue)
{
    Statement row = m_database.sql(QStringLiteral("SELECT looked, returned, at_head, under_way FROM deliveries_used"
                                                  " WHERE connection = ? AND queue = ?"));
    TRY(const bool found, row.bind(connection, queue).step());
    records::DeliveriesUsed used;
    if (found)
        used = {row.integer(0), row.integer(1), row.integer(2), row.integer(3)};
    return used;
}

Result<QList<IntakeStore::UsedIn>> IntakeStore::allDeliveriesUsed()
{
    Statement rows = m_database.sql(
        QStringLiteral("SELECT connection, queue, looked, returned, at_head, under_way FROM deliveries_used"));
    QList<UsedIn> all;
    TRY(rows.each([&] {
        all.append({core::ConnectionId{rows.integer(0)},
                    rows.text(1),
                    {rows.integer(2), rows.integer(3), rows.integer(4), rows.integer(5)}});
    }));
    return all;
}

Result<QStringList> IntakeStore::formerStores()
{
    Statement rows = m_database.sql(QStringLiteral("SELECT store_id FROM former_store ORDER BY store_id"));
    QStringList ids;
    TRY(rows.each([&] { ids.append(rows.text(0)); }));
    return ids;
}

} // namespace store
