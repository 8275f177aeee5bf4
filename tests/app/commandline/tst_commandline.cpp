// What people and scripts meet: exit codes, the one line of every error, and who is asked for what.
#include "app/commandline/exitcode.h"
#include "app/commandline/printer.h"
#include "tests/app/commandline/commandrun.h"
#include "tests/support/testmain/testmain.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using core::ErrorKind;

class TestCommandLine final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void noDocumentMovesATerminal();
    void wrongWordsAreAUsageError_data();
    void wrongWordsAreAUsageError();
    void wrongValuesAreAUsageError_data();
    void wrongValuesAreAUsageError();
    void everyKindOfErrorHasItsExitCode_data();
    void everyKindOfErrorHasItsExitCode();
    void anEngineThatCannotOpenIsReported_data();
    void anEngineThatCannotOpenIsReported();
    void programsGetTheirOptions();
    void onlyTheConsoleNeedsAWindow();
    void theConnectionMustBeNamedWhenThereAreTwo();
    void aConnectionIsAddedWithoutItsSecret();
    void aSecretFileServesTheNamedConnection();
    void aConnectionIsListedTestedAndRemoved();
    void queuesAreAskedForAnew();
    void intakeSharesItsLimitAmongConnections();
    void archiveAndRestoreSayHowMany();
    void operationsArePausedResumedAndCancelled();
    void hostileTextCannotMoveTheCursor();
};

void TestCommandLine::wrongWordsAreAUsageError_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("error");
    QTest::newRow("unknown command") << QByteArray("fly")
                                     << QByteArray("Unknown command 'fly'. redrive --help lists the commands.");
    QTest::newRow("misspelt command")
        << QByteArray("mesages")
        << QByteArray("Unknown command 'mesages'. Did you mean messages? redrive --help lists the commands.");
    QTest::newRow("help of an unknown command")
        << QByteArray("help retyr")
        << QByteArray("Unknown command 'retyr'. Did you mean retry? redrive --help lists the commands.");
    QTest::newRow("unknown option") << QByteArray("groups --loud")
                                    << QByteArray("Unknown option 'loud'. redrive groups --help lists the options.");
    QTest::newRow("unknown common option")
        << QByteArray("--loud groups") << QByteArray("Unknown option 'loud'. redrive --help lists the options.");
    QTest::newRow("value missing") << QByteArray(
        "groups --by") << QByteArray("Missing value after '--by'. redrive groups --help lists the options.");
    QTest::newRow("argument missing") << QByteArray("show")
                                      << QByteArray("Missing argument. Usage: redrive show MESSAGE-ID");
    QTest::newRow("argument too many") << QByteArray("show 1 2")
                                       << QByteArray("Unexpected argument '2'. Usage: redrive show MESSAGE-ID");
    QTest::newRow("no argument wanted") << QByteArray("groups 7")
                                        << QByteArray("Unexpected argument '7'. Usage: redrive groups");
    QTest::newRow("store") << QByteArray("--store postgresql://h/d groups")
                           << QByteArray("Unknown kind of store 'postgresql'. Write sqlite:PATH.");
    QTest::newRow("copy without a target")
        << QByteArray("store copy a.db")
        << QByteArray("Missing argument. Usage: redrive store copy FROM TO | roles [--schema NAME]");
    QTest::newRow("copy with a password")
        << QByteArray("store copy a.db postgresql://u:p@h/d")
        << QByteArray(
               "The URL must not contain a password. Use REDRIVE_SECRET_STORE, --secret-file, or the password file of "
               "PostgreSQL.");
    QTest::newRow("copy into something else")
        << QByteArray("store copy a.db mysql://h/d") << QByteArray("Unknown kind of store 'mysql'. Write sqlite:PATH.");
    QTest::newRow("no such action")
        << QByteArray("store move a.db b.db")
        << QByteArray("Unknown action 'move'. Usage: redrive store copy FROM TO | roles [--schema NAME]");
    QTest::newRow("two stores") << QByteArray("--store sqlite:/a groups --store sqlite:/b")
                                << QByteArray("--store is given more than once. Give it once.");
    QTest::newRow("two profiles") << QByteArray("groups --profile a --profile b")
                                  << QByteArray("--profile is given more than once. Give it once.");
    QTest::newRow("profile") << QByteArray("--profile ../x groups")
                             << QByteArray("Invalid profile name '../x'. Use letters, digits, '-', '_' and '.'.");
    QTest::newRow("listen") << QByteArray("broker --listen here")
                            << QByteArray("--listen must be an address and a port like 127.0.0.1:5380, not 'here'.");
    QTest::newRow("messages") << QByteArray("demo --messages 0")
                              << QByteArray("--messages must be a whole number, at least 1, not '0'.");
    QTest::newRow("too many messages") << QByteArray("demo --messages 1000001")
                                       << QByteArray("--messages must be at most 1000000.");
    QTest::newRow("scenario") << QByteArray("demo --scenario bank")
                              << QByteArray("Unknown scenario 'bank'. Available: shop, ")
                                     + commandline::demoScenarios().join(QStringLiteral(", ")).toLatin1()
                                     + ", or the path of a file that ends with .json.";
    QTest::newRow("log of the shop") << QByteArray("demo --headless --log")
                                     << QByteArray("--log needs --headless and a --scenario other than shop.");
    QTest::newRow("seed") << QByteArray("demo --seed x")
                          << QByteArray("--seed must be a whole number, at least 0, not 'x'.");
}

