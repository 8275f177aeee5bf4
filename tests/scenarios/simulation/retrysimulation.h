#pragma once

#include "backend/core/random.h"
#include "backend/intake/intake.h"
#include "backend/retry/processor.h"
#include "backend/retry/selectionfreezer.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/support/fakebroker/fakebroker.h"
#include "tests/support/fakebroker/strikingbroker.h"
#include "tests/support/fakeclock.h"
#include "tests/support/store/faultystore.h"

#include <QMap>

#include <optional>

namespace scenario {

struct Settings
{
    records::HandOver handOver = records::HandOver::StagingQueue;
    records::OnUnknown onUnknown = records::OnUnknown::LeaveInDoubt;
    int messages = 12;
    int batchMembers = 5;
    bool missingDestination = false;
    bool poison = false; // one message that the broker never accepts
    bool doublesAllowed = true;
    int notFaithful = -1; // the message that HTTP cannot send back unchanged
    int failsAgain = 0; // messages that fail once more at their consumer
    support::FakeBroker::Faults faults;
    int network = 0; // of a thousand requests to the broker, how many fail, to the end
    int storeFaults = 0; // in a thousand transactions
    int strangers = 0; // messages in the error queue that only look like ours
    int nowhereToGo = 0; // one in so many messages does not say where it failed; 0: none
    QMap<QString, QString> standing; // redirects of the connection, from queue to queue
};

// What a person was shown before the confirmation: the set as the sentence says it, computed without the engine.
struct ShownSet
{
    qint64 asOfChange = 0;
    std::optional<qint64> limit;
    QMap<core::MessageId, QString> destinations; // of the messages in it
    QSet<core::MessageId> held; // of them, those that another operation held then: they may be let go until the freeze
};

enum class Decision { TakeBack, Resolve, Archive, Restore };

// Adds this to the end of every body and sets it as a header; empty: no edit.
[[nodiscard]] records::Edit mendingEdit(const QString &mend);

// A whole engine in a test: store in memory, broker in memory, clock and chance from one seed. The engine can die at
// any step and is started anew on what was committed; broker, queues and consumers live on.
class RetrySimulation final : private retry::Progress
{
public:
    RetrySimulation(quint64 seed, Settings settings);
    ~RetrySimulation() override;

    void start();
    void crash(); // the process dies and a new one starts
    // One step of the clock, then every invariant. False: nothing waits, or an invariant is broken.
    bool step();
    // The same while the store is dead and the process lives on.
    void linger(int steps);
    bool runUntil(const std::function<bool()> &done, int steps = 20000);
    bool runToEnd();
    struct UserAction // of a person: which Unresolved messages of the connection
    {
        records::OperationKind kind = records::OperationKind::Retry;
        records::MessageFilter filter;
        std::optional<qint64> limit;
        std::optional<qint64> perMinute{};
        std::optional<core::TimePoint> notBefore{};
        std::optional<records::Ramp> ramp{};
        std::optional<records::StopWhen> stopWhen{};
        std::optional<qint64> mostWaiting{};
        QList<records::Redirect> redirects{};
        QString mend{}; // what an edit adds to the end of every body, and sets as a header
    };
    void request() { request(UserAction{}); }
    void request(UserAction action);
    void calm(); // no more faults
    // Somebody deletes one of our queues, or a destination, under us.
    void vanishSomething();
    // Another copy of it failed, with headers that HTTP cannot send back unchanged.
    [[nodiscard]] core::Result<> failUnfaithfully(core::MessageId id);
    void fillUp(bool full); // one destination takes nothing more, or takes again

    // A person decides on messages; returns how many it fitted. Or on all that an operation left in doubt.
    [[nodiscard]] core::Result<int> decide(Decision decision, const QList<core::MessageId> &messages);
    [[nodiscard]] core::Result<> settleDoubt(core::OperationId operation, bool again);

    [[nodiscard]] bool isOver();
    [[nodiscard]] QStringList finalFaults(); // what is wrong once all is over
    [[nodiscard]] QList<records::RetryOperation> operations();
    [[nodiscard]] QList<store::RetryMember> members(core::OperationId operation);
    [[nodiscard]] QList<records::RetryBatch> batches(core::OperationId operation);
    [[nodiscard]] records::FailedMessage message(core::MessageId id);
    [[nodiscard]] QList<records::FailedMessage> messages();
    template<typename T>
    T ask(const std::function<core::Result<T>(store::Session &)> &question)
    {
        T answer{};
        const core::Result<> done = m_store->read([&](store::Session &session) -> core::Result<> {
            core::Result<T> got = question(session);
            if (!got)
                return core::fail(got.error());
            answer = std::move(*got);
            return {};
        });
        if (!done)
            broken(QStringLiteral("store: ") + done.error().message + done.error().detail);
        return answer;
    }

