#include "backend/rehearsal/reportbuilder.h"

#include "backend/recovery/classification.h"
#include "backend/rehearsal/text.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/policies/heldmessagestore.h"
#include "backend/store/policies/policystore.h"
#include "backend/store/retry/retryoperationstore.h"

#include <QSet>

#include <algorithm>
#include <map>

namespace rehearsal {

using api::RehearsalCount;
using api::RehearsalReport;
using core::Result;
using records::LeftOut;

namespace {

using Counts = QHash<QString, qint64>;

QList<RehearsalCount> sorted(const Counts &counts)
{
    QList<RehearsalCount> rows;
    for (auto it = counts.cbegin(); it != counts.cend(); ++it) {
        if (it.value() > 0)
            rows.append({it.key(), it.value()});
    }
    std::sort(rows.begin(), rows.end(), [](const RehearsalCount &a, const RehearsalCount &b) {
        return a.count != b.count ? a.count > b.count : a.what < b.what;
    });
    return rows.mid(0, RehearsalReport::mostRows);
}

QString causeOf(const store::NewMessage &copy)
{
    const QString &title = copy.titles.at(size_t(records::Classifier::ExceptionAndStack));
    if (!title.isEmpty())
        return title;
    const QString &type = copy.message.failure.exceptionType;
    return type.isEmpty() ? Text::tr("Unknown cause") : type;
}

// Why copies of a retry were never sent; empty: the copies of a rehearsal are not left out for this reason.
QString textOf(LeftOut why)
{
    switch (why) {
    case LeftOut::Looped:
        return Text::tr("Left out: came back repeatedly before");
    case LeftOut::NoDestination:
        return Text::tr("Left out: no destination");
    case LeftOut::NoSuchQueue:
        return Text::tr("Left out: the destination queue does not exist");
    case LeftOut::PossibleDuplicate:
        return Text::tr("Left out: possible duplicate");
    case LeftOut::NotFaithful:
        return Text::tr("Left out: headers that cannot be sent unchanged over HTTP");
    case LeftOut::TooLarge:
        return Text::tr("Left out: too large for the HTTP interface of the broker");
    case LeftOut::BeyondLimit:
        return Text::tr("Left out: beyond the limit of the plan");
    case LeftOut::EditMisfit:
        return Text::tr("Left out: the edit does not fit");
    case LeftOut::Arrived:
    case LeftOut::Changed:
    case LeftOut::BrowsedOnly:
    case LeftOut::HeldElsewhere:
        break;
    }
    return {};
}

class Builder final
{
public:
    Builder(store::Session &session, const Ending &ending)
        : m_session(session)
        , m_ending(ending)
        , m_report(ending.job.begun)
        , m_classifier(ending.job.policy.value_or(recovery::Policy()))
    {
    }

    Result<RehearsalReport> build()
    {
        addDeliveries();
        TRY(addOperations());
        TRY(m_ending.job.policy ? addPolicy() : Result<>());
        TRY(addLeft());
        m_report.moved = m_ending.moved;
        m_report.isOver = m_ending.isOver;
        m_report.took = (m_ending.isOver ? m_last : m_ending.end) - m_ending.begin;
        m_report.cameBackBy = sorted(m_cameBack);
        m_report.leftBy = sorted(m_left);
        const qint64 accounted = m_report.processed + m_leftUnprocessed + m_inRetry + m_ending.moved
                                 + (m_ending.isOver ? 0 : m_ending.onTheWay);
        m_report.unaccounted = std::max<qint64>(m_report.copied - accounted, 0);
        return m_report;
    }

private:
    void addDeliveries()
    {
        std::map<std::pair<int, bool>, api::RehearsalRound> rounds;
        QHash<int, int> times; // of processing, by copy
        for (const Delivery &one : m_ending.deliveries) {
            const core::Milliseconds at = one.at - m_ending.begin;
            const auto [round, isNew] = rounds.try_emplace({one.retry, one.delayed});
            if (isNew)
                round->second = {one.retry, one.delayed, at, at, 0, 0};
            round->second.last = at;
            ++round->second.tried;
            round->second.failed += one.failed ? 1 : 0;
            if (one.failed)
                ++m_cameBack[causeOf(m_ending.job.copies.at(one.copy))];
            else
                ++times[one.copy];
            if (m_ending.job.policy)
                ++(one.delayed ? m_report.delayedRetries : m_report.immediateRetries);
            m_last = std::max(m_last, one.at);
        }
        for (const auto &[key, round] : rounds) {
            m_report.cameBack += round.failed;
            if (m_report.rounds.size() < RehearsalReport::mostRows)
                m_report.rounds.append(round);
        }
        m_report.sent = qint64(m_ending.deliveries.size());
        m_report.processed = times.size();
        m_report.processedTwice = std::count_if(times.cbegin(), times.cend(), [](int count) { return count > 1; });
        for (auto it = times.cbegin(); it != times.cend(); ++it)
            m_processed.insert(it.key());
        m_report.permanent = std::count_if(m_processed.cbegin(), m_processed.cend(), [this](int copy) {
            const recovery::Failure failure = recovery::failureOf(m_ending.job.copies.at(copy).message);
            return m_classifier.classOf(failure) == recovery::FailureClass::Permanent;
        });
    }

