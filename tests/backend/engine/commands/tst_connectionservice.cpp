// Opening, saving and removing connections wait for secrets; in whatever order they meet, each connection runs once.
#include "backend/engine/commands/connectionservice.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/intakestore.h"
#include "backend/store/query/questions/logqueries.h"
#include "tests/backend/engine/silentenginefixture.h"
#include "tests/support/testmain/testmain.h"

#include <QScopeGuard>
#include <QTest>

using test::deliver;
using test::draft;
using test::SilentEngineFixture;

namespace {

// A keychain that answers when the test says so.
class SlowSecrets final : public core::Secrets
{
public:
    core::Task<core::Result<QString>> read(QString connection) override
    {
        const core::Pending<bool> turn = wait();
        co_await turn;
        if (broken)
            co_return core::fail(core::ErrorKind::Transient, QStringLiteral("The keychain is locked."));
        if (!known.contains(connection))
            co_return core::fail(core::ErrorKind::NotFound, QStringLiteral("There is none."));
        co_return known.value(connection);
    }
    core::Task<core::Result<>> write(QString connection, QString secret) override
    {
        known.insert(connection, secret);
        co_return core::Result<>{};
    }
    core::Task<core::Result<>> remove(QString connection) override
    {
        if (broken)
            co_return core::fail(core::ErrorKind::Transient, QStringLiteral("The keychain is locked."));
        if (known.remove(connection) == 0)
            co_return core::fail(core::ErrorKind::NotFound, QStringLiteral("There is none."));
        co_return core::Result<>{};
    }
    void onLateAnswer(std::function<void()> told) override { late = std::move(told); }
    void answerAll()
    {
        while (!m_waiting.empty()) {
            const std::vector<core::Pending<bool>> waiting = std::exchange(m_waiting, {});
            for (const core::Pending<bool> &one : waiting)
                one.resolve(true);
        }
    }

    QHash<QString, QString> known;
    bool slow = false;
    bool broken = false;
    std::function<void()> late;

private:
    core::Pending<bool> wait()
    {
        core::Pending<bool> pending;
        if (slow)
            m_waiting.push_back(pending);
        else
            pending.resolve(true);
        return pending;
    }
    std::vector<core::Pending<bool>> m_waiting;
};

// Closing a connection waits only a little for a broker that never answers.
constexpr core::Milliseconds aMoment{500};

struct Fixture : SilentEngineFixture
{
    Fixture()
        : SilentEngineFixture(std::make_unique<SlowSecrets>())
    {
    }
    SlowSecrets &keychain() { return static_cast<SlowSecrets &>(*secrets); }
    engine::LocalClient client{mailbox, nullptr};

    core::ConnectionId keep(const QString &name)
    {
        core::ConnectionId id;
        const core::Result<> added = store->transact([&](store::Session &session) -> core::Result<> {
            const core::Result<core::ConnectionId> made = session.connections().add(draft(name).connection);
            id = made.value_or(core::ConnectionId{});
            return {};
        });
        return added ? id : core::ConnectionId{};
    }
    core::Result<core::ConnectionId> save(const api::ConnectionDraft &what)
    {
        const api::Answer<core::ConnectionId> saved = client.ask(api::SaveConnection{what});
        for (int i = 0; i < 20 && !saved.isFinished(); ++i) {
            deliver();
            clock.advance(aMoment);
        }
        if (!saved.isFinished())
            return core::fail(core::ErrorKind::Transient, QStringLiteral("never answered"));
        return saved.result();
    }
    void pass(core::Milliseconds time)
    {
        clock.advance(time);
        deliver();
    }
    api::ConnectionView view(core::ConnectionId id) { return engine->connections().find(id).value()->view(); }
    QStringList notes()
    {
        QStringList lines;
        const core::Result<QList<records::Event>> events =
            store::readEvents(static_cast<store::SqliteStore &>(*store).database(), {});
        if (!events)
            return {events.error().message};
        for (const records::Event &event : *events)
            lines << event.what + QStringLiteral(": ") + event.onWhat;
        return lines;
    }
};

} // namespace

