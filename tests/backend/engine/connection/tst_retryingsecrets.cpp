// A keyring that a person unlocks late: callers get an answer in time, and a late answer is not lost.
#include "backend/engine/connection/retryingsecrets.h"
#include "tests/support/fakeclock.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

namespace {

using namespace std::chrono_literals;

class LockedKeyring final : public core::Secrets
{
public:
    core::Task<core::Result<QString>> read(QString) override
    {
        const core::Pending<core::Result<QString>> pending;
        questions.push_back(pending);
        core::Result<QString> answer = co_await pending;
        co_return answer;
    }
    core::Task<core::Result<>> write(QString, QString) override
    {
        const core::Pending<core::Result<>> pending;
        writes.push_back(pending);
        core::Result<> answer = co_await pending;
        co_return answer;
    }
    core::Task<core::Result<>> remove(QString) override { co_return core::Result<>{}; }

    ~LockedKeyring() override
    {
        const core::Error stopped{core::ErrorKind::Cancelled, QStringLiteral("Stopped."), {}, {}};
        for (const auto &one : questions)
            one.resolve(core::fail(stopped));
        for (const auto &one : writes)
            one.resolve(core::fail(stopped));
    }

    std::vector<core::Pending<core::Result<QString>>> questions;
    std::vector<core::Pending<core::Result<>>> writes;
};

struct Scene
{
    support::FakeClock clock;
    LockedKeyring *keyring = new LockedKeyring;
    engine::RetryingSecrets secrets{std::unique_ptr<core::Secrets>(keyring), clock, 10s, 300s};

    using Answer = std::shared_ptr<std::optional<core::Result<QString>>>;
    Answer read(const QString &name = QStringLiteral("shop"))
    {
        const auto answer = std::make_shared<std::optional<core::Result<QString>>>();
        const auto ask = [](core::Secrets &from, QString connection, Answer to) -> core::Task<> {
            core::Result<QString> found = co_await from.read(connection);
            *to = std::move(found);
        };
        ask(secrets, name, answer);
        return answer;
    }
};

bool isTransient(const Scene::Answer &answer)
{
    return *answer && !**answer && (**answer).error().kind == core::ErrorKind::Transient;
}

} // namespace

class TestRetryingSecrets final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whoReadsMeanwhileSharesOneQuestion()
    {
        Scene scene;
        const Scene::Answer one = scene.read();
        const Scene::Answer other = scene.read();
        const Scene::Answer elsewhere = scene.read(QStringLiteral("bank"));
        QCOMPARE(scene.keyring->questions.size(), size_t(2));
        scene.keyring->questions.at(0).resolve(QStringLiteral("hunter2"));
        QVERIFY(*one && *other && !*elsewhere);
        QCOMPARE((*one)->value(), QStringLiteral("hunter2"));
        QCOMPARE((*other)->value(), QStringLiteral("hunter2"));
    }

    void aLateAnswerIsToldAndThePersonIsAskedOnce()
    {
        Scene scene;
        int late = 0;
        scene.secrets.onLateAnswer([&late] { ++late; });
        const Scene::Answer first = scene.read();
        scene.clock.advance(9s);
        QVERIFY(!*first);
        scene.clock.advance(1s);
        QVERIFY(isTransient(first));
        const Scene::Answer again = scene.read();
        QVERIFY(isTransient(again)); // at once: stopping does not wait for a person
        QCOMPARE(scene.keyring->questions.size(), size_t(1));
        QCOMPARE(late, 0);
        scene.keyring->questions.at(0).resolve(QStringLiteral("hunter2"));
        QCOMPARE(late, 1);
        const Scene::Answer now = scene.read();
        QCOMPARE(scene.keyring->questions.size(), size_t(2));
        scene.keyring->questions.at(1).resolve(QStringLiteral("hunter2"));
        QCOMPARE((*now)->value(), QStringLiteral("hunter2"));
        QCOMPARE(late, 1);
    }

    void aQuestionThatIsLostIsAskedAnew()
    {
        Scene scene;
        QVERIFY(!*scene.read());
        scene.clock.advance(299s);
        QVERIFY(isTransient(scene.read()));
        scene.clock.advance(1s);
        QVERIFY(!*scene.read());
        QCOMPARE(scene.keyring->questions.size(), size_t(2));
        scene.keyring->questions.at(0).resolve(QStringLiteral("too late")); // changes nothing of the second one
        QCOMPARE(scene.keyring->questions.size(), size_t(2));
        scene.keyring->questions.at(1).resolve(QStringLiteral("hunter2"));
    }

    void aWriteIsNotWaitedForWithoutEnd()
    {
        Scene scene;
        std::optional<core::Result<>> kept;
        const auto write = [](core::Secrets &to, std::optional<core::Result<>> &done) -> core::Task<> {
            done = co_await to.write(QStringLiteral("shop"), QStringLiteral("hunter2"));
        };
        write(scene.secrets, kept);
        scene.clock.advance(10s);
        QVERIFY(kept && !*kept && kept->error().kind == core::ErrorKind::Transient);
    }
};

REDRIVE_TEST(TestRetryingSecrets)
#include "tst_retryingsecrets.moc"
