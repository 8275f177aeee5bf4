#include "tests/support/policyfixture.h"

#include "backend/records/messages/stamp.h"
#include "backend/records/rules/retrycount.h"
#include "backend/store/policies/heldmessagestore.h"
#include "backend/store/retry/retryoperationstore.h"

#include <numeric>

namespace support {

Consumers::Consumers(EngineFixture &fixture)
    : m_fixture(fixture)
{
    fixture.broker->delivered = [this](const FakeBroker::Delivery &delivery) { process(delivery); };
}

int Consumers::most() const
{
    return seen.isEmpty() ? 0 : *std::max_element(seen.cbegin(), seen.cend());
}

int Consumers::total() const
{
    return std::accumulate(seen.cbegin(), seen.cend(), 0);
}

void Consumers::process(const FakeBroker::Delivery &delivery)
{
    if (delivery.destination == errorQueue)
        return;
    destinations.append(delivery.destination);
    const records::Envelope &sent = delivery.envelope;
    const QString id = records::stampOf(sent.headers)->uniqueId;
    ++seen[id];
    counts[id].append(records::retryCountOf(sent.headers));
    if (!fails(sent))
        return;
    records::Envelope failed = sent;
    records::set(failed.headers, QStringLiteral("NServiceBus.FailedQ"), QCborValue(delivery.destination));
    records::set(failed.headers, QStringLiteral("NServiceBus.ExceptionInfo.ExceptionType"), QCborValue(exception));
    m_fixture.clock.after(core::Milliseconds{200},
                          [broker = m_fixture.broker, failed] { broker->put(errorQueue, failed); });
}

const QByteArray twiceThenDelayed = R"({"name": "standard", "immediate": 1, "delayed": 2, "jitter": "none",
    "schedule": {"kind": "linear", "first": "10s"}, "stop_when": "never"})";

const QByteArray onceInTenMinutes = R"({"name": "standard", "immediate": 0, "delayed": 1, "jitter": "none",
    "schedule": {"kind": "linear", "first": "10m"}})";

QString setPolicy(EngineFixture &fixture, const QByteArray &file)
{
    const core::Result<QString> name = fixture.carryOut(api::SetPolicy{file});
    return name ? *name : name.error().message;
}

core::Result<core::AssignmentId> assignPolicy(EngineFixture &fixture, const QString &policy)
{
    recovery::Scope scope;
    scope.connection = fixture.shop;
    scope.queue = errorQueue;
    return fixture.carryOut(api::AssignPolicy{policy, scope, true});
}

core::Result<core::AssignmentId> beginPolicy(EngineFixture &fixture, int messages, const QByteArray &file)
{
    fixture.fill(messages);
    fixture.start();
    setPolicy(fixture, file);
    return assignPolicy(fixture);
}

QMap<recovery::HeldState, qint64> heldStates(EngineFixture &fixture, core::AssignmentId assignment)
{
    return fixture
        .ask<store::HeldCounts>(
            [&](store::Session &session) { return session.heldMessages().counts(assignment, fixture.clock.now()); })
        .byState;
}

recovery::HeldMessage heldMessage(EngineFixture &fixture, core::MessageId id)
{
    const auto found = fixture.ask<QList<store::PolicyCandidate>>(
        [id](store::Session &session) { return session.heldMessages().candidates({id}); });
    return found.isEmpty() ? recovery::HeldMessage{} : found.first().held.value_or(recovery::HeldMessage{});
}

QList<records::RetryOperation> allOperations(EngineFixture &fixture)
{
    QList<records::RetryOperation> all;
    for (qint64 id = 1; id < 1000; ++id) {
        const core::Result<records::RetryOperation> one = fixture.store->read<records::RetryOperation>(
            [id](store::Session &session) { return session.retryOperations().load(core::OperationId{id}); });
        if (!one)
            break;
        all.append(*one);
    }
    return all;
}

bool hasEvent(EngineFixture &fixture, const QString &what)
{
    const QList<records::Event> events = fixture.events();
    return std::any_of(events.cbegin(), events.cend(), [&](const records::Event &one) { return one.what == what; });
}

} // namespace support
