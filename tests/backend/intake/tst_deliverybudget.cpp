// What the store keeps of the deliveries that a queue allows: before each risk, for the next start, and no longer than needed.
#include "backend/intake/deliverybudget.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/intakestore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/must.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::ErrorKind;
using core::Result;
using intake::DeliveryBudget;
using records::DeliveriesUsed;
using records::DeliveryLimit;
using test::must;

namespace {

const QString queue = QStringLiteral("error");
const DeliveryLimit limit{20, true, {QStringLiteral("error.dead")}};

struct Fixture
{
    Fixture()
        : store(std::move(*store::openSqliteStore(QStringLiteral(":memory:"))))
    {
        must(store->transact([&](store::Session &session) -> Result<> {
            records::Connection one;
            one.name = QStringLiteral("shop");
            connection = must(session.connections().add(one));
            return {};
        }));
    }
    // As another start of the program sees it.
    DeliveriesUsed used() const { return must(DeliveryBudget(connection, *store).used(queue)); }

    std::unique_ptr<store::Store> store;
    core::ConnectionId connection;
};

} // namespace

class TestDeliveryBudget final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void thePageIsCountedBeforeItIsTaken();
    void theLookIsCountedBeforeItIsDoneAndOnlyIfAccepted();
    void theLastDeliveriesAreRefused();
    void pagesThatWereNeverReadHoldNothingUp();
    void anEmptyQueueHasUsedNothing();
    void aRemovedConnectionLeavesNothing();
};

void TestDeliveryBudget::thePageIsCountedBeforeItIsTaken()
{
    const Fixture fixture;
    DeliveryBudget budget(fixture.connection, *fixture.store);
    must(budget.beforePage(queue, limit, 10));
    QCOMPARE(fixture.used(), (DeliveriesUsed{0, 1, 10, 1}));
    must(budget.afterPage(queue, 3, true));
    QCOMPARE(fixture.used(), (DeliveriesUsed{0, 1, 10, 0}));
    must(budget.beforePage(queue, limit, 10));
    must(budget.afterPage(queue, 100, false));
    QCOMPARE(fixture.used().most(), 1);
}

void TestDeliveryBudget::theLookIsCountedBeforeItIsDoneAndOnlyIfAccepted()
{
    const Fixture fixture;
    DeliveryBudget budget(fixture.connection, *fixture.store);
    const Result<> refused = budget.beforeLook(queue, limit, false);
    QVERIFY(!refused && refused.error().kind == ErrorKind::Refused);
    QVERIFY2(refused.error().message.contains(QStringLiteral("0 of 20")), qPrintable(refused.error().message));
    QVERIFY2(refused.error().message.contains(QStringLiteral("--accept-delivery")),
             qPrintable(refused.error().message));
    QCOMPARE(fixture.used(), DeliveriesUsed{});
    must(budget.beforeLook(queue, limit, true));
    QCOMPARE(fixture.used().most(), 1);
    must(budget.afterLook(queue, limit, {10, 4, true}));
    QCOMPARE(fixture.used().most(), 5);
    must(budget.beforeLook(queue, {20, false, {}}, false)); // free
    QCOMPARE(fixture.used().most(), 5);
}

void TestDeliveryBudget::theLastDeliveriesAreRefused()
{
    const Fixture fixture;
    DeliveryBudget budget(fixture.connection, *fixture.store);
    int pages = 0;
    Result<> allowed = budget.beforePage(queue, limit, 10);
    for (; allowed && pages < 100; ++pages) {
        must(budget.afterPage(queue, 0, true));
        allowed = budget.beforePage(queue, limit, 10);
    }
    QVERIFY(!allowed && allowed.error().kind == ErrorKind::Refused);
    QVERIFY2(allowed.error().message.contains(QStringLiteral("error.dead")), qPrintable(allowed.error().message));
    QCOMPARE(fixture.used().most(), pages);
    QVERIFY(pages < limit.most);
}

void TestDeliveryBudget::pagesThatWereNeverReadHoldNothingUp()
{
    const Fixture fixture;
    DeliveryBudget budget(fixture.connection, *fixture.store);
    for (int i = 0; i < 5; ++i)
        must(budget.beforePage(queue, limit, 10)); // and the call failed
    QCOMPARE(fixture.used().most(), 5);
    must(budget.nothingIsUnderWay(queue));
    QCOMPARE(fixture.used().most(), 5);
    must(budget.beforePage(queue, limit, 10));
    must(budget.afterPage(queue, 100, false));
    QCOMPARE(fixture.used().most(), 1);
}

void TestDeliveryBudget::anEmptyQueueHasUsedNothing()
{
    const Fixture fixture;
    DeliveryBudget budget(fixture.connection, *fixture.store);
    must(budget.beforePage(queue, limit, 10));
    must(budget.emptied(queue));
    QCOMPARE(fixture.used(), DeliveriesUsed{});
}

void TestDeliveryBudget::aRemovedConnectionLeavesNothing()
{
    const Fixture fixture;
    DeliveryBudget budget(fixture.connection, *fixture.store);
    must(budget.beforePage(queue, limit, 10));
    must(fixture.store->transact(
        [&](store::Session &session) -> Result<> { return session.connections().remove(fixture.connection); }));
    const auto all = must(fixture.store->read<QList<store::IntakeStore::UsedIn>>(
        [](store::Session &session) { return session.intakes().allDeliveriesUsed(); }));
    QVERIFY(all.isEmpty());
}

REDRIVE_TEST(TestDeliveryBudget)
#include "tst_deliverybudget.moc"
