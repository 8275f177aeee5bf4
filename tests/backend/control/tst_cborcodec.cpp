#include "backend/api/requests/connections.h"
#include "backend/api/requests/edits.h"
#include "backend/api/requests/queuemove.h"
#include "backend/api/requests/retryplan.h"
#include "backend/api/snapshot.h"
#include "backend/core/text/cborcodec.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

class TestCborCodec final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aCommandComesBackAsItWas()
    {
        api::ConfirmRetry command;
        command.draft.kind = records::OperationKind::Release;
        command.draft.filter.connection = {3};
        command.draft.filter.groups = {{1}, {2}};
        command.draft.filter.status = records::MessageStatus::Unresolved;
        command.draft.filter.since = core::fromMs(1767323045123);
        command.draft.filter.search = QStringLiteral("Ünïcode \n");
        command.draft.asOfChange = 815;
        command.draft.plan.limit = 100;
        command.draft.plan.brokerShare = 20;
        command.draft.plan.onUnknown = records::OnUnknown::SendAgain;
        command.draft.plan.reason = QStringLiteral("again");
        command.draft.plan.redirects = {{records::Redirect::Of::Queue, QStringLiteral("a"), QStringLiteral("b")},
                                        {records::Redirect::Of::Everything, {}, QStringLiteral("c")}};
        command.standingShown = {{records::Redirect::Of::Queue, QStringLiteral("x"), QStringLiteral("y")}};
        command.expectedCount = 1000000000000;
        command.confirmedCount = 7;
        api::ConfirmRetry back;
        QVERIFY(core::decode(core::encode(command), back));
        QCOMPARE(back.draft.filter, command.draft.filter);
        QCOMPARE(back.draft.kind, records::OperationKind::Release);
        QCOMPARE(back.draft.asOfChange, std::optional<qint64>(815));
        QCOMPARE(back.draft.plan.limit, std::optional<qint64>(100));
        QCOMPARE(back.draft.plan.brokerShare, std::optional<qint64>(20));
        QCOMPARE(back.draft.plan.onUnknown, records::OnUnknown::SendAgain);
        QCOMPARE(back.expectedCount, command.expectedCount);
        QCOMPARE(back.confirmedCount, std::optional<qint64>(7));
        QCOMPARE(back.draft.plan.redirects, command.draft.plan.redirects);
        QCOMPARE(back.standingShown, command.standingShown);
    }

    void movesComeBackAsTheyWere()
    {
        const api::MoveQueue command{
            {3}, QStringLiteral("dlq"), api::MoveQueue::Action::Cancel, QStringLiteral("orders"), 20, 5000};
        api::MoveQueue back;
        QVERIFY(core::decode(core::encode(command), back));
        QCOMPARE(back.connection, command.connection);
        QCOMPARE(back.queue, command.queue);
        QVERIFY(back.action == command.action);
        QCOMPARE(back.to, command.to);
        QCOMPARE(back.perSecond, command.perSecond);
        QCOMPARE(back.confirmedCount, command.confirmedCount);
        QVERIFY(!core::decode(QCborValue(QCborMap{{QStringLiteral("action"), 3}}), back));

        api::MoveAnswer answer;
        records::QueueMove move;
        move.state = records::QueueMove::State::Failed;
        move.handle = QStringLiteral("h");
        move.to = QStringLiteral("orders");
        move.moved = 3;
        move.total = 4;
        move.perSecond = 5;
        move.began = core::fromMs(1'767'323'045'123);
        move.reason = QStringLiteral("gone");
        answer.moves = {move};
        answer.facts = {QStringLiteral("a")};
        answer.waiting = 7;
        answer.refusal = QStringLiteral("no");
        answer.guarantee = QStringLiteral("as they are");
        answer.mostPerSecond = 500;
        answer.confirmCount = true;
        answer.targets = {QStringLiteral("b")};
        answer.needsTarget = true;
        api::MoveAnswer seen;
        QVERIFY(core::decode(core::encode(answer), seen));
        QCOMPARE(seen.moves, answer.moves);
        QCOMPARE(seen.facts, answer.facts);
        QCOMPARE(seen.waiting, answer.waiting);
        QCOMPARE(seen.refusal, answer.refusal);
        QCOMPARE(seen.guarantee, answer.guarantee);
        QCOMPARE(seen.mostPerSecond, answer.mostPerSecond);
        QVERIFY(seen.confirmCount);
        QCOMPARE(seen.targets, answer.targets);
        QVERIFY(seen.needsTarget);
    }

    void editsComeBackAsTheyWere()
    {
        using Do = records::EditStep::Do;
        api::PreviewEdit question;
        question.message = {7};
        question.ticket = QStringLiteral("t1");
        question.edit.steps = {{Do::SetHeader, QStringLiteral("a"), {}, 1.0},
                               {Do::SetHeader, QStringLiteral("b"), {}, QStringLiteral("\ufeffx")},
                               {Do::SetJson, QStringLiteral("/a"), QStringLiteral("1"), {}, {}, true},
                               {Do::SetBody, {}, {}, {}, QByteArray("\0\xff", 2)}};
        api::PreviewEdit back;
        QVERIFY(core::decode(core::encode(question), back));
        QCOMPARE(back.message, question.message);
        QCOMPARE(back.ticket, question.ticket);
        QVERIFY(back.edit == question.edit);
        QVERIFY(back.edit.steps.first().value.isDouble());
        records::EditStep hostile;
        QVERIFY(!core::decode(QCborValue(QCborMap{{QStringLiteral("what"), 7}}), hostile));

        api::RetryDraft request;
        request.plan.edit = question.edit;
        api::RetryDraft asked;
        QVERIFY(core::decode(core::encode(request), asked));
        QVERIFY(asked.plan.edit == question.edit);

        api::EditSample sample;
        sample.message = {7};
        sample.before.headers = {{QStringLiteral("bytes"), QByteArray("\0", 1)}};
        sample.after.body = "x";
        sample.misfit = QStringLiteral("m");
        sample.notes = {{QStringLiteral("bytes"), records::HeaderCare::Locked, QStringLiteral("why")}};
        sample.bodyNotEditable = QStringLiteral("b");
        sample.cannotEdit = QStringLiteral("c");
        api::EditSample seen;
        QVERIFY(core::decode(core::encode(sample), seen));
        QCOMPARE(records::toCbor(seen.before.headers), records::toCbor(sample.before.headers));
        QCOMPARE(seen.after.body, sample.after.body);
        QCOMPARE(seen.misfit, sample.misfit);
        QVERIFY(seen.notes.first().care == records::HeaderCare::Locked);
        QCOMPARE(seen.bodyNotEditable, sample.bodyNotEditable);
        QCOMPARE(seen.cannotEdit, sample.cannotEdit);

        api::PlanPreview preview;
        preview.leftOut[records::LeftOut::EditMisfit] = 3;
        preview.misfits = {{QStringLiteral("r"), 3, {9}}};
        preview.editUnchanged = 2;
        preview.editSample = {4};
        preview.cannotEdit = QStringLiteral("c");
        api::PlanPreview shown;
        QVERIFY(core::decode(core::encode(preview), shown));
        QCOMPARE(shown.leftOut[records::LeftOut::EditMisfit], 3);
        QCOMPARE(shown.misfits, preview.misfits);
        QCOMPARE(shown.editUnchanged, 2);
        QCOMPARE(shown.editSample, preview.editSample);
        QCOMPARE(shown.cannotEdit, preview.cannotEdit);
    }

    void redirectsComeBackAsTheyWere()
    {
        const api::ChangeRedirect command{
            {3}, {records::Redirect::Of::Queue, QStringLiteral("a"), QStringLiteral("b")}, true};
        api::ChangeRedirect back;
        QVERIFY(core::decode(core::encode(command), back));
        QCOMPARE(back.connection, command.connection);
        QCOMPARE(back.redirect, command.redirect);
        QVERIFY(back.remove);
        records::Redirect hostile;
        QVERIFY(!core::decode(QCborValue(QCborMap{{QStringLiteral("of"), 3}}), hostile));

        api::PlanPreview preview;
        preview.destinations.resize(1);
        preview.destinations.first().destination.queue = QStringLiteral("b");
        preview.destinations.first().insteadOf = records::Destination{QStringLiteral("a"), {}, {}};
        preview.destinations.first().standing = true;
        preview.destinations.first().why = QStringLiteral("known");
        preview.destinations.first().choices = {QStringLiteral("c")};
        api::PlannedRoute route;
        route.example = core::MessageId{3};
        route.exchange = QStringLiteral("e");
        route.keys = QStringList{QString()};
        preview.destinations.first().route = route;
        preview.redirected = 5;
        preview.unknown.count = 2;
        preview.standing = {command.redirect};
        preview.cannotRedirect = QStringLiteral("no right");
        preview.targets = {QStringLiteral("b")};
        preview.targetsNotKnown = QStringLiteral("not listed");
        api::PlanPreview seen;
        QVERIFY(core::decode(core::encode(preview), seen));
        QCOMPARE(seen.destinations.first().origin(), QStringLiteral("a"));
        QVERIFY(seen.destinations.first().standing);
        QCOMPARE(seen.destinations.first().why, preview.destinations.first().why);
        QCOMPARE(seen.destinations.first().choices, preview.destinations.first().choices);
        QCOMPARE(seen.destinations.first().route, preview.destinations.first().route);
        QCOMPARE(seen.redirected, 5);
        QCOMPARE(seen.unknown.count, 2);
        QCOMPARE(seen.standing, preview.standing);
        QCOMPARE(seen.cannotRedirect, preview.cannotRedirect);
        QCOMPARE(seen.targets, preview.targets);
        QCOMPARE(seen.targetsNotKnown, preview.targetsNotKnown);
    }

    void aSnapshotComesBackAsItWas()
    {
        api::Snapshot snapshot;
        snapshot.sequence = 9;
        snapshot.engine = api::EngineState::Paused;
        api::ConnectionView connection;
        connection.connection.name = QStringLiteral("shop");
        connection.connection.url = QUrl(QStringLiteral("http://me@127.0.0.1:15672/a%2Fb"));
        connection.connection.rights = records::defaultRights | records::Right::Delete;
        connection.health = api::Health::Slow;
        connection.redirects = {{records::Redirect::Of::Queue, QStringLiteral("a"), QStringLiteral("b")}};
        snapshot.connections << connection;
        // One of each kind: a kind that does not cross the socket would hide all connections from a second program.
        for (const char *kind : {"rabbitmq", "servicebus", "azurequeue", "sqs"}) {
            connection.connection.kind = *records::brokerKindFrom(QString::fromLatin1(kind));
            snapshot.connections << connection;
        }
        api::OperationView operation;
        operation.messagesPerSecond = 12.5;
        operation.timeLeft = core::Milliseconds{90000};
        operation.operation.counts.sent = 5;
        snapshot.operations << operation;
        api::Snapshot back;
        QVERIFY(core::decode(core::encode(snapshot), back));
        QCOMPARE(back.sequence, 9u);
        QCOMPARE(back.engine, api::EngineState::Paused);
        QCOMPARE(back.connections.size(), snapshot.connections.size());
        for (qsizetype i = 0; i < snapshot.connections.size(); ++i)
            QCOMPARE(back.connections.at(i).connection, snapshot.connections.at(i).connection);
        QCOMPARE(back.connections.first().redirects, connection.redirects);
        QCOMPARE(back.operations.first().messagesPerSecond, 12.5);
        QCOMPARE(back.operations.first().timeLeft, operation.timeLeft);
        QCOMPARE(back.operations.first().operation.counts, operation.operation.counts);
    }

    void hostileValuesAreRefused_data()
    {
        QTest::addColumn<QCborValue>("cbor");
        QTest::newRow("not a map") << QCborValue(1);
        QTest::newRow("text for a list") << QCborValue(QCborMap{{QStringLiteral("groups"), QStringLiteral("x")}});
        QTest::newRow("enum beyond its end") << QCborValue(QCborMap{{QStringLiteral("status"), 99}});
        QTest::newRow("negative enum") << QCborValue(QCborMap{{QStringLiteral("status"), -1}});
        QTest::newRow("text for an id") << QCborValue(QCborMap{{QStringLiteral("connection"), QStringLiteral("1")}});
        QTest::newRow("bytes for text") << QCborValue(QCborMap{{QStringLiteral("queue"), QByteArray("q")}});
        QCborArray endless;
        for (qsizetype i = 0; i <= core::longestList; ++i)
            endless.append(1);
        QTest::newRow("a list too long") << QCborValue(QCborMap{{QStringLiteral("messages"), endless}});
    }

    void hostileValuesAreRefused()
    {
        QFETCH(QCborValue, cbor);
        records::MessageFilter filter;
        QVERIFY(!core::decode(cbor, filter));
    }

    void fieldsOfAnotherVersionAreNotMissed()
    {
        records::MessageFilter filter;
        const QCborMap newer{{QStringLiteral("queue"), QStringLiteral("error")}, {QStringLiteral("novelty"), 1}};
        QVERIFY(core::decode(QCborValue(newer), filter));
        QCOMPARE(filter.queue, QStringLiteral("error"));
    }
};

REDRIVE_TEST(TestCborCodec)
#include "tst_cborcodec.moc"
