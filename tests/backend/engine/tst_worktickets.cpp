// Commands that take long, as whoever has their ticket asks about them.
#include "backend/api/longwork.h"
#include "backend/engine/dispatch/worktickets.h"
#include "tests/support/enginefixture.h"
#include "tests/support/must.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::ErrorKind;
using support::EngineFixture;

class TestWorkTickets final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatHasNoTicketCannotBeAskedAbout()
    {
        EngineFixture fixture;
        fixture.fill(0);
        fixture.start();
        QVERIFY(!fixture.engine->works().begin({}));
        QVERIFY(fixture.carryOut(api::AskWork{}).error().kind == ErrorKind::NotFound);
        QVERIFY(fixture.carryOut(api::CancelWork{}).error().kind == ErrorKind::NotFound);
    }

    void aTicketIsGoodWhileTheWorkGoesOn()
    {
        EngineFixture fixture;
        fixture.fill(0);
        fixture.start();
        const QString ticket = QStringLiteral("t1");
        core::LongWorkPtr work = fixture.engine->works().begin(ticket);
        const core::LongWorkPtr another = fixture.engine->works().begin(QStringLiteral("t2"));
        QVERIFY(test::must(fixture.carryOut(api::AskWork{ticket})) == api::WorkProgress{});
        work->done = 3;
        work->of = 7;
        QVERIFY(test::must(fixture.carryOut(api::AskWork{ticket})) == (api::WorkProgress{3, 7}));
        work->done = 9; // some came meanwhile
        QVERIFY(test::must(fixture.carryOut(api::AskWork{ticket})) == (api::WorkProgress{9, 9}));
        int told = 0;
        work->onCancel = [&told] { ++told; };
        QVERIFY(fixture.carryOut(api::CancelWork{ticket}));
        QVERIFY(fixture.carryOut(api::CancelWork{ticket}));
        QVERIFY(work->isCancelled);
        QCOMPARE(told, 1);
        QVERIFY(!another->isCancelled);
        work.reset();
        QVERIFY(fixture.carryOut(api::AskWork{ticket}).error().kind == ErrorKind::NotFound);
        QVERIFY(fixture.carryOut(api::CancelWork{ticket}).error().kind == ErrorKind::NotFound);
        QVERIFY(fixture.carryOut(api::AskWork{QStringLiteral("t2")}));
    }
};

REDRIVE_TEST(TestWorkTickets)
#include "tst_worktickets.moc"
