#include "models/session/consolesession.h"
#include "models/session/longwork.h"
#include "models/session/trouble.h"
#include "tests/support/fakeclient/fakeclient.h"
#include "tests/support/testmain/testmain.h"

#include <QSignalSpy>
#include <QTest>

namespace {

api::ConnectionView connectionView(qint64 id, records::Environment environment, records::Rights rights)
{
    api::ConnectionView view;
    view.connection.id = core::ConnectionId{id};
    view.connection.name = QStringLiteral("shop");
    view.connection.environment = environment;
    view.connection.rights = rights;
    view.canTake = true;
    return view;
}

records::FailedMessage message(qint64 id, qint64 connection)
{
    records::FailedMessage one;
    one.id = core::MessageId{id};
    one.connection = core::ConnectionId{connection};
    return one;
}

models::ActionScope scopeOf(const QList<core::MessageId> &ids)
{
    models::ActionScope scope;
    scope.filter.messages = ids;
    scope.count = ids.size();
    scope.connection = core::ConnectionId{1};
    return scope;
}

} // namespace

class TestConsoleSession final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void tellsOnlyWhatChanged();
    void tellsWhatChangedOfAConnection_data();
    void tellsWhatChangedOfAConnection();
    void archivesExactlyWhatWasSeenAndUndoesIt();
    void whatOthersChangedSinceIsToldWithWho();
    void whatIsNotListedIsNotDecided();
    void productionAndManyAreAskedBeforeArchiving();
    void ownDecisionsAreTold();
    void whatIsDecidedIsSaidInOneSentence();
    void aLongDecisionIsShownAndCancelled();
    void aLongIntakeIsShownAndStopped();
    void failedCommandIsTold();
    void whatOneQueueRefusesIsToldBesideWhatTheOthersGave();
    void aDismissedRetryIsAChange();
    void resumingSaysWhatStaysPausedAndWhy();
    void unanswerableIsCancelled();
    void oneMessageOutsideProductionGoesAtOnce();
    void productionAsksFirst();
    void whatMayArriveTwiceAsksFirst();
    void survivesItsEndWithAnswersOnTheWay();
    void refusalsHaveReasons_data();
    void refusalsHaveReasons();
    void troubleNamesTheWorst_data();
    void troubleNamesTheWorst();

private:
    std::unique_ptr<support::FakeClient> m_client;
    std::unique_ptr<models::ConsoleSession> m_session;
};

void TestConsoleSession::init()
{
    m_client = std::make_unique<support::FakeClient>();
    m_client->snapshot.connections = {connectionView(1, records::Environment::Test, records::defaultRights)};
    m_client->store = {message(1, 1), message(2, 1), message(3, 1)};
    m_session = std::make_unique<models::ConsoleSession>(*m_client);
}

void TestConsoleSession::cleanup()
{
    m_session.reset();
    m_client.reset();
}

void TestConsoleSession::tellsOnlyWhatChanged()
{
    m_client->publish();
    QSignalSpy engine(m_session.get(), &models::ConsoleSession::engineChanged);
    QSignalSpy queues(m_session.get(), &models::ConsoleSession::queuesChanged);
    QSignalSpy messages(m_session.get(), &models::ConsoleSession::messagesRevised);
    QSignalSpy all(m_session.get(), &models::ConsoleSession::snapshotTaken);
    m_client->publish();
    QCOMPARE(all.size(), 1);
    QCOMPARE(engine.size() + queues.size() + messages.size(), 0);
    m_client->touchMessages();
    QCOMPARE(messages.size(), 1);
    m_client->snapshot.queues.append(api::QueueView{});
    m_client->publish();
    QCOMPARE(queues.size(), 1);
    QCOMPARE(engine.size(), 0);
}

void TestConsoleSession::tellsWhatChangedOfAConnection_data()
{
    QTest::addColumn<api::ConnectionView>("now");
    const api::ConnectionView before = connectionView(1, records::Environment::Test, records::defaultRights);
    const auto row = [&before](const char *name, auto change) {
        api::ConnectionView now = before;
        change(now);
        QTest::newRow(name) << now;
    };
    row("its broker moves queues", [](api::ConnectionView &view) { view.movesQueues = true; });
    row("its secret is not kept",
        [](api::ConnectionView &view) { view.secretNotKept = QStringLiteral("No keyring."); });
    row("queues of another store", [](api::ConnectionView &view) { view.foreignQueues = {QStringLiteral("staging")}; });
    row("it may be looked into", [](api::ConnectionView &view) { view.canBrowse = true; });
    row("it may not take", [](api::ConnectionView &view) { view.canTake = false; });
}