void TestCommandLine::wrongWordsAreAUsageError()
{
    QFETCH(const QByteArray, line);
    QFETCH(const QByteArray, error);
    support::CommandRun run;
    const support::CommandResult result = run(line);
    QCOMPARE(result.err, "redrive: " + error + '\n');
    QCOMPARE(result.code, 2);
    QCOMPARE(result.out, QByteArray());
    QVERIFY(run.client.calls.isEmpty());
}

void TestCommandLine::wrongValuesAreAUsageError_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("error");
    const auto row = [](const char *line, const char *error) {
        QTest::newRow(line) << QByteArray(line) << QByteArray(error);
    };
    row("groups --by colour", "--by must be exception, type, address, endpoint or instance, not 'colour'.");
    row("groups --status resolved", "--status must be unresolved, archived or unknown, not 'resolved'.");
    row("messages --status lost",
        "--status must be unresolved, retryissued, resolved, archived, released or unknown, not 'lost'.");
    row("messages --search ab", "--search must have at least 3 characters.");
    row("messages --limit 0", "--limit must be a whole number, at least 1, not '0'.");
    row("messages --limit 1001", "--limit must be at most 1000. Use --after for the next page.");
    row("messages --group x", "Invalid id 'x': an id is a whole number.");
    row("messages --since soon",
        "--since must be a time like 2026-01-02T03:04:05Z or an age like 15m, 2h or 3d, not 'soon'.");
    row("messages --until soon",
        "--until must be a time like 2026-01-02T03:04:05Z or an age like 15m, 2h or 3d, not 'soon'.");
    row("events --since soon",
        "--since must be a time like 2026-01-02T03:04:05Z or an age like 15m, 2h or 3d, not 'soon'.");
    row("events --seal ab", "--seal needs --verify.");
    row("events --verify --follow", "--verify and --follow exclude each other.");
    row("events --verify --seal xy", "--seal must be the hexadecimal digits that redrive events --verify printed.");
    row("show x", "Invalid id 'x': an id is a whole number.");
    row("operation 0", "Invalid id '0': an id is a whole number.");
    row("pause -- -1", "Invalid id '-1': an id is a whole number.");
    row("intake --once --subscribe", "--once and --subscribe exclude each other.");
    row("intake --limit 5 --subscribe", "--limit and --subscribe exclude each other.");
    row("intake --browse --subscribe", "--browse takes no messages. Do not combine it with --once or --subscribe.");
    row("intake --unsubscribe --subscribe", "--unsubscribe and --subscribe exclude each other.");
    row("intake --browse --once", "--browse takes no messages. Do not combine it with --once or --subscribe.");
    row("intake --browse --limit 1001", "--browse reaches at most 1000 messages of a queue.");
    row("intake --limit x", "--limit must be a whole number, at least 1, not 'x'.");
    row("retry", "Select the messages with exactly one option. redrive retry --help lists the options.");
    row("retry --all --queue error",
        "Select the messages with exactly one option. redrive retry --help lists the options.");
    row("retry --group x", "Invalid id 'x': an id is a whole number.");
    row("retry --search ab", "--search must have at least 3 characters.");
    row("retry --all --on-unknown pray", "--on-unknown must be resend or doubt, not 'pray'.");
    row("retry --all --limit 0", "--limit must be a whole number, at least 1, not '0'.");
    row("retry --all --confirm many", "--confirm must be a whole number, at least 0, not 'many'.");
    row("release", "Select the messages with exactly one option. redrive release --help lists the options.");
    row("archive", "Select the messages with exactly one option. redrive archive --help lists the options.");
    row("archive --group 1 --message 2",
        "Select the messages with exactly one option. redrive archive --help lists the options.");
    row("restore --message x", "Invalid id 'x': an id is a whole number.");
    row("doubt --settle 12", "--settle must be ID=sent or ID=resend with an id from redrive doubt, not '12'.");
    row("doubt --settle x=sent", "Invalid id 'x': an id is a whole number.");
    row("doubt --settle 1:x=sent", "'1:x' is not an id from redrive doubt.");
    row("connection dance", "redrive connection has no action 'dance'. Use add, list, test, queues, steps or remove.");
    row("group dance 7", "redrive group has no action 'dance'. Use note, unnote, mute or unmute.");
    row("connection test",
        "Usage: redrive connection add NAME URL | list | test NAME | queues NAME | steps NAME | remove NAME.");
    row("connection add shop", "The name or the URL is missing. Usage: redrive connection add NAME URL.");
    row("connection add shop rabbitmq+http://h/", "The URL needs the user before the host: user@host.");
    row("connection add shop rabbitmq+http://u@h/ --environment prod",
        "--environment must be development, test or production, not 'prod'.");
    row("connection add shop rabbitmq+http://u@h/ --rights see,fly",
        "--rights must be a list from see,take,retry,edit,redirect,archive,delete, not 'see,fly'.");
    row("connection add shop rabbitmq+http://u@h/ --ca-file /nonexistent.pem",
        "--ca-file: the file '/nonexistent.pem' cannot be read.");
    row("--secret-file /nonexistent connection add shop rabbitmq+http://u@h/",
        "The secret file '/nonexistent' cannot be read: No such file or directory.");
    row("groups --connection else", "There is no connection 'else'. redrive connection list shows the names.");
    row("operation 99", "There is no operation 99. redrive operations lists them.");
}

