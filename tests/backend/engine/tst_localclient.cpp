// Every future of a client finishes, whatever happens to the engine.
#include "backend/api/requests/connections.h"
#include "backend/api/requests/retries.h"
#include "tests/backend/engine/silentenginefixture.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using test::deliver;
using test::draft;
using test::SilentEngineFixture;

class TestLocalClient final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void workPostedBeforeTheEngineIsThereWaitsForIt()
    {
        SilentEngineFixture fixture;
        engine::LocalClient client(fixture.mailbox, nullptr);
        const auto paused = client.ask(api::PauseAll{true});
        deliver();
        QVERIFY(!paused.isFinished());
        fixture.mailbox->attach(*fixture.engine);
        deliver();
        QVERIFY(paused.isFinished());
        QVERIFY(paused.result());
        QVERIFY(fixture.stop());
    }

    void anEngineThatNeverComesAnswersCancelled()
    {
        auto mailbox = std::make_shared<engine::EngineMailbox>();
        engine::LocalClient client(mailbox, nullptr);
        const api::Answer<> early = client.ask(api::RefreshQueues{});
        mailbox->close();
        QVERIFY(early.isFinished());
        QVERIFY(early.result().error().kind == core::ErrorKind::Cancelled);
        const api::Answer<> late = client.ask(api::RefreshQueues{});
        QVERIFY(late.isFinished());
        QVERIFY(late.result().error().kind == core::ErrorKind::Cancelled);
    }

    void stoppingAnswersWhatHangsInABroker()
    {
        SilentEngineFixture fixture;
        fixture.mailbox->attach(*fixture.engine);
        fixture.engine->start();
        engine::LocalClient client(fixture.mailbox, nullptr);
        const api::Answer<core::ConnectionId> saved = client.ask(api::SaveConnection{draft(QStringLiteral("shop"))});
        deliver();
        QVERIFY(saved.isFinished());
        QVERIFY(saved.result());
        const api::Answer<> refreshing = client.ask(api::RefreshQueues{});
        const api::Answer<api::ConnectionTest> testing =
            client.ask(api::TestConnection{draft(QStringLiteral("other"))});
        api::TakeMessages request;
        request.connection = *saved.result();
        const api::Answer<records::IntakeCounts> taking = client.ask(request);
        deliver();
        QVERIFY(!refreshing.isFinished());
        QVERIFY(!testing.isFinished());
        QVERIFY(!taking.isFinished());
        QVERIFY(fixture.stop());
        QVERIFY(refreshing.isFinished() && !refreshing.result());
        QVERIFY(testing.isFinished() && !testing.result());
        QVERIFY(taking.isFinished() && !taking.result());
    }

    void aRefusedLoginWithoutSecretSaysThatThereWasNone()
    {
        SilentEngineFixture fixture;
        fixture.refusesLogins = true;
        fixture.mailbox->attach(*fixture.engine);
        engine::LocalClient client(fixture.mailbox, nullptr);
        const api::Answer<api::ConnectionTest> without = client.ask(api::TestConnection{draft(QStringLiteral("shop"))});
        api::ConnectionDraft with = draft(QStringLiteral("shop"));
        with.secret = QStringLiteral("s3cret");
        const api::Answer<api::ConnectionTest> wrong = client.ask(api::TestConnection{with});
        deliver();
        QVERIFY(without.isFinished() && wrong.isFinished());
        QVERIFY(without.result().error().kind == core::ErrorKind::Unauthorized);
        QVERIFY(
            without.result().error().message.startsWith(QStringLiteral("No secret is known for the connection shop")));
        QCOMPARE(wrong.result().error().message, QStringLiteral("The password is wrong."));
        QVERIFY(fixture.stop());
    }

    void theBannerSaysThatThereWasNoSecret()
    {
        SilentEngineFixture fixture;
        fixture.refusesLogins = true;
        fixture.mailbox->attach(*fixture.engine);
        fixture.engine->start();
        engine::LocalClient client(fixture.mailbox, nullptr);
        api::SnapshotPtr seen;
        client.listen([&seen](api::SnapshotPtr snapshot) { seen = std::move(snapshot); });
        static_cast<void>(client.ask(api::SaveConnection{draft(QStringLiteral("shop"))}));
        deliver();
        fixture.clock.advance(std::chrono::seconds{1});
        deliver();
        QVERIFY(seen && seen->connections.size() == 1);
        QVERIFY(seen->connections.first().health == api::Health::LoginNeeded);
        QVERIFY(seen->connections.first().words.contains(QStringLiteral("No secret is known")));
        QVERIFY(fixture.stop());
    }

    void theSecretGoesAlongWithANewName()
    {
        SilentEngineFixture fixture;
        fixture.mailbox->attach(*fixture.engine);
        fixture.engine->start();
        engine::LocalClient client(fixture.mailbox, nullptr);
        api::ConnectionDraft shop = draft(QStringLiteral("shop"));
        shop.secret = QStringLiteral("s3cret");
        const api::Answer<core::ConnectionId> added = client.ask(api::SaveConnection{shop});
        deliver();
        QVERIFY(added.isFinished() && added.result());
        api::ConnectionDraft renamed = draft(QStringLiteral("store"));
        renamed.connection.id = *added.result();
        const api::Answer<core::ConnectionId> saved = client.ask(api::SaveConnection{renamed});
        deliver();
        for (int i = 0; i < 100 && !saved.isFinished(); ++i) {
            fixture.clock.step();
            deliver();
        }
        QVERIFY(saved.isFinished() && saved.result());
        QCOMPARE(fixture.asked.size(), 2);
        QCOMPARE(fixture.asked.first().at(2), QStringLiteral("s3cret"));
        QCOMPARE(fixture.asked.last().at(2), QStringLiteral("s3cret"));
        QVERIFY(fixture.stop());
    }

    void snapshotsArriveAndSayWhatIsThere()
    {
        SilentEngineFixture fixture;
        fixture.mailbox->attach(*fixture.engine);
        fixture.engine->start();
        engine::LocalClient client(fixture.mailbox, nullptr);
        api::SnapshotPtr seen;
        client.listen([&seen](api::SnapshotPtr snapshot) { seen = std::move(snapshot); });
        static_cast<void>(client.ask(api::SaveConnection{draft(QStringLiteral("shop"))}));
        deliver();
        fixture.clock.advance(std::chrono::seconds{1});
        deliver();
        QVERIFY(seen);
        QCOMPARE(seen->engine, api::EngineState::Running);
        QCOMPARE(seen->session, QStringLiteral("session"));
        QCOMPARE(seen->connections.size(), 1);
        QCOMPARE(seen->connections.first().connection.name, QStringLiteral("shop"));
        QVERIFY(seen->revisions.events > 0);
        QVERIFY(fixture.stop());
    }

    void aConnectionThatCannotBeUsedIsRefused_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("url");
        QTest::newRow("no name") << QString() << QStringLiteral("http://host/");
        QTest::newRow("no host") << QStringLiteral("a") << QStringLiteral("http:///");
        QTest::newRow("other scheme") << QStringLiteral("a") << QStringLiteral("ftp://host/");
        QTest::newRow("password inside") << QStringLiteral("a") << QStringLiteral("http://me:hunter2@host/");
    }

    void aConnectionThatCannotBeUsedIsRefused()
    {
        QFETCH(QString, name);
        QFETCH(QString, url);
        SilentEngineFixture fixture;
        fixture.mailbox->attach(*fixture.engine);
        engine::LocalClient client(fixture.mailbox, nullptr);
        api::ConnectionDraft bad;
        bad.connection.name = name;
        bad.connection.url = QUrl(url);
        const api::Answer<core::ConnectionId> saved = client.ask(api::SaveConnection{bad});
        deliver();
        QVERIFY(saved.isFinished());
        QVERIFY(saved.result().error().kind == core::ErrorKind::Rejected);
        QVERIFY(!saved.result().error().message.contains(u"hunter2"));
        QVERIFY(fixture.stop());
    }
};

REDRIVE_TEST(TestLocalClient)
#include "tst_localclient.moc"