void TestConsoleSession::tellsWhatChangedOfAConnection()
{
    QFETCH(const api::ConnectionView, now);
    m_client->publish();
    QSignalSpy connections(m_session.get(), &models::ConsoleSession::connectionsChanged);
    m_client->snapshot.connections = {now};
    m_client->publish();
    QCOMPARE(connections.size(), 1);
}

void TestConsoleSession::archivesExactlyWhatWasSeenAndUndoesIt()
{
    m_client->publish();
    QSignalSpy archived(m_session.get(), &models::ConsoleSession::archived);
    m_session->archive(scopeOf({core::MessageId{1}, core::MessageId{3}}));
    QVERIFY(archived.wait());
    QCOMPARE(archived.first().at(0).toLongLong(), 2);
    QCOMPARE(archived.first().at(2).toString(), QString());
    QVERIFY(m_session->canUndoArchive());
    QCOMPARE(m_client->decisions.first().filter.messages.size(), 2);
    QVERIFY(m_client->decisions.first().asOfChange > 0);
    QVERIFY(m_client->store.at(0).status == records::MessageStatus::Archived);
    QSignalSpy done(m_session.get(), &models::ConsoleSession::succeeded);
    m_session->undoArchive();
    QVERIFY(done.wait());
    QVERIFY(m_client->decisions.last().decision == api::Decision::Restore);
    QVERIFY(m_client->decisions.last().asOfChange > m_client->decisions.first().asOfChange);
    QVERIFY(m_client->store.at(0).status == records::MessageStatus::Unresolved);
    QVERIFY(!m_session->canUndoArchive());
}

// A list that is older than what others did.
void TestConsoleSession::whatOthersChangedSinceIsToldWithWho()
{
    m_client->publish();
    QSignalSpy archived(m_session.get(), &models::ConsoleSession::archived);
    QSignalSpy failed(m_session.get(), &models::ConsoleSession::failed);
    m_client->changedByOthers = {core::MessageId{1}};
    models::ActionScope scope = scopeOf({core::MessageId{1}, core::MessageId{3}});
    scope.asOfChange = 1;
    m_session->archive(scope);
    QVERIFY(archived.wait());
    QCOMPARE(m_client->decisions.last().asOfChange, 1);
    QCOMPARE(archived.first().at(0).toLongLong(), 1);
    QVERIFY(archived.first().at(2).toString().contains(QStringLiteral("bob@ops")));
    scope = scopeOf({core::MessageId{1}});
    scope.asOfChange = 1;
    m_session->archive(scope);
    QVERIFY(failed.wait());
    QVERIFY(failed.first().first().toString().contains(QStringLiteral("bob@ops")));
    // The question is open while others act.
    m_client->changedByOthers.clear();
    QSignalSpy listed(m_session.get(), &models::ConsoleSession::decisionListed);
    m_client->store.first().status = records::MessageStatus::RetryIssued;
    m_session->listForDecision(scope, records::MessageStatus::RetryIssued, api::Decision::Resolve);
    QVERIFY(listed.wait());
    m_client->changedByOthers = {core::MessageId{1}};
    failed.clear();
    m_session->decide(listed.first().at(0).value<api::DecideMessages>());
    QVERIFY(failed.wait());
    QVERIFY(failed.first().first().toString().contains(QStringLiteral("bob@ops")));
}

void TestConsoleSession::whatIsNotListedIsNotDecided()
{
    m_client->publish();
    models::ActionScope scope = scopeOf({core::MessageId{1}});
    scope.filter.status = records::MessageStatus::RetryIssued; // of the list; the message is unresolved now
    QSignalSpy said(m_session.get(), &models::ConsoleSession::succeeded);
    m_session->archive(scope);
    m_session->listForDecision(scope, records::MessageStatus::Archived, api::Decision::Restore);
    QCOMPARE(said.size(), 1);
    QCoreApplication::processEvents();
    QVERIFY(m_client->decisions.isEmpty());
    QVERIFY(m_client->messageQueries.isEmpty());
}