void TestCommandLine::wrongValuesAreAUsageError()
{
    QFETCH(const QByteArray, line);
    QFETCH(const QByteArray, error);
    support::CommandRun run;
    run.addConnection(QStringLiteral("shop"));
    const support::CommandResult result = run(line);
    QCOMPARE(result.err, "redrive: " + error + '\n');
    QCOMPARE(result.code, 2);
    QCOMPARE(result.out, QByteArray());
    QVERIFY(run.client.retries.isEmpty() && run.client.decisions.isEmpty() && run.client.settles.isEmpty());
    QVERIFY(run.client.savedConnections.isEmpty() && run.client.intakes.isEmpty() && run.client.actions.isEmpty());
}

void TestCommandLine::everyKindOfErrorHasItsExitCode_data()
{
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<int>("fromStore");
    QTest::addColumn<int>("fromBroker");
    QTest::newRow("Transient") << ErrorKind::Transient << 3 << 3;
    QTest::newRow("Throttled") << ErrorKind::Throttled << 3 << 3;
    QTest::newRow("Rejected") << ErrorKind::Rejected << 4 << 4;
    QTest::newRow("NotFound") << ErrorKind::NotFound << 2 << 3;
    QTest::newRow("Conflict") << ErrorKind::Conflict << 4 << 4;
    QTest::newRow("Unauthorized") << ErrorKind::Unauthorized << 4 << 4;
    QTest::newRow("Corrupt") << ErrorKind::Corrupt << 5 << 3;
    QTest::newRow("Cancelled") << ErrorKind::Cancelled << 3 << 3;
    QTest::newRow("UnknownOutcome") << ErrorKind::UnknownOutcome << 3 << 3;
    QTest::newRow("Refused") << ErrorKind::Refused << 4 << 4;
    QTest::newRow("StoreFailed") << ErrorKind::StoreFailed << 5 << 5;
}

