// Edits on a whole engine with a broker in memory: who may edit, what the plan says, what is sent, and what stays.
#include "backend/api/requests/connections.h"
#include "backend/api/requests/edits.h"
#include "backend/api/requests/retryplan.h"
#include "backend/records/editing/editing.h"
#include "backend/records/messages/stamp.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/policies/policystore.h"
#include "tests/support/currentuser.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/testmain/testmain.h"

#include <QCborArray>
#include <QTest>

using core::ErrorKind;
using records::Edit;
using records::EditStep;
using records::HandOver;
using support::Asker;
using support::EngineFixture;
using Do = EditStep::Do;

namespace {

const QString note = QStringLiteral("x-note");

Edit setId()
{
    return {{{Do::SetHeader, note, {}, QStringLiteral("fixed")},
             {Do::SetJson, QStringLiteral("/id"), QStringLiteral("12345678901234567890")}}};
}

void insert(EngineFixture &fixture, int n, const QByteArray &body)
{
    const core::Result<> done = fixture.store->transact([&](store::Session &session) -> core::Result<> {
        store::NewMessage fresh = test::sampleMessage(fixture.shop, n);
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

// This many messages have a body that the edit fits.
void open(EngineFixture &fixture, int messages, records::Rights more = records::Right::Edit)
{
    fixture.connection.rights = records::defaultRights | more;
    fixture.fill(0);
    for (int n = 0; n < messages; ++n)
        insert(fixture, n, bodyOf(n));
}

records::Plan planOf(const Edit &edit)
{
    records::Plan plan;
    plan.edit = edit;
    return plan;
}

api::PlanPreview previewOf(EngineFixture &fixture, const records::Plan &plan,
                           records::OperationKind kind = records::OperationKind::Retry)
{
    api::RetryDraft request;
    request.kind = kind;
    request.filter.connection = fixture.shop;
    request.plan = plan;
    return fixture.carryOut(api::PreviewRetry{request}).value();
}

core::Result<api::EditSample> sampleOf(EngineFixture &fixture, const Edit &edit, core::MessageId message = {})
{
    api::PreviewEdit question;
    question.filter.connection = fixture.shop;
    question.message = message;
    question.edit = edit;
    return fixture.carryOut(question);
}

records::Envelope stored(EngineFixture &fixture, core::MessageId id)
{
    return fixture.ask<records::Envelope>(
        [id](store::Session &session) { return session.messages().loadEnvelope(id); });
}

QList<core::MessageId> idsOf(EngineFixture &fixture)
{
    records::MessageFilter all;
    all.connection = fixture.shop;
    return fixture
        .ask<store::Slice>([&all](store::Session &session) { return session.messages().slice(all, {}, 10000); })
        .ids;
}

} // namespace

class TestEdits final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void withoutTheRightNothingIsEdited()
    {
        EngineFixture fixture;
        open(fixture, 2, {});
        fixture.start();
        const api::PlanPreview shown = previewOf(fixture, planOf(setId()));
        QVERIFY(shown.refusalKind == ErrorKind::Refused);
        QVERIFY2(shown.refusal.contains(u"\"edit\""), qPrintable(shown.refusal));
        QVERIFY(shown.cannotEdit.contains(u"\"edit\""));
        QVERIFY(fixture.retryAll(records::OperationKind::Retry, planOf(setId())).error().kind == ErrorKind::Refused);
        QVERIFY(sampleOf(fixture, setId())->cannotEdit.contains(u"\"edit\"")); // previewing is allowed
        QVERIFY(fixture.retryAll()); // everything else goes on
    }

    void thePlanSaysWhatTheEditFits()
    {
        EngineFixture fixture;
        open(fixture, 3);
        insert(fixture, 100, "no JSON");
        insert(fixture, 101, "no JSON either");
        insert(fixture, 102, QByteArray("{\"id\":\0}", 8));
        insert(fixture, 103, R"({"id":1,"id":2})");
        fixture.start();
        const Edit edit{{{Do::SetJson, QStringLiteral("/id"), QStringLiteral("1")}}};
        const api::PlanPreview shown = previewOf(fixture, planOf(edit));
        QCOMPARE(shown.refusal, QString());
        QCOMPARE(shown.cannotEdit, QString());
        QCOMPARE(shown.frozenCount, 3);
        QCOMPARE(shown.leftOut[records::LeftOut::EditMisfit], 4);
        QCOMPARE(shown.editUnchanged, 3); // it is 1 already
        QVERIFY(!shown.editSample.isValid());
        QCOMPARE(shown.misfits.size(), 3);
        QCOMPARE(shown.misfits.first().count, 2);
        QCOMPARE(shown.misfits.first().reason, QStringLiteral("the body is not valid JSON"));
        const QList<core::MessageId> ids = idsOf(fixture);
        QCOMPARE(shown.misfits.first().example, ids.at(3));
        QVERIFY2(shown.sentence.endsWith(u", edited: /id of the body set to 1"), qPrintable(shown.sentence));

        const api::PlanPreview changing = previewOf(fixture, planOf(setId()));
        QCOMPARE(changing.editUnchanged, 0);
        QCOMPARE(changing.editSample, ids.first());

        records::Plan limited = planOf(setId());
        limited.limit = 2;
        QCOMPARE(previewOf(fixture, limited).frozenCount, 2);
        QCOMPARE(previewOf(fixture, limited).leftOut[records::LeftOut::BeyondLimit], 1);

        const core::Result<core::OperationId> id = fixture.retryAll(records::OperationKind::Retry, planOf(setId()));
        QVERIFY2(id, id ? "" : qPrintable(id.error().message));
        QVERIFY(fixture.runToEnd(*id));
        QCOMPARE(fixture.operation(*id).counts.sent, 3);
        for (const core::MessageId misfit : ids.mid(3))
            QVERIFY(fixture.message(misfit).status == records::MessageStatus::Unresolved);
        QVERIFY(previewOf(fixture, planOf(setId())).refusal.startsWith(u"The edit fits none of these messages"));
    }

    // A retry sets the counter of a policy to zero before it edits: an edit that keeps the count changes the copy, and one that
    // sets it to zero does not.
    void thePlanTriesTheEditOnWhatARetrySends()
    {
        EngineFixture fixture;
        open(fixture, 0);
        const core::Result<> done = fixture.store->transact([&](store::Session &session) -> core::Result<> {
            store::NewMessage fresh = test::sampleMessage(fixture.shop, 1);
            fresh.message.destination = {QStringLiteral("billing"), records::Certainty::Exact, QStringLiteral("test")};
            fresh.envelope.headers.append({QStringLiteral("attempts"), 9});
            recovery::Policy policy;
            policy.name = QStringLiteral("standard");
            policy.counter = QStringLiteral("attempts");
            TRY(session.policies().save(policy));
            return session.messages().insert(fresh).map([](core::MessageId) {});
        });
        QVERIFY(done);
        fixture.start();
        const auto unchanged = [&fixture](int count) {
            const Edit edit{{{Do::SetHeader, QStringLiteral("attempts"), {}, count}}};
            return previewOf(fixture, planOf(edit)).editUnchanged;
        };
        QCOMPARE(unchanged(9), 0);
        QCOMPARE(unchanged(0), 1);
    }

    void aSampleNamesWhatEveryRetryChanges()
    {
        EngineFixture fixture;
        open(fixture, 0);
        const core::Result<> done = fixture.store->transact([&](store::Session &session) -> core::Result<> {
            store::NewMessage fresh = test::sampleMessage(fixture.shop, 1);
            fresh.message.dialect = QStringLiteral("Celery");
            fresh.envelope.headers.append({QStringLiteral("retries"), 3});
            fresh.envelope.headers.append({QStringLiteral("X-Custom-Retry-Count"), QStringLiteral("2")});
            fresh.envelope.headers.append({QStringLiteral("attempts"), 9});
            recovery::Policy policy;
            policy.name = QStringLiteral("standard");
            policy.counter = QStringLiteral("attempts");
            TRY(session.policies().save(policy));
            fresh.envelope.headers.append({QStringLiteral("CC"), QCborArray{QStringLiteral("audit")}});
            fresh.envelope.properties.append({QStringLiteral("user_id"), QStringLiteral("guest")});
            const core::Result<core::MessageId> added = session.messages().insert(fresh);
            return added ? core::Result<>() : core::fail(added.error());
        });
        QVERIFY(done);
        fixture.start();
        const QList<api::ResetCounter> wanted{
            {QStringLiteral("X-Custom-Retry-Count"), QStringLiteral("2"), QStringLiteral("0")},
            {QStringLiteral("retries"), QStringLiteral("3"), QStringLiteral("0")},
            {QStringLiteral("attempts"), QStringLiteral("9"), QStringLiteral("0")}}; // a policy names it
        QCOMPARE(sampleOf(fixture, {})->counters, wanted);
        const QList<api::ResetCounter> withheld{{QStringLiteral("CC"), QStringLiteral("[\"audit\"]"), QString()},
                                                {QStringLiteral("user_id"), QStringLiteral("guest"), QString()}};
        QCOMPARE(sampleOf(fixture, {})->withheld, withheld);
    }

    void whatIsNoEditIsRefused_data()
    {
        QTest::addColumn<Edit>("edit");
        QTest::addColumn<QString>("why");
        QTest::newRow("no pointer") << Edit{{{Do::RemoveJson, QStringLiteral("a")}}}
                                    << QStringLiteral("not a JSON pointer");
        QTest::newRow("the body of many") << Edit{{{Do::SetBody, {}, {}, {}, QByteArray("x")}}}
                                          << QStringLiteral("one message only, and this set has 2");
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
        EngineFixture fixture;
        open(fixture, 2);
        fixture.start();
        const api::PlanPreview shown = previewOf(fixture, planOf(edit));
        QVERIFY2(shown.refusal.contains(why), qPrintable(shown.refusal));
        api::ConfirmRetry command;
        command.draft.filter.connection = fixture.shop;
        command.draft.plan = planOf(edit);
        command.draft.asOfChange = shown.asOfChange;
        command.expectedCount = 2;
        const core::Result<core::OperationId> id = fixture.carryOut(command);
        QVERIFY(!id);
    }

    void aReleaseTakesNoEdit()
    {
        EngineFixture fixture;
        open(fixture, 2);
        fixture.start();
        const api::PlanPreview shown = previewOf(fixture, planOf(setId()), records::OperationKind::Release);
        QVERIFY(!shown.refusal.isEmpty());
        QVERIFY(!shown.cannotEdit.isEmpty());
        QVERIFY(!fixture.retryAll(records::OperationKind::Release, planOf(setId())));
    }

    void theyArriveEditedOverARestartAndTheStoredOnesStay_data()
    {
        QTest::addColumn<HandOver>("handOver");
        QTest::newRow("staging queue") << HandOver::StagingQueue;
        QTest::newRow("intent log") << HandOver::IntentLog;
    }

    void theyArriveEditedOverARestartAndTheStoredOnesStay()
    {
        QFETCH(const HandOver, handOver);
        EngineFixture fixture(handOver);
        open(fixture, 40);
        fixture.start();
        QMap<QByteArray, int> bodies;
        int wrong = 0;
        fixture.broker->delivered = [&](const support::FakeBroker::Delivery &delivery) {
            const records::Envelope &copy = delivery.envelope;
            ++bodies[copy.body];
            const std::optional<records::Stamp> stamp = records::stampOf(copy.headers);
            const bool good = records::text(copy.headers, note) == QStringLiteral("fixed")
                              && records::find(copy.headers, u"priority")->isDouble() && stamp
                              && stamp->bodyDigest == records::bodyDigest(copy.body);
            wrong += good ? 0 : 1;
        };
        const QList<core::MessageId> ids = idsOf(fixture);
        const core::Result<core::OperationId> id = fixture.retryAll(records::OperationKind::Retry, planOf(setId()));
        QVERIFY(id);
        QVERIFY(fixture.operation(*id).plan.edit == setId()); // frozen with the operation
        fixture.restart(); // the next run makes the same edit
        QVERIFY(fixture.runToEnd(*id));
        QCOMPARE(fixture.operation(*id).counts.sent, 40);
        QCOMPARE(wrong, 0);
        for (int n = 0; n < 40; ++n) {
            const QByteArray expected = "{\"n\":" + QByteArray::number(n) + ", \"id\": 12345678901234567890}";
            QCOMPARE(bodies.value(expected), 1);
            QCOMPARE(stored(fixture, ids.at(n)).body, bodyOf(n));
            QVERIFY(records::find(stored(fixture, ids.at(n)).headers, note) == nullptr);
        }
        QString told;
        for (const records::Event &event : fixture.events())
            told = event.what == QStringLiteral("Retry requested") ? event.result : told;
        QVERIFY2(told.contains(u"edited: header x-note set to \"fixed\"; /id of the body set to"), qPrintable(told));
    }

    void anEditedCopyThatFailsAgainIsTheSameMessage()
    {
        EngineFixture fixture;
        open(fixture, 1);
        fixture.start();
        QList<records::Envelope> sent;
        fixture.broker->delivered = [&](const support::FakeBroker::Delivery &delivery) { sent << delivery.envelope; };
        const core::Result<core::OperationId> id = fixture.retryAll(records::OperationKind::Retry, planOf(setId()));
        QVERIFY(id);
        QVERIFY(fixture.runToEnd(*id));
        QCOMPARE(sent.size(), 1);
        fixture.broker->put(QStringLiteral("error"), sent.first());
        Asker ask(fixture);
        const core::Result<records::IntakeCounts> taken = ask(ask.client.ask(api::TakeMessages{fixture.shop, {}, {}}));
        QVERIFY2(taken, taken ? "" : qPrintable(taken.error().message));
        QCOMPARE(taken->cameBack, 1);
        QCOMPARE(taken->fresh, 0);
        QCOMPARE(fixture.operation(*id).counts.cameBack, 1);
        QCOMPARE(fixture.message(idsOf(fixture).first()).attempts, 2);
    }

    void oneMessageGetsAWholeNewBody()
    {
        EngineFixture fixture;
        open(fixture, 2);
        fixture.start();
        const core::MessageId one = idsOf(fixture).last();
        const api::EditSample before = sampleOf(fixture, {}, one).value();
        records::Envelope wanted = before.before;
        wanted.body = QByteArray("\x01\x00\x02", 3);
        records::set(wanted.headers, note, QStringLiteral("by hand"));
        records::remove(wanted.headers, u"priority");
        QList<records::Envelope> sent;
        fixture.broker->delivered = [&](const support::FakeBroker::Delivery &delivery) { sent << delivery.envelope; };
        api::ConfirmRetry command;
        command.draft.filter.connection = fixture.shop;
        command.draft.filter.messages = {one};
        command.draft.plan = planOf(records::editBetween(before.before, wanted));
        command.expectedCount = 1;
        const core::Result<core::OperationId> id = fixture.carryOut(command);
        QVERIFY2(id, id ? "" : qPrintable(id.error().message));
        QVERIFY(fixture.runToEnd(*id));
        QCOMPARE(sent.size(), 1);
        QCOMPARE(sent.first().body, wanted.body);
        records::remove(sent.first().headers, records::stampHeader);
        QCOMPARE(records::toCbor(sent.first().headers), records::toCbor(wanted.headers));
    }

    void aSampleShowsBothAndWhatNeedsCare()
    {
        EngineFixture fixture;
        open(fixture, 3);
        insert(fixture, 100, "no JSON");
        fixture.start();
        const QList<core::MessageId> ids = idsOf(fixture);
        const api::EditSample sample = sampleOf(fixture, setId()).value();
        QCOMPARE(sample.message, ids.first());
        QCOMPARE(sample.misfit, QString());
        QCOMPARE(sample.cannotEdit, QString());
        QCOMPARE(sample.bodyNotEditable, QString());
        QCOMPARE(sample.before.body, bodyOf(0));
        QCOMPARE(sample.after.body, QByteArray(R"({"n":0, "id": 12345678901234567890})"));
        QCOMPARE(records::text(sample.after.headers, note), QStringLiteral("fixed"));
        QVERIFY(records::find(sample.before.headers, records::stampHeader) == nullptr);
        QCOMPARE(sample.addedHeader, records::stampHeader.toString());
        bool locked = false;
        for (const api::HeaderNote &one : sample.notes)
            locked = locked || (one.name == u"NServiceBus.MessageId" && one.care == records::HeaderCare::Locked);
        QVERIFY(locked);

        const api::EditSample misfit = sampleOf(fixture, setId(), ids.last()).value();
        QCOMPARE(misfit.message, ids.last());
        QCOMPARE(misfit.misfit, QStringLiteral("step 2: the body is not valid JSON"));
        QCOMPARE(misfit.after.body, misfit.before.body);
        // For a filter, the sample is a message that the edit changes.
        const Edit text{{{Do::ReplaceText, QStringLiteral("no JSON"), QStringLiteral("{}")}}};
        QCOMPARE(sampleOf(fixture, text)->message, ids.last());
        QVERIFY(sampleOf(fixture, {{{Do::RemoveJson, QStringLiteral("x")}}}).error().kind == ErrorKind::Rejected);
        QVERIFY(sampleOf(fixture, {}, core::MessageId{4711}).error().kind == ErrorKind::NotFound);
    }
};

REDRIVE_TEST(TestEdits)
#include "tst_edits.moc"
