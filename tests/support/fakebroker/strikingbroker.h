#pragma once

#include "backend/broker/broker.h"

#include <QStringList>

namespace support {

// The line to a broker, on which one call goes wrong: before it arrives, or after it took effect, when its answer is lost.
class StrikingBroker final : public broker::Broker, public broker::StagingQueue
{
public:
    struct Strike
    {
        int call = 0; // from 1, over the whole life of this; 0: none
        bool afterwards = false; // it took effect
        core::Error error;
        broker::Verdict verdict = broker::Verdict::NotSent; // for the copies of a send or of staging
    };

    explicit StrikingBroker(broker::Broker &behind)
        : m_behind(behind)
    {
    }

    Strike strike;
    std::function<void()> onStrike; // at that moment
    [[nodiscard]] const QString &struck() const { return m_struck; } // the name of the call; empty: it was not reached
    [[nodiscard]] const QStringList &struckCopies() const { return m_struckCopies; } // unique ids
    [[nodiscard]] int calls() const { return m_calls; }

    // ---- broker::Broker
    [[nodiscard]] core::Task<core::Result<broker::Capabilities>> probe() override;
    [[nodiscard]] core::Task<core::Result<broker::Listing>> queues() override;
    [[nodiscard]] core::Task<core::Result<broker::ReceivedPage>> take(broker::TakeRequest request) override;
    [[nodiscard]] core::Task<core::Result<broker::Passage>> takeInto(broker::TakeRequest request,
                                                                     broker::Keep keep) override;
    [[nodiscard]] core::Task<core::Result<broker::PrefetchResult>> prefetch(broker::TakeRequest request) override;
    [[nodiscard]] core::Task<core::Result<>> release(broker::TakeRequest request, broker::ReceivedPage page) override;
    [[nodiscard]] core::Task<core::Result<broker::ReceivedPage>> browse(QString queue, int limit,
                                                                        broker::LookRisk risk = {}) override;
    [[nodiscard]] core::Task<QList<broker::SendOutcome>> send(QList<broker::Outgoing> messages) override;
    [[nodiscard]] broker::StagingQueue *stagingQueue() override;
    [[nodiscard]] core::Task<core::Result<QList<broker::Leftover>>> leftovers() override;
    void cancelAll() override { m_behind.cancelAll(); }

    // ---- broker::StagingQueue
    [[nodiscard]] core::Task<core::Result<>> open(broker::StagingPlace place) override;
    [[nodiscard]] core::Task<QList<broker::SendOutcome>> stage(broker::StagingPlace place,
                                                               QList<broker::Outgoing> copies) override;
    [[nodiscard]] core::Task<core::Result<QStringList>> reconcile(broker::StagingPlace place) override;
    [[nodiscard]] core::Task<core::Result<qint64>> depth(broker::StagingPlace place) override;
    [[nodiscard]] core::Task<core::Result<QList<broker::Unreachable>>> openWays(broker::StagingPlace place) override;
    [[nodiscard]] core::Task<core::Result<bool>> withdraw(broker::ForwardRequest request) override;
    [[nodiscard]] core::Task<core::Result<broker::ForwardReport>> forward(broker::ForwardRequest request,
                                                                          broker::ForwardHooks hooks) override;
    [[nodiscard]] core::Task<core::Result<>> discard(broker::StagingPlace place) override;

private:
    [[nodiscard]] bool isHit(const char *call);
    template<typename T, typename Begin>
    [[nodiscard]] core::Task<core::Result<T>> through(const char *name, Begin begin);
    template<typename Begin>
    [[nodiscard]] core::Task<QList<broker::SendOutcome>> sent(const char *name, QList<broker::Outgoing> copies,
                                                              Begin begin);

    [[nodiscard]] broker::StagingQueue &behind() const;

    broker::Broker &m_behind;
    int m_calls = 0;
    QString m_struck;
    QStringList m_struckCopies;
};

} // namespace support