    Result<> addOperations()
    {
        constexpr int all = 1'000'000;
        TRY(const QList<records::RetryOperation> operations,
            m_session.retryOperations().listed(m_ending.connection, all));
        for (const records::RetryOperation &one : operations) {
            if (one.finished && m_ending.preview.frozenCount > 0)
                m_last = std::max(m_last, *one.finished);
            m_inRetry += one.counts.claimed + one.counts.staged;
            if (one.pausedBy == records::PausedBy::StopRule)
                setStopped(one.pausedAt.value_or(m_last), one.stoppedBecause);
        }
        return {};
    }

    void setStopped(core::TimePoint at, const QString &why)
    {
        const qint64 sent = std::count_if(m_ending.deliveries.cbegin(), m_ending.deliveries.cend(),
                                          [at](const Delivery &one) { return one.at <= at; });
        m_report.stopped = api::RehearsalStop{at - m_ending.begin, why, sent};
        m_last = std::max(m_last, at);
    }

    Result<> addPolicy()
    {
        TRY(const store::StoredPolicy policy, m_session.policies().policy(m_ending.job.policy->name));
        if (policy.pause)
            setStopped(policy.pause->at, policy.pause->why);
        return {};
    }

    // Every copy that is unresolved, with the reason.
    Result<> addLeft()
    {
        TRY(const QList<store::PolicyCandidate> all, m_session.heldMessages().candidates(m_ending.ids));
        QSet<int> delivered;
        for (const Delivery &one : m_ending.deliveries)
            delivered.insert(one.copy);
        QHash<core::MessageId, int> copies;
        for (qsizetype i = 0; i < m_ending.ids.size(); ++i)
            copies.insert(m_ending.ids.at(i), int(i));
        for (const store::PolicyCandidate &one : all) {
            const int copy = copies.value(one.message.id);
            if (one.message.status != records::MessageStatus::Unresolved)
                continue;
            ++m_report.leftForAPerson;
            m_leftUnprocessed += m_processed.contains(copy) ? 0 : 1;
            if (m_ending.job.policy)
                addHeld(one);
            else if (delivered.contains(copy))
                ++m_left[Text::tr("Came back")];
            else
                ++m_neverSent;
        }
        if (!m_ending.job.policy)
            addNeverSent();
        return {};
    }

    void addHeld(const store::PolicyCandidate &one)
    {
        if (!one.held) {
            ++m_left[Text::tr("The policy does not hold it")];
            return;
        }
        const bool isWaiting = one.held->state == recovery::HeldState::Waiting;
        if (!isWaiting)
            m_last = std::max(m_last, one.held->decidedAt);
        ++m_left[!one.held->reason.isEmpty() ? one.held->reason
                 : isWaiting                 ? Text::tr("Waits for its next retry")
                                             : Text::tr("Given up")];
    }

    // Of a retry: what its plan leaves out, and the rest.
    void addNeverSent()
    {
        qint64 rest = m_neverSent;
        for (const LeftOut why : records::leftOutReasons) {
            const QString reason = textOf(why);
            if (reason.isEmpty())
                continue;
            const qint64 count = m_ending.preview.leftOut[why];
            m_left[reason] += count;
            rest -= count;
        }
        m_left[m_report.stopped ? Text::tr("Not sent before the stop") : Text::tr("Not sent")] += rest;
    }

    store::Session &m_session;
    const Ending &m_ending;
    RehearsalReport m_report;
    const recovery::Classifier m_classifier;
    core::TimePoint m_last = m_ending.begin;
    Counts m_cameBack;
    Counts m_left;
    QSet<int> m_processed; // copies
    qint64 m_leftUnprocessed = 0;
    qint64 m_neverSent = 0;
    qint64 m_inRetry = 0; // claimed by an operation that stopped
};

} // namespace

Result<RehearsalReport> reportOf(store::Session &session, const Ending &ending)
{
    return Builder(session, ending).build();
}

} // namespace rehearsal
