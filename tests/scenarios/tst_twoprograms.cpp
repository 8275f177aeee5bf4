// Several programs on one store, and the command line from end to end against `redrive broker`.
#include "app/host/storeaccess.h"
#include "backend/api/requests/connections.h"
#include "backend/api/requests/retryplan.h"
#include "backend/store/sqlite/storelock.h"
#include "tests/scenarios/programfixture.h"
#include "tests/support/testmain/testmain.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QScopeGuard>
#include <QSysInfo>
#include <QTest>

#include <algorithm>

using test::Ended;
using test::messages;
using test::ProgramFixture;
using test::timeoutMs;

namespace {

// Waits for all its threads, because the signal takes time to reach them. proc(5): the state follows the name in
// brackets.
bool isStopped(pid_t pid)
{
    const QDir threads(QStringLiteral("/proc/%1/task").arg(pid));
    const QStringList ids = threads.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    return !ids.isEmpty() && std::all_of(ids.begin(), ids.end(), [&threads](const QString &id) {
        QFile stat(threads.filePath(id + QStringLiteral("/stat")));
        const QByteArray text = stat.open(QIODevice::ReadOnly) ? stat.readAll() : QByteArray();
        return text.mid(text.lastIndexOf(')') + 2, 1) == "T";
    });
}

} // namespace

