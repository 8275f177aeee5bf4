// How far a long command of the window is, as it is shown.
#include "models/session/longwork.h"
#include "tests/support/fakeclient/fakeclient.h"
#include "tests/support/testmain/testmain.h"

#include <QLocale>
#include <QSignalSpy>
#include <QTest>

using models::LongWork;

class TestLongWork final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void shortWorkIsNotAskedAbout()
    {
        support::FakeClient client;
        models::ConsoleSession session(client);
        {
            LongWork work(session, QStringLiteral("Counting"));
            QVERIFY(!work.isShown() && !work.canCancel());
            QVERIFY(!work.ticket().isEmpty());
            QVERIFY(work.ticket() != LongWork(session, QStringLiteral("Counting")).ticket());
        }
        QCOMPARE(client.count<api::AskWork>(), 0);
    }

    void whatIsKnownIsShown()
    {
        support::FakeClient client;
        models::ConsoleSession session(client);
        LongWork work(session, QStringLiteral("Counting"));
        QSignalSpy changed(&work, &LongWork::changed);
        client.workProgress = {1200, {}};
        client.heldNames = {client.nameOf<api::AskWork>()};
        QTRY_VERIFY(work.isShown());
        QCOMPARE(work.text(), QStringLiteral("Counting…"));
        client.heldNames.clear();
        client.releaseOne();
        QTRY_COMPARE(work.text(), QStringLiteral("Counting: 1,200"));
        client.workProgress = {1300, 3000};
        QTRY_COMPARE(work.text(), QStringLiteral("Counting: 1,300 of 3,000"));
        QVERIFY(!changed.isEmpty());
        work.cancel();
        QVERIFY(work.isCancelling() && !work.canCancel());
        QCOMPARE(client.cancelledWork, QStringList{work.ticket()});
        QVERIFY(work.text().contains(QStringLiteral("cancelling")));
    }
};

REDRIVE_TEST(TestLongWork)
#include "tst_longwork.moc"