void TestConsoleSession::productionAndManyAreAskedBeforeArchiving()
{
    m_client->snapshot.connections = {connectionView(1, records::Environment::Test, records::defaultRights),
                                      connectionView(2, records::Environment::Production, records::defaultRights)};
    m_client->publish();
    models::ActionScope scope = scopeOf({core::MessageId{1}});
    scope.connection = core::ConnectionId{1};
    QVERIFY(!m_session->archiveIsAsked(scope));
    scope.count = 100;
    QVERIFY(m_session->archiveIsAsked(scope));
    scope.count = 1;
    scope.connection = core::ConnectionId{2};
    QVERIFY(m_session->archiveIsAsked(scope));
    scope.connection = {}; // of several
    QVERIFY(m_session->archiveIsAsked(scope));
}

void TestConsoleSession::ownDecisionsAreTold()
{
    m_client->publish();
    QSignalSpy own(m_session.get(), &models::ConsoleSession::ownChange);
    QSignalSpy undo(m_session.get(), &models::ConsoleSession::undoChanged);
    m_session->archive(scopeOf({core::MessageId{1}}));
    QTRY_COMPARE(own.size(), 1);
    QVERIFY(m_session->canUndoArchive());
    undo.clear();
    m_session->undoArchive();
    QCOMPARE(undo.size(), 1);
    QVERIFY(!m_session->canUndoArchive());
    QTRY_COMPARE(own.size(), 2);
}

void TestConsoleSession::whatOneQueueRefusesIsToldBesideWhatTheOthersGave()
{
    const QList<records::QueueResult> queues{
        {QStringLiteral("dead"), 3, 3, {}, {}},
        {QStringLiteral("stream"), 0, 0, core::ErrorKind::Refused, QStringLiteral("A stream keeps its messages.")}};
    m_client->intakeAnswer = {3, 3, 0, 0, 0};
    m_client->intakeAnswer.queues = queues;
    QSignalSpy failed(m_session.get(), &models::ConsoleSession::failed);
    QSignalSpy done(m_session.get(), &models::ConsoleSession::succeeded);
    m_session->takeNow(core::ConnectionId{1}, {}, {});
    QVERIFY(done.wait());
    QCOMPARE(failed.size(), 1);
    QCOMPARE(failed.first().first().toString(),
             QStringLiteral("1 of 2 queues could not be read completely. stream: A stream keeps its messages."));
    QCOMPARE(done.first().first().toString(), QStringLiteral("Took 3 messages: 3 new, 0 came back. (dead 3)"));
}

void TestConsoleSession::aLongDecisionIsShownAndCancelled()
{
    m_client->publish();
    m_client->workProgress = {2, 30};
    m_client->heldNames = {m_client->nameOf<api::DecideMessages>()};
    m_client->decisionsAreCancelled = true;
    QSignalSpy changed(m_session.get(), &models::ConsoleSession::longWorkChanged);
    QSignalSpy archived(m_session.get(), &models::ConsoleSession::archived);
    m_session->archive(scopeOf({core::MessageId{1}, core::MessageId{3}}));
    QVERIFY(m_session->longWork() == nullptr); // most decisions take no time
    QTRY_VERIFY(m_session->longWork() != nullptr);
    QTRY_COMPARE(m_session->longWork()->text(), QStringLiteral("Archiving messages: 2 of 30"));
    QVERIFY(m_session->longWork()->canCancel());
    m_session->longWork()->cancel();
    m_session->longWork()->cancel();
    QVERIFY(!m_session->longWork()->canCancel());
    QCOMPARE(m_client->cancelledWork, QStringList{m_client->decisions.last().ticket});
    QVERIFY(archived.isEmpty());
    m_client->releaseOne();
    QTRY_COMPARE(archived.size(), 1);
    QVERIFY(m_session->longWork() == nullptr);
    QCOMPARE(archived.first().at(0).toLongLong(), 2);
    QVERIFY(archived.first().at(2).toString().contains(QStringLiteral("cancelled")));
    QVERIFY(m_session->canUndoArchive());
    QVERIFY(!changed.isEmpty());
}

