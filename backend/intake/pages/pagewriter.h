#pragma once

#include "backend/broker/broker.h"
#include "backend/dialect/dialect.h"
#include "backend/records/conventions/convention.h"
#include "backend/records/intake.h"
#include "backend/records/messages/stamp.h"
#include "backend/store/messages/messagestore.h"

#include <QHash>

#include <vector>

namespace store {
class Session;
class Store;
struct CameBack;
} // namespace store

namespace intake {

// What the writer must know about the queue a page comes from.
struct PageOrigin
{
    core::ConnectionId connection;
    records::BrokerKind broker{};
    QString storeId;
    QString queue;
    bool locks = false; // the broker locks messages: their native ids stay the same
    core::TimePoint now{};
    bool browsesOnly = false; // the page was only browsed: see writeBrowsed
    records::BrokerRetention retention{}; // of the queue, for browsed messages
    QString connectionName{};
    records::Conventions conventions{}; // of one's own
};

// What PageOrigin::conventions is read from.
[[nodiscard]] core::Result<records::Conventions> conventionsOf(store::Store &store);

// Copies that were seen before, so that a page that is read twice is stored once.
struct Seen
{
    QStringList stored; // page of the same run: already in the store, not yet removed from the broker
    QStringList doubtful; // pages of interrupted runs of the queue: copies may still be there
    bool mayHoldTwice = false; // filling the holding queue was interrupted: it may hold a message twice
};

// Turns the messages of one page into records. Decoding happens once, in the constructor. write() belongs to the
// caller's transaction; after a rollback it may be called again in a new one. It uses nothing but the session it is
// given. Engine thread.
class PageWriter final
{
public:
    PageWriter(PageOrigin origin, const QList<broker::ReceivedMessage> &messages, const Seen &seen);

    // Writes message, attempt, memberships and counts of each, and releases the claims of those that came back.
    // Confirmations come last.
    [[nodiscard]] core::Result<records::IntakeCounts> write(store::Session &session);

    // For a browsed page: writes the next `most` of its messages; after nextSlice() those after them (false: there are
    // no more). Records of messages that were taken are left alone, and a confirmation has no effect yet.
    [[nodiscard]] core::Result<records::BrowseCounts> writeBrowsed(store::Session &session, int most);
    [[nodiscard]] bool nextSlice();

    // After a write that failed because the store cannot accept one message as decoded (Rejected, Corrupt): the next
    // write stores that message undecoded. False: the error is not about a message.
    [[nodiscard]] bool setAside(const core::Error &error);

    // The value for IntakeRun::page.
    [[nodiscard]] QStringList page() const;
    // The entries of a page that have one of these native ids, each once.
    [[nodiscard]] static QStringList entriesOf(const QStringList &page, const QStringList &ids);
    // Takes the entries of these messages out of the page.
    static void leaveOut(QStringList &page, const QList<broker::ReceivedMessage> &messages);
    // Messages that were not in the store before; messages of a page that is read again are not counted.
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
    // The browsed record of such a message, if there is one; else the id it would get.
    struct Looked
    {
        QString uniqueId;
        std::optional<records::FailedMessage> record;
    };