class TestConnectionService final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aConnectionSavedWhileAllAreOpenedRunsOnceWithItsNewSettings()
    {
        Fixture fixture;
        fixture.keychain().slow = true;
        fixture.keep(QStringLiteral("first"));
        api::ConnectionDraft second = draft(QStringLiteral("second"));
        second.connection.id = fixture.keep(second.connection.name);
        fixture.mailbox->attach(*fixture.engine);
        fixture.engine->start(); // waits for the secret of the first
        second.connection.url.setHost(QStringLiteral("127.0.0.2"));
        const api::Answer<core::ConnectionId> saved = fixture.client.ask(api::SaveConnection{second});
        deliver();
        fixture.keychain().answerAll();
        fixture.keychain().slow = false;
        for (int i = 0; i < 5; ++i) {
            fixture.keychain().answerAll();
            fixture.clock.advance(core::Milliseconds{1});
            deliver();
        }
        QVERIFY(saved.isFinished() && saved.result());
        QCOMPARE(fixture.engine->connections().all().size(), 2);
        QCOMPARE(fixture.asked.last().at(0), QStringLiteral("second"));
        QCOMPARE(fixture.asked.last().at(1), QStringLiteral("127.0.0.2"));
        QVERIFY(fixture.stop());
    }

    void twoSavesOfOneConnectionLeaveOneRunning()
    {
        Fixture fixture;
        fixture.mailbox->attach(*fixture.engine);
        fixture.engine->start();
        api::ConnectionDraft shop = draft(QStringLiteral("shop"));
        const core::Result<core::ConnectionId> id = fixture.save(shop);
        QVERIFY(id);
        shop.connection.id = *id;
        fixture.keychain().slow = true;
        const api::Answer<core::ConnectionId> one = fixture.client.ask(api::SaveConnection{shop});
        shop.connection.url.setHost(QStringLiteral("127.0.0.2"));
        const api::Answer<core::ConnectionId> other = fixture.client.ask(api::SaveConnection{shop});
        for (int i = 0; i < 10; ++i) {
            deliver();
            fixture.clock.advance(aMoment);
            fixture.keychain().answerAll();
        }
        QVERIFY(one.isFinished() && one.result());
        QVERIFY(other.isFinished() && other.result());
        QCOMPARE(fixture.asked.size(), 3);
        QCOMPARE(fixture.asked.last().at(1), QStringLiteral("127.0.0.2"));
        QCOMPARE(fixture.engine->connections().find(*id).value()->connection().url.host(), QStringLiteral("127.0.0.2"));
        QVERIFY(fixture.stop()); // the replaced runtime ended before it was destroyed
    }

    void aTestOfASilentBrokerEndsWithItsFirstSilence()
    {
        Fixture fixture;
        fixture.mailbox->attach(*fixture.engine);
        fixture.engine->start();
        const api::Answer<api::ConnectionTest> tested =
            fixture.client.ask(api::TestConnection{draft(QStringLiteral("first"))});
        deliver();
        QVERIFY(!tested.isFinished());
        const core::Error silence{core::ErrorKind::Transient, QStringLiteral("No answer."), {}, {}};
        {
            const std::shared_ptr<test::SilentBroker> broker = fixture.newest.lock();
            QVERIFY(broker);
            broker->silent(silence);
        }
        fixture.clock.advance(core::Milliseconds{0});
        deliver();
        QVERIFY(tested.isFinished() && !tested.result());
        QCOMPARE(tested.result().error().message, silence.message);
        QVERIFY(fixture.newest.expired());
        QVERIFY(fixture.stop());
    }

    void anAddressStaysWhileQueuesOfOursAreInUse_data()
    {
        QTest::addColumn<bool>("oldAnswers");
        QTest::addColumn<bool>("oldHas");
        QTest::addColumn<bool>("newHas");
        QTest::addColumn<QString>("words"); // of the refusal; empty: it is changed
        const QString held = QStringLiteral("redrive.s.1.run with 12 messages");
        QTest::newRow("another broker") << true << true << false << held;
        QTest::newRow("the same broker") << true << true << true << QString();
        QTest::newRow("nothing is there") << true << false << false << QString();
        QTest::newRow("no answer") << false << false << false << QStringLiteral("does not answer");
    }

    void anAddressStaysWhileQueuesOfOursAreInUse()
    {
        QFETCH(bool, oldAnswers);
        QFETCH(bool, oldHas);
        QFETCH(bool, newHas);
        QFETCH(QString, words);
        Fixture fixture;
        fixture.mailbox->attach(*fixture.engine);
        fixture.engine->start();
        api::ConnectionDraft shop = draft(QStringLiteral("shop"));
        const core::Result<core::ConnectionId> id = fixture.save(shop);
        QVERIFY(id);
        shop.connection.id = *id;
        const broker::Leftover held{broker::Leftover::Kind::Holding, QStringLiteral("redrive.s.1.run"), {}, 12};
        const QList<broker::Leftover> some{held};
        if (oldAnswers)
            fixture.leftovers[QStringLiteral("127.0.0.1")] = oldHas ? some : QList<broker::Leftover>();
        fixture.leftovers[QStringLiteral("127.0.0.2")] = newHas ? some : QList<broker::Leftover>();
        records::IntakeRun run;
        run.connection = *id;
        run.sourceQueue = QStringLiteral("error");
        run.holdingName = held.name;
        QVERIFY(fixture.store->transact([&](store::Session &session) -> core::Result<> {
            const core::Result<core::IntakeRunId> begun = session.intakes().begin(run);
            return begun ? core::Result<>() : core::fail(begun.error());
        }));

        shop.connection.url.setUserName(QStringLiteral("another"));
        QVERIFY(fixture.save(shop)); // the same address
        shop.connection.url.setHost(QStringLiteral("127.0.0.2"));
        const core::Result<core::ConnectionId> saved = fixture.save(shop);
        QCOMPARE(saved.has_value(), words.isEmpty());
        const QString host = fixture.engine->connections().find(*id).value()->connection().url.host();
        QCOMPARE(host, words.isEmpty() ? QStringLiteral("127.0.0.2") : QStringLiteral("127.0.0.1"));
        if (!saved) {
            QCOMPARE(core::toString(saved.error().kind), core::toString(core::ErrorKind::Refused));
            QVERIFY2(saved.error().message.contains(words), qPrintable(saved.error().message));
        }
        QVERIFY(fixture.stop());
    }

    void aRenamedConnectionKeepsItsSecretAndLeavesNoneBehind()
    {
        Fixture fixture;
        fixture.mailbox->attach(*fixture.engine);
        fixture.engine->start();
        api::ConnectionDraft shop = draft(QStringLiteral("shop"));
        shop.secret = QStringLiteral("hunter2");
        const core::Result<core::ConnectionId> id = fixture.save(shop);
        QVERIFY(id);
        shop.connection.id = *id;
        shop.connection.name = QStringLiteral("store");
        shop.secret.reset(); // unchanged
        QVERIFY(fixture.save(shop));
        QCOMPARE(fixture.asked.last(),
                 (QStringList{QStringLiteral("store"), QStringLiteral("127.0.0.1"), QStringLiteral("hunter2")}));
        QCOMPARE(fixture.keychain().known,
                 (QHash<QString, QString>{{QStringLiteral("store"), QStringLiteral("hunter2")}}));
        QVERIFY(fixture.stop());
    }

    void aNameThatIsTakenLeavesTheSecretOfTheOtherAlone()
    {
        Fixture fixture;
        fixture.mailbox->attach(*fixture.engine);
        fixture.engine->start();
        api::ConnectionDraft shop = draft(QStringLiteral("shop"));
        shop.secret = QStringLiteral("one");
        const core::Result<core::ConnectionId> id = fixture.save(shop);
        QVERIFY(id);
        api::ConnectionDraft other = draft(QStringLiteral("other"));
        other.secret = QStringLiteral("two");
        QVERIFY(fixture.save(other));
        shop.connection.id = *id;
        shop.connection.name = QStringLiteral("other");
        const core::Result<core::ConnectionId> refused = fixture.save(shop);
        QVERIFY(!refused && refused.error().kind == core::ErrorKind::Conflict);
        QCOMPARE(fixture.keychain().known.value(QStringLiteral("other")), QStringLiteral("two"));
        QCOMPARE(fixture.keychain().known.value(QStringLiteral("shop")), QStringLiteral("one"));
        QVERIFY(fixture.stop());
    }

    // Logging in with an empty password instead of an unreadable one could lock the account.
    void aSecretThatCannotBeReadIsWaitedForAndNothingIsSent()
    {
        Fixture fixture;
        const core::ConnectionId id = fixture.keep(QStringLiteral("shop"));
        fixture.keychain().broken = true;
        fixture.keychain().known.insert(QStringLiteral("shop"), QStringLiteral("hunter2"));
        fixture.mailbox->attach(*fixture.engine);
        fixture.engine->start();
        const api::Answer<> refreshed = fixture.client.ask(api::RefreshQueues{});
        const api::Answer<api::ConnectionTest> tested = fixture.client.ask(api::TestConnection{[id] {
            api::ConnectionDraft shop = draft(QStringLiteral("shop"));
            shop.connection.id = id;
            return shop;
        }()});
        fixture.pass(std::chrono::hours(1));
        QVERIFY(fixture.asked.isEmpty());
        QVERIFY(refreshed.isFinished() && !refreshed.result());
        QVERIFY(tested.isFinished() && tested.result().error().kind == core::ErrorKind::Unauthorized);
        QVERIFY(fixture.view(id).health == api::Health::LoginNeeded);
        QVERIFY2(fixture.view(id).words.contains(u"The keychain is locked."), qPrintable(fixture.view(id).words));
        fixture.keychain().broken = false;
        fixture.pass(std::chrono::minutes(2)); // asked again from time to time
        QCOMPARE(fixture.asked, (QList<QStringList>{
                                    {QStringLiteral("shop"), QStringLiteral("127.0.0.1"), QStringLiteral("hunter2")}}));
        QVERIFY(fixture.stop());
    }

    void aKeychainThatAnswersLateIsAskedAtOnce()
    {
        Fixture fixture;
        fixture.keep(QStringLiteral("shop"));
        fixture.keychain().broken = true;
        fixture.keychain().known.insert(QStringLiteral("shop"), QStringLiteral("hunter2"));
        fixture.mailbox->attach(*fixture.engine);
        fixture.engine->start();
        fixture.pass(std::chrono::minutes(10));
        QVERIFY(fixture.asked.isEmpty());
        fixture.keychain().broken = false;
        fixture.keychain().late();
        fixture.pass(core::Milliseconds{1});
        QCOMPARE(fixture.asked.size(), 1);
        QCOMPARE(fixture.asked.first().last(), QStringLiteral("hunter2"));
        QVERIFY(fixture.stop());
    }

    void aLoginWithoutASecretIsTriedOnce()
    {
        Fixture fixture;
        fixture.refusesLogins = true;
        const core::ConnectionId id = fixture.keep(QStringLiteral("shop"));
        fixture.mailbox->attach(*fixture.engine);
        fixture.engine->start();
        fixture.pass(std::chrono::hours(1));
        QCOMPARE(fixture.asked.size(), 1);
        QVERIFY(fixture.newest.expired()); // nothing can call it any more
        QVERIFY(fixture.view(id).health == api::Health::LoginNeeded);
        fixture.refusesLogins = false;
        fixture.keychain().known.insert(QStringLiteral("shop"), QStringLiteral("hunter2"));
        fixture.pass(std::chrono::minutes(2));
        QCOMPARE(fixture.asked.size(), 2);
        QCOMPARE(fixture.asked.last().last(), QStringLiteral("hunter2"));
        QVERIFY(fixture.stop());
    }

    void aNameIsKeptWhileItsSecretCannotBeRead()
    {
        Fixture fixture;
        fixture.mailbox->attach(*fixture.engine);
        fixture.engine->start();
        api::ConnectionDraft shop = draft(QStringLiteral("shop"));
        shop.secret = QStringLiteral("hunter2");
        shop.connection.id = fixture.save(shop).value();
        shop.secret.reset();
        shop.connection.name = QStringLiteral("store");
        fixture.keychain().broken = true;
        const core::Result<core::ConnectionId> refused = fixture.save(shop);
        QVERIFY(!refused);
        QVERIFY(refused.error().message.contains(u"The keychain is locked."));
        QCOMPARE(fixture.view(shop.connection.id).connection.name, QStringLiteral("shop"));
        fixture.keychain().broken = false;
        QVERIFY(fixture.save(shop));
        QCOMPARE(fixture.asked.last().last(), QStringLiteral("hunter2"));
        QVERIFY(fixture.stop());
    }

    void aNameThatSharesAPlaceForSecretsIsRefused()
    {
        Fixture fixture;
        fixture.mailbox->attach(*fixture.engine);
        fixture.engine->start();
        api::ConnectionDraft shop = draft(QStringLiteral("shop-eu"));
        const core::Result<core::ConnectionId> id = fixture.save(shop);
        QVERIFY(id);
        const core::Result<core::ConnectionId> alike = fixture.save(draft(QStringLiteral("Shop.EU")));
        QVERIFY(!alike && alike.error().kind == core::ErrorKind::Conflict);
        for (const char *part : {"shop-eu", "Shop.EU", "REDRIVE_SECRET_SHOP_EU"})
            QVERIFY2(alike.error().message.contains(QLatin1StringView(part)), qPrintable(alike.error().message));
        const core::Result<core::ConnectionId> equals = fixture.save(draft(QStringLiteral("a=b")));
        QVERIFY(!equals && equals.error().kind == core::ErrorKind::Rejected);
        QCOMPARE(fixture.engine->connections().all().size(), 1);
        shop.connection.id = *id;
        shop.connection.name = QStringLiteral("SHOP-EU"); // similar only to itself
        QVERIFY(fixture.save(shop));
        QVERIFY(fixture.stop());
    }

    // An older store may contain such names.
    void twoConnectionsOfOneVariableAreBothLeftWithoutIt()
    {
        SilentEngineFixture fixture;
        const auto keep = [&fixture](const QString &name) {
            QVERIFY(fixture.store->transact([&](store::Session &session) -> core::Result<> {
                return session.connections().add(draft(name).connection).map([](core::ConnectionId) {});
            }));
        };
        keep(QStringLiteral("tst-desk"));
        keep(QStringLiteral("tst.desk"));
        qputenv("REDRIVE_SECRET_TST_DESK", "hunter2");
        const auto unset = qScopeGuard([] { qunsetenv("REDRIVE_SECRET_TST_DESK"); });
        fixture.mailbox->attach(*fixture.engine);
        fixture.engine->start();
        fixture.clock.advance(std::chrono::minutes(5));
        QVERIFY(fixture.asked.isEmpty());
        for (const auto &runtime : fixture.engine->connections().all()) {
            QVERIFY(runtime->view().health == api::Health::LoginNeeded);
            QVERIFY(runtime->view().words.contains(u"tst-desk") && runtime->view().words.contains(u"tst.desk"));
        }
        QVERIFY(fixture.stop());
    }

    void aKeychainThatFailsIsNotedAndOneWithoutTheEntryIsNot()
    {
        Fixture fixture;
        fixture.mailbox->attach(*fixture.engine);
        fixture.engine->start();
        const core::Result<core::ConnectionId> id = fixture.save(draft(QStringLiteral("quiet")));
        QVERIFY(id);
        fixture.keychain().broken = true;
        const core::Result<core::ConnectionId> loud = fixture.save(draft(QStringLiteral("loud")));
        QVERIFY(loud);
        const api::Answer<> removed = fixture.client.ask(api::RemoveConnection{*loud});
        for (int i = 0; i < 10; ++i) {
            deliver();
            fixture.clock.advance(aMoment);
        }
        QVERIFY(removed.isFinished() && removed.result());
        const QStringList notes = fixture.notes();
        QVERIFY2(notes.contains(QStringLiteral("Secret not read: loud")), qPrintable(notes.join(u'\n')));
        QVERIFY(notes.contains(QStringLiteral("Secret not removed: loud")));
        QVERIFY(!notes.contains(QStringLiteral("Secret not read: quiet")));
        QVERIFY(fixture.stop());
    }
};

REDRIVE_TEST(TestConnectionService)
#include "tst_connectionservice.moc"
