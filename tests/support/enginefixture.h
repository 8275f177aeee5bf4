#pragma once

#include "backend/api/request.h"
#include "backend/engine/connection/localsecrets.h"
#include "backend/engine/engine.h"
#include "backend/records/event.h"
#include "backend/records/messages/message.h"
#include "backend/records/retries/retrymember.h"
#include "backend/records/retries/throughput.h"
#include "backend/store/query/queries.h"
#include "backend/store/retry/retryrecords.h"
#include "tests/support/fakebroker/fakebroker.h"
#include "tests/support/fakeclock.h"

#include <QTemporaryDir>

namespace support {

// A whole engine in a test: broker and clock in memory, the store in a folder of its own. The engine can be stopped and started again on what it
// stored; the broker lives on.
class EngineFixture
{
public:
    explicit EngineFixture(records::HandOver handOver = records::HandOver::IntentLog, quint64 seed = 1);
    ~EngineFixture();

    // Before start(): the connection "shop" with these failed messages, half for "billing" and half for "sales".
    core::ConnectionId fill(int messages);
    void start();
    void stop();
    void restart();

    // Steps the clock until `done`, and delivers what was posted. False when that does not come.
    bool runUntil(const std::function<bool()> &done, int steps = 50000);
    // Runs what is due within that time.
    void advance(core::Milliseconds duration);

    // Has the engine carry out a command, as for `who`, and runs it to its end.
    template<api::Request R>
    core::Result<typename R::Answer> carryOut(R request, const QString &who = QStringLiteral("ada@desk"))
    {
        const auto asked = std::make_shared<api::Asked<R>>(std::move(request));
        const auto answer = asked->reply.future();
        engine->carryOut(asked, who);
        if (!runUntil([&answer] { return answer.isFinished(); }))
            return core::fail(core::ErrorKind::Transient, QStringLiteral("The command did not end."));
        return answer.result();
    }
    // Runs a coroutine of the engine to its end.
    template<typename T>
    core::Result<T> await(const std::function<core::Task<core::Result<T>>(engine::Engine &)> &command)
    {
        std::optional<core::Result<T>> answer;
        engine->run([&command, &answer, this]() -> core::Task<> {
            core::Result<T> result = co_await command(*engine);
            answer = std::move(result);
        });
        if (!runUntil([&answer] { return answer.has_value(); }))
            return core::fail(core::ErrorKind::Transient, QStringLiteral("The command did not end."));
        return *answer;
    }
    template<typename T>
    T ask(const std::function<core::Result<T>(store::Session &)> &question)
    {
        T answer{};
        const core::Result<> done = store->read([&](store::Session &session) -> core::Result<> {
            core::Result<T> got = question(session);
            if (!got)
                return core::fail(got.error());
            answer = std::move(*got);
            return {};
        });
        if (!done)
            qFatal("%s", qPrintable(done.error().message + done.error().detail));
        return answer;
    }
    // All that can be sent of "shop", as a person who looks at the plan confirms it.
    core::Result<core::OperationId> retryAll(records::OperationKind kind = records::OperationKind::Retry,
                                             records::Plan plan = {});
    [[nodiscard]] records::RetryOperation operation(core::OperationId id);
    [[nodiscard]] QList<store::RetryMember> members(core::OperationId id);
    [[nodiscard]] records::FailedMessage message(core::MessageId id);
    [[nodiscard]] QList<records::RunSample> samples(core::OperationId id);
    [[nodiscard]] QList<records::Event> events(); // oldest first
    bool runToEnd(core::OperationId id);

    QTemporaryDir folder;
    FakeClock clock;
    core::SeededRandom random;
    engine::LocalSecrets secrets;
    std::unique_ptr<store::Store> store;
    std::shared_ptr<FakeBroker> broker;
    engine::EngineDependencies dependencies;
    std::unique_ptr<engine::Engine> engine;
    core::ConnectionId shop;
    records::Connection connection; // as fill() adds it
    QString takenFrom = QStringLiteral("error"); // the queue of the messages of fill()

private:
    [[nodiscard]] QString path() const { return folder.filePath(QStringLiteral("store.sqlite")); }

    std::unique_ptr<store::Queries> m_queries;
    int m_session = 0;
};

} // namespace support
