#pragma once

#include "backend/broker/broker.h"
#include "backend/engine/asyncmutex.h"
#include "backend/engine/enginedependencies.h"
#include "backend/intake/intake.h"
#include "backend/intake/queuebrowser.h"
#include "backend/intake/queuesubscription.h"

#include <QHash>
#include <QStringList>

namespace engine {

// Takes the failed messages of one connection, one queue at a time whoever asks, and remembers which queues are followed.
class IntakeScheduler final
{
public:
    // `changed`: something that is shown of an intake under way, or of what came of it.
    IntakeScheduler(EngineDependencies &dependencies, const records::Connection &connection, broker::Broker &broker,
                    std::function<void()> changed);

    // Which queues are followed, as the store has it.
    [[nodiscard]] core::Result<> know();
    // The same, and what a crash left half taken.
    [[nodiscard]] core::Task<core::Result<>> recover();
    // The queues one after the other; limit: in all. An error of one does not keep the others waiting: the first one is
    // the answer, and what was taken stays taken. who: for the trail; empty: the engine itself.
    [[nodiscard]] core::Task<core::Result<records::IntakeCounts>> take(QStringList queues, std::optional<qint64> limit,
                                                                       QString who = {});
    // What a crash had left of these queues and recover() brought in, for the command that this engine was started for: to
    // whoever typed it that is a part of what was taken. Once; other programs find it in the trail.
    [[nodiscard]] records::IntakeCounts claimRecovered(const QStringList &queues);
    // Looks into the queues without taking, at most `limit` messages of each. An error of one does not keep the others
    // waiting. Refused: the queue is followed.
    [[nodiscard]] core::Task<core::Result<records::BrowseCounts>> browse(QStringList queues, int limit, QString who);
    // Queues that are taken from for as long as retries under way have to see what comes back, whoever started the engine.
    void need(const QStringList &queues) { m_follower.need(queues); }
    // Of the last round: what came back there was seen.
    [[nodiscard]] const QStringList &seen() const { return m_follower.seen(); }
    // Why nothing is taken from such a queue; empty: it is, or nothing lies there.
    [[nodiscard]] QString waitingReason(const QString &queue) const { return m_follower.waitingReason(queue); }
    // What a dead process had asked the broker for and was not there yet; then one round over the queues of this list that
    // retries need and, where the starter of the engine wants that, those that are followed.
    [[nodiscard]] core::Task<core::Result<records::IntakeCounts>> takeFollowed(broker::Listing listed);
    // Everything under way ends with Cancelled at its next step.
    void stop();
    // Nothing is taken from these queues until they are let go. Ends when what was under way on them has ended, with the
    // page it was at.
    [[nodiscard]] core::Task<> hold(QStringList queues);
    void letGo(const QStringList &queues);

    [[nodiscard]] core::Result<> subscribe(const QString &queue, bool subscribe);
    [[nodiscard]] const QStringList &subscribed() const { return m_follower.subscribed(); }
    // What is done with the queue at the moment, or why a followed one waits; empty when there is nothing to say.
    [[nodiscard]] QString activity(const QString &queue) const;
    [[nodiscard]] bool isWatched(const QString &queue) const; // for a retry alone

private:
    [[nodiscard]] core::Task<> lookAgain();
    [[nodiscard]] core::Task<core::Result<records::IntakeCounts>> takeFollowedOne(QString queue);
    [[nodiscard]] core::Task<core::Result<records::IntakeCounts>> takeOne(intake::Order order);
    [[nodiscard]] core::Task<core::Result<records::BrowseCounts>> lookOne(intake::BrowseOrder order);
    [[nodiscard]] std::optional<core::Error> refusalOf(const QString &queue) const;
    void tellWaiting(const QString &queue, const QString &reason);
    void show(const QString &queue, const QString &activity);

    intake::Intake m_intake;
    intake::QueueBrowser m_browser;
    intake::QueueSubscription m_follower;
    std::function<void()> m_changed;
    const bool m_goesRound;
    AsyncMutex m_turns;
    bool m_stopped = false;
    QStringList m_held; // one entry for each hold
    QHash<QString, QString> m_activity;
};

} // namespace engine
