#pragma once

#include "backend/localbroker/groupcommit.h"
#include "backend/localbroker/http/atom.h"
#include "backend/localbroker/http/httpmessage.h"
#include "backend/localbroker/http/route.h"
#include "backend/localbroker/http/sas.h"
#include "backend/localbroker/waiters.h"

#include <functional>

namespace localbroker {

// One request. `answer` is called exactly once, inside handle() or later.
struct Call
{
    HttpRequest request;
    std::function<bool()> isThere; // false: the client has closed the connection
    std::function<void(HttpAnswer)> answer;
};

// The Service Bus REST protocol on top of the engine. A client gets the response to a send or a settlement only after
// the commit. One thread: that of the clock.
class RestApi final
{
public:
    RestApi(core::Clock &clock, QueueEngine &engine, Journal &journal, Keys keys);
    ~RestApi();
    RestApi(const RestApi &) = delete;
    RestApi &operator=(const RestApi &) = delete;

    void handle(Call call);

    // For the demo: each sent message takes this long, one after the other, before the sender gets its response.
    void setSendPace(core::Milliseconds pace) { m_sendPace = pace; }
    // Commits pending changes at once.
    void flush() { m_commit.flush(); }

private:
    void act(const Route &route, const Call &call);
    void info(const Call &call);
    void serveArrivals();
    void send(const Route &route, const Call &call);
    void sendDeadLetters(const Route &route, const Call &call);
    void receive(const Route &route, const Call &call, bool andDelete);
    void settle(const Route &route, const Call &call);
    void renew(const Route &route, const Call &call);
    void receiveDeferred(const Route &route, const Call &call);
    void browse(const Route &route, const Call &call);
    void list(FeedPage page, EntityKind kind, const QString &topic, const Call &call);
    void listSubscriptions(const Route &route, const Call &call);
    void listRules(const Route &route, const Call &call);
    void getQueue(const Route &route, const Call &call);
    void putQueue(const Route &route, const Call &call);
    void deleteQueue(const Route &route, const Call &call);

    // Answers with `good` when all changes made so far are committed.
    void answerWhenDurable(const Call &call, HttpAnswer good, core::Milliseconds delay = core::Milliseconds{0});
    [[nodiscard]] core::Milliseconds turnOf(qsizetype messages);
    void deliver(const Route &route, const Call &call, const Delivery &delivery, bool andDelete);
    void watchTime();

    core::Clock &m_clock;
    QueueEngine &m_engine;
    Keys m_keys;
    GroupCommit m_commit;
    Waiters m_waiters;
    core::Milliseconds m_sendPace{0};
    core::TimePoint m_sendsBusyUntil{};
    core::Clock::Ticket m_tick = 0;
    std::optional<core::TimePoint> m_tickAt;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);
};

} // namespace localbroker
