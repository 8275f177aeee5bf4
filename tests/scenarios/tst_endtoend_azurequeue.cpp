// The command line on Storage Queues, from adding the connection to the message that is back in its queue.
// Against azurite; skipped where it is missing.
#include "tests/support/commandlinefixture.h"
#include "tests/support/nodeserver/nodeserver.h"
#include "tests/support/storagequeue/storagequeuetools.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

namespace {

const QString json = QStringLiteral("{\"order\": 1, \"note\": \"<b> & \\\"c\\\"\"}\r\n");
const QString base64 = QStringLiteral("eyJvcmRlciI6Mn0=");
const QString binary = QStringLiteral("AAEC/w==");
const QString lonely = QStringLiteral("nobody's");

} // namespace

class TestEndToEndAzureQueue final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!m_server.isInstalled())
            QSKIP("azurite is not installed");
        QVERIFY2(m_server.start(), qPrintable(m_server.error()));
    }
    void failedMessagesAreTakenGroupedAndSentBack();

private:
    support::NodeServer m_server{support::azurite()};
};

void TestEndToEndAzureQueue::failedMessagesAreTakenGroupedAndSentBack()
{
    support::StorageQueueTools tools(m_server.port());
    for (const char *name : {"orders", "orders-poison", "lonely-poison"})
        tools.create(QString::fromLatin1(name));
    const QString orders = QStringLiteral("orders");
    const QString poison = QStringLiteral("orders-poison");
    const QStringList texts{json, base64, binary};
    for (const QString &text : texts)
        tools.put(poison, text);
    tools.put(QStringLiteral("lonely-poison"), lonely);

    support::CommandLineFixture fixture(support::storageKey);
    const QString url =
        QStringLiteral("azurequeue+http://127.0.0.1:%1/%2").arg(m_server.port()).arg(support::storageAccount);
    const support::Ended added = fixture.run(
        QStringLiteral("connection add shop %1 --environment development --take-dead-letter-queues").arg(url));
    QVERIFY2(added.code == 0, added.words().constData());
    const support::Ended tested = fixture.run(QStringLiteral("connection test shop"));
    QVERIFY2(tested.code == 0, tested.words().constData());
    QCOMPARE(tested.object().value(QLatin1String("product")).toString(), QStringLiteral("Azure Storage Queues"));
    QVERIFY(tested.object().value(QLatin1String("guarantee")).toString().contains(QLatin1String("may arrive twice")));
    QVERIFY(tested.out.contains("not as come back"));
    const support::Ended listed = fixture.run(QStringLiteral("connection list"));
    QVERIFY2(listed.out.contains(url.toUtf8()), listed.words().constData());

    const support::Ended queues = fixture.run(QStringLiteral("queues"));
    QVERIFY2(queues.out.contains("orders-poison"), queues.words().constData());
    const support::Ended browsed = fixture.run(QStringLiteral("intake --browse"));
    QVERIFY2(browsed.code == 0, browsed.words().constData());
    QCOMPARE(browsed.object().value(QLatin1String("seen")).toInt(), 4);
    QCOMPARE(tools.texts(poison), texts); // undisturbed

    const support::Ended taken = fixture.run(QStringLiteral("intake"));
    QVERIFY2(taken.code == 0, taken.words().constData());
    QCOMPARE(taken.object().value(QLatin1String("taken")).toInt(), 4);
    QCOMPARE(tools.texts(poison), QStringList());
    const support::Ended groups = fixture.run(QStringLiteral("groups --by address"));
    QVERIFY2(groups.list().size() == 2, groups.words().constData());

    // Messages without a destination stay, and are reported.
    const support::Ended plan = fixture.run(QStringLiteral("retry --all --dry-run"));
    QVERIFY2(plan.code == 0, plan.words().constData());
    const support::Ended retried = fixture.run(QStringLiteral("retry --all --wait"));
    QVERIFY2(retried.code == 0, retried.words().constData());
    QCOMPARE(retried.object().value(QLatin1String("sent")).toInt(), 3);
    QStringList arrived = tools.texts(orders);
    arrived.sort();
    QStringList wanted = texts;
    wanted.sort();
    QCOMPARE(arrived, wanted);

    // One fails again. It has no Redrive stamp, so it is a new failure, and the first record stays unchanged.
    tools.clear(orders);
    tools.put(poison, base64);
    const support::Ended again = fixture.run(QStringLiteral("intake"));
    QVERIFY2(again.code == 0, again.words().constData());
    QCOMPARE(again.object().value(QLatin1String("new")).toInt(), 1);
    QCOMPARE(again.object().value(QLatin1String("came_back")).toInt(), 0);

    const support::Ended released = fixture.run(QStringLiteral("release --queue lonely-poison --wait"));
    QVERIFY2(released.code == 0, released.words().constData());
    QCOMPARE(tools.texts(QStringLiteral("lonely-poison")), QStringList(lonely));

    QVERIFY(!fixture.holds(support::storageKey.toLatin1()));
    for (const support::Ended &one : {added, tested, listed, retried, released})
        QVERIFY(!one.words().contains(support::storageKey.toLatin1()));
}

REDRIVE_TEST(TestEndToEndAzureQueue)
#include "tst_endtoend_azurequeue.moc"
