// Answers the console's questions from the store, on its own read-only connection. Each answer shows the store at one
// moment. Used on one thread, except interrupt(). The values are in backend/api/queries.h.
#pragma once

#include "backend/api/expiry.h"
#include "backend/api/history.h"
#include "backend/api/queries.h"
#include "backend/records/connection.h"
#include "backend/records/trail.h"
#include "backend/store/messagestore.h"

#include <functional>
#include <memory>

namespace store {

class Database;
class RetryStore;

// The counts that the engine puts into a snapshot.
struct Counters
{
    QList<QueueCount> queues;
    qint64 unresolvedTotal = 0;
    qint64 inDoubtTotal = 0;
    qint64 change = 0;
    qint64 newestEvent = 0;
};

class Queries final
{
public:
    using Now = std::function<core::TimePoint()>;

    // NotFound: there is no store yet. Other errors: those of Database::open.
    [[nodiscard]] static Result<std::unique_ptr<Queries>> open(const QString &path, Now now = {});
    ~Queries();
    Queries(const Queries &) = delete;
    Queries &operator=(const Queries &) = delete;

    // In rows of lists, exception messages are cut to limits::listTextChars and stack traces are empty.
    [[nodiscard]] Result<api::GroupPage> groups(const api::GroupQuery &query);
    [[nodiscard]] Result<api::ExpiryPage> expiring(const api::ExpiryQuery &query);
    [[nodiscard]] Result<api::MessagePage> messages(const api::MessageQuery &query);
    [[nodiscard]] Result<api::MessageIds> messageIds(const api::MessageQuery &query);
    // Costs no more than the list: one pass over the hits of the indexes, or none if no other status has messages.
    [[nodiscard]] Result<api::OtherMatches> otherMatches(const api::MessageQuery &query);
    [[nodiscard]] Result<QList<records::FailedMessage>> messageRows(const QList<core::MessageId> &ids);
    [[nodiscard]] Result<api::MessageDetail> message(core::MessageId id);
    [[nodiscard]] Result<QByteArray> body(core::MessageId id);
    [[nodiscard]] Result<api::OperationPage> operations(const api::OperationQuery &query);
    [[nodiscard]] Result<api::OperationDetail> operation(core::OperationId id);
    [[nodiscard]] Result<QList<api::MemberRow>> members(const api::MemberQuery &query);
    [[nodiscard]] Result<QList<records::Event>> events(const api::EventQuery &query);
    [[nodiscard]] Result<records::TrailCheck> checkTrail(const QByteArray &seal);
    [[nodiscard]] Result<QList<api::RunSample>> series(const api::SeriesQuery &query);
    [[nodiscard]] Result<QList<api::RunMark>> marks(core::OperationId id);
    [[nodiscard]] Result<QList<records::Connection>> connections();
    [[nodiscard]] Result<Tally> tally(const records::MessageFilter &filter, qint64 asOfChange);
    [[nodiscard]] Result<Counters> counters();

    // Any thread: the running question, and every one until resume(), ends with Cancelled.
    void interrupt();
    void resume();

private:
    struct Private;
    explicit Queries(std::unique_ptr<Private> d);
    template<typename T, typename Ask>
    [[nodiscard]] Result<T> inOneMoment(Ask ask);

    std::unique_ptr<Private> d;
};

} // namespace store
