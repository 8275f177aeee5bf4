// The tree of connections and queues: counts, roles, and what changes while it is shown.
#include "models/queues/queuetreemodel.h"

#include "backend/records/rules/pollinterval.h"
#include "models/common/roles.h"
#include "tests/support/fakeclient/consolescene.h"
#include "tests/support/testmain/testmain.h"

#include <QAbstractItemModelTester>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>

class TestQueueTreeModel final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsDepthAndUnresolved();
    void oldNumbersAreStale();
    void whatIsBeingDoneIsNoFailure();
    void whatCannotBeTakenIsAWarningWhereFailedMessagesLie();
    void whatAConnectionThatIsTriedDoesIsTold();
    void failingRequestsAreNoGoodColor();
    void whatWasOnlyLookedAtIsTold();
    void whatIsLostSoonIsTheLineOfItsConnection();
    void filterKeepsWhatContainsIt();
    void hostileNamesAreMadeVisible();
    void randomSnapshotsAgreeWithTheModelTester();
};

void TestQueueTreeModel::showsDepthAndUnresolved()
{
    support::FakeClient client;
    support::fillScene(client);
    client.store.clear();
    models::ConsoleSession session(client);
    models::QueueTreeModel model(session);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    client.publish();
    QCOMPARE(model.rowCount(), 4);
    const QModelIndex error = model.indexOf(core::ConnectionId{1}, QStringLiteral("error"));
    QCOMPARE(error.data(models::SecondTextRole).toString(), QStringLiteral("0 | 18,412"));
    QVERIFY(error.data(Qt::AccessibleTextRole).toString().endsWith(u"0 in the queue, 18,412 unresolved here"));
    QCOMPARE(error.data(models::ToneRole).toInt(), int(models::Tone::Bad));
    const QModelIndex orders = model.indexOf(core::ConnectionId{1}, QStringLiteral("orders"));
    QCOMPARE(orders.data(models::SecondTextRole).toString(), QStringLiteral("36"));
    QCOMPARE(orders.data(models::ToneRole).toInt(), int(models::Tone::Muted));
    QCOMPARE(model.connectionAt(orders)->connection.name, QStringLiteral("shop-rabbit"));
}

void TestQueueTreeModel::oldNumbersAreStale()
{
    using namespace std::chrono_literals;
    support::FakeClient client;
    support::fillScene(client);
    client.store.clear();
    models::ConsoleSession session(client);
    models::QueueTreeModel model(session);
    const auto isStale = [&model](qint64 connection, const QString &queue) {
        return model.indexOf(core::ConnectionId{connection}, queue).data(models::StaleRole).toBool();
    };
    client.snapshot.queues[0].asOf = client.snapshot.at - 31s;
    client.publish();
    QVERIFY(isStale(1, QStringLiteral("error")));
    QVERIFY(!isStale(1, QStringLiteral("orders")));
    // The same age is new where the queues are listed every 30 s.
    records::Connection &shop = client.snapshot.connections[0].connection;
    shop.kind = records::BrokerKind::ServiceBus;
    shop.url = QUrl(QStringLiteral("https://shop.servicebus.windows.net"));
    client.publish();
    QVERIFY(!isStale(1, QStringLiteral("error")));
    client.snapshot.queues[0].asOf = client.snapshot.at - 3 * records::pollInterval(shop) - 1s;
    client.publish();
    QVERIFY(isStale(1, QStringLiteral("error")));
}

void TestQueueTreeModel::whatIsBeingDoneIsNoFailure()
{
    support::FakeClient client;
    support::fillScene(client);
    client.store.clear();
    models::ConsoleSession session(client);
    models::QueueTreeModel model(session);
    client.publish();
    const auto toneOfError = [&model] {
        const QModelIndex error = model.indexOf(core::ConnectionId{1}, QStringLiteral("error"));
        return models::Tone(error.data(models::ToneRole).toInt());
    };
    QCOMPARE(toneOfError(), models::Tone::Bad);
    client.snapshot.queues[0].watched = true;
    client.publish();
    const QModelIndex error = model.indexOf(core::ConnectionId{1}, QStringLiteral("error"));
    QVERIFY(error.data(models::SecondTextRole).toString().contains(u'|')); // the counts stay
    QVERIFY(error.data(Qt::ToolTipRole).toString().contains(QStringLiteral("Watched by a retry")));
    client.snapshot.queues[0].activity = QStringLiteral("taking: 1,000 so far");
    client.publish();
    QCOMPARE(toneOfError(), models::Tone::Accent);
}

