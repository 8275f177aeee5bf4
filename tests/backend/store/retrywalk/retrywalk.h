#pragma once

#include "backend/core/random.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/retry/retryrecords.h"
#include "tests/backend/store/retrywalk/retrymodel.h"
#include "tests/support/store/storeplace.h"

#include <functional>
#include <memory>

namespace test {

// Calls of the store's parts of a retry at random, right and wrong ones, on a store in memory. After each of them the
// store must hold what the table of transitions makes of the members that the call names. The seed decides everything.
class RetryWalk final
{
public:
    explicit RetryWalk(quint64 seed);

    // What is wrong after one of so many calls, with the call; empty: nothing.
    [[nodiscard]] QString run(int calls);
    [[nodiscard]] const QStringList &log() const { return m_log; } // of its calls
    [[nodiscard]] const QHash<const records::Transition *, int> &usedRows() const { return m_model.used; }

private:
    struct Kind
    {
        int weight = 0;
        const char *name = nullptr;
        void (RetryWalk::*call)() = nullptr;
    };
    static const QList<Kind> kinds;

    // ---- an operation (walkedoperations.cpp) ----
    void insertMessage();
    void freeze();
    void discard();
    void begin();
    void finish();
    void cancel();
    void recount();
    void restoreBackup();

    // ---- its batches (walkedbatches.cpp) ----
    void addBatch();
    void claimMembers();
    void beginStaging();
    void nameStaging();
    void countRefusals();
    void eject();
    void setAside();
    void beginForwarding();
    void finishEmpty();
    void writeIntents();
    void writeOutcomes();
    void closeIntentLogBatch();
    void finishForwarding();

    // ---- people, and what is heard of the messages (walkednews.cpp) ----
    void assumeSent();
    void sendAgain();
    void close();
    void heldByBroker();
    void resolveQuiet();
    void archive();
    void unarchive();
    void removeOld();
    void awaitedReturn();
    void cameBack();
    void acknowledged();
    void failedElsewhere();
    void earlierCopyFailed();
    void readAgain();

    // ---- what they share ----
    [[nodiscard]] bool chance(int oneIn) { return m_random.below(quint64(oneIn)) == 0; }
    template<typename T>
    [[nodiscard]] QList<T> some(const QList<T> &all)
    {
        const quint64 oneIn = 1 + m_random.below(4);
        QList<T> picked;
        for (const T &one : all) {
            if (m_random.below(oneIn) == 0)
                picked.append(one);
        }
        return picked;
    }
    // Mostly one for which this holds; null: there is none at all.
    [[nodiscard]] ModelBatch *anyBatch(const std::function<bool(const ModelBatch &)> &preferred);
    [[nodiscard]] ModelBatch *batchIn(records::BatchStage stage);
    [[nodiscard]] ModelOperation *anyOperation(const std::function<bool(const ModelOperation &)> &preferred);
    [[nodiscard]] ModelMessage *anyMessage(const std::function<bool(const ModelMessage &)> &preferred);
    [[nodiscard]] QList<core::MessageId> someMessages();
    [[nodiscard]] QList<core::MessageId> retriedBefore(core::ConnectionId connection);
    [[nodiscard]] QList<core::MessageId> fewMessages(records::MessageStatus preferred);
    // Some members of the batch, and perhaps one of another batch of its operation, which the call must leave alone.
    [[nodiscard]] QList<ModelMember *> someMembers(const ModelBatch &batch);
    [[nodiscard]] static QList<qint64> ordinals(const QList<ModelMember *> &members);
    [[nodiscard]] static QString reasonOf(qint64 ordinal) { return QStringLiteral("the reason of %1").arg(ordinal); }
    [[nodiscard]] static QList<store::MemberReason> reasons(const QList<ModelMember *> &members);
    // One of all ends for each.
    [[nodiscard]] QList<store::SendResult> ends(const QList<ModelMember *> &members);
    [[nodiscard]] ModelBatch *anyBatchForIntents(bool areStored);
    [[nodiscard]] ModelOperation *anyOperationInDoubt();
    [[nodiscard]] QList<qint64> perhapsTwice(const QList<qint64> &ordinals);
    [[nodiscard]] int openMembers(core::OperationId operation);
    void say(const QString &call) { m_said = call; }
    void expect(bool holds, const QString &what);
    // The call was carried out. It must have been if it is allowed, and else be a Conflict, which changes nothing.
    template<typename T>
    [[nodiscard]] bool done(const core::Result<T> &result, bool isAllowed)
    {
        const bool isDone = bool(result);
        if (isDone != isAllowed || (!isDone && result.error().kind != core::ErrorKind::Conflict))
            expect(false, isDone ? QStringLiteral("it is no Conflict") : result.error().message);
        return isDone && isAllowed;
    }
    [[nodiscard]] core::Result<> work(const store::Store::Work &calls) { return m_store->transact(calls); }
    // Each with this reason, or with its own. Returns those for which it changed something.
    QList<ModelMember *> happen(const QList<ModelMember *> &members, records::MemberEvent event,
                                const std::optional<QString> &reason = {});
    // The first batch in the store that the model does not know yet.
    [[nodiscard]] core::BatchId nextBatch();
    void addBatch(core::BatchId id, const ModelOperation &of, records::BatchStage stage,
                  const QList<ModelMember *> &members);
    void endForwarding(ModelBatch &batch, const QList<store::SendResult> &ends, bool isInterrupted = false);
    int cancelIn(ModelOperation &operation, int rows);
    void endAllOf(core::ConnectionId connection);
    [[nodiscard]] store::NewMessage failureOf(const ModelMessage &message, bool isPossibleDuplicate) const;

    core::SeededRandom m_random;
    support::StorePlace m_place;
    std::unique_ptr<store::DatabaseStore> m_store;
    RetryModel m_model;
    QList<core::ConnectionId> m_connections;
    core::TimePoint m_now = core::fromMs(1'800'000'000'000);
    int m_inserted = 0;
    int m_names = 0;
    QStringList m_log;
    QString m_said;
    QString m_wrong;
};

} // namespace test