void TestCommandLine::everyKindOfErrorHasItsExitCode()
{
    QFETCH(const ErrorKind, kind);
    QFETCH(const int, fromStore);
    QFETCH(const int, fromBroker);
    support::CommandRun run;
    run.addConnection(QStringLiteral("shop"));
    const core::Error error{kind, QStringLiteral("It did not work;\nlook there."), QStringLiteral("password=x"), {}};
    run.client.failNext<api::GroupQuery>(error);
    const support::CommandResult store = run("groups --json");
    QCOMPARE(store.code, fromStore);
    QCOMPARE(store.err, QByteArray("redrive: It did not work; look there.\n")); // one line, and never the detail
    QCOMPARE(store.out, QByteArray());
    run.client.failNext<api::TakeMessages>(error);
    QCOMPARE(run("intake").code, fromBroker);
    run.client.failNext<api::TestConnection>(error);
    QCOMPARE(run("connection test shop").code, fromBroker);
}

void TestCommandLine::anEngineThatCannotOpenIsReported_data()
{
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<int>("code");
    QTest::newRow("not a database") << ErrorKind::Corrupt << 5;
    QTest::newRow("not writable") << ErrorKind::StoreFailed << 5;
    QTest::newRow("disk full") << ErrorKind::Transient << 5;
    QTest::newRow("not reachable") << ErrorKind::Cancelled << 3;
    QTest::newRow("held elsewhere") << ErrorKind::Refused << 4;
}

void TestCommandLine::anEngineThatCannotOpenIsReported()
{
    QFETCH(const ErrorKind, kind);
    QFETCH(const int, code);
    QByteArray errors;
    const commandline::Terminal terminal{[](const QByteArray &) { QFAIL("nothing was asked for"); },
                                         [&errors](const QByteArray &bytes) { errors += bytes; }, false, false};
    commandline::CommandLine line({QStringLiteral("redrive"), QStringLiteral("groups")});
    commandline::Launch launch;
    launch.engine = [kind](const commandline::Settings &,
                           const commandline::EngineNeeds &) -> core::Result<commandline::EngineAccess> {
        return core::fail(kind, QStringLiteral("The store cannot be opened."));
    };
    QCOMPARE(line.run(launch, terminal), code);
    QCOMPARE(errors, QByteArray("redrive: The store cannot be opened.\n"));
}