void TestQueueTreeModel::whatCannotBeTakenIsAWarningWhereFailedMessagesLie()
{
    support::FakeClient client;
    support::fillScene(client);
    client.store.clear();
    models::ConsoleSession session(client);
    models::QueueTreeModel model(session);
    for (api::QueueView &queue : client.snapshot.queues)
        queue.refusal = QStringLiteral("All that comes here is forwarded to central.");
    client.publish();
    const QModelIndex error = model.indexOf(core::ConnectionId{1}, QStringLiteral("error"));
    QCOMPARE(error.data(models::ToneRole).toInt(), int(models::Tone::Warn));
    const QModelIndex orders = model.indexOf(core::ConnectionId{1}, QStringLiteral("orders"));
    QCOMPARE(orders.data(models::ToneRole).toInt(), int(models::Tone::Muted));
    QVERIFY(orders.data(Qt::ToolTipRole).toString().contains(QStringLiteral("forwarded to central")));
}

void TestQueueTreeModel::whatAConnectionThatIsTriedDoesIsTold()
{
    support::FakeClient client;
    support::fillScene(client);
    models::ConsoleSession session(client);
    models::QueueTreeModel model(session);
    client.publish();
    const QModelIndex shop = model.index(0, 0);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    client.snapshot.connections[0].breakerWords = QStringLiteral("next try at 02:12:20 UTC");
    client.publish();
    QVERIFY(changed.size() > 0);
    QVERIFY(shop.data(Qt::ToolTipRole).toString().contains(QStringLiteral("next try at 02:12:20 UTC")));
}

void TestQueueTreeModel::failingRequestsAreNoGoodColor()
{
    support::FakeClient client;
    support::fillScene(client);
    models::ConsoleSession session(client);
    models::QueueTreeModel model(session);
    client.snapshot.connections[0].health = api::Health::Connected;
    client.publish();
    const QModelIndex shop = model.index(0, 0);
    QCOMPARE(models::Tone(shop.data(models::ToneRole).toInt()), models::Tone::Ok);
    client.snapshot.connections[0].words = QStringLiteral("2 % of the requests fail and are repeated");
    client.publish();
    QCOMPARE(models::Tone(shop.data(models::ToneRole).toInt()), models::Tone::Warn);
}

void TestQueueTreeModel::whatWasOnlyLookedAtIsTold()
{
    support::FakeClient client;
    support::fillScene(client);
    models::ConsoleSession session(client);
    models::QueueTreeModel model(session);
    client.publish();
    const QModelIndex error = model.indexOf(core::ConnectionId{1}, QStringLiteral("error"));
    QVERIFY(!error.data(Qt::ToolTipRole).toString().contains(QStringLiteral("looked at")));
    client.snapshot.queues[0].browsedOnly = 7;
    client.publish();
    QVERIFY(error.data(Qt::ToolTipRole).toString().contains(QStringLiteral("7 of them browsed only")));
}

