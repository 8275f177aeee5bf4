// Edits on a whole engine with a broker in memory: who may edit, what the plan says, what is sent, and what stays.
#include "backend/records/editing.h"
#include "backend/records/stamp.h"
#include "backend/store/messagestore.h"
#include "tests/support/asker.h"
#include "tests/support/samplemessages.h"

#include <QTest>

using core::ErrorKind;
using records::Edit;
using records::EditStep;
using records::HandOver;
using support::Asker;
using support::EngineRoom;
using Do = EditStep::Do;

namespace {

const QString note = QStringLiteral("x-note");

Edit setId()
{
    return {{{Do::SetHeader, note, {}, QStringLiteral("fixed")},
             {Do::SetJson, QStringLiteral("/id"), QStringLiteral("12345678901234567890")}}};
}

void insert(EngineRoom &room, int n, const QByteArray &body)
{
    const core::Result<> done = room.store->transact([&](store::Session &session) -> core::Result<> {
        store::NewMessage fresh = test::sampleMessage(room.shop, n);
        fresh.message.dialect = QStringLiteral("unknown");
        fresh.message.queue = QStringLiteral("error");
        fresh.message.destination = {QStringLiteral("billing"), records::Certainty::Exact, QStringLiteral("test")};
        fresh.envelope.body = body;
        const core::Result<core::MessageId> added = session.messages().insert(fresh);
        return added ? core::Result<>() : core::fail(added.error());
    });
    QVERIFY(done);
}

QByteArray bodyOf(int n)
{
    return "{\"n\":" + QByteArray::number(n) + ", \"id\": 1}";
}

// So many with a body that the edit fits.
void open(EngineRoom &room, int messages, records::Rights more = records::Right::Edit)
{
    room.connection.rights = records::defaultRights | more;
    room.fill(0);
    for (int n = 0; n < messages; ++n)
        insert(room, n, bodyOf(n));
}

records::Plan planOf(const Edit &edit)
{
    records::Plan plan;
    plan.edit = edit;
    return plan;
}

api::PlanPreview previewOf(EngineRoom &room, const records::Plan &plan,
                           records::OperationKind kind = records::OperationKind::Retry)
{
    api::RetryRequest request;
    request.kind = kind;
    request.filter.connection = room.shop;
    request.plan = plan;
    return room
        .await<api::PlanPreview>([&request](engine::Engine &engine) { return engine.retries().preview(request); })
        .value();
}

core::Result<api::EditSample> sampleOf(EngineRoom &room, const Edit &edit, core::MessageId message = {})
{
    api::EditQuestion question;
    question.filter.connection = room.shop;
    question.message = message;
    question.edit = edit;
    return room.await<api::EditSample>(
        [&question](engine::Engine &engine) { return engine.retries().editSample(question); });
}

records::Envelope stored(EngineRoom &room, core::MessageId id)
{
    return room.ask<records::Envelope>([id](store::Session &session) { return session.messages().loadEnvelope(id); });
}

QList<core::MessageId> idsOf(EngineRoom &room)
{
    records::MessageFilter all;
    all.connection = room.shop;
    return room.ask<store::Slice>([&all](store::Session &session) { return session.messages().slice(all, {}, 10000); })
        .ids;
}

} // namespace

