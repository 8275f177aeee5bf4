// The life of a message in a retry: every transition there is, as a table. The store applies it to whole batches
// (store/retry/retryledger.h); nothing else changes a member, its claim, or the status of a message because of a retry.
// backend/retry/README.md shows the table, which tst_transitions compares.
#pragma once

#include "backend/records/ledger/fate.h"

#include <initializer_list>
#include <optional>
#include <span>

namespace records {

// What can happen to a member.
enum class MemberEvent {
    Batched, // its batch was formed
    Claiming, // its batch claims its messages
    StagingNamed, // its batch is about to be staged: is it still to be sent?
    StagingRefused, // the broker clearly refused its copy for the staging queue; it is tried again
    Staged, // commitStaged: the copies of its batch count
    SetAside, // it waits in a batch of its own; its destination did not get the copy
    IntentStored,
    Accepted, // the destination has the copy
    NotAccepted, // intent log: certainly not
    AcceptedPerhaps, // intent log: without an answer, and the plan says to send it again
    Unanswered, // nobody can tell whether the destination has it
    Interrupted, // the broker or its shovel was interrupted while the batch was forwarded
    Ejected, // its destination refuses it, or it cannot be sent at all
    Cancelled,
    GivenBack, // the batch of a Release ended
    AssumedSent, // a person settled the doubt
    SentAgain, // in doubt: a person, or the plan, has it sent again
    CameBack, // a copy of this retry was found in an error queue
    Acknowledged, // its endpoint confirmed that it processed the message
    ResolvedByHand, // these five, and Acknowledged, are reasons of ClaimEndReason
    TakenBack,
    FailedAgain,
    Quiet,
    Restored,
    EarlierFailed, // a copy of an earlier retry failed, and this retry still decides about the message
};
constexpr MemberEvent lastOf(MemberEvent)
{
    return MemberEvent::EarlierFailed;
}

// Parts of MemberEvent with the same numbers, so that a caller who says anything else does not compile.
// How the send of a copy ended.
enum class SendEnd {
    Accepted = int(MemberEvent::Accepted),
    NotAccepted = int(MemberEvent::NotAccepted),
    AcceptedPerhaps = int(MemberEvent::AcceptedPerhaps),
    Unanswered = int(MemberEvent::Unanswered),
    Ejected = int(MemberEvent::Ejected),
};
[[nodiscard]] constexpr MemberEvent eventOf(SendEnd end)
{
    return MemberEvent(int(end));
}
// What ends claims without a word from the endpoint or the end of a quiet period.
enum class ClaimClosing {
    ResolvedByHand = int(MemberEvent::ResolvedByHand),
    TakenBack = int(MemberEvent::TakenBack),
    FailedAgain = int(MemberEvent::FailedAgain),
    Restored = int(MemberEvent::Restored),
};
[[nodiscard]] constexpr MemberEvent eventOf(ClaimClosing closing)
{
    return MemberEvent(int(closing));
}

// Conditions on a fate beyond its outcome.
enum class FateIs {
    Unbatched,
    Batched,
    ClaimFree,
    ClaimOwn,
    AwaitingNews, // it owns the message, or a person or a quiet period resolved it: coming back would disprove that
    Unresolved,
    Issued,
    Undecided, // its message is Unresolved or RetryIssued: nobody decided otherwise since it was frozen
    InIntentLog,
    NoIntent,
    WithBroker, // where its outcome is Staged: the broker may have a copy, in a staging queue or through an intent
    Seen, // it came back, or its claim ended in another way that says where its copy is (ClaimEndReason)
    Unseen,
    PossibleDuplicate,
};
constexpr FateIs lastOf(FateIs)
{
    return FateIs::PossibleDuplicate;
}
[[nodiscard]] bool holds(FateIs condition, const Fate &fate);

template<typename Enum>
class EnumSet
{
public:
    constexpr EnumSet() = default;
    constexpr EnumSet(std::initializer_list<Enum> values)
    {
        for (const Enum value : values)
            m_bits |= 1ull << unsigned(value);
    }
    [[nodiscard]] constexpr bool contains(Enum value) const { return ((m_bits >> unsigned(value)) & 1u) != 0; }

private:
    unsigned long long m_bits = 0;
};

enum class ClaimChange { Stays, Taken, Ends };
// A status that is not the first of a pair stays: a person, or a failure, decided otherwise meanwhile.
enum class MessageChange {
    Stays,
    Issued, // Unresolved -> RetryIssued
    Freed, // RetryIssued -> Unresolved, if the member owned it
    Resolved, // Unresolved, RetryIssued or Unknown -> Resolved
    Released, // RetryIssued -> Released
};
enum class ReasonChange { Stays, Given, Cleared };
constexpr ReasonChange lastOf(ReasonChange)
{
    return ReasonChange::Cleared;
}
enum class MemberMark { Intent, NoIntent, CameBack, PossibleDuplicate, NewBatch, OneRefusalMore, NoRefusals };

struct Transition
{
    EnumSet<MemberEvent> on;
    EnumSet<Outcome> from;
    EnumSet<FateIs> when{}; // all of them
    std::optional<Outcome> to{}; // nothing: the outcome stays
    ClaimChange claim = ClaimChange::Stays;
    MessageChange message = MessageChange::Stays;
    ReasonChange reason = ReasonChange::Stays;
    EnumSet<MemberMark> marks{};
    bool isImpossible = false; // nothing happens, although a later row would apply
};

// In their order: the first that applies counts.
[[nodiscard]] std::span<const Transition> transitions();
[[nodiscard]] bool applies(const Transition &row, const Fate &fate, MemberEvent event);
// The transition of this event; null: the event leaves such a member as it is.
[[nodiscard]] const Transition *transitionOf(const Fate &fate, MemberEvent event);
// How the claim ends by this event; None: it is no reason that is stored.
[[nodiscard]] ClaimEndReason closureOf(MemberEvent event);

} // namespace records
