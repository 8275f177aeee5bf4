#pragma once

#include "backend/core/random.h"
#include "backend/core/time/clock.h"
#include "backend/engine/policies/policybook.h"
#include "backend/engine/policies/unseenreturns.h"
#include "backend/store/policies/heldmessagestore.h"

#include <QHash>
#include <QSet>

#include <algorithm>
#include <functional>

namespace engine {

// Decides what the policies do with messages that changed in the store: a failed one gets its next attempt or is given
// up, one that was sent waits for what becomes of it, one that a person dealt with is left alone. Works inside the
// transaction of the caller, so that after a crash the same changes are decided about again. Engine thread.
//
// Failures are counted from the store, not retries: a message that was sent twice, or that a person retried meanwhile,
// has failed as often as it came back. So a crash can never add an attempt. A return without the headers of Redrive is a
// new record, and known by its body.
class PolicyFollower final
{
public:
    // For how long the broker of this connection can hold back a message for this destination; 0: not at all, or unknown.
    using LongestDelay = std::function<core::Milliseconds(core::ConnectionId, const QString &destination)>;

    PolicyFollower(PolicyBook &book, core::Clock &clock, core::Random &random, LongestDelay longestDelay);

    // This error is about one message, and others can be decided about: its data is damaged or does not fit.
    [[nodiscard]] static bool isAboutMessage(const core::Error &error);

    // Changes up to this number are no news: an earlier run of the engine saw them.
    void beginAfter(qint64 change) { m_newest = std::max(m_newest, change); }
    // Beginning of a transaction: forgets what the last one noted.
    void begin();
    [[nodiscard]] core::Result<> follow(store::Session &session, const store::PolicyCandidate &candidate);
    // A person takes the message out of its policy and of any that may get it, or gives it to the policy that is for it,
    // also if that is for new failures only. False: it is so already, or no policy is for it.
    [[nodiscard]] core::Result<bool> exclude(store::Session &session, const store::PolicyCandidate &candidate,
                                             bool exclude, const QString &who);
    // An operation that was to move this message, which the policy has given up, is over without having sent it: what the
    // broker refused stays for a person with the reason, the rest is moved again.
    [[nodiscard]] core::Result<> notMoved(store::Session &session, const store::PolicyCandidate &candidate,
                                          const store::RetryMember &member);
    // No later try can send this message, which is due.
    [[nodiscard]] core::Result<> cannotSend(store::Session &session, const store::PolicyCandidate &candidate,
                                            const QString &why);
    // Nothing can be decided about this message: it is left to a person, with the reason.
    [[nodiscard]] core::Result<> setAside(store::Session &session, const store::PolicyCandidate &candidate,
                                          const QString &why);
    // Retries of the policy under this assignment are known to have succeeded.
    void succeeded(core::AssignmentId assignment);
    // What is known of returns that nobody recognizes, by their groups of exception and stack.
    [[nodiscard]] UnseenReturns &unseenReturns() { return m_unseen; }
    [[nodiscard]] static UnseenReturns::Key groupOf(const store::PolicyCandidate &candidate,
                                                    core::AssignmentId assignment);
    // End of a transaction: stores limits and numbers, and writes what people should know into the activity log. True:
    // there are entries.
    [[nodiscard]] core::Result<bool> end(store::Session &session);

private:
    struct Numbers // of one policy in this transaction
    {
        qint64 cameBack = 0;
        qint64 resolved = 0;
        qint64 gaveUp = 0; // of a policy that notifies
        QString reason; // of one of these
        qint64 notMoved = 0;
        QString notMovedWhy; // of one of these
        qint64 byBody = 0; // returns known by their bodies, the first time that there are some
    };
    [[nodiscard]] core::Result<> followUnresolved(store::Session &session, const store::PolicyCandidate &candidate);
    [[nodiscard]] core::Result<> letGo(store::Session &session, const store::PolicyCandidate &candidate);
    [[nodiscard]] core::Result<recovery::HeldMessage> met(store::Session &session,
                                                          const store::PolicyCandidate &candidate);
    [[nodiscard]] core::Result<> inherit(store::Session &session, const store::PolicyCandidate &candidate,
                                         recovery::HeldMessage &held);
    [[nodiscard]] static core::Result<> learnBody(store::Session &session, recovery::HeldMessage &held,
                                                  const core::Result<records::Envelope> &envelope);
    [[nodiscard]] core::Result<> followOther(store::Session &session, const store::PolicyCandidate &candidate);
    [[nodiscard]] core::Result<> countOfApplication(store::Session &session, const PolicyBook::Prepared &policy,
                                                    const recovery::Failure &failure,
                                                    recovery::HeldMessage &held) const;
    [[nodiscard]] core::Result<> countFailures(store::Session &session, const store::PolicyCandidate &candidate,
                                               recovery::HeldMessage &held);
    [[nodiscard]] core::Result<bool> leftWithoutFailing(store::Session &session,
                                                        const store::PolicyCandidate &candidate,
                                                        recovery::HeldMessage &held);
    [[nodiscard]] core::Result<> countResolved(store::Session &session, const store::PolicyCandidate &candidate,
                                               const recovery::HeldMessage &held);
    static void exclude(recovery::HeldMessage &held, const QString &why);
    void leaveToPerson(recovery::HeldMessage &held, const QString &why);
    [[nodiscard]] core::Milliseconds longestDelay(const records::FailedMessage &message,
                                                  core::AssignmentId assignment) const;
    [[nodiscard]] core::Result<recovery::HeldMessage> taken(store::Session &session,
                                                            const store::PolicyCandidate &candidate) const;
    [[nodiscard]] core::Result<> decide(store::Session &session, const PolicyBook::Prepared &policy,
                                        recovery::HeldMessage &held, core::TimePoint from);
    void giveUp(const recovery::Policy &policy, recovery::HeldMessage &held, const QString &reason);
    [[nodiscard]] core::Result<QString> policyOf(store::Session &session, core::OperationId operation);
    void tell(core::AssignmentId assignment, recovery::ConsecutiveFailures::Change change);

    PolicyBook &m_book;
    core::Clock &m_clock;
    core::Random &m_random;
    LongestDelay m_longestDelay;
    QHash<core::OperationId, QString> m_policyOf; // empty: a person's
    std::map<QString, Numbers> m_numbers;
    QSet<QString> m_toldByBody; // policies
    UnseenReturns m_unseen;
    qint64 m_newest = 0; // the highest change number that was followed
    bool m_isNew = true; // the change that is followed was not followed before
    QList<std::pair<core::AssignmentId, recovery::ConsecutiveFailures::Change>> m_limits;
};

} // namespace engine
