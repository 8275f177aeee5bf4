// What testing a connection reports about the error queues it names.
#include "backend/engine/connectiontext.h"
#include "tests/support/enginefixture.h"
#include "tests/support/must.h"

#include <QTest>

using broker::QueueRole;
using support::EngineFixture;

namespace {

broker::QueueInfo queue(const char *name, QueueRole role, std::optional<qint64> depth)
{
    broker::QueueInfo info;
    info.name = QString::fromLatin1(name);
    info.role = role;
    info.depth = depth;
    return info;
}

QStringList namesOf(const QList<api::ConnectionTest::Queue> &queues)
{
    QStringList names;
    for (const api::ConnectionTest::Queue &one : queues)
        names.append(one.name);
    return names;
}

} // namespace

class TestConnectionText final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsMeantPerhapsIsNamed()
    {
        records::Connection connection;
        connection.errorQueues = {QStringLiteral("eror"), QStringLiteral("dead")};
        const broker::Listing listing{
            {queue("orders", QueueRole::Work, 9), queue("error", QueueRole::Work, 3000),
             queue("dead", QueueRole::ErrorQueue, 0), queue("billing.dlq", QueueRole::DeadLetter, 5000),
             queue("empty.dlq", QueueRole::DeadLetter, 0), queue("dlq", QueueRole::DeadLetter, std::nullopt),
             queue("redrive.a.1.eror", QueueRole::Ours, 7)},
            true};
        api::ConnectionTest test;
        engine::addMissingQueues(test, connection, listing);
        QCOMPARE(test.missingQueues, QStringList{QStringLiteral("eror")});
        QCOMPARE(namesOf(test.otherQueues),
                 QStringList({QStringLiteral("billing.dlq"), QStringLiteral("error"), QStringLiteral("dlq")}));
        QCOMPARE(test.otherQueues.at(1).depth, std::optional<qint64>(3000));
    }

    void whereNotAllCanBeListedNothingIsMissing()
    {
        records::Connection connection;
        connection.errorQueues = {QStringLiteral("eror")};
        api::ConnectionTest test;
        engine::addMissingQueues(test, connection, {{queue("error", QueueRole::Work, 3000)}, false});
        QVERIFY(test.missingQueues.isEmpty());
        QVERIFY(test.otherQueues.isEmpty());
    }

    void aTestAsksTheBrokerForThem()
    {
        EngineFixture fixture;
        fixture.fill(0);
        fixture.start();
        api::ConnectionDraft draft{fixture.connection, QString()};
        draft.connection.name = QStringLiteral("second");
        draft.connection.errorQueues = {QStringLiteral("eror")};
        const auto tested = [&] { return test::must(fixture.carryOut(api::TestConnection{draft})); };
        QCOMPARE(tested().missingQueues, draft.connection.errorQueues);
        QVERIFY(namesOf(tested().otherQueues).contains(QStringLiteral("error")));
        draft.connection.errorQueues = {QStringLiteral("error")};
        QVERIFY(tested().missingQueues.isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestConnectionText)
#include "tst_connectiontext.moc"