void TestConsoleSession::aLongIntakeIsShownAndStopped()
{
    const core::ConnectionId shop{1};
    const QString queue = QStringLiteral("error");
    m_client->publish();
    m_client->workProgress = {1204, 5000, true};
    m_client->intakeAnswer = {1300, 1300, 0, 0, 0};
    m_client->intakeAnswer.isCancelled = true;
    m_client->heldNames = {m_client->nameOf<api::TakeMessages>()};
    QSignalSpy done(m_session.get(), &models::ConsoleSession::succeeded);
    m_session->takeNow(shop, queue, {});
    QVERIFY(m_session->isTaking(shop, queue) && !m_session->isTaking(shop, {}));
    QVERIFY(!m_session->isTaking(shop, QStringLiteral("other")) && !m_session->isTaking(core::ConnectionId{2}, queue));
    QTRY_VERIFY(m_session->longWork() != nullptr);
    QTRY_COMPARE(m_session->longWork()->text(),
                 QStringLiteral("Taking messages from error on shop: 1,204 of about 5,000"));
    m_session->stopTaking(shop, QStringLiteral("other"));
    QVERIFY(m_client->cancelledWork.isEmpty());
    m_session->stopTaking(shop, queue);
    QCOMPARE(m_client->cancelledWork, QStringList{m_client->intakes.last().ticket});
    QVERIFY(done.isEmpty());
    m_client->releaseOne();
    QTRY_COMPARE(done.size(), 1);
    QVERIFY(m_session->longWork() == nullptr);
    QVERIFY(!m_session->isTaking(shop, queue));
    const QString said = done.first().first().toString();
    QVERIFY2(said.contains(QStringLiteral("Took 1,300 messages"))
                 && said.contains(QStringLiteral("stays in its queue")),
             qPrintable(said));
}

void TestConsoleSession::whatIsDecidedIsSaidInOneSentence()
{
    using records::MessageStatus;
    QSignalSpy said(m_session.get(), &models::ConsoleSession::succeeded);
    const core::MessageId first = m_client->store.first().id;
    const qsizetype all = m_client->store.size();
    const auto decide = [&](api::Decision decision, std::optional<MessageStatus> status = {}) {
        api::DecideMessages command;
        command.filter.messages = {first};
        command.filter.status = status;
        command.decision = decision;
        m_session->decide(command);
        return said.wait() ? said.takeFirst().first().toString() : QString();
    };
    m_client->store.first().status = MessageStatus::Archived;
    QCOMPARE(decide(api::Decision::TakeBack), QStringLiteral("Nothing was taken back."));
    m_client->store.first().status = MessageStatus::RetryIssued;
    m_client->underWay.insert(first);
    QVERIFY(decide(api::Decision::Resolve)
                .startsWith(QStringLiteral("Nothing was marked as resolved. 1 are still being retried")));
    m_client->store.first().status = MessageStatus::Resolved;
    QVERIFY(decide(api::Decision::Delete, MessageStatus::Resolved)
                .startsWith(QStringLiteral("Nothing was deleted. 1 belong")));
    m_client->underWay.clear();
    QCOMPARE(decide(api::Decision::Delete, MessageStatus::Archived), QStringLiteral("Nothing was deleted."));
    QCOMPARE(m_client->store.size(), all);
    QCOMPARE(decide(api::Decision::Delete, MessageStatus::Resolved), QStringLiteral("Deleted 1 messages."));
    QCOMPARE(m_client->store.size(), all - 1);
    models::ActionScope none;
    none.filter.messages = {core::MessageId{first.value + 1'000'000}};
    m_session->listForDecision(none, MessageStatus::RetryIssued, api::Decision::TakeBack);
    QTRY_COMPARE(said.size(), 1);
    QVERIFY(said.takeFirst().first().toString().startsWith(QStringLiteral("None of these messages is in retry")));
}

void TestConsoleSession::failedCommandIsTold()
{
    m_client->publish();
    m_client->failNext<api::PauseAll>({core::ErrorKind::Refused, QStringLiteral("Not now."), {}, {}});
    QSignalSpy failed(m_session.get(), &models::ConsoleSession::failed);
    m_session->pauseAll(true);
    QVERIFY(failed.wait());
    QCOMPARE(failed.first().first().toString(), QStringLiteral("Pausing failed: Not now."));
}

// Lists ask the store again: the snapshot does not have every retry that they show.
void TestConsoleSession::aDismissedRetryIsAChange()
{
    m_client->publish();
    QSignalSpy changed(m_session.get(), &models::ConsoleSession::operationsChanged);
    m_session->act(core::OperationId{3}, api::OperationAction::Dismiss);
    QVERIFY(changed.wait());
}

void TestConsoleSession::resumingSaysWhatStaysPausedAndWhy()
{
    m_client->publish();
    m_client->pauseAllAnswer.changed = {core::OperationId{4}, core::OperationId{5}};
    m_client->pauseAllAnswer.held = {
        {core::OperationId{7}, records::PausedBy::StopRule, QStringLiteral("too many <b>came</b> back")}};
    QSignalSpy said(m_session.get(), &models::ConsoleSession::succeeded);
    m_session->pauseAll(false);
    QVERIFY(said.wait());
    const QString sentence = said.first().first().toString();
    for (const char *part : {"2", "7", "too many <b>came</b> back"})
        QVERIFY2(sentence.contains(QLatin1String(part)), qPrintable(sentence));
}

