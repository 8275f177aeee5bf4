#pragma once

#include "backend/broker/broker.h"
#include "backend/dialect/dialect.h"
#include "backend/records/intake.h"
#include "backend/records/stamp.h"
#include "backend/store/messagestore.h"

#include <QHash>

#include <vector>

namespace store {
class Session;
struct CameBack;
} // namespace store

namespace intake {

// What the writer has to know about the place a page comes from.
struct PageOrigin
{
    core::ConnectionId connection;
    records::BrokerKind broker = records::BrokerKind::RabbitMq;
    QString storeId;
    QString queue;
    bool locks = false; // native ids name a message for ever, not only while it is held
    core::TimePoint now{};
    bool onlyLooks = false; // nothing is taken: see writeBrowsed
    records::BrokerRetention retention{}; // of the queue, for what is only looked at
};

// Which copies were seen before: what makes a page that is read twice be stored once.
struct Seen
{
    QStringList stored; // page of the same run: in the store already, waiting to leave the broker
    QStringList doubtful; // pages of interrupted runs of the queue: copies may have been left behind
    bool mayHoldTwice = false; // the way into the holding queue was interrupted: one message may lie in it twice
};

// Turns the messages of one page into records. Decoding happens once, at construction; write() is one synchronous part of
// a transaction and may be called again with another one. Pure apart from the session it is given.
class PageWriter final
{
public:
    PageWriter(PageOrigin origin, const QList<broker::ReceivedMessage> &messages, const Seen &seen);

    // Message, attempt, memberships and counts of each; returned claims; confirmations last.
    [[nodiscard]] core::Result<records::IntakeCounts> write(store::Session &session);

    // For a page that was only looked at: the next `most` of its messages, once more until nextSlice() (false: there are no more).
    // Records of messages that were taken are left alone; so is what the messages say about others.
    [[nodiscard]] core::Result<records::BrowseCounts> writeBrowsed(store::Session &session, int most);
    [[nodiscard]] bool nextSlice();

    // After a write that failed because the store cannot take one message as it was read (Rejected, Corrupt): stores that
    // one as it is, alone, next time. False: there is nothing to set aside, the error is not about a message.
    [[nodiscard]] bool setAside(const core::Error &error);

    // For IntakeRun::page.
    [[nodiscard]] QStringList page() const;
    // Messages that were not in the store before; those of a page read again are not counted twice.
    [[nodiscard]] qint64 freshlyTaken() const;

private:
    enum class Copy { New, Known, PossibleDuplicate };
    struct Item
    {
        broker::ReceivedMessage held;
        dialect::Arrival arrival;
        dialect::Reading reading;
        QString digest;
        Copy copy = Copy::New;
        bool asItIs = false;
    };
    // What a look had stored of such a message, if any; else the id under which it would.
    struct Looked
    {
        QString uniqueId;
        std::optional<records::FailedMessage> record;
    };

    [[nodiscard]] core::Result<> writeOne(store::Session &session, const Item &item);
    [[nodiscard]] core::Result<bool> writeStamped(store::Session &session, const Item &item); // false: not ours
    [[nodiscard]] core::Result<bool> cameBack(store::Session &session, const Item &item, const records::Stamp &stamp,
                                              const records::FailedMessage &record);
    [[nodiscard]] bool isOurs(const records::Stamp &stamp) const;
    [[nodiscard]] core::Result<> cameBackFromBefore(store::Session &session, const Item &item,
                                                    const records::FailedMessage &record);
    // sent: when it was sent last, where that is known better than by the message.
    [[nodiscard]] core::Result<> failAgain(store::Session &session, const Item &item,
                                           const records::FailedMessage &record, bool cameBack,
                                           std::optional<core::TimePoint> sent = {});
    // The failure that is known already.
    [[nodiscard]] core::Result<> readAgain(store::Session &session, const Item &item,
                                           const records::FailedMessage &record);
    [[nodiscard]] core::Result<> noteStop(store::Session &session, const store::CameBack &claim);
    // Of a stamped one: it was released, and lies there as it was.
    [[nodiscard]] static core::Result<bool> wasReleased(store::Session &session, const Item &item,
                                                        const records::Stamp &stamp,
                                                        const records::FailedMessage &record);
    [[nodiscard]] static core::Result<> keepIssued(store::Session &session, core::MessageId id);
    [[nodiscard]] core::Result<> writeIdentified(store::Session &session, const Item &item, const QString &uniqueId);
    [[nodiscard]] core::Result<> seenAgain(store::Session &session, const Item &item,
                                           const records::FailedMessage &record, bool sameCopy);
    [[nodiscard]] QString lookedId(const QString &key, int n) const;
    [[nodiscard]] core::Result<Looked> nextBrowsed(store::Session &session, const Item &item);
    [[nodiscard]] core::Result<> learnWhatWasBrowsed(store::Session &session);
    [[nodiscard]] core::Result<> learnFormerStores(store::Session &session);
    // A message by its native id, where that names it for ever, whose state is unknown since a backup was restored.
    [[nodiscard]] core::Result<bool> foundAgain(store::Session &session, const Item &item, const QString &uniqueId);
    [[nodiscard]] core::Result<bool> meet(store::Session &session, const Item &item,
                                          const records::FailedMessage &record); // true: that was all
    [[nodiscard]] core::Result<> writeOver(store::Session &session, const Item &item,
                                           const records::FailedMessage &record);
    [[nodiscard]] core::Result<> writeCopy(store::Session &session, const Item &item, const QString &uniqueId);
    [[nodiscard]] core::Result<> insertBeside(store::Session &session, const Item &item, const QString &uniqueId);
    [[nodiscard]] core::Result<> insert(store::Session &session, const Item &item, const QString &uniqueId);
    [[nodiscard]] core::Result<> confirm(store::Session &session, const Item &item);
    [[nodiscard]] store::NewMessage recordOf(const Item &item, const QString &uniqueId) const;
    static void forget(Item &item);
    [[nodiscard]] static const records::Envelope &sentAs(const Item &item);
    [[nodiscard]] static bool canGoBack(const Item &item);
    // The message of this id, where it is of this connection.
    [[nodiscard]] core::Result<std::optional<records::FailedMessage>> recordHere(store::Session &session,
                                                                                 const QString &uniqueId);
    [[nodiscard]] static bool isBodyOf(const records::Stamp &stamp, const Item &item);

    PageOrigin m_origin;
    std::vector<Item> m_items;
    records::IntakeCounts m_counts;
    records::BrowseCounts m_looked;
    QStringList m_formerStores; // ids of this store before a backup was restored
    bool m_mayBeLookedAt = false; // something of this queue is in the store that was only looked at
    QHash<QString, int> m_met; // by content: how many of those looked at were met in this transaction
    QHash<QString, int> m_metBefore; // in the slices before
    size_t m_from = 0; // the slice that writeBrowsed() is at
    size_t m_current = 0; // the item that write() is at
};

} // namespace intake