void TestCommandLine::programsGetTheirOptions()
{
    const commandline::Terminal terminal{[](const QByteArray &) {}, [](const QByteArray &) {}, false, false};
    commandline::Launch launch;
    commandline::DemoOptions demo;
    launch.demo = [&demo](const commandline::Settings &settings, const commandline::DemoOptions &options) {
        demo = options;
        return settings.json ? 40 : 41;
    };
    commandline::BrokerOptions broker;
    launch.broker = [&broker](const commandline::Settings &, const commandline::BrokerOptions &options) {
        broker = options;
        return 42;
    };
    const auto words = [](const char *line) { return QString::fromLatin1(line).split(QLatin1Char(' ')); };
    commandline::CommandLine first(
        words("redrive demo --messages 50 --seed 9 --headless --keep /tmp/x --json --scenario shop"));
    QCOMPARE(first.run(launch, terminal), 40);
    QCOMPARE(demo.messages, std::optional(50));
    QCOMPARE(demo.seed, 9U);
    QVERIFY(demo.headless);
    QCOMPARE(demo.keepFolder, QStringLiteral("/tmp/x"));
    commandline::CommandLine second(words("redrive broker --listen [::1]:5999 --data /tmp/b"));
    QCOMPARE(second.run(launch, terminal), 42);
    QCOMPARE(broker.address, QStringLiteral("::1"));
    QCOMPARE(broker.port, 5999);
    QCOMPARE(broker.dataFolder, QStringLiteral("/tmp/b"));
    QStringList schemas;
    launch.storeRoles = [&schemas](const commandline::Settings &, const commandline::RolesOptions &options) {
        schemas.append(options.schema);
        return 43;
    };
    commandline::CommandLine third(words("redrive store roles"));
    QCOMPARE(third.run(launch, terminal), 43);
    commandline::CommandLine fourth(words("redrive store roles --schema team"));
    QCOMPARE(fourth.run(launch, terminal), 43);
    QCOMPARE(schemas, (QStringList{QStringLiteral("redrive"), QStringLiteral("team")}));
    for (const char *const wrong : {"redrive store rolls", "redrive store", "redrive store roles --schema="}) {
        commandline::CommandLine line(words(wrong));
        QCOMPARE(line.run(launch, terminal), 2);
    }
    commandline::CopyOptions copy;
    launch.copyStore = [&copy](const commandline::Settings &, const commandline::CopyOptions &options) {
        copy = options;
        return 44;
    };
    commandline::CommandLine fifth(words("redrive store copy sqlite:/tmp/a.db postgresql://ada@h/d?schema=night"));
    QCOMPARE(fifth.run(launch, terminal), 44);
    QCOMPARE(copy.from.file, QStringLiteral("/tmp/a.db"));
    QCOMPARE(copy.to.url, QStringLiteral("postgresql://ada@h/d"));
    QCOMPARE(copy.to.schema, QStringLiteral("night"));
}

void TestCommandLine::onlyTheConsoleNeedsAWindow()
{
    const auto needsWindow = [](const QStringList &words) {
        return commandline::CommandLine(QStringList{QStringLiteral("redrive")} + words).needsWindow();
    };
    QVERIFY(needsWindow({}));
    QVERIFY(needsWindow({QStringLiteral("console")}));
    QVERIFY(needsWindow({QStringLiteral("demo")}));
    QVERIFY(!needsWindow({QStringLiteral("demo"), QStringLiteral("--headless")}));
    for (const char *name : {"run", "broker", "groups", "retry"})
        QVERIFY2(!needsWindow({QString::fromLatin1(name)}), name);
}

void TestCommandLine::theConnectionMustBeNamedWhenThereAreTwo()
{
    support::CommandRun run;
    QCOMPARE(run("groups").err,
             QByteArray("redrive: There is no connection yet. Add one with redrive connection add NAME URL.\n"));
    run.addConnection(QStringLiteral("shop"));
    QCOMPARE(run("groups").code, 0);
    const core::ConnectionId second = run.addConnection(QStringLiteral("bank"));
    for (const char *line : {"groups", "retry --all", "release --queue error", "archive --group 1"}) {
        const support::CommandResult result = run(QByteArray(line));
        QCOMPARE(result.code, 2);
        QCOMPARE(result.err, QByteArray("redrive: There are 2 connections. Choose one with --connection NAME.\n"));
    }
    QCOMPARE(run("groups --connection bank").code, 0);
    QCOMPARE(run.client.groupQueries.last().connection, second);
}

