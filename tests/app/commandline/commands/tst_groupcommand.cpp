// What is said about groups, and what brokers throw away, on the command line.
#include "tests/app/commandline/commandrun.h"
#include "tests/support/testmain/testmain.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

using records::Expiry;

namespace {

struct Shop : support::CommandRun
{
    core::ConnectionId connection = addConnection(QStringLiteral("shop"));
    core::GroupId group =
        client.groupOf(addMessage(connection, QStringLiteral("Timeout")), records::Classifier::ExceptionAndStack);

    QByteArray id() const { return QByteArray::number(group.value); }
};

api::ExpiringRow row(int message, core::TimePoint at, Expiry::Known known = Expiry::Known::At)
{
    api::ExpiringRow row;
    row.message = core::MessageId{message};
    row.connection = core::ConnectionId{7}; // the first of a CommandRun
    row.queue = QStringLiteral("error");
    row.messageType = QStringLiteral("Shop.PlaceOrder");
    row.group = core::GroupId{7};
    row.cause = QStringLiteral("Timeout\x1b[2J");
    row.expiry = {known, at};
    return row;
}

} // namespace

class TestGroupCommand final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aNoteIsWrittenAndRemoved()
    {
        Shop run;
        const support::CommandResult written = run("group note " + run.id() + " Known");
        QCOMPARE(written.code, 0);
        QCOMPARE(written.err, QByteArray());
        QCOMPARE(run.client.notes.last().group, run.group);
        QCOMPARE(run.client.notes.last().text, QStringLiteral("Known"));
        QVERIFY(!run.client.notes.last().shown);
        const support::CommandResult list = run("groups");
        QVERIFY2(list.out.contains(": Known ("), list.out.constData());
        const QJsonObject shape = run("groups --json").json().toArray().at(0).toObject();
        QCOMPARE(shape[QStringLiteral("note")][QStringLiteral("text")].toString(), QStringLiteral("Known"));
        QCOMPARE(run("groups --search known --json").json().toArray().size(), 1);
        QCOMPARE(run("groups --search unheard --json").json().toArray().size(), 0);

        QCOMPARE(run("group unnote " + run.id()).code, 0);
        QCOMPARE(run.client.notes.last().text, QString());
        QVERIFY(run("groups --json").json().toArray().at(0).toObject()[QStringLiteral("note")].isNull());
    }

    void groupsAreMutedAndNotAnyMore()
    {
        Shop run;
        const support::CommandResult muted = run("group mute " + run.id() + " --until 8h");
        QCOMPARE(muted.code, 0);
        QCOMPARE(run.client.mutes.last().groups, QList{run.group});
        QVERIFY(run.client.mutes.last().until.has_value());
        QVERIFY2(run("groups").out.contains(": muted until "), run("groups").out.constData());
        const QJsonObject shape = run("groups --muted --json").json().toArray().at(0).toObject();
        QCOMPARE(shape[QStringLiteral("muted")][QStringLiteral("loud")].toBool(true), false);
        QCOMPARE(run("groups --not-muted --json").json().toArray().size(), 0);

        QCOMPARE(run("group unmute " + run.id() + " --json").json()[QStringLiteral("muted_until")],
                 QJsonValue(QJsonValue::Null));
        QVERIFY(!run.client.mutes.last().until);
        QCOMPARE(run("groups --muted --json").json().toArray().size(), 0);
    }

    void misuseIsToldBeforeAnythingIsAsked_data()
    {
        QTest::addColumn<QByteArray>("words");
        QTest::newRow("no text") << QByteArray("group note 7");
        QTest::newRow("no id") << QByteArray("group note x Known");
        QTest::newRow("two texts") << QByteArray("group note 7 Known bug");
        QTest::newRow("no time") << QByteArray("group mute 7");
        QTest::newRow("a time that has passed") << QByteArray("group mute 7 --until 2001-01-01");
        QTest::newRow("no time needed") << QByteArray("group unmute 7 --until 8h");
        QTest::newRow("another verb") << QByteArray("group hush 7");
        QTest::newRow("both") << QByteArray("groups --muted --not-muted");
        QTest::newRow("within nothing") << QByteArray("expiring --within soon");
        QTest::newRow("too many rows") << QByteArray("expiring --limit 1001");
    }

    void misuseIsToldBeforeAnythingIsAsked()
    {
        QFETCH(const QByteArray, words);
        Shop run;
        const support::CommandResult told = run(words);
        QCOMPARE(told.code, 2);
        QCOMPARE(told.err.count('\n'), 1);
        QVERIFY(run.client.notes.isEmpty() && run.client.mutes.isEmpty() && run.client.expiryQueries.isEmpty());
    }

    void aRefusalIsOneLineAndAnExitCode()
    {
        Shop run;
        run.client.failNext<api::MuteGroups>({core::ErrorKind::Refused, QStringLiteral("It cannot be."), {}, {}});
        const support::CommandResult refused = run("group mute 7 --until 8h");
        QCOMPARE(refused.code, 4);
        QCOMPARE(refused.err, QByteArray("redrive: It cannot be.\n"));
        QCOMPARE(refused.out, QByteArray());
    }

    void whatIsLostFirstIsListed()
    {
        Shop run;
        const core::TimePoint at = core::fromMs(1'790'000'000'000);
        run.client.expiryPage.rows = {row(41, at, Expiry::Known::Latest), row(42, at + std::chrono::hours(1))};
        run.client.expiryPage.never = 3;
        run.client.expiryPage.notKnown = 1;
        const support::CommandResult list = run("expiring");
        QCOMPARE(list.code, 0);
        QVERIFY2(list.out.contains(" at the latest"), list.out.constData());
        QVERIFY(list.out.indexOf("41") < list.out.indexOf("42"));
        QVERIFY(list.out.contains("2 of 2"));
        QVERIFY2(list.out.contains("no expiry time for 1 message."), list.out.constData());
        QVERIFY(list.out.contains("never expire: 3."));
        QVERIFY(!list.out.contains('\x1b'));
        QVERIFY(!run.client.expiryQueries.last().until);

        const QJsonValue shape = run("expiring --connection shop --queue error --group 7 --within 24h --json").json();
        const api::ExpiryQuery asked = run.client.expiryQueries.last();
        QCOMPARE(asked.connection, run.connection);
        QCOMPARE(asked.queue, QStringLiteral("error"));
        QCOMPARE(asked.group, core::GroupId{7});
        QVERIFY(asked.until.has_value());
        for (const char *key : {"items", "total", "never", "not_known"})
            QVERIFY2(shape.toObject().contains(QLatin1String(key)), key);
        const QJsonObject first = run("expiring --json").json()[QStringLiteral("items")][0].toObject();
        QCOMPARE(first.value(QStringLiteral("id")).toString(), QStringLiteral("41"));
        QCOMPARE(first.value(QStringLiteral("at_the_latest")).toBool(), true);
        QVERIFY(first.value(QStringLiteral("lost_at")).toString().endsWith(QLatin1Char('Z')));
        QCOMPARE(first.value(QStringLiteral("connection")).toString(), QStringLiteral("shop"));
    }
};

REDRIVE_TEST(TestGroupCommand)
#include "tst_groupcommand.moc"
