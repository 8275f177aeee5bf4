// What the window says about policies: what is retried by itself, when next, why not, and what ends that. Plain text.
// Pure functions.
#pragma once

#include "backend/api/requests/queries.h"
#include "backend/api/snapshot.h"
#include "models/common/formatters.h"
#include "models/common/roles.h"

#include <optional>

namespace models {

[[nodiscard]] Tone toneOf(const api::PolicyView &policy);
// For a narrow column: "Active", "Probing since 02:51:09", "Paused by maria", "Stopped by a stop rule".
[[nodiscard]] QString policyState(const api::PolicyView &policy, const api::Snapshot &snapshot, TimeZone zone);
// In whole sentences: what it does now, when it does something next, or why it does nothing.
[[nodiscard]] QString policySituation(const api::PolicyView &policy, const api::Snapshot &snapshot, TimeZone zone);
// For a column: the time of its next retry, "paused", or "–".
// When something is due, in a list: a time that has passed is "now".
[[nodiscard]] QString dueText(core::TimePoint due, core::TimePoint now, TimeZone zone);
[[nodiscard]] QString nextRetry(const api::PolicyView &policy, const api::Snapshot &snapshot, TimeZone zone);
// What it is assigned to, in one line; empty: nothing.
[[nodiscard]] QString policyPurpose(const api::PolicyView &policy);
// What it sent, and what became of that.
[[nodiscard]] QString policyResults(const api::PolicyView &policy);
// What a policy that probes does and what ends it: "It tries one message every 5 s because 10 retries in a row came back.
// The first success ends it." `subject`: in place of "It".
[[nodiscard]] QString probingText(const api::PolicyView &policy, const QString &subject);
// True when Redrive paused it, and no person: a stop rule, or the store is a copy.
[[nodiscard]] bool isStoppedByRedrive(const api::PolicyView &policy);

// What the banner says. An empty text: no policy needs attention.
struct PolicyNotice
{
    Tone tone = Tone::Normal;
    QString text;
    QString policy; // the page opens on this one

    friend bool operator==(const PolicyNotice &, const PolicyNotice &) = default;
};
[[nodiscard]] PolicyNotice policyNotice(const api::Snapshot &snapshot, TimeZone zone);
// The note on the tab of the page: "214 held", "1 probing · 1 paused"; empty: no policy holds a message.
[[nodiscard]] QString policyNote(const api::Snapshot &snapshot);

// Where a message stands under its policy: attempt n of m, what is left, the next attempt; empty: it is settled.
[[nodiscard]] QString standingText(const api::PolicyStanding &standing, const api::Snapshot &snapshot, TimeZone zone);
// Whether a person can take the message out of its policy, or return it.
[[nodiscard]] bool canBeExcluded(const api::PolicyStanding &standing);

// The policy of exactly this queue or group; null: none.
struct AssignedPolicy
{
    const api::PolicyView *policy = nullptr;
    core::AssignmentId assignment;
};
[[nodiscard]] AssignedPolicy policyOfQueue(const api::Snapshot &snapshot, core::ConnectionId connection,
                                           const QString &queue);
[[nodiscard]] AssignedPolicy policyOfGroup(const api::Snapshot &snapshot, core::GroupId group);
// "Policy standard, by a rule": which policies hold the messages of a group, and why; empty: none does.
[[nodiscard]] QString groupPolicyText(const QList<api::GroupPolicy> &policies);

} // namespace models