class TestTwoPrograms final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aSecretThatHasNoPlaceIsSaid()
    {
        ProgramFixture fixture; // without a desktop, so without a keychain
        const QStringList add{QStringLiteral("connection"), QStringLiteral("add"), QStringLiteral("far"),
                              QStringLiteral("servicebus+http://Root:hunter2@127.0.0.1:9/")};
        const Ended alone = fixture.run(add);
        QCOMPARE(alone.code, 0);
        QVERIFY2(alone.err.contains("is not stored") && alone.err.contains("Set REDRIVE_SECRET_FAR"),
                 alone.err.constData());
        QVERIFY(!alone.err.contains("hunter2") && !alone.out.contains("hunter2"));

        const std::unique_ptr<QProcess> holder = fixture.startEngine(); // and where another program holds the store
        const Ended there =
            fixture.run(QStringList(add).replaceInStrings(QStringLiteral("far"), QStringLiteral("near")));
        QCOMPARE(there.code, 0);
        QVERIFY2(there.err.contains("Set REDRIVE_SECRET_NEAR"), there.err.constData());
        ProgramFixture::end(*holder);
    }

    void aSessionWithoutAKeyringSaysSo()
    {
        ProgramFixture fixture;
        if (!fixture.startBus())
            QSKIP("There is no dbus-daemon here.");
        const Ended added = fixture.run({QStringLiteral("connection"), QStringLiteral("add"), QStringLiteral("far"),
                                         QStringLiteral("servicebus+http://Root:hunter2@127.0.0.1:9/")});
        QVERIFY2(added.code == 0, added.err.constData());
        QVERIFY2(added.err.contains("No keyring service runs") && added.err.contains("Set REDRIVE_SECRET_FAR"),
                 added.err.constData());
        const std::unique_ptr<QProcess> engine = fixture.startEngine(); // which knows no secret of the command's
        const auto words = [&fixture] {
            const Ended listed = fixture.run({QStringLiteral("connection"), QStringLiteral("list")});
            return listed.out + listed.err;
        };
        QTRY_VERIFY_WITH_TIMEOUT(words().contains("far"), timeoutMs);
        QVERIFY2(!words().contains("Unknown error"), words().constData());
        ProgramFixture::end(*engine);
    }

    void aCopiedStoreSaysWhatItIs()
    {
        if (QSysInfo::machineUniqueId().isEmpty())
            QSKIP("this machine has no id");
        ProgramFixture fixture;
        QCOMPARE(fixture.addConnection(QStringLiteral("servicebus+http://Root@127.0.0.1:9/")).code, 0);
        const QString copy = fixture.store() + QStringLiteral(".copy");
        QVERIFY(QFile::copy(fixture.store(), copy)); // the one file is all of it once the command has ended
        const auto askCopy = [&fixture, copy] {
            const std::unique_ptr<QProcess> command = fixture.start(
                {QStringLiteral("--store"), copy, QStringLiteral("--json"), QStringLiteral("operations")});
            command->waitForFinished(timeoutMs);
            return Ended{command->exitCode(), command->readAllStandardOutput(), command->readAllStandardError()};
        };
        const Ended first = askCopy();
        QCOMPARE(first.code, 0);
        QVERIFY2(first.err.startsWith("redrive: This store is a copy of " + fixture.store().toLocal8Bit()),
                 first.err.constData());
        QCOMPARE(first.err.count('\n'), 1);
        QCOMPARE(askCopy().err, QByteArray());
    }

    void aPathThatWasMistypedIsNoEmptyStore()
    {
        ProgramFixture fixture;
        for (const QStringList &command : {QStringList{QStringLiteral("events"), QStringLiteral("--verify")},
                                           QStringList{QStringLiteral("connection"), QStringLiteral("list")},
                                           QStringList{QStringLiteral("intake")}}) {
            const Ended ended = fixture.run(command);
            QCOMPARE(ended.code, 2);
            QVERIFY2(ended.err.startsWith("redrive: There is no store at " + fixture.store().toLocal8Bit()),
                     ended.err.constData());
            QVERIFY(!QFileInfo::exists(QFileInfo(fixture.store()).path())); // nothing beside it, either
        }
    }

    void theCommandLineFromEndToEnd()
    {
        ProgramFixture fixture;
        const QString url = fixture.startBroker();
        QVERIFY(!url.isEmpty());
        const Ended added = fixture.addConnection(url);
        QVERIFY2(added.code == 0, added.err.constData());

        const Ended taken = fixture.run({QStringLiteral("intake"), QStringLiteral("--once")});
        QVERIFY2(taken.code == 0, taken.err.constData());
        QCOMPARE(taken.json()[QLatin1StringView("taken")].toInt(), messages);
        QCOMPARE(taken.json()[QLatin1StringView("new")].toInt(), messages);

        const Ended groups = fixture.run({QStringLiteral("groups")});
        QVERIFY2(groups.code == 0, groups.err.constData());
        const QJsonArray rows = groups.json().array();
        QVERIFY(rows.size() >= 7);
        const QString id = rows.first()[QLatin1StringView("id")].toString();
        const int count = rows.first()[QLatin1StringView("count")].toInt();

        const Ended retried =
            fixture.run({QStringLiteral("retry"), QStringLiteral("--group"), id, QStringLiteral("--wait")});
        QVERIFY2(retried.code == 0, retried.err.constData());
        QCOMPARE(retried.json()[QLatin1StringView("state")].toString(), QStringLiteral("Completed"));
        QCOMPARE(retried.json()[QLatin1StringView("sent")].toInt(), count);

        const Ended nobody =
            fixture.run({QStringLiteral("connection"), QStringLiteral("test"), QStringLiteral("nobody")});
        QVERIFY(nobody.code != 0);
        QVERIFY(!nobody.err.isEmpty());
    }

    void aSecondProgramIsServedByTheFirst()
    {
        ProgramFixture fixture;
        const QString url = fixture.startBroker();
        QVERIFY(!url.isEmpty());
        const std::unique_ptr<QProcess> holder = fixture.startEngine();
        const Ended added = fixture.addConnection(url); // through the holder
        QVERIFY2(added.code == 0, added.err.constData());
        const Ended taken = fixture.run({QStringLiteral("intake"), QStringLiteral("--once")});
        QVERIFY2(taken.code == 0, taken.err.constData());
        QCOMPARE(taken.json()[QLatin1StringView("taken")].toInt(), messages);

        const Ended second = fixture.run({QStringLiteral("run")});
        QCOMPARE(second.code, 4); // held elsewhere
        QVERIFY(second.err.contains(QByteArray::number(holder->processId())));
        ProgramFixture::end(*holder);
        QCOMPARE(holder->exitCode(), 0);
    }

    // One archives, the other resolves by a list from before.
    void aDecisionOnAnOldListSaysWhoWasFirst()
    {
        ProgramFixture fixture;
        const std::unique_ptr<QProcess> holder = fixture.startHolderThatHasTaken();
        QVERIFY(holder);
        const auto list = [&fixture](const char *status) {
            return fixture
                .run({QStringLiteral("messages"), QStringLiteral("--status"), QString::fromLatin1(status),
                      QStringLiteral("--limit"), QStringLiteral("2")})
                .json();
        };
        const auto idOf = [](const QJsonDocument &page, int row) {
            return page[QLatin1StringView("items")][row][QLatin1StringView("id")].toString();
        };
        const QJsonDocument before = list("unresolved");
        const QString first = idOf(before, 0);
        const QString second = idOf(before, 1);
        QVERIFY(before[QLatin1StringView("change")].toInteger() > 0);
        const Ended retried = fixture.run({QStringLiteral("retry"), QStringLiteral("--message"), first,
                                           QStringLiteral("--message"), second, QStringLiteral("--wait")});
        QCOMPARE(retried.code, 0);
        const QString seen = QString::number(list("retryissued")[QLatin1StringView("change")].toInteger());

        QCOMPARE(fixture.run({QStringLiteral("take-back"), first}).code, 0);
        QCOMPARE(fixture.run({QStringLiteral("archive"), QStringLiteral("--message"), first}).code, 0);

        const Ended some = fixture.run({QStringLiteral("resolve"), first, second, QStringLiteral("--as-of"), seen});
        QCOMPARE(some.code, 1);
        QCOMPARE(some.json()[QLatin1StringView("resolved")].toInt(), 1);
        QCOMPARE(some.json()[QLatin1StringView("conflicts")].toInt(), 1);
        const QByteArray user = '@' + QSysInfo::machineHostName().toUtf8() + " at ";
        for (const Ended &ended :
             {some, fixture.run({QStringLiteral("resolve"), first, QStringLiteral("--as-of"), seen})}) {
            QVERIFY2(ended.err.contains("Archived by") && ended.err.contains(user), ended.err.constData());
        }
        QCOMPARE(fixture.run({QStringLiteral("resolve"), first, QStringLiteral("--as-of"), seen}).code, 4);
        QCOMPARE(
            fixture.run({QStringLiteral("archive"), QStringLiteral("--all"), QStringLiteral("--as-of"), seen}).code, 2);
        ProgramFixture::end(*holder);
    }

    void aStoreIsBackedUpAndRestored()
    {
        ProgramFixture fixture;
        {
            const std::unique_ptr<QProcess> holder = fixture.startHolderThatHasTaken();
            QVERIFY(holder);
            ProgramFixture::end(*holder);
        }
        const QString file = fixture.store() + QStringLiteral(".backup");
        const Ended written = fixture.run({QStringLiteral("backup"), file});
        QVERIFY2(written.code == 0, written.err.constData());
        QCOMPARE(written.json()[QLatin1StringView("messages")].toInt(), messages);
        const Ended refused = fixture.run({QStringLiteral("restore-backup"), file});
        QCOMPARE(refused.code, 4); // what becomes unknown has to be confirmed
        QVERIFY2(refused.err.contains(QByteArray::number(messages)), refused.err.constData());
        const Ended restored = fixture.run(
            {QStringLiteral("restore-backup"), file, QStringLiteral("--confirm"), QString::number(messages)});
        QVERIFY2(restored.code == 0, restored.err.constData());
        QCOMPARE(restored.json()[QLatin1StringView("unknown")].toInt(), messages);
        const Ended missing = fixture.run({QStringLiteral("restore-backup"), file + QStringLiteral(".not-there")});
        QVERIFY2(missing.code != 0 && missing.err.contains("not-there"), missing.err.constData());
    }

    void aViewerTakesOverWhenTheHolderIsGone()
    {
        ProgramFixture fixture;
        const std::unique_ptr<QProcess> holder = fixture.startHolderThatHasTaken();
        QVERIFY(holder);

        app::EngineHostSettings settings;
        settings.store = fixture.store();
        settings.keychain = false;
        app::StoreAccess viewer(settings, app::StoreAccess::WaitLimit::OfAWindow);
        QVERIFY(viewer.open());
        QVERIFY(!viewer.isInProcess());
        api::SnapshotPtr seen;
        viewer.client().listen([&seen](api::SnapshotPtr snapshot) { seen = std::move(snapshot); });
        QTRY_VERIFY_WITH_TIMEOUT(seen && seen->engine == api::EngineState::Viewer, timeoutMs);
        QVERIFY(seen->engineText.contains(QString::number(holder->processId())));

        // A retry asked for here is carried out there.
        api::RetryDraft request;
        request.filter.queue = QStringLiteral("error");
        request.plan.limit = 10;
        const api::Answer<api::PlanPreview> preview = viewer.client().ask(api::PreviewRetry{request});
        QTRY_VERIFY_WITH_TIMEOUT(preview.isFinished(), timeoutMs);
        QVERIFY2(preview.result(), preview.result() ? "" : qPrintable(preview.result().error().message));
        api::ConfirmRetry command;
        command.draft = request;
        command.draft.asOfChange = preview.result()->asOfChange;
        command.expectedCount = preview.result()->frozenCount;
        QCOMPARE(command.expectedCount, 10);
        const api::Answer<core::OperationId> filed = viewer.client().ask(command);
        QTRY_VERIFY_WITH_TIMEOUT(filed.isFinished(), timeoutMs);
        QVERIFY2(filed.result(), filed.result() ? "" : qPrintable(filed.result().error().message));
        QTRY_VERIFY_WITH_TIMEOUT(!seen->operations.isEmpty()
                                     && seen->operations.first().operation.state == records::OperationState::Completed,
                                 timeoutMs);
        QCOMPARE(seen->operations.first().operation.counts.sent, 10);

        holder->kill();
        QVERIFY(holder->waitForFinished(timeoutMs));
        QTRY_VERIFY_WITH_TIMEOUT(seen->engine == api::EngineState::Running, timeoutMs);
        QVERIFY(viewer.isInProcess());
        QCOMPARE(seen->operations.size(), 1);
    }

    void shortCommandsOfTheSameMomentAllEndWell()
    {
        ProgramFixture fixture;
        const QString url = fixture.startBroker();
        QVERIFY(!url.isEmpty());
        const Ended added = fixture.addConnection(url);
        QVERIFY2(added.code == 0, added.err.constData());
        // Whoever comes first holds the store for a moment, and is gone while the others are still at their greeting.
        std::vector<std::unique_ptr<QProcess>> all;
        for (int i = 0; i < 12; ++i)
            all.push_back(fixture.start({QStringLiteral("--store"), fixture.store(), QStringLiteral("connection"),
                                         QStringLiteral("add"), QStringLiteral("shop%1").arg(i), url,
                                         QStringLiteral("--error-queue"), QStringLiteral("error")}));
        for (const std::unique_ptr<QProcess> &one : all) {
            QVERIFY(one->waitForFinished(timeoutMs));
            QVERIFY2(one->exitCode() == 0, one->readAllStandardError().constData());
        }
        const Ended listed = fixture.run({QStringLiteral("connection"), QStringLiteral("list")});
        QCOMPARE(listed.json().array().size(), 13); // each once
    }

    void aWaitingCommandCarriesOnWhenTheHolderIsGone()
    {
        ProgramFixture fixture;
        const std::unique_ptr<QProcess> holder = fixture.startHolderThatHasTaken();
        QVERIFY(holder);
        fixture.freezeBroker(true); // nothing can end before the holder does
        const std::unique_ptr<QProcess> waiting =
            fixture.start({QStringLiteral("--store"), fixture.store(), QStringLiteral("--json"),
                           QStringLiteral("retry"), QStringLiteral("--queue"), QStringLiteral("error"),
                           QStringLiteral("--limit"), QStringLiteral("10"), QStringLiteral("--wait")});
        const auto filed = [&fixture] { return !fixture.run({QStringLiteral("operations")}).json().array().isEmpty(); };
        QTRY_VERIFY_WITH_TIMEOUT(filed(), timeoutMs);
        holder->kill();
        QVERIFY(holder->waitForFinished(timeoutMs));
        fixture.freezeBroker(false);
        QVERIFY(waiting->waitForFinished(timeoutMs));
        const QJsonDocument ended = QJsonDocument::fromJson(waiting->readAllStandardOutput());
        QVERIFY2(ended[QLatin1StringView("state")].toString() == QStringLiteral("Completed"),
                 waiting->readAllStandardError().constData());
        const int sent = ended[QLatin1StringView("sent")].toInt();
        const int inDoubt = ended[QLatin1StringView("in_doubt")].toInt();
        QCOMPARE(sent + inDoubt, 10); // what was under way when the holder died is named, not guessed
        QCOMPARE(waiting->exitCode(), inDoubt > 0 ? 1 : 0);
    }

    void anEngineWaitsForACommandThatHoldsTheStore()
    {
        ProgramFixture fixture;
        const QString url = fixture.startBroker();
        QVERIFY(!url.isEmpty() && fixture.addConnection(url).code == 0);
        fixture.freezeBroker(true); // the command cannot end before that
        const std::unique_ptr<QProcess> command = fixture.start(
            {QStringLiteral("--store"), fixture.store(), QStringLiteral("intake"), QStringLiteral("--once")});
        const auto isHeld = [&fixture] { return store::StoreLock::holder(fixture.store()).has_value(); };
        QTRY_VERIFY_WITH_TIMEOUT(isHeld(), timeoutMs);
        const std::unique_ptr<QProcess> engine =
            fixture.start({QStringLiteral("--store"), fixture.store(), QStringLiteral("run")});
        engine->setReadChannel(QProcess::StandardError);
        QVERIFY(engine->waitForReadyRead(timeoutMs));
        QVERIFY(engine->readAllStandardError().contains(QByteArray::number(command->processId()))); // it says for whom
        fixture.freezeBroker(false);
        QVERIFY(command->waitForFinished(timeoutMs));
        engine->setReadChannel(QProcess::StandardOutput);
        QVERIFY(engine->bytesAvailable() > 0 || engine->waitForReadyRead(timeoutMs));
        QCOMPARE(store::StoreLock::holder(fixture.store())->pid, engine->processId());

        // One that stays is not waited for.
        const Ended second = fixture.run({QStringLiteral("run")});
        QVERIFY(second.code != 0);
        QVERIFY(second.err.contains(QByteArray::number(engine->processId())));
        ProgramFixture::end(*engine);
    }

    void aHolderThatIsStoppedIsNotWaitedForWithoutEnd()
    {
        using Access = app::StoreAccess;
        ProgramFixture fixture;
        const std::unique_ptr<QProcess> holder = fixture.startEngine();
        const auto pid = pid_t(holder->processId());
        const auto goOn = qScopeGuard([pid] { ::kill(pid, SIGCONT); });
        app::EngineHostSettings settings;
        settings.store = fixture.store();
        settings.keychain = false;
        constexpr core::Milliseconds aMoment{400};
        constexpr core::Milliseconds ages{timeoutMs};
        {
            QCOMPARE(::kill(pid, SIGSTOP), 0);
            QTRY_VERIFY_WITH_TIMEOUT(isStopped(pid), timeoutMs);
            Access command(settings, Access::WaitLimit::OfACommand, {aMoment, ages});
            QVERIFY(command.open());
            core::Error reason;
            command.onLost([&reason](const core::Error &error) { reason = error; });
            const api::Answer<> asked = command.client().ask(api::RefreshQueues{});
            QTRY_VERIFY_WITH_TIMEOUT(!reason.message.isEmpty(), timeoutMs);
            QVERIFY(asked.isFinished() && !asked.result());
            QVERIFY(asked.result().error().kind == core::ErrorKind::Transient); // exit code 3
            const QString text = asked.result().error().message;
            QVERIFY2(text.contains(QStringLiteral("kill -CONT %1.").arg(pid)) && text.contains(settings.store.file),
                     qPrintable(text));
            QVERIFY(!text.contains(QStringLiteral("may still carry out"))); // it never heard of it
            const api::Answer<> later = command.client().ask(api::RefreshQueues{});
            QVERIFY(later.isFinished() && !later.result());
            QCOMPARE(::kill(pid, SIGCONT), 0);
        }
        {
            Access command(settings, Access::WaitLimit::OfACommand, {ages, aMoment});
            QVERIFY(command.open());
            core::Error reason;
            command.onLost([&reason](const core::Error &error) { reason = error; });
            bool seen = false;
            command.client().listen([&seen](const api::SnapshotPtr &) { seen = true; });
            QTRY_VERIFY_WITH_TIMEOUT(seen || !reason.message.isEmpty(), timeoutMs); // a busy machine may be slow
            QCOMPARE(::kill(pid, SIGSTOP), 0);
            QTRY_VERIFY_WITH_TIMEOUT(isStopped(pid), timeoutMs);
            const api::Answer<> asked = command.client().ask(api::RefreshQueues{});
            QTRY_VERIFY_WITH_TIMEOUT(asked.isFinished(), timeoutMs);
            QVERIFY(!asked.result());
            QVERIFY2(asked.result().error().message.contains(QStringLiteral("may still carry out")),
                     qPrintable(asked.result().error().message));
            QCOMPARE(::kill(pid, SIGCONT), 0);
        }
        const Ended well = fixture.run({QStringLiteral("queues")});
        QVERIFY2(well.code == 0, well.err.constData());
        ProgramFixture::end(*holder);
    }

    void aCommandThatIsAskedToEndDoesSoInOrder_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::addColumn<int>("number");
        QTest::addColumn<int>("code");
        QTest::newRow("subscribe") << QStringList{QStringLiteral("intake"), QStringLiteral("--subscribe")} << SIGINT
                                   << 130;
        QTest::newRow("events") << QStringList{QStringLiteral("events"), QStringLiteral("--follow")} << SIGTERM << 143;
        QTest::newRow("run") << QStringList{QStringLiteral("run")} << SIGINT << 0; // it has no other end
    }

    void aCommandThatIsAskedToEndDoesSoInOrder()
    {
        QFETCH(const QStringList, command);
        QFETCH(const int, number);
        QFETCH(const int, code);
        ProgramFixture fixture;
        const QString url = fixture.startBroker();
        QVERIFY(!url.isEmpty() && fixture.addConnection(url).code == 0);
        const std::unique_ptr<QProcess> process =
            fixture.start(QStringList{QStringLiteral("--store"), fixture.store()} + command);
        QVERIFY(process->waitForReadyRead(timeoutMs)); // it says what it does
        QCOMPARE(::kill(pid_t(process->processId()), number), 0);
        QVERIFY(process->waitForFinished(timeoutMs));
        QCOMPARE(process->exitStatus(), QProcess::NormalExit);
        QCOMPARE(process->exitCode(), code);
        int started = 0;
        int stopped = 0;
        const QJsonArray events = fixture.run({QStringLiteral("events")}).json().array();
        for (const QJsonValue &event : events) {
            const QString what = event[QLatin1StringView("what")].toString();
            started += what == QStringLiteral("Engine started") ? 1 : 0;
            stopped += what == QStringLiteral("Engine stopped") ? 1 : 0;
        }
        QCOMPARE(stopped, 2);
        QCOMPARE(started, 3); // the one that is asked
    }

    void aFullOutputIsNoSuccess()
    {
        QProcess process;
        process.setStandardOutputFile(QStringLiteral("/dev/full"));
        process.start(QStringLiteral(REDRIVE_PROGRAM), {QStringLiteral("--help")});
        QVERIFY(process.waitForFinished(timeoutMs));
        QCOMPARE(process.exitCode(), 3);
        QVERIFY(process.readAllStandardError().contains("The output could not be written"));
    }

    void theHeadlessDemoGivesTheSameCountsForTheSameSeed()
    {
        ProgramFixture fixture;
        const QStringList demo{QStringLiteral("demo"), QStringLiteral("--headless"), QStringLiteral("--messages"),
                               QStringLiteral("400"),  QStringLiteral("--seed"),     QStringLiteral("5")};
        const Ended one = fixture.run(demo);
        QVERIFY2(one.code == 0, one.err.constData());
        QCOMPARE(one.json()[QLatin1StringView("taken")].toInt(), 400);
        const Ended two = fixture.run(demo);
        QCOMPARE(two.out, one.out);
    }
};

REDRIVE_TEST(TestTwoPrograms)
#include "tst_twoprograms.moc"
