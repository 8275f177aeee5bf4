#include "backend/store/query/questions/policyqueries.h"

#include "backend/records/retries/retry.h"
#include "backend/recovery/files/policyfile.h"
#include "backend/store/database/database.h"
#include "backend/store/database/sqldialect.h"
#include "backend/store/policies/policysql.h"
#include "backend/store/query/questions/groupplaces.h"

namespace store {

core::Result<std::optional<api::PolicyStanding>> readPolicyStanding(Database &database, core::MessageId message,
                                                                    core::TimePoint now)
{
    Statement row = database.sql(QStringLiteral("SELECT ") + heldColumns()
                                 + QStringLiteral(", y.name, y.definition, EXISTS (SELECT 1 FROM retry_member m"
                                                  " WHERE m.message = p.message AND m.operation = p.operation"
                                                  " AND m.outcome = ?), y.paused_at IS NOT NULL OR t.all_paused <> 0"
                                                  " FROM store_meta t JOIN policy_message p ON TRUE"
                                                  " JOIN policy_assignment a ON a.id = p.assignment"
                                                  " JOIN policy y ON y.name = a.policy WHERE p.message = ?"));
    TRY(const bool found, row.bind(records::Outcome::Sent, message).step());
    if (!found)
        return std::optional<api::PolicyStanding>();
    const recovery::HeldMessage held = readHeld(row);
    api::PolicyStanding standing;
    standing.policy = row.text(heldColumnCount);
    standing.state = held.state;
    standing.attempt = held.progress.failed;
    if (const core::Result<recovery::Policy> policy = recovery::policyFrom(row.blob(heldColumnCount + 1)))
        standing.of = recovery::attemptsOf(*policy);
    const bool isSent = held.state == recovery::HeldState::InRetry && row.integer(heldColumnCount + 2) != 0;
    standing.isPaused = row.integer(heldColumnCount + 3) != 0;
    standing.isAtBroker = isSent && held.deliverAt && *held.deliverAt > now;
    if (standing.isAtBroker || !standing.isPaused)
        standing.nextAttempt = held.deliverAt && *held.deliverAt > now ? held.deliverAt : held.nextAttempt;
    standing.reason = held.reason;
    return std::optional(standing);
}

// Of its newest messages only: a group may have a million.
core::Result<> addPolicies(Database &database, records::Classifier classifier, QList<api::GroupRow> &groups)
{
    constexpr int newest = 20;
    const QHash<core::GroupId, qsizetype> places = placesOf(groups);
    Statement rows = database.sql(
        QStringLiteral("SELECT DISTINCT l.value, a.policy, a.kind FROM " SQL_LIST " l " SQL_JOIN_IN_ORDER
                       " policy_message p ON p.message IN (SELECT id FROM failed_message " SQL_USING_INDEX(
                           "message_group%1_failed") " WHERE group%1 = l.value AND status = ? ORDER BY last_failed DESC"
                                                     " LIMIT ?) " SQL_JOIN_IN_ORDER
                                                     " policy_assignment a ON a.id = p.assignment WHERE"
                                                     " p.state IN (?, ?, ?) ORDER BY 1, 2, 3")
            .arg(static_cast<int>(classifier)));
    rows.bind(listOf(places.keys()), records::MessageStatus::Unresolved, newest, recovery::HeldState::Waiting,
              recovery::HeldState::InRetry, recovery::HeldState::Leaving);
    return rows.each([&] {
        api::GroupRow &group = groups[places.value(core::GroupId{rows.integer(0)})];
        group.policies.append({rows.text(1), rows.as<recovery::Scope::Of>(2)});
    });
}

} // namespace store
