#pragma once

#include "backend/broker/broker.h"
#include "backend/core/longwork.h"
#include "backend/engine/connection/asyncmutex.h"
#include "backend/engine/enginedependencies.h"
#include "backend/intake/intake.h"
#include "backend/intake/queuebrowser.h"
#include "backend/intake/queuesubscription.h"

#include <QHash>
#include <QStringList>

#include <map>

namespace engine {

// Takes and browses the failed messages of one connection, and keeps the list of subscribed queues in the store. Callers take
// turns of one page each, in order of arrival, so that a queue that fills as fast as it is emptied starves no other one. After stop() every call ends with Cancelled. Engine thread.
class IntakeScheduler final
{
public:
    // `changed`: something in the snapshot changed.
    IntakeScheduler(EngineDependencies &dependencies, const records::Connection &connection,
                    broker::BrokerState &brokerState, std::function<void()> changed);

    // Reads the subscribed queues from the store.
    [[nodiscard]] core::Result<> know();
    // Likewise, and finishes the intakes that a crash interrupted.
    [[nodiscard]] core::Task<core::Result<>> recover();
    // Takes from the queues, one after the other. `limit`: of all together. `who`: for the activity log; empty: the
    // engine. A queue that fails does not stop the others, and what was taken stays taken. The answer is an error, the
    // first one, only when every queue failed or the intake was stopped. Conflict: the queue is held. `work`: goes on
    // counting what was taken; cancelled, it ends after the messages that are held, or at once while it waits for another
    // intake of the queue.
    [[nodiscard]] core::Task<core::Result<records::IntakeCounts>> take(QStringList queues, std::optional<qint64> limit,
                                                                       QString who = {}, core::LongWorkPtr work = {});
    // What recover() took from these queues, so that the command which started this engine counts it as taken. Each
    // message is counted once; for an engine that stays (api::Starter::Program) the result is empty.
    [[nodiscard]] records::IntakeCounts claimRecovered(const QStringList &queues);
    // Stores copies of at most `limit` messages per queue as browsed only. Errors as for take(). Refused: the queue is
    // subscribed, or the look counts as a delivery and that is not accepted.
    [[nodiscard]] core::Task<core::Result<records::BrowseCounts>> browse(QStringList queues, int limit, QString who,
                                                                         bool acceptsDelivery);
    // The queues to watch because a retry must see which messages come back; replaces the previous list. They are taken
    // from by every kind of engine.
    void need(const QStringList &queues) { m_subscription.need(queues); }
    // The queues in which the last round saw every message.
    [[nodiscard]] const QStringList &seen() const { return m_subscription.seen(); }
    // Why the queue waits; empty: it does not, or it is empty.
    [[nodiscard]] QString waitingReason(const QString &queue) const { return m_subscription.waitingReason(queue); }
    // One round over the queues of this listing: first messages of an interrupted intake that arrive late, then the
    // watched queues and, in an engine that stays (api::Starter::Program), the subscribed ones.
    [[nodiscard]] core::Task<core::Result<records::IntakeCounts>> takeSubscribed(broker::Listing listed);
    // Whether that round left messages of a busy queue for the next one, which may follow at once.
    [[nodiscard]] bool isUnfinished() const { return m_subscription.isUnfinished(); }
    // Ends everything in progress with Cancelled at its next step.
    void stop();
    // Stops taking from these queues until letGo(). Finishes when an intake in progress there has ended, after its
    // current page.
    [[nodiscard]] core::Task<> hold(QStringList queues);
    void letGo(const QStringList &queues);

    [[nodiscard]] core::Result<> subscribe(const QString &queue, bool subscribe);
    [[nodiscard]] const QStringList &subscribed() const { return m_subscription.subscribed(); }
    // "taking: 1,204 of about 5,000", or why a subscribed queue waits; empty: idle. The second number is what the queue had
    // when it was listed last before, and is left out where the broker does not say.
    [[nodiscard]] QString activity(const QString &queue) const;
    [[nodiscard]] bool isWatched(const QString &queue) const; // taken from only because a retry needs it

private:
    [[nodiscard]] core::Task<> checkAgain();
    [[nodiscard]] core::Task<core::Result<intake::QueueSubscription::Share>> takeFollowedOne(QString queue);
    [[nodiscard]] core::Task<core::Result<records::IntakeCounts>> takeOne(intake::Order order, core::LongWorkPtr work);
    [[nodiscard]] core::Task<core::Result<records::IntakeCounts>> takeInTurn(intake::Order order);
    [[nodiscard]] core::Task<core::Result<records::BrowseCounts>> lookOne(intake::BrowseOrder order);
    [[nodiscard]] std::optional<core::Error> refusalOf(const QString &queue) const;
    // How many messages an intake that begins now will take, as far as the last listing says. Nothing: it does not.
    [[nodiscard]] std::optional<qint64> expected(const QStringList &queues, std::optional<qint64> limit) const;
    void tellWaiting(const QString &queue, const QString &reason);
    void show(const QString &queue, const QString &activity);

    const broker::BrokerState &m_brokerState;
    intake::Intake m_intake;
    intake::QueueBrowser m_browser;
    intake::QueueSubscription m_subscription;
    std::function<void()> m_changed;
    const bool m_goesRound;
    core::Clock &m_clock;
    std::map<QString, AsyncMutex> m_queueTurns; // for a whole intake of the queue; entered before m_turns
    AsyncMutex m_turns; // for a page
    bool m_stopped = false;
    QStringList m_held; // one entry per hold()
    QHash<QString, QString> m_activity;
};

} // namespace engine