    [[nodiscard]] const QStringList &log() const { return m_log; }
    [[nodiscard]] int strangers() const { return m_strangers; }
    [[nodiscard]] int redirected() const { return m_redirected; } // members for another queue than they named then
    [[nodiscard]] int byHand() const { return m_byHand; } // messages whose status a person changed
    [[nodiscard]] int mended() const { return m_mended; } // edited copies that were delivered
    [[nodiscard]] const QStringList &problems() const { return m_problems; }
    [[nodiscard]] int deliveries(const QString &uniqueId, core::OperationId operation) const;
    [[nodiscard]] QByteArray hash() const;
    // How every message ended, flags of possible duplicates aside: unique id to what became of it.
    [[nodiscard]] QMap<QString, QString> endState();
    [[nodiscard]] bool isAsked() const { return !m_requests.isEmpty(); } // a wish that is not frozen yet
    support::FakeClock clock;
    core::SeededRandom random;
    std::unique_ptr<support::FakeBroker> broker;
    std::unique_ptr<support::StrikingBroker> line; // to it
    std::unique_ptr<broker::BrokerState> brokerState;
    std::function<support::FaultyStore::Fault()> storeFate; // asked at every call of every engine, when set
    std::unique_ptr<support::FaultyStore> process; // the store as the living engine sees it
    std::unique_ptr<retry::Processor> processor;
    // Before start(); none: nothing is known of the queues.
    std::function<retry::QueueObservation(const store::Returns &)> observe;
    int crashes = 0;
    int restarts = 0; // of the broker
    int deletions = 0; // of queues, by hand
    qint64 stagedSeen = 0; // as told to whoever shows it
    qint64 sentSeen = 0;

private:
    struct Record // of a message, as far as it is checked at every step
    {
        core::MessageId id;
        QString uniqueId;
        int attempts = 0;
        int cameBack = 0;
    };
    struct Copy
    {
        records::Stamp stamp;
        QString destination;
    };
    using Member = std::pair<qint64, qint64>; // operation and ordinal
    // What the store said last. Tests ask after every step, and few steps write.
    struct Known
    {
        qint64 changes = -1; // rows that the store had written then
        std::optional<QList<records::RetryOperation>> operations{};
        QMap<core::OperationId, QList<store::RetryMember>> members{};
        QMap<core::OperationId, QList<records::RetryBatch>> batches{};
    };
    void broken(const QString &what);
    void note(const QString &what);
    [[nodiscard]] Known &known();
    [[nodiscard]] qint64 numberOf(const QString &query); // the first column of its first row
    void fill();
    void onDelivery(const support::FakeBroker::Delivery &delivery);
    void checkContent(const records::Envelope &copy, const records::Stamp &stamp);
    void stopEngine();
    core::Task<> follow();
    core::Task<core::Result<>> intakeOnce();
    core::Task<> freezeRequests();
    [[nodiscard]] ShownSet shown(const UserAction &action);
    [[nodiscard]] QString goal(const UserAction &action, const records::FailedMessage &message) const;
    [[nodiscard]] QSet<core::MessageId> held(core::OperationId self);
    void addStranger(records::Envelope copy);
    void noteDoubts(core::OperationId operation, const QList<core::MessageId> &messages, QSet<Member> &into);
    // worldchecks.cpp
    void check();
    void noteChange(core::OperationId operation, const store::RetryMember &member);
    void checkOperation(const records::RetryOperation &operation);
    void checkMember(const records::RetryOperation &operation, const store::RetryMember &member);
    void checkClaims();
    void checkSet(const records::RetryOperation &operation, const QList<store::RetryMember> &members);
    [[nodiscard]] QList<Record> recordsAsStored();
    void checkRecords(bool atTheEnd);
    [[nodiscard]] bool isInLater(core::OperationId operation, core::MessageId message);
    [[nodiscard]] bool fits(const records::RetryOperation &operation, const store::RetryMember &member);

    void batchMoved(const retry::BatchProgress &progress) override;
    void operationChanged(core::OperationId operation) override;
    void staged(core::OperationId operation, qint64 copies) override;
    void sent(core::OperationId operation, qint64 copies) override;
    void aimed(core::OperationId operation, const QStringList &destinations) override;

    Settings m_settings;
    std::unique_ptr<store::SqliteStore> m_store;
    records::Connection m_connection;
    std::unique_ptr<core::Timers> m_timers; // of the living engine's other tasks
    std::unique_ptr<retry::SelectionFreezer> m_freezer;
    std::unique_ptr<intake::Intake> m_intake;
    QList<UserAction> m_requests; // not yet accepted
    ShownSet m_shown; // of the first of them
    QMap<core::OperationId, QList<std::pair<core::MessageId, QString>>> m_frozen; // as first seen
    std::vector<core::Task<>> m_tasks;
    QMap<QString, QSet<QByteArray>> m_bodies; // unique id to the bodies that it failed with
    QMap<QString, int> m_stillFails; // unique id to how often
    QMap<QString, QList<Copy>> m_copies; // unique id to what destinations got
    QMap<core::BatchId, int> m_stages;
    QMap<QString, int> m_failures; // unique id to how often it was put into the error queue
    QMap<QString, int> m_deleted; // unique id to how many of these a person may have deleted
    QSet<QString> m_gone; // destinations that were deleted or were full at some time
    Known m_known;
    QMap<core::OperationId, QList<store::RetryMember>> m_members; // as noted last
    QHash<Member, QString> m_notes; // of them
    QSet<Member> m_settled; // was in doubt, until a person settled it
    QSet<core::MessageId> m_takenBack; // what was sent then may still arrive: this retry and later ones are flagged
    QSet<core::OperationId> m_cancelled; // were so at some time
    QSet<core::MessageId> m_touched; // their status was changed by a person
    int m_byHand = 0;
    int m_mended = 0;
    int m_strangers = 0;
    int m_redirected = 0;
    int m_deletedHeld = 0; // messages in holding queues that were deleted
    QString m_lastIntake; // how the last one failed
    QStringList m_log;
    QStringList m_problems;
    qint64 m_fence = 1;
    int m_underWay = 0; // copies at consumers
    int m_seen = -1; // transactions at the last check
    int m_asked = -1; // transactions when it was last asked whether all is over
    bool m_finished = false; // what the answer was, as far as the store knows it
    bool m_taking = false;
};

} // namespace scenario
