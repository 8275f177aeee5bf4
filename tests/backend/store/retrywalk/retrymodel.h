#pragma once

#include "backend/core/time/clock.h"
#include "backend/records/ledger/apply.h"

#include <QHash>
#include <QList>
#include <QString>

#include <map>
#include <optional>

namespace test {

struct ModelMessage
{
    core::MessageId id;
    core::ConnectionId connection;
    int number = 0; // of sampleMessage()
    QString uniqueId;
    records::MessageStatus status = records::MessageStatus::Unresolved;
    bool isPossibleDuplicate = false;
    int attempts = 0; // retries that claimed it
};

struct ModelOperation
{
    core::OperationId id;
    core::ConnectionId connection;
    records::OperationKind kind = records::OperationKind::Retry;
    records::OperationState state = records::OperationState::Freezing;
    bool isFinished = false;
};

struct ModelBatch
{
    core::BatchId id;
    core::OperationId operation;
    core::ConnectionId connection;
    records::BatchStage stage = records::BatchStage::MarkingDocuments;
    QString stagingId;
    QString place;
    bool isSettled = false; // no member waits for a quiet period
};

// How a claim ended.
struct ModelClosing
{
    std::optional<core::TimePoint> at;
    QString who;
    std::optional<core::Milliseconds> quietFor;

    friend bool operator==(const ModelClosing &, const ModelClosing &) = default;
};

struct ModelMember
{
    core::OperationId operation;
    qint64 ordinal = 0;
    core::MessageId message;
    core::BatchId batch;
    QString destination;
    std::optional<core::TimePoint> deliverAt;
    int attempt = 0;
    int refusals = 0;
    QString reason;
    ModelClosing closing;
    records::Fate fate;
};

// What the store must hold of retries: fates, which only the table of transitions changes (records/ledger), and what else
// decides about their messages.
class RetryModel final
{
public:
    using Key = std::pair<qint64, qint64>; // operation, ordinal

    std::map<qint64, ModelMessage> messages;
    std::map<qint64, ModelOperation> operations;
    std::map<qint64, ModelBatch> batches;
    std::map<Key, ModelMember> members;
    ModelClosing now; // of each claim that ends by the current call

    // It happens to this member, for this reason where the row gives one. False: it leaves the member as it is.
    bool happen(ModelMember &member, records::MemberEvent event, const QString &reason = {});
    // Somebody decided otherwise about the message, or it failed.
    void decide(core::MessageId message, records::MessageStatus status);
    void flag(core::MessageId message, bool isPossibleDuplicate);
    void add(const ModelMember &pending);
    void remove(core::MessageId message);
    void moveTo(core::BatchId batch, const QList<ModelMember *> &all);
    void name(core::BatchId batch, const QString &stagingId, const QString &place);

    [[nodiscard]] QList<ModelMember *> ofBatch(core::BatchId batch);
    [[nodiscard]] QList<ModelMember *> ofOperation(core::OperationId operation);
    [[nodiscard]] QList<ModelMember *> ofMessage(core::MessageId message);
    // The member that news of the message is about; null: nobody waits for any.
    [[nodiscard]] ModelMember *awaiting(core::MessageId message);
    [[nodiscard]] std::optional<core::BatchId> nowForwarding(core::ConnectionId connection) const;
    // An operation holds it, so it cannot be frozen.
    [[nodiscard]] bool isHeld(core::MessageId message);

    // How often each row of the table was used.
    QHash<const records::Transition *, int> used;

private:
    void learnEarlierCopies(core::MessageId message);
};

[[nodiscard]] QString toString(const records::Fate &fate);

} // namespace test