void TestQueueTreeModel::whatIsLostSoonIsTheLineOfItsConnection()
{
    support::FakeClient client;
    support::fillScene(client);
    client.store.clear();
    models::ConsoleSession session(client);
    models::QueueTreeModel model(session);
    client.publish();
    const QModelIndex connection = model.indexOf(core::ConnectionId{1}, {});
    QCOMPARE(connection.data(models::SecondTextRole).toString(), QString());
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    for (api::QueueView &queue : client.snapshot.queues) {
        if (queue.name != QLatin1String("error") || queue.connection != core::ConnectionId{1})
            continue;
        queue.loss.first = client.snapshot.at + std::chrono::hours(3);
        queue.loss.soon = 40;
        queue.loss.dated = 41;
    }
    client.publish();
    QVERIFY(std::any_of(changed.cbegin(), changed.cend(),
                        [&](const QList<QVariant> &one) { return one.first().toModelIndex() == connection; }));
    QCOMPARE(connection.data(models::SecondTextRole).toString(),
             QStringLiteral("40 expire within 24 h, the first in 3 h 0 min"));
    QCOMPARE(connection.data(models::ToneRole).toInt(), int(models::Tone::Warn));
    const QModelIndex error = model.indexOf(core::ConnectionId{1}, QStringLiteral("error"));
    QVERIFY2(error.data(Qt::ToolTipRole).toString().contains(QStringLiteral("40 within 24 h.")),
             qPrintable(error.data(Qt::ToolTipRole).toString()));
    model.setFilter(QStringLiteral("no such queue")); // hidden queues still count
    model.setFilter(QStringLiteral("orders"));
    QVERIFY(!model.indexOf(core::ConnectionId{1}, {}).data(models::SecondTextRole).toString().isEmpty());
}

void TestQueueTreeModel::filterKeepsWhatContainsIt()
{
    support::FakeClient client;
    support::fillScene(client);
    client.store.clear();
    models::ConsoleSession session(client);
    models::QueueTreeModel model(session);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    client.publish();
    model.setFilter(QStringLiteral("POISON"));
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.rowCount(model.index(0, 0)), 1);
    model.setFilter(QStringLiteral("shop"));
    QCOMPARE(model.rowCount(model.index(0, 0)), 4);
    model.setFilter({});
    QCOMPARE(model.rowCount(), 4);
}

void TestQueueTreeModel::hostileNamesAreMadeVisible()
{
    support::FakeClient client;
    support::fillScene(client);
    client.store.clear();
    client.snapshot.queues[0].name = QStringLiteral("err\u202eor\n");
    models::ConsoleSession session(client);
    models::QueueTreeModel model(session);
    client.publish();
    const QModelIndex index = model.indexOf(core::ConnectionId{1}, QStringLiteral("err\u202eor\n"));
    QCOMPARE(index.data().toString(), QStringLiteral("err‹U+202E›or⏎"));
}

void TestQueueTreeModel::randomSnapshotsAgreeWithTheModelTester()
{
    constexpr int steps = 1000;
    QRandomGenerator random(4711);
    support::FakeClient client;
    models::ConsoleSession session(client);
    models::QueueTreeModel model(session);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    for (int step = 0; step < steps; ++step) {
        client.snapshot.connections.clear();
        client.snapshot.queues.clear();
        int queues = 0;
        for (qint64 id = 1; id <= 4; ++id) {
            if (random.bounded(4) == 0)
                continue;
            api::ConnectionView view;
            view.connection.id = core::ConnectionId{id};
            view.connection.name = QString::number(id);
            client.snapshot.connections.append(view);
            for (int name = 0; name < 6; ++name) {
                if (random.bounded(2) == 0)
                    continue;
                api::QueueView queue;
                queue.connection = core::ConnectionId{id};
                queue.name = QString(QLatin1Char(char('a' + name)));
                queue.depth = random.bounded(3);
                client.snapshot.queues.append(queue);
                ++queues;
            }
        }
        client.publish();
        QCOMPARE(model.rowCount(), int(client.snapshot.connections.size()));
        int shown = 0;
        for (int row = 0; row < model.rowCount(); ++row)
            shown += model.rowCount(model.index(row, 0));
        QCOMPARE(shown, queues);
        for (const api::QueueView &queue : std::as_const(client.snapshot.queues))
            QCOMPARE(model.queueAt(model.indexOf(queue.connection, queue.name))->depth, queue.depth);
    }
}

REDRIVE_TEST(TestQueueTreeModel)
#include "tst_queuetreemodel.moc"