void TestConsoleSession::unanswerableIsCancelled()
{
    core::Result<qint64> got;
    bool answered = false;
    {
        QPromise<core::Result<qint64>> promise;
        promise.start();
        api::whenDone<qint64>(this, promise.future(), [&](const core::Result<qint64> &result) {
            got = result;
            answered = true;
        });
        promise.future().cancel();
    }
    QTRY_VERIFY(answered);
    QVERIFY(got.error().kind == core::ErrorKind::Cancelled);
}

void TestConsoleSession::oneMessageOutsideProductionGoesAtOnce()
{
    m_client->publish();
    m_client->previewAnswer.environment = records::Environment::Test;
    m_client->previewAnswer.onUnknownDefault = records::OnUnknown::SendAgain;
    QSignalSpy started(m_session.get(), &models::ConsoleSession::retryStarted);
    m_session->retryDirectly(scopeOf({core::MessageId{2}}));
    QVERIFY(started.wait());
    QCOMPARE(m_client->retries.size(), 1);
    QCOMPARE(m_client->retries.first().expectedCount, 1);
    QVERIFY(m_client->retries.first().draft.plan.onUnknown == records::OnUnknown::SendAgain);
    QVERIFY(m_client->retries.first().draft.asOfChange.has_value());
}

void TestConsoleSession::productionAsksFirst()
{
    m_client->publish();
    m_client->previewAnswer.environment = records::Environment::Production;
    QSignalSpy needed(m_session.get(), &models::ConsoleSession::planNeeded);
    m_session->retryDirectly(scopeOf({core::MessageId{2}}));
    QVERIFY(needed.wait());
    QVERIFY(m_client->retries.isEmpty());
}

void TestConsoleSession::whatMayArriveTwiceAsksFirst()
{
    m_client->publish();
    m_client->previewAnswer.environment = records::Environment::Test;
    m_client->previewAnswer.warnings = {{api::PlanWarning::Kind::HeldByBroker, 1, QStringLiteral("1 taken back")}};
    QSignalSpy needed(m_session.get(), &models::ConsoleSession::planNeeded);
    m_session->retryDirectly(scopeOf({core::MessageId{2}}));
    QVERIFY(needed.wait());
    QVERIFY(m_client->retries.isEmpty());
}

void TestConsoleSession::survivesItsEndWithAnswersOnTheWay()
{
    m_client->publish();
    m_client->holdAnswers(true);
    m_session->pauseAll(true);
    m_session->archive(scopeOf({core::MessageId{1}}));
    m_session.reset();
    m_client->holdAnswers(false);
    m_client->publish();
    QCOMPARE(m_client->decisions.size(), 0);
}

void TestConsoleSession::refusalsHaveReasons_data()
{
    QTest::addColumn<int>("state");
    QTest::addColumn<int>("rights");
    QTest::addColumn<int>("verb");
    QTest::addColumn<QString>("reason"); // a part of it; empty: allowed
    const int all = int(records::defaultRights);
    const int see = int(records::Right::See);
    using api::EngineState;
    using models::Verb;
    QTest::newRow("running, retry") << int(EngineState::Running) << all << int(Verb::Retry) << QString();
    QTest::newRow("no right") << int(EngineState::Running) << see << int(Verb::Retry) << QStringLiteral("\"retry\"");
    QTest::newRow("no right to archive") << int(EngineState::Running) << see << int(Verb::Archive)
                                         << QStringLiteral("\"archive\"");
    QTest::newRow("no right to edit") << int(EngineState::Running) << all << int(Verb::Edit)
                                      << QStringLiteral("\"edit\"");
    QTest::newRow("viewer files an edited retry")
        << int(EngineState::Viewer) << (all | int(records::Right::Edit)) << int(Verb::Edit) << QString();
    QTest::newRow("pause needs no right") << int(EngineState::Running) << see << int(Verb::Pause) << QString();
    QTest::newRow("paused, retry") << int(EngineState::Paused) << all << int(Verb::Retry) << QString();
    QTest::newRow("starting") << int(EngineState::Starting) << all << int(Verb::Retry) << QStringLiteral("starting");
    QTest::newRow("store refuses") << int(EngineState::StoreRefusesWrites) << all << int(Verb::Archive)
                                   << QStringLiteral("refuses writes");
    QTest::newRow("viewer files a retry") << int(EngineState::Viewer) << all << int(Verb::Retry) << QString();
    QTest::newRow("viewer takes nothing")
        << int(EngineState::Viewer) << all << int(Verb::Take) << QStringLiteral("view only");
    QTest::newRow("viewer looks at nothing")
        << int(EngineState::Viewer) << all << int(Verb::Browse) << QStringLiteral("view only");
    QTest::newRow("looking needs an account that may")
        << int(EngineState::Running) << see << int(Verb::Browse) << QStringLiteral("cannot browse");
    QTest::newRow("no right to see") << int(EngineState::Running) << 0 << int(Verb::Browse)
                                     << QStringLiteral("\"see\"");
    QTest::newRow("viewer keeps connections")
        << int(EngineState::Viewer) << all << int(Verb::EditConnections) << QStringLiteral("view only");
}

