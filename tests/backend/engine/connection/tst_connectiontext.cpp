// What testing a connection reports about the error queues it names.
#include "backend/engine/connection/connectiontext.h"
#include "backend/store/connectionstore.h"
#include "tests/support/enginefixture.h"
#include "tests/support/must.h"
#include "tests/support/testmain/testmain.h"

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

    void aNameIsOneLineThatCanBePrinted()
    {
        const auto check = [](const QString &name) { return engine::checkName(name, QStringList{}); };
        QVERIFY(check(QStringLiteral("shop – Köln")));
        QVERIFY(check(QString(100, u'x')));
        for (const QString &name : {QString(101, u'x'), QStringLiteral("a\nb"), QStringLiteral("a\tb"),
                                    QStringLiteral("a\u202eb"), QStringLiteral(" shop"), QStringLiteral("a=b")}) {
            const core::Result<> refused = check(name);
            QVERIFY2(!refused && refused.error().kind == core::ErrorKind::Rejected, qPrintable(name));
        }
    }

    void theActivityLogSaysWhatAChangeChanged()
    {
        EngineFixture fixture;
        fixture.fill(0);
        fixture.start();
        const auto logged = [&fixture](const api::ConnectionDraft &draft) {
            (void)test::must(fixture.carryOut(api::SaveConnection{draft}));
            QString result;
            for (const records::Event &event : fixture.events())
                result = event.what == QStringLiteral("Connection changed") ? event.result : result;
            return result;
        };
        const auto all = fixture.ask<QList<records::Connection>>(
            [](store::Session &session) { return session.connections().all(); });
        api::ConnectionDraft draft{all.first(), {}};
        draft.connection.errorQueues = {QStringLiteral("dead")};
        draft.connection.environment = records::Environment::Development;
        const QString both = logged(draft);
        QVERIFY2(both.contains(u"error queues") && both.contains(u"dead") && both.contains(u"environment")
                     && both.contains(u"development") && !both.contains(u"rights"),
                 qPrintable(both));
        QVERIFY(logged(draft).contains(u"nothing"));
        draft.secret = QStringLiteral("hunter2");
        const QString secret = logged(draft);
        QVERIFY2(secret.contains(u"secret") && !secret.contains(u"hunter2"), qPrintable(secret));
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

REDRIVE_TEST(TestConnectionText)
#include "tst_connectiontext.moc"
