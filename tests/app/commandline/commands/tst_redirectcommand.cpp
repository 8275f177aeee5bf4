#include "tests/app/commandline/commandrun.h"
#include "tests/support/testmain/testmain.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

using records::Redirect;

namespace {

Redirect redirect(const char *from, const char *to)
{
    return {Redirect::Of::Queue, QString::fromLatin1(from), QString::fromLatin1(to)};
}

QJsonValue json(const char *text)
{
    const QJsonDocument document = QJsonDocument::fromJson(text);
    return document.isArray() ? QJsonValue(document.array()) : QJsonValue(document.object());
}

struct Shop : support::CommandRun
{
    core::ConnectionId connection = addConnection(QStringLiteral("shop"));
};

} // namespace

class TestRedirectCommand final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theyAreListed()
    {
        Shop run;
        run.client.snapshot.connections.first().redirects = {redirect("orders", "orders-2"), redirect("x", "y\x1b[2J")};
        const core::ConnectionId other = run.addConnection(QStringLiteral("other"));
        QVERIFY(other.isValid());
        run.client.snapshot.connections.last().redirects = {redirect("orders", "spare")};
        const support::CommandResult all = run("redirect list");
        QCOMPARE(all.code, 0);
        QVERIFY2(all.out.contains("shop        orders  orders-2"), all.out.constData());
        QVERIFY2(all.out.contains("other       orders  spare"), all.out.constData());
        QVERIFY(!all.out.contains('\x1b')); // a name cannot take over a terminal
        QCOMPARE(run("redirect list --connection other --json").json(),
                 json(R"([{"from":"orders","to":"spare","connection":"other"}])"));
    }

    void theyAreAddedAndRemoved()
    {
        Shop run;
        const support::CommandResult added = run("redirect add orders orders-2");
        QCOMPARE(added.code, 0);
        QCOMPARE(added.out, QByteArray("On shop, retries to orders now go to orders-2.\n"));
        QCOMPARE(added.err, QByteArray());
        const api::ChangeRedirect &command = run.client.redirects.constFirst();
        QCOMPARE(command.connection, run.connection);
        QCOMPARE(command.redirect, redirect("orders", "orders-2"));
        QVERIFY(!command.remove);
        QCOMPARE(run("redirect add a b --json").json(),
                 json(R"({"from":"a","to":"b","connection":"shop","exists":true})"));

        QCOMPARE(run("redirect remove orders").out, QByteArray("Redirect of orders on shop removed.\n"));
        QVERIFY(run.client.redirects.last().remove);
        QCOMPARE(run.client.redirects.last().redirect.from, QStringLiteral("orders"));
        QCOMPARE(run("redirect remove a --json").json(), json(R"({"removed":"a","connection":"shop"})"));
    }

    void whatNobodyKnowsIsSaid()
    {
        Shop run;
        run.client.redirectAnswer.notKnown = QStringLiteral("shop does not answer at the moment.");
        const support::CommandResult added = run("redirect add orders orders-2");
        QCOMPARE(added.code, 0);
        QCOMPARE(
            added.err,
            QByteArray(
                "redrive: Redrive cannot check whether queue orders-2 exists. shop does not answer at the moment.\n"));
        QVERIFY(run("redirect add orders orders-2 --json").json()[QStringLiteral("exists")].isNull());
    }

    void aRefusalIsOneLineAndAnExitCode_data()
    {
        QTest::addColumn<core::ErrorKind>("kind");
        QTest::addColumn<int>("code");
        QTest::newRow("right") << core::ErrorKind::Refused << 4;
        QTest::newRow("conflict") << core::ErrorKind::Conflict << 4;
        QTest::newRow("not there") << core::ErrorKind::NotFound << 2;
    }

    void aRefusalIsOneLineAndAnExitCode()
    {
        QFETCH(const core::ErrorKind, kind);
        QFETCH(const int, code);
        Shop run;
        run.client.failNext<api::ChangeRedirect>({kind, QStringLiteral("It cannot be."), {}, {}});
        const support::CommandResult refused = run("redirect add orders orders-2");
        QCOMPARE(refused.code, code);
        QCOMPARE(refused.err, QByteArray("redrive: It cannot be.\n"));
        QCOMPARE(refused.out, QByteArray());
    }

    void misuseIsToldBeforeAnythingIsAsked_data()
    {
        QTest::addColumn<QStringList>("words");
        const auto row = [](const char *name, const QStringList &words) {
            QTest::newRow(name) << (QStringList{QStringLiteral("redirect")} + words);
        };
        row("no to", {QStringLiteral("add"), QStringLiteral("orders")});
        row("no from", {QStringLiteral("add")});
        row("empty from", {QStringLiteral("add"), QString(), QStringLiteral("b")});
        row("empty to", {QStringLiteral("add"), QStringLiteral("a"), QString()});
        row("nothing to remove", {QStringLiteral("remove")});
        row("too much to remove", {QStringLiteral("remove"), QStringLiteral("a"), QStringLiteral("b")});
        row("too much to list", {QStringLiteral("list"), QStringLiteral("a")});
        row("another word", {QStringLiteral("change"), QStringLiteral("a"), QStringLiteral("b")});
    }

    void misuseIsToldBeforeAnythingIsAsked()
    {
        QFETCH(const QStringList, words);
        Shop run;
        const support::CommandResult result = run(words);
        QCOMPARE(result.code, 2);
        QCOMPARE(result.err.count('\n'), 1);
        QVERIFY(run.client.redirects.isEmpty());
    }

    void amongSeveralConnectionsOneIsNamed()
    {
        Shop run;
        run.addConnection(QStringLiteral("other"));
        QCOMPARE(run("redirect add a b").code, 2);
        QVERIFY(run.client.redirects.isEmpty());
        QCOMPARE(run("redirect add a b --connection shop").code, 0);
        QCOMPARE(run.client.redirects.first().connection, run.connection);
    }

    void aRetrySendsAllElsewhere()
    {
        Shop run;
        records::RetryOperation filed;
        filed.id = core::OperationId{1001};
        run.client.operationList.append(filed);
        run.client.previewAnswer.frozenCount = 3;
        run.client.previewAnswer.standing = {redirect("a", "b")};
        QCOMPARE(run("retry --all --redirect spare").code, 0);
        const api::ConfirmRetry &command = run.client.retries.constFirst();
        const QList<Redirect> expected{{Redirect::Of::Everything, {}, QStringLiteral("spare")}};
        QCOMPARE(command.draft.plan.redirects, expected);
        QCOMPARE(run.client.previews.first().plan.redirects, expected);
        QCOMPARE(command.standingShown, std::optional(QList<Redirect>{redirect("a", "b")}));
        const support::CommandResult empty =
            run(QStringList{QStringLiteral("retry"), QStringLiteral("--all"), QStringLiteral("--redirect"), QString()});
        QCOMPARE(empty.code, 2);
        QCOMPARE(run.client.retries.size(), 1);
    }

    // What lies where only the broker puts messages cannot go back.
    void aReleaseNeedsAnotherQueueWhereNothingGoesBack()
    {
        Shop run;
        run.addMessage(run.connection, QStringLiteral("Timeout"));
        records::RetryOperation filed;
        filed.id = core::OperationId{1001};
        run.client.operationList.append(filed);
        api::PlannedDestination closed;
        closed.destination.queue = QStringLiteral("live/$DeadLetterQueue");
        closed.count = 2;
        closed.cannotSend = QStringLiteral("Only the broker can put messages into live/$DeadLetterQueue.");
        run.client.previewAnswer.frozenCount = 0;
        run.client.previewAnswer.missingDestinations = {closed};
        run.client.previewAnswer.refusal = closed.cannotSend;
        const support::CommandResult told = run("release --queue error");
        QCOMPARE(told.code, 4);
        QVERIFY2(told.err.contains("--redirect QUEUE"), told.err.constData());
        QVERIFY(run("release --queue error --dry-run").out.contains("--redirect QUEUE"));
        QVERIFY(!run("retry --queue error --dry-run").out.contains("--redirect QUEUE"));
        QCOMPARE(run.client.retries.size(), 0);

        run.client.previewAnswer = {};
        run.client.previewAnswer.frozenCount = 2;
        QCOMPARE(run("release --queue error --redirect spare").code, 0);
        const api::RetryDraft &draft = run.client.retries.constFirst().draft;
        QVERIFY(draft.kind == records::OperationKind::Release);
        QCOMPARE(draft.plan.redirects, (QList<Redirect>{{Redirect::Of::Everything, {}, QStringLiteral("spare")}}));
    }

    void aRetrySendsTheMessagesOfOneQueueElsewhere()
    {
        Shop run;
        records::RetryOperation filed;
        filed.id = core::OperationId{1001};
        run.client.operationList.append(filed);
        run.client.previewAnswer.frozenCount = 3;
        QCOMPARE(run("retry --all --redirect-from orders=orders-2 --redirect-from =spare --redirect rest").code, 0);
        const QList<Redirect> expected{redirect("orders", "orders-2"),
                                       {Redirect::Of::Unknown, {}, QStringLiteral("spare")},
                                       {Redirect::Of::Everything, {}, QStringLiteral("rest")}};
        QCOMPARE(run.client.retries.last().draft.plan.redirects, expected);
        QVERIFY(run.client.retries.last().remember.isEmpty());
        filed.id = core::OperationId{1002};
        run.client.operationList.append(filed);
        const support::CommandResult remembers =
            run("retry --all --redirect-from orders=orders-2 --redirect-from =spare --remember");
        QVERIFY2(remembers.code == 0, remembers.err.constData());
        QCOMPARE(run.client.retries.last().remember, QStringList{QStringLiteral("orders")});
        const support::CommandResult dry = run("retry --all --redirect-from orders=orders-2 --remember --dry-run");
        QVERIFY2(dry.out.contains("  remembered when confirmed: retries to orders go to orders-2\n"),
                 dry.out.constData());
        QCOMPARE(run.client.retries.size(), 2);
    }

    void aRedirectThatCannotBeReadIsRefused_data()
    {
        QTest::addColumn<QByteArray>("options");
        QTest::newRow("no queue to send to") << QByteArray("--redirect-from orders=");
        QTest::newRow("one name") << QByteArray("--redirect-from orders");
        QTest::newRow("three names") << QByteArray("--redirect-from a=b=c");
        QTest::newRow("nothing to remember") << QByteArray("--redirect spare --remember");
        QTest::newRow("unknown destinations are not remembered") << QByteArray("--redirect-from =spare --remember");
    }

    void aRedirectThatCannotBeReadIsRefused()
    {
        QFETCH(const QByteArray, options);
        Shop run;
        const support::CommandResult result = run("retry --all " + options);
        QCOMPARE(result.code, 2);
        QCOMPARE(result.err.count('\n'), 1);
        QVERIFY(run.client.previews.isEmpty());
    }

    void aDryRunSaysHowTheDestinationIsKnown()
    {
        Shop run;
        api::PlanPreview &plan = run.client.previewAnswer;
        plan.frozenCount = 3;
        api::PlannedDestination planned;
        planned.destination = {QStringLiteral("orders"), records::Certainty::Exact,
                               QStringLiteral("x-death: rejected from orders")};
        planned.count = 3;
        planned.why = QStringLiteral("Known from x-death: rejected from orders.");
        planned.choices = {QStringLiteral("audit"), QStringLiteral("billing")};
        api::PlannedRoute route;
        route.example = core::MessageId{7};
        route.exchange = QStringLiteral("orders-x");
        route.keys = {QStringLiteral("orders.created")};
        route.queues = {QStringLiteral("audit"), QStringLiteral("billing"), QStringLiteral("orders")};
        route.sentence = QStringLiteral("Exchange orders-x routes orders.created to: audit, billing, orders.");
        planned.route = route;
        plan.destinations = {planned};
        plan.unknown.count = 2;
        plan.unknown.why = QStringLiteral("These messages do not say.");
        plan.leftOut[records::LeftOut::NoDestination] = 2;
        const support::CommandResult result = run("retry --all --dry-run");
        QVERIFY2(result.out.contains("  left out: 2 without a destination\n"
                                     "    These messages do not say.\n"
                                     "  to orders: 3\n"
                                     "    Known from x-death: rejected from orders.\n"
                                     "    Exchange orders-x routes orders.created to: audit, billing, orders.\n"
                                     "    Queues to choose from: audit, billing\n"),
                 result.out.constData());
        const QJsonValue shape = run("retry --all --dry-run --json").json();
        const QJsonValue one = shape[QStringLiteral("destinations")][0];
        QCOMPARE(one[QStringLiteral("known_from")].toString(), planned.destination.knownFrom);
        QCOMPARE(one[QStringLiteral("why")].toString(), planned.why);
        QCOMPARE(one[QStringLiteral("choices")].toArray().size(), 2);
        QCOMPARE(one[QStringLiteral("route")][QStringLiteral("exchange")].toString(), route.exchange);
        QCOMPARE(one[QStringLiteral("route")][QStringLiteral("routing_keys")][0].toString(), route.keys.first());
        QCOMPARE(one[QStringLiteral("route")][QStringLiteral("queues")].toArray().size(), 3);
        QVERIFY(one[QStringLiteral("route")][QStringLiteral("not_known")].isNull());
        QCOMPARE(one[QStringLiteral("route")][QStringLiteral("message")].toString(), QStringLiteral("7"));
        QCOMPARE(shape[QStringLiteral("unknown_destination")][QStringLiteral("count")].toInt(), 2);
        QVERIFY(shape[QStringLiteral("unknown_destination")][QStringLiteral("route")].isNull());
    }

    void aDryRunShowsWhereWhatGoes()
    {
        Shop run;
        api::PlanPreview &plan = run.client.previewAnswer;
        plan.frozenCount = 6;
        plan.redirected = 4;
        const auto to = [](const char *queue, qint64 count, std::optional<records::Destination> insteadOf) {
            api::PlannedDestination planned;
            planned.destination = {QString::fromLatin1(queue), records::Certainty::Exact, {}};
            planned.count = count;
            planned.insteadOf = std::move(insteadOf);
            return planned;
        };
        plan.destinations = {to("billing", 2, {}),
                             to("spare", 3, records::Destination{QStringLiteral("orders"), {}, {}}),
                             to("spare", 1, records::Destination{})};
        const support::CommandResult result = run("retry --all --dry-run");
        QVERIFY2(result.out.contains("  to billing: 2\n"
                                     "  to spare, redirected from orders: 3\n"
                                     "  to spare, redirected because they have no destination: 1\n"),
                 result.out.constData());
        const QJsonValue shape = run("retry --all --dry-run --json").json();
        QCOMPARE(shape[QStringLiteral("redirected")].toInt(), 4);
        const QJsonValue destinations = shape[QStringLiteral("destinations")];
        QCOMPARE(destinations[0][QStringLiteral("redirected")].toBool(true), false);
        QVERIFY(destinations[0][QStringLiteral("instead_of")].isNull());
        QCOMPARE(destinations[1][QStringLiteral("queue")].toString(), QStringLiteral("spare"));
        QCOMPARE(destinations[1][QStringLiteral("instead_of")].toString(), QStringLiteral("orders"));
        QCOMPARE(destinations[2][QStringLiteral("redirected")].toBool(), true);
        QVERIFY(destinations[2][QStringLiteral("instead_of")].isNull());
    }
};

REDRIVE_TEST(TestRedirectCommand)
#include "tst_redirectcommand.moc"
