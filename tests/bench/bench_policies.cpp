// Prints what recovery policies cost on a whole engine with messages under a policy: taking them up, waiting while none is due,
// and beginning a due retry of 1,000. Release build; the figure that is asked for stands beside each line.
//   bench_policies [messages]
#include "backend/api/requests/policies.h"
#include "backend/store/policies/heldmessagestore.h"
#include "tests/bench/figures.h"
#include "tests/bench/processortime.h"
#include "tests/support/enginefixture.h"

#include <QCoreApplication>

using recovery::HeldState;
using support::EngineFixture;

namespace {

constexpr const char *hourly = R"({"name": "hourly", "immediate": 0, "delayed": 1, "jitter": "none",
    "schedule": {"kind": "list", "delays": ["1h"]}})";

template<typename Work>
double processorMilliseconds(Work work)
{
    const double before = bench::processorTime(QCoreApplication::applicationPid());
    work();
    return bench::processorTime(QCoreApplication::applicationPid()) - before;
}

qint64 waiting(EngineFixture &fixture)
{
    return fixture
        .ask<store::HeldCounts>([&](store::Session &session) {
            return session.heldMessages().counts(core::AssignmentId{1}, fixture.clock.now());
        })
        .byState.value(HeldState::Waiting);
}

// Percent of a core, by processor time, while the clock stands for ten minutes in which nothing is due.
double load(EngineFixture &fixture)
{
    constexpr core::Milliseconds span = std::chrono::minutes(10);
    const double used = processorMilliseconds([&] { fixture.advance(span); });
    return used * 100 / double(span.count());
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QStringList words = QCoreApplication::arguments();
    const int messages = words.size() > 1 ? words.at(1).toInt() : 100'000;

    EngineFixture fixture;
    fixture.fill(messages);
    fixture.start();
    fixture.advance(std::chrono::minutes(1));
    const double without = load(fixture);
    if (!fixture.carryOut(api::SetPolicy{hourly}))
        return 1;
    recovery::Scope scope;
    scope.connection = fixture.shop;
    scope.queue = QStringLiteral("error");
    const double taken = processorMilliseconds([&] {
        if (fixture.carryOut(api::AssignPolicy{QStringLiteral("hourly"), scope, true}))
            fixture.runUntil([&] { return waiting(fixture) == messages; }, 10'000'000);
    });
    bench::print("messages taken up", messages / taken * 1000, "/s", "");
    bench::print("load without a policy", without, "%", "");
    bench::print("load while none is due", load(fixture), "%", "goal < 1");
    fixture.runUntil([&] {
        return fixture
                   .ask<store::HeldCounts>([&](store::Session &session) {
                       return session.heldMessages().counts(core::AssignmentId{1}, fixture.clock.now());
                   })
                   .due
               >= 1000;
    });
    const double begun = processorMilliseconds(
        [&] { fixture.runUntil([&] { return waiting(fixture) <= messages - 1000; }, 10'000'000); });
    bench::print("a due retry of 1,000 begins", begun, "ms", "goal < 100");
    return 0;
}
