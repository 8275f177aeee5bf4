// A queue that allows each of its messages so many deliveries and no more (a quorum queue of RabbitMQ). What taking and
// browsing may have used of them, and how long that goes on. Pure functions, any thread.
#pragma once

#include "backend/core/fields.h"

#include <QStringList>

namespace records {

// As the broker applies it now.
struct DeliveryLimit
{
    qint64 most = 0; // a message that was returned to the queue more often leaves it
    bool looksCount = true; // a look returns what it shows, and the broker counts that
    QStringList deadLetters{}; // queues that get what leaves; empty: it is lost
    bool byArgument = false; // of the queue: no policy raises it

    REDRIVE_FIELDS(most, looksCount, deadLetters, byArgument)
    friend bool operator==(const DeliveryLimit &, const DeliveryLimit &) = default;
};

// What Redrive may have used of the deliveries of any message in one queue: never less than it did. Stored before each risk
// is taken, and removed when the queue was seen empty. Deliveries to others are only known from a look.
//
// Whoever takes a page holds the first messages of the rest in hand for a moment. If that is interrupted, and also when it
// ends, they return, counted once more. They are at the head then, so the next whole page takes them away, and the count
// begins anew: only interruptions one after the other add up.
struct DeliveriesUsed
{
    qint64 looked = 0; // of all messages
    qint64 returned = 0; // of those at the head
    qint64 atHead = 0; // how many those are
    qint64 underWay = 0; // pages that were begun and have not ended: one may be filled while another is read

    [[nodiscard]] qint64 most() const { return looked + returned; }

    REDRIVE_FIELDS(looked, returned, atHead, underWay)
    friend bool operator==(const DeliveriesUsed &, const DeliveriesUsed &) = default;
};

// Most messages in hand while messages are taken from such a queue: enough for speed, few at risk.
inline constexpr qint64 mostInHand = 10;

// The deliveries that are never used: a broker that restarts again and again while Redrive does not run counts some, too.
[[nodiscard]] qint64 keptOf(const DeliveryLimit &limit);
[[nodiscard]] bool mayTake(const DeliveryLimit &limit, const DeliveriesUsed &used);
// Also true where a look costs nothing. After it messages can still be taken; or none can be taken before a look has shown
// that interruptions used less.
[[nodiscard]] bool mayLook(const DeliveryLimit &limit, const DeliveriesUsed &used);

// To be stored before a page is taken, while which `inHand` messages at most are in hand.
[[nodiscard]] DeliveriesUsed beforePage(DeliveriesUsed used, qint64 inHand);
// After a page of `taken` messages. Only of pages that end in the order in which they began, each before its next but one
// begins.
[[nodiscard]] DeliveriesUsed afterPage(DeliveriesUsed used, qint64 taken, bool interrupted);
// After a page that may have begun later than one that has not ended, as after a crash: it proves nothing of the head.
[[nodiscard]] DeliveriesUsed afterLatePage(DeliveriesUsed used);
// To be stored before a look that counts, and after one that is free and failed.
[[nodiscard]] DeliveriesUsed beforeLook(DeliveriesUsed used);
// What a look showed.
struct LookResult
{
    qint64 shown = 0; // messages
    qint64 counted = 0; // the highest number of deliveries of one of these, before the look
    bool whole = false; // no others were there
};
// With the head of the queue, all that interruptions may have counted was shown; not while a page is under way, because it holds
// just these messages.
[[nodiscard]] DeliveriesUsed afterLook(DeliveriesUsed used, const DeliveryLimit &limit, const LookResult &look);

// Sentences for people.
// "This look counts as a delivery of each message that it shows; 3 of 20 used." and what happens at the limit. Empty: free.
[[nodiscard]] QString lookPrice(const DeliveryLimit &limit, const DeliveriesUsed &used);
// What a look has cost that RabbitMQ could not answer, where looks are free.
[[nodiscard]] QString failedLookPrice(const DeliveryLimit &limit, const DeliveriesUsed &used);
// What is risked while messages are taken, before it begins.
[[nodiscard]] QString takingRisk(const DeliveryLimit &limit, const DeliveriesUsed &used);
// Why no more is taken or shown, and what to do; empty: it may be.
[[nodiscard]] QString takingRefusal(const DeliveryLimit &limit, const DeliveriesUsed &used, const QString &queue);
[[nodiscard]] QString lookRefusal(const DeliveryLimit &limit, const DeliveriesUsed &used, const QString &queue);

} // namespace records