void TestCommandLine::aConnectionIsAddedWithoutItsSecret()
{
    support::CommandRun run;
    const support::CommandResult result =
        run("connection add shop rabbitmq+https://ann:hunter2@mq.example/prod/eu "
            "--environment test --error-queue error --error-queue late --rights see,retry");
    QCOMPARE(result.code, 0);
    QVERIFY(result.err.startsWith("redrive: Other users of this machine can see the secret in the URL"));
    QVERIFY(!result.err.contains("hunter2") && !result.out.contains("hunter2"));
    const api::ConnectionDraft &draft = run.client.savedConnections.first();
    QCOMPARE(draft.connection.name, QStringLiteral("shop"));
    QVERIFY(draft.connection.kind == records::BrokerKind::RabbitMq);
    QCOMPARE(draft.connection.url, QUrl(QStringLiteral("https://ann@mq.example:15671/prod%2Feu")));
    QVERIFY(draft.connection.environment == records::Environment::Test);
    QCOMPARE(draft.connection.errorQueues, QStringList({QStringLiteral("error"), QStringLiteral("late")}));
    QVERIFY(draft.connection.rights == (records::Rights(records::Right::See) | records::Right::Retry));
    QCOMPARE(draft.secret, std::optional(QStringLiteral("hunter2")));

    support::CommandRun homeless;
    homeless.client.secretNotKept = QStringLiteral("The secret of shop is not stored. Set REDRIVE_SECRET_SHOP.");
    const support::CommandResult told = homeless("connection add shop rabbitmq+http://ann:hunter2@mq/");
    QCOMPARE(told.code, 0);
    QVERIFY(told.err.endsWith("\nredrive: The secret of shop is not stored. Set REDRIVE_SECRET_SHOP.\n"));
    QCOMPARE(told.out, QByteArray("Connection shop added. Test it with redrive connection test shop.\n"));

    // The secret would be readable on its way.
    QVERIFY(support::CommandRun()("connection add shop rabbitmq+http://ann@mq/")
                .err.contains("http sends the secret of shop unencrypted."));
    QCOMPARE(support::CommandRun()("connection add shop rabbitmq+http://ann@localhost/").err, QByteArray());

    support::CommandRun plain;
    plain.client.secretNotKept = homeless.client.secretNotKept;
    QCOMPARE(plain("connection add shop rabbitmq+https://ann@mq/").err, QByteArray());
    QVERIFY(plain.client.savedConnections.first().connection.environment == records::Environment::Production);
    QVERIFY(!plain.client.savedConnections.first().secret);
}

void TestCommandLine::aSecretFileServesTheNamedConnection()
{
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("secrets")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("bank=wrong\nshop=a=b c\n");
    file.close();
    support::CommandRun run;
    const QByteArray option = "--secret-file " + file.fileName().toUtf8();
    QCOMPARE(run(option + " connection add shop rabbitmq+https://ann@mq/").code, 0);
    QCOMPARE(run.client.savedConnections.first().secret, std::optional(QStringLiteral("a=b c")));
    const support::CommandResult other = run(option + " connection add other rabbitmq+https://ann@mq/");
    QCOMPARE(other.code, 0);
    QCOMPARE(other.err, QByteArray("redrive: The secret file has no line 'other=SECRET'. Add it to the file.\n"));
    QVERIFY(!run.client.savedConnections.last().secret);
}

void TestCommandLine::noDocumentMovesATerminal()
{
    support::CommandRun run;
    const QString name =
        QString::fromUcs4(U"sh\"\\\x1b[2J\x7f\x85\x9b\u061c\u202e\u2028\u2066\ufeff\U000e0041\u00fc\U0001f600op");
    run.addConnection(name);
    const support::CommandResult listed = run("connection list --json");
    for (const char32_t one : QString::fromUtf8(listed.out).chopped(1).toUcs4()) {
        const QChar::Category category = QChar::category(one);
        QVERIFY2(category != QChar::Other_Control && category != QChar::Other_Format
                     && category != QChar::Separator_Line && category != QChar::Separator_Paragraph,
                 QByteArray::number(uint(one), 16).constData());
    }
    QVERIFY(listed.out.contains("\xc3\xbc\xf0\x9f\x98\x80op")); // what is harmless stays readable
    QCOMPARE(listed.json()[0].toObject().value(QStringLiteral("name")).toString(), name); // and nothing is lost
}