void TestConsoleSession::refusalsHaveReasons()
{
    QFETCH(int, state);
    QFETCH(int, rights);
    QFETCH(int, verb);
    QFETCH(QString, reason);
    api::Snapshot snapshot;
    snapshot.engine = api::EngineState(state);
    snapshot.connections = {connectionView(1, records::Environment::Test, records::Rights(rights))};
    const QString said = models::refusal(snapshot, models::Verb(verb), core::ConnectionId{1});
    QCOMPARE(said.isEmpty(), reason.isEmpty());
    QVERIFY2(said.contains(reason), qPrintable(said));
}

void TestConsoleSession::troubleNamesTheWorst_data()
{
    QTest::addColumn<int>("engine");
    QTest::addColumn<int>("health");
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("remedy");
    using api::EngineState;
    using api::Health;
    using Remedy = models::Trouble::Remedy;
    QTest::newRow("none") << int(EngineState::Running) << int(Health::Connected) << QString() << int(Remedy::None);
    QTest::newRow("unreachable") << int(EngineState::Running) << int(Health::Unreachable)
                                 << QStringLiteral("shop: since 02:11") << int(Remedy::AskAgain);
    QTest::newRow("login") << int(EngineState::Running) << int(Health::LoginNeeded) << QStringLiteral("shop")
                           << int(Remedy::OpenConnection);
    QTest::newRow("refused") << int(EngineState::Running) << int(Health::Refused) << QStringLiteral("shop")
                             << int(Remedy::OpenConnection);
    QTest::newRow("slow") << int(EngineState::Running) << int(Health::Slow) << QStringLiteral("shop")
                          << int(Remedy::None);
    QTest::newRow("paused wins") << int(EngineState::Paused) << int(Health::Unreachable)
                                 << QStringLiteral("All retries and policies are paused.") << int(Remedy::ResumeAll);
    QTest::newRow("store wins") << int(EngineState::StoreRefusesWrites) << int(Health::Unreachable)
                                << QStringLiteral("refuses writes") << int(Remedy::ReopenStore);
    QTest::newRow("viewer") << int(EngineState::Viewer) << int(Health::Connected) << QStringLiteral("Another process")
                            << int(Remedy::None);
}

void TestConsoleSession::troubleNamesTheWorst()
{
    QFETCH(int, engine);
    QFETCH(int, health);
    QFETCH(QString, text);
    QFETCH(int, remedy);
    api::Snapshot snapshot;
    snapshot.engine = api::EngineState(engine);
    snapshot.connections = {connectionView(1, records::Environment::Test, records::defaultRights)};
    snapshot.connections.first().health = api::Health(health);
    snapshot.connections.first().words = QStringLiteral("since 02:11");
    snapshot.connections.first().breakerWords = QStringLiteral("next try at 02:12:20 UTC");
    const models::Trouble trouble = models::troubleOf(snapshot);
    QCOMPARE(trouble.text.isEmpty(), text.isEmpty());
    QCOMPARE(trouble.text.contains(QStringLiteral("02:12:20")), text.startsWith(QStringLiteral("shop")));
    QVERIFY2(trouble.text.contains(text), qPrintable(trouble.text));
    QCOMPARE(int(trouble.remedy), remedy);
    QCOMPARE(trouble.remedyText.isEmpty(), trouble.remedy == models::Trouble::Remedy::None);
    snapshot.engineText = QStringLiteral("It is held by process 7.");
    const QString said = models::troubleOf(snapshot).text; // the text of the engine is not shown twice
    QCOMPARE(said == snapshot.engineText, snapshot.engine == api::EngineState::Viewer);
}

REDRIVE_TEST(TestConsoleSession)
#include "tst_consolesession.moc"