    [[nodiscard]] core::Result<> writeOne(store::Session &session, const Item &item);
    // false: the stamp is not ours
    [[nodiscard]] core::Result<bool> writeStamped(store::Session &session, const Item &item);
    [[nodiscard]] core::Result<bool> cameBack(store::Session &session, const Item &item, const records::Stamp &stamp,
                                              const records::FailedMessage &record);
    [[nodiscard]] bool isOurs(const records::Stamp &stamp) const;
    [[nodiscard]] core::Result<> cameBackFromBefore(store::Session &session, const Item &item,
                                                    const records::Stamp &stamp, const records::FailedMessage &record);
    [[nodiscard]] core::Result<bool> countReturn(store::Session &session, const Item &item,
                                                 const records::FailedMessage &record,
                                                 const std::optional<records::Stamp> &stamp);
    [[nodiscard]] static core::Result<bool> isFirstOfItsRetry(store::Session &session, const Item &item,
                                                              const records::FailedMessage &record,
                                                              const records::Stamp &stamp);
    [[nodiscard]] core::Result<bool> isSameMessage(store::Session &session, const Item &item,
                                                   const records::FailedMessage &record) const;
    [[nodiscard]] core::Result<> writePassedOn(store::Session &session, const Item &item, const records::Stamp &stamp);
    // sent: when it was last sent, if the store knows that better than the message.
    [[nodiscard]] core::Result<> failAgain(store::Session &session, const Item &item,
                                           const records::FailedMessage &record, bool cameBack,
                                           std::optional<core::TimePoint> sent = {});
    // The failure is already known.
    [[nodiscard]] core::Result<> readAgain(store::Session &session, const Item &item,
                                           const records::FailedMessage &record);
    [[nodiscard]] core::Result<> applyStopRule(store::Session &session, core::OperationId operation);
    // A stamped message that was released and is unchanged in the queue.
    [[nodiscard]] core::Result<bool> wasReleased(store::Session &session, const Item &item, const records::Stamp &stamp,
                                                 const records::FailedMessage &record) const;
    [[nodiscard]] core::Result<> writeIdentified(store::Session &session, const Item &item, const QString &uniqueId);
    [[nodiscard]] core::Result<> seenAgain(store::Session &session, const Item &item,
                                           const records::FailedMessage &record, bool sameCopy);
    [[nodiscard]] QString lookedId(const QString &key, int n) const;
    [[nodiscard]] core::Result<Looked> nextBrowsed(store::Session &session, const Item &item);
    [[nodiscard]] core::Result<> learnWhatWasBrowsed(store::Session &session);
    [[nodiscard]] core::Result<> learnFormerStores(store::Session &session);
    // On brokers with locks: finds, by its native id, a message whose state is unknown since a backup was restored.
    [[nodiscard]] core::Result<bool> foundAgain(store::Session &session, const Item &item, const QString &uniqueId);
    [[nodiscard]] core::Result<bool> meet(store::Session &session, const Item &item,
                                          const records::FailedMessage &record); // true: nothing more is to be done
    [[nodiscard]] core::Result<> writeOver(store::Session &session, const Item &item,
                                           const records::FailedMessage &record);
    [[nodiscard]] core::Result<> writeCopy(store::Session &session, const Item &item, const QString &uniqueId);
    [[nodiscard]] core::Result<> insertBeside(store::Session &session, const Item &item, const QString &uniqueId);
    [[nodiscard]] core::Result<> insert(store::Session &session, const Item &item, const QString &uniqueId);
    [[nodiscard]] core::Result<bool> isNewsOfLastRetry(store::Session &session, const Item &item,
                                                       const QString &uniqueId) const;
    [[nodiscard]] core::Result<> confirm(store::Session &session, const Item &item);
    [[nodiscard]] store::NewMessage recordOf(const Item &item, const QString &uniqueId) const;
    static void forget(Item &item);
    [[nodiscard]] records::Conventions appliedTo(const Item &item) const;
    // The message with this id, if it belongs to this connection.
    [[nodiscard]] core::Result<std::optional<records::FailedMessage>> recordHere(store::Session &session,
                                                                                 const QString &uniqueId);
    [[nodiscard]] bool isBodyOf(const records::Stamp &stamp, const Item &item) const;

    PageOrigin m_origin;
    std::vector<Item> m_items;
    records::IntakeCounts m_counts;
    records::BrowseCounts m_looked;
    QStringList m_formerStores; // earlier ids of this store, before backups were restored
    bool m_mayBeBrowsed = false; // the store has browsed-only records of this queue
    QHash<QString, int> m_met; // by content: how many browsed records were met in this transaction
    QHash<QString, int> m_metBefore; // the same after the previous slices
    size_t m_from = 0; // where the current slice of writeBrowsed() begins
    size_t m_current = 0; // the item that is being written
};

} // namespace intake