void TestCommandLine::aConnectionIsListedTestedAndRemoved()
{
    support::CommandRun run;
    const core::ConnectionId id = run.addConnection(QStringLiteral("shop"));
    const QJsonObject listed = run("connection list --json").json()[0].toObject();
    QCOMPARE(listed.value(QStringLiteral("url")).toString(),
             QStringLiteral("rabbitmq+http://guest@localhost:15672/%2F"));
    QCOMPARE(listed.value(QStringLiteral("name")).toString(), QStringLiteral("shop"));
    const auto breaker = [&run] {
        return run("connection list --json").json()[0].toObject().value(QStringLiteral("circuit_breaker")).toObject();
    };
    QCOMPARE(breaker().value(QStringLiteral("state")).toString(), QStringLiteral("closed"));
    QVERIFY(breaker().value(QStringLiteral("next_try")).isNull());
    api::ConnectionView &view = run.client.snapshot.connections.first();
    view.breaker = {records::CircuitBreaker::State::Open, 9, core::fromMs(1767323045000)};
    view.breakerWords = QStringLiteral("next try at 03:04:05 UTC");
    QCOMPARE(breaker().value(QStringLiteral("state")).toString(), QStringLiteral("open"));
    QCOMPARE(breaker().value(QStringLiteral("failures")).toInt(), 9);
    QCOMPARE(breaker().value(QStringLiteral("next_try")).toString(), QStringLiteral("2026-01-02T03:04:05.000Z"));
    QVERIFY(run("connection list").out.contains("shop: next try at 03:04:05 UTC\n"));
    view.breaker.state = records::CircuitBreaker::State::Probing;
    QCOMPARE(breaker().value(QStringLiteral("state")).toString(), QStringLiteral("probing"));
    run.client.testAnswer = {QStringLiteral("RabbitMQ 3.10.8"),
                             {QStringLiteral("take")},
                             {QStringLiteral("shovel plugin")},
                             QStringLiteral("Each message exactly once.")};
    const support::CommandResult tested = run("connection test shop");
    QCOMPARE(tested.out, QByteArray("RabbitMQ 3.10.8\n  can: take\n  missing or limited: shovel plugin\nGuarantee: "
                                    "Each message exactly once.\n"));
    run.client.testAnswer = {
        QStringLiteral("RabbitMQ 3.10.8"),        {QStringLiteral("see")}, {}, {}, {QStringLiteral("take")},
        QStringLiteral("RabbitMQ does not tell.")};
    QCOMPARE(run("connection test shop").out,
             QByteArray("RabbitMQ 3.10.8\n  can: see\n  unknown: take\nRabbitMQ does not tell.\n"));
    QCOMPARE(run("connection test shop --json").json()[QStringLiteral("not_known")][0].toString(),
             QStringLiteral("take"));
    run.client.failNext<api::RemoveConnection>(
        {ErrorKind::Refused, QStringLiteral("shop still holds 3 messages."), {}, {}});
    QCOMPARE(run("connection remove shop").code, 4);
    run.client.snapshot.connections.clear();
    run.addConnection(QStringLiteral("shop"));
    QCOMPARE(run("connection remove shop").code, 0);
    QCOMPARE(run.client.removedConnections.last(), id);
}

void TestCommandLine::queuesAreAskedForAnew()
{
    support::CommandRun run;
    api::QueueView queue;
    queue.connection = run.addConnection(QStringLiteral("shop"));
    queue.name = QStringLiteral("error");
    queue.depth = 12;
    queue.unresolved = 3;
    queue.asOf = core::fromMs(1767323045678);
    api::QueueView unknown = queue;
    unknown.depth.reset();
    unknown.name = QStringLiteral("late");
    run.client.snapshot.queues = {queue, unknown};
    const QByteArray at = commandline::localTime(queue.asOf).toUtf8();
    QCOMPARE(run("queues").out, "CONNECTION  ON BROKER  COUNTED              CONSUMERS  UNRESOLVED  QUEUE\n"
                                "shop               12  "
                                    + at
                                    + "          -           3  error\n"
                                      "shop                -  -                            -           3  late\n");
    const QJsonArray json = run("queues --json").json().toArray();
    QCOMPARE(json.at(0)[QStringLiteral("counted_at")].toString(), QStringLiteral("2026-01-02T03:04:05.678Z"));
    QVERIFY(json.at(1)[QStringLiteral("counted_at")].isNull());
    run.client.calls.clear();
    QCOMPARE(run("queues").code, 0);
    QCOMPARE(run.client.count<api::RefreshQueues>(), 1);
}

