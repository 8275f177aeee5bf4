// One store, one broker, one intake, and what a test wants to know of them afterwards.
#pragma once

#include "backend/intake/intake.h"
#include "backend/records/messages/stamp.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/intakestore.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/fakebroker/faketakingbroker.h"
#include "tests/support/fakeclock.h"
#include "tests/support/store/faultinjectingstore.h"

#include <QTest>

namespace test {

template<typename T>
T ended(core::Task<T> task)
{
    std::optional<T> value;
    const auto keep = [](core::Task<T> one, std::optional<T> &into) -> core::Task<> { into = co_await one; };
    const core::Task<> running = keep(std::move(task), value);
    Q_ASSERT(value); // the fakes never wait
    return *value;
}

inline records::Envelope failedMessage(const QString &id, const QByteArray &body, const QString &failedAt = {})
{
    records::Envelope envelope;
    envelope.body = body;
    const auto add = [&](const char *name, const QString &value) {
        envelope.headers.append({QString::fromLatin1(name), value});
    };
    add("NServiceBus.MessageId", id);
    add("NServiceBus.ProcessingEndpoint", QStringLiteral("Shop.Billing"));
    add("NServiceBus.FailedQ", QStringLiteral("billing"));
    add("NServiceBus.ExceptionInfo.ExceptionType", QStringLiteral("System.TimeoutException"));
    if (!failedAt.isEmpty())
        add("NServiceBus.TimeOfFailure", failedAt);
    return envelope;
}

inline records::Envelope plainMessage(const QByteArray &body)
{
    records::Envelope envelope;
    envelope.body = body;
    return envelope;
}

class IntakeFixture final
{
public:
    explicit IntakeFixture(bool locks, int pageSize = core::limits::intakePage)
        : page(pageSize)
        , broker(fate, locks)
        , real(std::move(*store::openSqliteStore(QStringLiteral(":memory:"))))
        , store(*real, fate)
    {
        connection.name = QStringLiteral("shop");
        const core::Result<> added = real->transact([&](store::Session &session) -> core::Result<> {
            connection.id = *session.connections().add(connection);
            return {};
        });
        Q_ASSERT(added);
        restart();
    }

    void restart()
    {
        fate.revive();
        broker.expireLocks();
        random = std::make_unique<core::SeededRandom>(++m_starts);
        intake.reset();
        brokerState = std::make_unique<broker::BrokerState>(broker, clock);
        intake = std::make_unique<intake::Intake>(
            connection, *brokerState, store, clock, *random, [this] { return freeShare; }, page);
    }

    core::Result<records::IntakeCounts> take(std::optional<qint64> limit = {})
    {
        intake::Order order;
        order.queue = QStringLiteral("error");
        order.limit = limit;
        return ended(intake->take(order));
    }

    QList<records::FailedMessage> stored()
    {
        QList<records::FailedMessage> all;
        const core::Result<> read = real->read([&](store::Session &session) -> core::Result<> {
            const auto slice = session.messages().slice({}, {}, 100000);
            for (const core::MessageId id : slice->ids)
                all.append(*session.messages().load(id));
            return {};
        });
        Q_ASSERT(read);
        return all;
    }

    QByteArray bodyOf(core::MessageId id)
    {
        QByteArray body;
        const core::Result<> read = real->read([&](store::Session &session) -> core::Result<> {
            body = session.messages().loadEnvelope(id)->body;
            return {};
        });
        Q_ASSERT(read);
        return body;
    }

    QByteArrayList bodies()
    {
        QByteArrayList all;
        const QList<records::FailedMessage> messages = stored();
        for (const records::FailedMessage &message : messages)
            all.append(bodyOf(message.id));
        std::sort(all.begin(), all.end());
        return all;
    }

    QList<records::IntakeRun> openRuns()
    {
        QList<records::IntakeRun> runs;
        const core::Result<> read = real->read([&](store::Session &session) -> core::Result<> {
            runs = *session.intakes().open(connection.id);
            return {};
        });
        Q_ASSERT(read);
        return runs;
    }

    void setStatus(core::MessageId id, records::MessageStatus status)
    {
        const core::Result<> done = real->transact([&](store::Session &session) -> core::Result<> {
            const auto changed = session.messages().setStatus({id}, {records::MessageStatus::Unresolved}, status);
            return changed ? core::Result<>() : core::fail(changed.error());
        });
        Q_ASSERT(done);
    }

    const int page;
    FaultPoint fate;
    support::FakeClock clock;
    records::Connection connection;
    FakeTakingBroker broker;
    std::unique_ptr<store::Store> real;
    FaultInjectingStore store;
    double freeShare = 0.5;
    std::unique_ptr<core::SeededRandom> random;
    std::unique_ptr<broker::BrokerState> brokerState;
    std::unique_ptr<intake::Intake> intake;

private:
    quint64 m_starts = 0;
};

} // namespace test
