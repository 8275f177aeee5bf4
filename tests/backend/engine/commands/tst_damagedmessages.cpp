// One message whose data is damaged, among others: work on many messages names it, counts it and goes on with the others.
#include "backend/api/requests/conventions.h"
#include "backend/engine/policies/policyservice.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/policyfixture.h"
#include "tests/support/store/rawsql.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/testmain/testmain.h"

#include <QRegularExpression>
#include <QTest>

using namespace support;
using namespace std::chrono_literals;
using core::MessageId;
using recovery::HeldState;

namespace {

const MessageId damaged{3};
const QByteArray once = R"({"name": "standard", "immediate": 1, "delayed": 0, "stop_when": "never"})";

void execute(EngineFixture &fixture, const QString &statement)
{
    test::executeRaw(fixture.dependencies.storePath, {statement});
}

void damageHeaders(EngineFixture &fixture)
{
    execute(fixture, QStringLiteral("UPDATE message_content SET headers = x'ff' WHERE message = 3"));
}

// Nothing can be decided about an imported message without its history.
void damageHistory(EngineFixture &fixture)
{
    execute(fixture,
            QStringLiteral("INSERT INTO message_import (message, at, who, file, store, unique_id, status, trail)"
                           " VALUES (3, 0, 'ada', 'f', '', '', 0, x'ff')"));
}

QStringList ids(const Consumers &consumers)
{
    return consumers.seen.keys();
}

} // namespace

class TestDamagedMessages final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aPolicyLeavesItToAPerson();
    void aPolicyEjectsWhatCannotBeRead();
    void aRoundThatFailsWaits();
    void conventionsAreAppliedToTheOthers();
};

void TestDamagedMessages::aPolicyLeavesItToAPerson()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral("the policies wait")));
    EngineFixture fixture;
    Consumers consumers(fixture);
    consumers.fails = [](const records::Envelope &) { return false; };
    fixture.fill(5);
    damageHistory(fixture);
    fixture.start();
    setPolicy(fixture, once);
    QVERIFY(assignPolicy(fixture).has_value());
    fixture.advance(2min);
    QCOMPARE(consumers.total(), 4);
    QVERIFY(!ids(consumers).contains(fixture.message(damaged).uniqueId));
    const recovery::HeldMessage held = heldMessage(fixture, damaged);
    QVERIFY(held.state == HeldState::Excluded);
    QVERIFY2(held.reason.contains(QStringLiteral("cannot be read")), qPrintable(held.reason));
    QVERIFY(fixture.message(damaged).status == records::MessageStatus::Unresolved);
}

void TestDamagedMessages::aPolicyEjectsWhatCannotBeRead()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral("the policies wait")));
    EngineFixture fixture;
    Consumers consumers(fixture);
    consumers.fails = [](const records::Envelope &) { return false; };
    fixture.fill(5);
    damageHeaders(fixture);
    fixture.start();
    setPolicy(fixture, once);
    QVERIFY(assignPolicy(fixture).has_value());
    fixture.advance(2min);
    QCOMPARE(consumers.total(), 4);
    QVERIFY(!ids(consumers).contains(fixture.message(damaged).uniqueId));
    QVERIFY(heldMessage(fixture, damaged).state == HeldState::Exhausted); // refused as often as the policy tries
}

// However often something changes meanwhile.
void TestDamagedMessages::aRoundThatFailsWaits()
{
    EngineFixture fixture;
    QVERIFY(beginPolicy(fixture, 3, onceInTenMinutes).has_value());
    QVERIFY(fixture.store->transact([&fixture](store::Session &session) { // one to follow
        return session.messages().insert(test::sampleMessage(fixture.shop, 51)).map([](core::MessageId) {});
    }));
    int tries = 0;
    auto &store = dynamic_cast<store::SqliteStore &>(*fixture.store);
    store.database().setFaultHook([&tries](const QString &statement) -> std::optional<core::Error> {
        if (!statement.startsWith(QStringLiteral("UPDATE store_meta SET policies_followed")))
            return std::nullopt;
        ++tries;
        return core::Error{core::ErrorKind::Transient, QStringLiteral("the disk is full"), {}, {}};
    });
    QTest::ignoreMessage(QtWarningMsg, QRegularExpression(QStringLiteral("the policies wait"))); // once
    for (int second = 0; second < 60; ++second) {
        fixture.engine->policies().scheduler().wake();
        fixture.advance(1s);
    }
    QVERIFY2(tries >= 1 && tries <= 7, qPrintable(QString::number(tries)));
    QCOMPARE(fixture.engine->policies().scheduler().waits(core::AssignmentId{1}).why,
             QStringLiteral("the disk is full"));
    store.database().setFaultHook({});
    fixture.advance(20s);
    QVERIFY(fixture.engine->policies().scheduler().waits(core::AssignmentId{1}).why.isEmpty());
    QCOMPARE(heldStates(fixture).value(HeldState::Waiting), 4);
}

void TestDamagedMessages::conventionsAreAppliedToTheOthers()
{
    EngineFixture fixture;
    fixture.fill(5);
    damageHeaders(fixture);
    fixture.start();
    api::ApplyConventions command;
    command.filter.connection = fixture.shop;
    const core::Result<api::Reread> reread = fixture.carryOut(command);
    QVERIFY(reread);
    QCOMPARE(reread->read, 4);
    QCOMPARE(reread->unreadable.count, 1);
    QVERIFY(reread->unreadable.example == damaged);
    QVERIFY(!reread->unreadable.why.isEmpty());

    api::TryConvention request;
    request.file = R"({"name": "ours", "read": {"exception_type": {"header": "x-error"}}})";
    request.filter.connection = fixture.shop;
    request.limit = 50;
    const auto trials = fixture.carryOut(request);
    QVERIFY2(trials, qPrintable(trials ? QString() : trials.error().message));
    QCOMPARE(trials->size(), 5);
    const auto isUnreadable = [](const api::ConventionTrial &trial) { return !trial.unreadable.isEmpty(); };
    QCOMPARE(std::count_if(trials->cbegin(), trials->cend(), isUnreadable), 1);
    QVERIFY(std::find_if(trials->cbegin(), trials->cend(), isUnreadable)->message == damaged);
}

REDRIVE_TEST(TestDamagedMessages)
#include "tst_damagedmessages.moc"