void TestCommandLine::intakeSharesItsLimitAmongConnections()
{
    support::CommandRun run;
    run.addConnection(QStringLiteral("shop"));
    run.addConnection(QStringLiteral("bank"));
    run.client.intakeAnswer = {10, 10, 0, 0, 0};
    QCOMPARE(run("intake --limit 15").out,
             QByteArray("Taken: 20 (20 new, 0 came back, 0 confirmed, 0 undecodable).\n"));
    QCOMPARE(run.client.intakes.at(0).limit, std::optional<qint64>(15));
    QCOMPARE(run.client.intakes.at(1).limit, std::optional<qint64>(5));
    QCOMPARE(run("intake --limit 10 --queue q").code, 0);
    QCOMPARE(run.client.intakes.size(), 3);
    QCOMPARE(run.client.intakes.last().queue, QStringLiteral("q"));
}

void TestCommandLine::archiveAndRestoreSayHowMany()
{
    support::CommandRun run;
    const core::ConnectionId connection = run.addConnection(QStringLiteral("shop"));
    run.addMessage(connection, QStringLiteral("Timeout"));
    run.addMessage(connection, QStringLiteral("Timeout"));
    QCOMPARE(run("archive --message 41 --message 42").out, QByteArray("Archived 2 messages.\n"));
    QCOMPARE(run("restore --message 41 --json").json()[QStringLiteral("restored")].toInt(), 1);
    QVERIFY(run.client.store.at(0).status == records::MessageStatus::Unresolved);
    QVERIFY(run.client.store.at(1).status == records::MessageStatus::Archived);
}

void TestCommandLine::operationsArePausedResumedAndCancelled()
{
    support::CommandRun run;
    api::OperationView live;
    live.operation.id = core::OperationId{12};
    live.operation.state = records::OperationState::Running;
    live.operation.total = 5;
    run.client.snapshot.operations = {live};
    run.client.operationList = {live.operation};
    QCOMPARE(run("pause 12").code, 0);
    QCOMPARE(run("resume 12").code, 0);
    QCOMPARE(run("cancel 12").code, 0);
    const QList<std::pair<core::OperationId, api::OperationAction>> expected{
        {live.operation.id, api::OperationAction::Pause},
        {live.operation.id, api::OperationAction::Resume},
        {live.operation.id, api::OperationAction::Cancel}};
    QVERIFY(run.client.actions == expected);
    QCOMPARE(run("operations --json").json().toArray().size(), 1);
    // Cancelled, and some of it is still on its way.
    run.client.snapshot.operations[0].operation.state = records::OperationState::Cancelled;
    run.client.operationList[0].state = records::OperationState::Cancelled;
    QCOMPARE(run("operations --active --json").json().toArray().size(), 1);
    run.client.snapshot.operations[0].operation.finished = core::fromMs(1);
    run.client.operationList[0].finished = core::fromMs(1);
    QCOMPARE(run("operations --active --json").json().toArray().size(), 0);
}

void TestCommandLine::hostileTextCannotMoveTheCursor()
{
    support::CommandRun run;
    records::FailedMessage &message =
        run.addMessage(run.addConnection(QStringLiteral("shop")), QStringLiteral("A\x1b[2J\r\nB\u202eC"));
    message.queue = QStringLiteral("error\nfake line");
    const QByteArray out = run("messages").out;
    QVERIFY(!out.contains('\x1b') && !out.contains('\r'));
    QCOMPARE(out.count('\n'), 3); // header, row, count
    QVERIFY(!QString::fromUtf8(out).contains(QChar(0x202e)));
    QCOMPARE(commandline::harmless(QStringLiteral("\u0007")), QString(QChar(QChar::ReplacementCharacter)));
    QCOMPARE(commandline::harmless(QStringLiteral("\U000e0041")), QString(QChar(QChar::ReplacementCharacter)));
    QCOMPARE(commandline::harmless(QStringLiteral("\U0001f407")), QStringLiteral("\U0001f407"));
}

REDRIVE_TEST(TestCommandLine)
#include "tst_commandline.moc"
