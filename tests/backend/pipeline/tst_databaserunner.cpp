// Work in a database on a thread of its own: it ends at its time limit and when the program closes, and holds up nobody.
#include "backend/pipeline/databaserunner.h"
#include "tests/support/must.h"
#include "tests/support/pipeline/sampletasks.h"
#include "tests/support/testmain/testmain.h"

#include <QSemaphore>
#include <QTest>

using namespace std::chrono_literals;
using core::ErrorKind;
using core::Result;
using pipeline::DatabaseRunner;
using pipeline::TaskDatabase;

namespace {

// Works until somebody stops it.
const QString endless = QStringLiteral("with recursive n(x) as (select 1 union all select x + 1 from n)"
                                       " select count(*) from n");

const QString removeAll = QStringLiteral("delete from task");

Result<int> count(TaskDatabase &database, const QString &sql)
{
    int found = 0;
    TRY(database.each(sql, {}, [&found](const QSqlQuery &row) -> Result<> {
        found = row.value(0).toInt();
        return {};
    }));
    return found;
}

struct Asking
{
    DatabaseRunner &runner;
    support::SampleTaskFile &file;
    std::optional<Result<int>> answer;

    void ask(const QString &sql)
    {
        run(TaskDatabase::Access::Read, [sql](TaskDatabase &database) { return count(database, sql); });
    }
    void change(std::function<Result<int>(TaskDatabase &)> work) { run(TaskDatabase::Access::Write, std::move(work)); }
    void run(TaskDatabase::Access access, std::function<Result<int>(TaskDatabase &)> work)
    {
        const auto wait = [](Asking *self, core::Pending<Result<int>> pending) -> core::Task<> {
            self->answer = co_await pending;
        };
        const DatabaseRunner::Place place{test::must(pipeline::databaseUrlFrom(file.url())), {}, access};
        static_cast<void>(wait(this, runner.run<int>(place, std::move(work))));
    }
};

} // namespace

class TestDatabaseRunner final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theAnswerComesFromTheDatabase()
    {
        support::SampleTaskFile file;
        file.tasks().addTask({QStringLiteral("r1"), QStringLiteral("send"), {}, {}});
        DatabaseRunner runner;
        Asking one{runner, file, {}};
        one.ask(QStringLiteral("select count(*) from task"));
        QVERIFY(!one.answer); // never from inside the call
        QTRY_VERIFY(one.answer);
        QCOMPARE(test::must(*one.answer), 1);
    }

    void whatTakesTooLongIsStopped()
    {
        support::SampleTaskFile file;
        DatabaseRunner runner(50ms);
        Asking slow{runner, file, {}};
        slow.ask(endless);
        QTRY_VERIFY(slow.answer);
        QVERIFY(slow.answer->error().kind == ErrorKind::Transient);
        QVERIFY2(slow.answer->error().message.contains(file.path()), qPrintable(slow.answer->error().message));
        // The destructor waits for the thread: it does not return if the statement is not stopped.
    }

    void aSlowOneHoldsUpNobody()
    {
        support::SampleTaskFile file;
        DatabaseRunner runner(1h);
        Asking slow{runner, file, {}};
        slow.ask(endless);
        Asking quick{runner, file, {}};
        quick.ask(QStringLiteral("select 7"));
        QTRY_VERIFY(quick.answer);
        QCOMPARE(test::must(*quick.answer), 7);
        QVERIFY(!slow.answer);
        runner.cancelAll();
        QVERIFY(slow.answer && slow.answer->error().kind == ErrorKind::Cancelled);
        Asking late{runner, file, {}};
        late.ask(QStringLiteral("select 7"));
        QVERIFY(late.answer && late.answer->error().kind == ErrorKind::Cancelled);
    }

    // Nobody has heard the answer yet, so the task may be changed.
    void aStoppedCommitIsUnknown()
    {
        support::SampleTaskFile file;
        file.tasks().addTask({QStringLiteral("r1"), QStringLiteral("send"), {}, {}});
        QSemaphore committed;
        QSemaphore goOn;
        DatabaseRunner runner(1h);
        Asking writer{runner, file, {}};
        writer.change([&](TaskDatabase &database) -> Result<int> {
            TRY(database.transact([&] { return database.change(removeAll, {}).map([](int) {}); }));
            committed.release();
            goOn.acquire();
            return 1;
        });
        committed.acquire();
        runner.cancelAll();
        goOn.release();
        QVERIFY(writer.answer && writer.answer->error().kind == ErrorKind::UnknownOutcome);
        QVERIFY2(writer.answer->error().message.contains(QStringLiteral("may be due")),
                 qPrintable(writer.answer->error().message));
    }

    // What is stopped earlier certainly changes nothing.
    void aChangeThatIsStoppedBeforeItsCommitIsUndone()
    {
        support::SampleTaskFile file;
        file.tasks().addTask({QStringLiteral("r1"), QStringLiteral("send"), {}, {}});
        QSemaphore changed;
        QSemaphore goOn;
        {
            DatabaseRunner runner(1h);
            Asking writer{runner, file, {}};
            writer.change([&](TaskDatabase &database) -> Result<int> {
                const auto work = [&]() -> Result<> {
                    TRY(database.change(removeAll, {}));
                    changed.release();
                    goOn.acquire();
                    return {};
                };
                return database.transact(work).map([] { return 1; });
            });
            changed.acquire();
            runner.cancelAll();
            goOn.release();
            QVERIFY(writer.answer && writer.answer->error().kind == ErrorKind::Cancelled);
        }
        QCOMPARE(file.tasks().value(QStringLiteral("select count(*) from task")).toInt(), 1);
    }

    void readingCannotWrite()
    {
        support::SampleTaskFile file;
        DatabaseRunner runner;
        Asking writer{runner, file, {}};
        writer.ask(QStringLiteral("delete from task"));
        QTRY_VERIFY(writer.answer);
        QVERIFY(writer.answer->error().kind == ErrorKind::Unauthorized);
    }

    void aMissingFileIsNotCreated()
    {
        support::SampleTaskFile file;
        DatabaseRunner runner;
        const QString path = file.path() + QStringLiteral(".other");
        std::optional<Result<int>> answer;
        const auto wait = [&answer](core::Pending<Result<int>> pending) -> core::Task<> { answer = co_await pending; };
        static_cast<void>(wait(
            runner.run<int>({{pipeline::DatabaseKind::Sqlite, {}, 0, {}, path, {}}, {}, TaskDatabase::Access::Write},
                            [](TaskDatabase &) -> Result<int> { return 1; })));
        QTRY_VERIFY(answer);
        QVERIFY(answer->error().kind == ErrorKind::NotFound);
        QVERIFY(!QFile::exists(path));
    }
};

REDRIVE_TEST(TestDatabaseRunner)
#include "tst_databaserunner.moc"