class TestEdits final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void withoutTheRightNothingIsEdited()
    {
        EngineRoom room;
        open(room, 2, {});
        room.start();
        const api::PlanPreview shown = previewOf(room, planOf(setId()));
        QVERIFY(shown.refusalKind == ErrorKind::Refused);
        QVERIFY2(shown.refusal.contains(u"\"edit\""), qPrintable(shown.refusal));
        QVERIFY(shown.cannotEdit.contains(u"\"edit\""));
        QVERIFY(room.retryAll(records::OperationKind::Retry, planOf(setId())).error().kind == ErrorKind::Refused);
        QVERIFY(sampleOf(room, setId())->cannotEdit.contains(u"\"edit\"")); // it may be looked at
        QVERIFY(room.retryAll()); // everything else goes on
    }

    void thePlanSaysWhatTheEditFits()
    {
        EngineRoom room;
        open(room, 3);
        insert(room, 100, "no JSON");
        insert(room, 101, "no JSON either");
        insert(room, 102, QByteArray("{\"id\":\0}", 8));
        insert(room, 103, R"({"id":1,"id":2})");
        room.start();
        const Edit edit{{{Do::SetJson, QStringLiteral("/id"), QStringLiteral("1")}}};
        const api::PlanPreview shown = previewOf(room, planOf(edit));
        QCOMPARE(shown.refusal, QString());
        QCOMPARE(shown.cannotEdit, QString());
        QCOMPARE(shown.frozenCount, 3);
        QCOMPARE(shown.editMisfits, 4);
        QCOMPARE(shown.editUnchanged, 3); // it is 1 already
        QVERIFY(!shown.editSample.isValid());
        QCOMPARE(shown.misfits.size(), 3);
        QCOMPARE(shown.misfits.first().count, 2);
        QCOMPARE(shown.misfits.first().reason, QStringLiteral("The edit does not fit: its body is no JSON."));
        const QList<core::MessageId> ids = idsOf(room);
        QCOMPARE(shown.misfits.first().example, ids.at(3));
        QVERIFY2(shown.sentence.endsWith(u", edited: /id of the body set to 1"), qPrintable(shown.sentence));

        const api::PlanPreview changing = previewOf(room, planOf(setId()));
        QCOMPARE(changing.editUnchanged, 0);
        QCOMPARE(changing.editSample, ids.first());

        records::Plan limited = planOf(setId());
        limited.limit = 2;
        QCOMPARE(previewOf(room, limited).frozenCount, 2);
        QCOMPARE(previewOf(room, limited).beyondLimit, 1);

        const core::Result<core::OperationId> id = room.retryAll(records::OperationKind::Retry, planOf(setId()));
        QVERIFY2(id, id ? "" : qPrintable(id.error().message));
        QVERIFY(room.runToEnd(*id));
        QCOMPARE(room.operation(*id).counts.sent, 3);
        for (const core::MessageId misfit : ids.mid(3))
            QVERIFY(room.message(misfit).status == records::MessageStatus::Unresolved);
        QVERIFY(previewOf(room, planOf(setId())).refusal.startsWith(u"The edit fits none of these messages"));
    }

    void whatIsNoEditIsRefused_data()
    {
        QTest::addColumn<Edit>("edit");
        QTest::addColumn<QString>("why");
        QTest::newRow("no pointer") << Edit{{{Do::RemoveJson, QStringLiteral("a")}}}
                                    << QStringLiteral("no JSON pointer");
        QTest::newRow("the body of many") << Edit{{{Do::SetBody, {}, {}, {}, QByteArray("x")}}}
                                          << QStringLiteral("for one message, and this set has 2");
        QTest::newRow("which message it is")
            << Edit{{{Do::RemoveHeader, QStringLiteral("NServiceBus.MessageId")}}} << QStringLiteral("is locked");
        QTest::newRow("our stamp") << Edit{{{Do::SetHeader, records::stampHeader.toString(), {}, QStringLiteral("1")}}}
                                   << QStringLiteral("is locked");
        QTest::newRow("renamed to what does not go back")
            << Edit{{{Do::RenameHeader, QStringLiteral("priority"), QStringLiteral("x-death")}}}
            << QStringLiteral("is locked");
    }

    void whatIsNoEditIsRefused()
    {
        QFETCH(const Edit, edit);
        QFETCH(const QString, why);
        EngineRoom room;
        open(room, 2);
        room.start();
        const api::PlanPreview shown = previewOf(room, planOf(edit));
        QVERIFY2(shown.refusal.contains(why), qPrintable(shown.refusal));
        api::RetryCommand command;
        command.request.filter.connection = room.shop;
        command.request.plan = planOf(edit);
        command.request.asOfChange = shown.asOfChange;
        command.expectedCount = 2;
        const core::Result<core::OperationId> id = room.await<core::OperationId>(
            [&command](engine::Engine &engine) { return engine.retries().retry(command); });
        QVERIFY(!id);
    }

    void aReleaseTakesNoEdit()
    {
        EngineRoom room;
        open(room, 2);
        room.start();
        const api::PlanPreview shown = previewOf(room, planOf(setId()), records::OperationKind::Release);
        QVERIFY(!shown.refusal.isEmpty());
        QVERIFY(!shown.cannotEdit.isEmpty());
        QVERIFY(!room.retryAll(records::OperationKind::Release, planOf(setId())));
    }

    void theyArriveEditedOverARestartAndTheStoredOnesStay_data()
    {
        QTest::addColumn<HandOver>("handOver");
        QTest::newRow("staging queue") << HandOver::StagingQueue;
        QTest::newRow("ledger") << HandOver::Ledger;
    }

    void theyArriveEditedOverARestartAndTheStoredOnesStay()
    {
        QFETCH(const HandOver, handOver);
        EngineRoom room(handOver);
        open(room, 40);
        room.start();
        QMap<QByteArray, int> bodies;
        int wrong = 0;
        room.broker->delivered = [&](const support::FakeBroker::Delivery &delivery) {
            const records::Envelope &copy = delivery.envelope;
            ++bodies[copy.body];
            const std::optional<records::Stamp> stamp = records::stampOf(copy.headers);
            const bool good = records::text(copy.headers, note) == QStringLiteral("fixed")
                              && records::find(copy.headers, u"priority")->isDouble() && stamp
                              && stamp->bodyDigest == records::bodyDigest(copy.body);
            wrong += good ? 0 : 1;
        };
        const QList<core::MessageId> ids = idsOf(room);
        const core::Result<core::OperationId> id = room.retryAll(records::OperationKind::Retry, planOf(setId()));
        QVERIFY(id);
        QVERIFY(room.operation(*id).plan.edit == setId()); // frozen with the operation
        room.restart(); // whoever goes on does the same
        QVERIFY(room.runToEnd(*id));
        QCOMPARE(room.operation(*id).counts.sent, 40);
        QCOMPARE(wrong, 0);
        for (int n = 0; n < 40; ++n) {
            const QByteArray expected = "{\"n\":" + QByteArray::number(n) + ", \"id\": 12345678901234567890}";
            QCOMPARE(bodies.value(expected), 1);
            QCOMPARE(stored(room, ids.at(n)).body, bodyOf(n));
            QVERIFY(records::find(stored(room, ids.at(n)).headers, note) == nullptr);
        }
        QString told;
        for (const records::Event &event : room.events())
            told = event.what == QStringLiteral("Retry requested") ? event.result : told;
        QVERIFY2(told.contains(u"edited: header x-note set to \"fixed\"; /id of the body set to"), qPrintable(told));
    }

    void anEditedCopyThatFailsAgainIsTheSameMessage()
    {
        EngineRoom room;
        open(room, 1);
        room.start();
        QList<records::Envelope> sent;
        room.broker->delivered = [&](const support::FakeBroker::Delivery &delivery) { sent << delivery.envelope; };
        const core::Result<core::OperationId> id = room.retryAll(records::OperationKind::Retry, planOf(setId()));
        QVERIFY(id);
        QVERIFY(room.runToEnd(*id));
        QCOMPARE(sent.size(), 1);
        room.broker->put(QStringLiteral("error"), sent.first());
        Asker ask(room);
        const core::Result<records::IntakeCounts> taken = ask(ask.client.intake({room.shop, {}, {}}));
        QVERIFY2(taken, taken ? "" : qPrintable(taken.error().message));
        QCOMPARE(taken->cameBack, 1);
        QCOMPARE(taken->fresh, 0);
        QCOMPARE(room.operation(*id).counts.cameBack, 1);
        QCOMPARE(room.message(idsOf(room).first()).attempts, 2);
    }

    void oneMessageGetsAWholeNewBody()
    {
        EngineRoom room;
        open(room, 2);
        room.start();
        const core::MessageId one = idsOf(room).last();
        const api::EditSample before = sampleOf(room, {}, one).value();
        records::Envelope wanted = before.before;
        wanted.body = QByteArray("\x01\x00\x02", 3);
        records::set(wanted.headers, note, QStringLiteral("by hand"));
        records::remove(wanted.headers, u"priority");
        QList<records::Envelope> sent;
        room.broker->delivered = [&](const support::FakeBroker::Delivery &delivery) { sent << delivery.envelope; };
        api::RetryCommand command;
        command.request.filter.connection = room.shop;
        command.request.filter.messages = {one};
        command.request.plan = planOf(records::editBetween(before.before, wanted));
        command.expectedCount = 1;
        const core::Result<core::OperationId> id = room.await<core::OperationId>(
            [&command](engine::Engine &engine) { return engine.retries().retry(command); });
        QVERIFY2(id, id ? "" : qPrintable(id.error().message));
        QVERIFY(room.runToEnd(*id));
        QCOMPARE(sent.size(), 1);
        QCOMPARE(sent.first().body, wanted.body);
        records::remove(sent.first().headers, records::stampHeader);
        QCOMPARE(records::toCbor(sent.first().headers), records::toCbor(wanted.headers));
    }

    void aSampleShowsBothAndWhatNeedsCare()
    {
        EngineRoom room;
        open(room, 3);
        insert(room, 100, "no JSON");
        room.start();
        const QList<core::MessageId> ids = idsOf(room);
        const api::EditSample sample = sampleOf(room, setId()).value();
        QCOMPARE(sample.message, ids.first());
        QCOMPARE(sample.misfit, QString());
        QCOMPARE(sample.cannotEdit, QString());
        QCOMPARE(sample.bodyNotEditable, QString());
        QCOMPARE(sample.before.body, bodyOf(0));
        QCOMPARE(sample.after.body, QByteArray(R"({"n":0, "id": 12345678901234567890})"));
        QCOMPARE(records::text(sample.after.headers, note), QStringLiteral("fixed"));
        QVERIFY(records::find(sample.before.headers, records::stampHeader) == nullptr);
        bool locked = false;
        for (const api::HeaderNote &one : sample.notes)
            locked = locked || (one.name == u"NServiceBus.MessageId" && one.care == records::HeaderCare::Locked);
        QVERIFY(locked);

        const api::EditSample misfit = sampleOf(room, setId(), ids.last()).value();
        QCOMPARE(misfit.message, ids.last());
        QCOMPARE(misfit.misfit, QStringLiteral("Step 2 of the edit does not fit: its body is no JSON."));
        QCOMPARE(misfit.after.body, misfit.before.body);
        // Of a set, one is looked for that it changes.
        const Edit text{{{Do::ReplaceText, QStringLiteral("no JSON"), QStringLiteral("{}")}}};
        QCOMPARE(sampleOf(room, text)->message, ids.last());
        QVERIFY(sampleOf(room, {{{Do::RemoveJson, QStringLiteral("x")}}}).error().kind == ErrorKind::Rejected);
        QVERIFY(sampleOf(room, {}, core::MessageId{4711}).error().kind == ErrorKind::NotFound);
    }
};

QTEST_GUILESS_MAIN(TestEdits)
#include "tst_edits.moc"
