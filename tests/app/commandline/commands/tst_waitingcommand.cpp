// A command whose brokers do not answer says for whom it waits.
#include "app/commandline/commands/commands.h"
#include "app/commandline/context.h"
#include "tests/support/fakeclient/fakeclient.h"
#include "tests/support/fakeclock.h"
#include "tests/support/testmain/testmain.h"

#include <QCoreApplication>
#include <QTest>

namespace {

using Verb = core::Task<int> (*)(commandline::Context &);

struct Fixture
{
    Fixture(const QStringList &words, const QHash<QString, QStringList> &options, bool json, bool terminal)
        : output{[](const QByteArray &) {}, [this](const QByteArray &bytes) { err += bytes; }, terminal, terminal}
    {
        for (const char *name : {"shop", "store"}) {
            api::ConnectionView view;
            view.connection.id = core::ConnectionId{1 + client.snapshot.connections.size()};
            view.connection.name = QLatin1String(name);
            client.snapshot.connections.append(view);
        }
        client.snapshot.engine = api::EngineState::Running;
        client.snapshot.connections.last().health = api::Health::Connected;
        commandline::Settings settings;
        settings.json = json;
        const commandline::EngineAccess access{&client, [] { return false; }, {}};
        context = std::make_unique<commandline::Context>(access, clock, commandline::Arguments(words, options),
                                                         settings, output);
        client.publish();
        client.holdAnswers(true);
    }
    ~Fixture()
    {
        client.holdAnswers(false);
        deliver();
    }
    static void deliver() { QCoreApplication::sendPostedEvents(); }

    support::FakeClient client;
    support::FakeClock clock;
    QByteArray err;
    commandline::Terminal output;
    std::unique_ptr<commandline::Context> context;
};

} // namespace

class TestWaitingCommand final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void itIsSaidWhoseAnswerIsWaitedFor_data();
    void itIsSaidWhoseAnswerIsWaitedFor();
    void onlyAPersonAtATerminalIsTold_data();
    void onlyAPersonAtATerminalIsTold();
};

void TestWaitingCommand::itIsSaidWhoseAnswerIsWaitedFor_data()
{
    QTest::addColumn<Verb>("verb");
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("option");
    QTest::addColumn<QString>("connection");
    QTest::addColumn<QByteArray>("said");
    const QByteArray shop = "redrive: Waiting for an answer from shop.\n";
    const QByteArray store = "redrive: Waiting for an answer from store.\n";
    const QStringList none;
    const auto row = [&](const char *name, Verb verb, const char *option, const char *connection,
                         const QByteArray &said) {
        QTest::newRow(name) << verb << none << QString::fromLatin1(option) << QString::fromLatin1(connection) << said;
    };
    row("queues", commandline::queuesCommand, "", "", shop);
    row("queues of one that answered before", commandline::queuesCommand, "", "store", store);
    row("browse", commandline::intakeCommand, "browse", "shop", shop);
    row("intake", commandline::intakeCommand, "once", "shop", shop);
    row("intake of one that answers", commandline::intakeCommand, "once", "store", {});
    row("subscribe", commandline::intakeCommand, "subscribe", "", shop);
    QTest::newRow("test") << Verb(commandline::connectionCommand)
                          << QStringList{QStringLiteral("test"), QStringLiteral("shop")} << QString() << QString()
                          << shop;
}

void TestWaitingCommand::itIsSaidWhoseAnswerIsWaitedFor()
{
    QFETCH(Verb, verb);
    QFETCH(QStringList, words);
    QFETCH(QString, option);
    QFETCH(QString, connection);
    QFETCH(QByteArray, said);
    QHash<QString, QStringList> options;
    if (!option.isEmpty())
        options.insert(option, {QString()});
    if (!connection.isEmpty())
        options.insert(QStringLiteral("connection"), {connection});
    Fixture fixture(words, options, false, true);
    const core::Task<int> running = verb(*fixture.context);
    QVERIFY(fixture.client.held() > 0);
    fixture.clock.advance(commandline::Context::unsaid - core::Milliseconds{1});
    QCOMPARE(fixture.err, QByteArray());
    fixture.clock.advance(core::Milliseconds{1});
    QCOMPARE(fixture.err, said);
    fixture.clock.advance(commandline::Context::unsaid * 10);
    QCOMPARE(fixture.err, said); // once
    fixture.context->stop();
}

void TestWaitingCommand::onlyAPersonAtATerminalIsTold_data()
{
    QTest::addColumn<bool>("json");
    QTest::addColumn<bool>("terminal");
    QTest::newRow("a log") << false << false;
    QTest::newRow("a log beside JSON") << true << false;
    QTest::newRow("a terminal beside JSON") << true << true;
}

void TestWaitingCommand::onlyAPersonAtATerminalIsTold()
{
    QFETCH(bool, json);
    QFETCH(bool, terminal);
    Fixture fixture({}, {}, json, terminal);
    const core::Task<int> running = commandline::queuesCommand(*fixture.context);
    fixture.clock.advance(commandline::Context::unsaid);
    QCOMPARE(!fixture.err.isEmpty(), terminal);
    fixture.context->stop();
    QVERIFY(running.isReady());
}

REDRIVE_TEST(TestWaitingCommand)
#include "tst_waitingcommand.moc"
