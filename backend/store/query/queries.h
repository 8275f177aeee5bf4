// Answers the console's queries from the store, on its own read-only connection. Each answer shows the store at one
// moment. Used on one thread, except interrupt(). The requests are in backend/api/requests/.
#pragma once

#include "backend/api/request.h"
#include "backend/records/address/storeaddress.h"

#include <functional>
#include <memory>

namespace store {

using core::Result;

class Database;

class Queries final
{
public:
    using Now = std::function<core::TimePoint()>;

    // NotFound: there is no store yet. Other errors: those of openDatabase().
    [[nodiscard]] static Result<std::unique_ptr<Queries>> open(const records::StoreAddress &address, Now now = {});
    explicit Queries(std::unique_ptr<Database> readOnly, Now now = {});
    ~Queries();
    Queries(const Queries &) = delete;
    Queries &operator=(const Queries &) = delete;

    // Answers the request now. Refused: it is no query.
    void answer(api::PendingRequest &request);
    template<api::Request R>
    [[nodiscard]] Result<typename R::Answer> ask(R request)
    {
        api::Asked<R> asked(std::move(request));
        answer(asked);
        return asked.reply.future().result();
    }

    // Any thread: the running query, and every one until resume(), ends with Cancelled.
    void interrupt();
    void resume();

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace store
