#pragma once

#include "backend/api/requests/policies.h"
#include "backend/recovery/heldmessage.h"
#include "tests/support/enginefixture.h"

namespace support {

inline const QString errorQueue = QStringLiteral("error");

// The queues' consumers: they fail a message as long as `fails` says so.
class Consumers final
{
public:
    explicit Consumers(EngineFixture &fixture);
    ~Consumers() { m_fixture.broker->delivered = {}; }
    Consumers(const Consumers &) = delete;
    Consumers &operator=(const Consumers &) = delete;

    std::function<bool(const records::Envelope &)> fails = [](const records::Envelope &) { return true; };
    QString exception = QStringLiteral("System.TimeoutException");
    QMap<QString, int> seen; // by unique id: how often each message came
    QMap<QString, QList<int>> counts; // what its retry count said
    QStringList destinations;

    [[nodiscard]] int most() const;
    [[nodiscard]] int total() const;

private:
    void process(const FakeBroker::Delivery &delivery);

    EngineFixture &m_fixture;
};

// One immediate retry in each of three rounds, the delayed ones after 10 and 20 s.
extern const QByteArray twiceThenDelayed;
extern const QByteArray onceInTenMinutes;

// Sets the policy of this file; its name, or what was wrong.
QString setPolicy(EngineFixture &fixture, const QByteArray &file);
// Assigns the policy to the error queue.
core::Result<core::AssignmentId> assignPolicy(EngineFixture &fixture,
                                              const QString &policy = QStringLiteral("standard"));
// Starts with so many failed messages, and with the policy set and assigned to the error queue.
core::Result<core::AssignmentId> beginPolicy(EngineFixture &fixture, int messages, const QByteArray &file);

QMap<recovery::HeldState, qint64> heldStates(EngineFixture &fixture,
                                             core::AssignmentId assignment = core::AssignmentId{1});
recovery::HeldMessage heldMessage(EngineFixture &fixture, core::MessageId id);
QList<records::RetryOperation> allOperations(EngineFixture &fixture);
bool hasEvent(EngineFixture &fixture, const QString &what);

} // namespace support
