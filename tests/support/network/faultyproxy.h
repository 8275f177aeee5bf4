#pragma once

#include "backend/core/random.h"
#include "tests/support/network/proxythread.h"

#include <QList>
#include <QMap>
#include <QMutex>
#include <QRegularExpression>
#include <QSet>

#include <atomic>
#include <functional>
#include <optional>

namespace support {

// Stands before a server on this machine as an office network or a gateway does, and fails one request in so many: a seed decides
// which of them, and how. Of HTTP/1.1 with connections that are kept: each request has its own fate.
class FaultyProxy final
{
public:
    enum class Fault {
        DroppedBefore, // the connection ends and the server has heard nothing
        DroppedAfter, // the server has done it, and the connection ends
        RefusedBefore, // 503, and the server has heard nothing
        FailedAfter, // the server has done it, and 500 comes
        CutShort, // the server has done it, and half of its answer comes
        Unanswered, // the server has done it, and nothing comes for as long as somebody waits
        DeliveredLate, // nothing comes, and the server hears of it when nobody waits any more
    };
    static const QList<Fault> all;

    FaultyProxy(quint16 server, quint64 seed);
    FaultyProxy(const FaultyProxy &) = delete;
    FaultyProxy &operator=(const FaultyProxy &) = delete;

    [[nodiscard]] quint16 port() const { return m_port; }
    // From now on, with one of these faults. 0: none fails.
    void failOneIn(int requests, const QList<Fault> &faults = all);
    // From now on each DELETE of something of ours is lost once: its connection ends, and the server hears of it a moment
    // later, when it was sent again and answered.
    void loseRemovals();

    [[nodiscard]] int requests() const { return m_requests; }
    [[nodiscard]] QMap<Fault, int> failed() const;
    [[nodiscard]] int removalsLost() const { return m_removalsLost; }
    // Calls `strike` once, before the server hears of the request number `nth` whose first line fits; on a thread of the proxy,
    // which waits for it.
    void strikeAt(const QRegularExpression &line, int nth, std::function<void()> strike);
    [[nodiscard]] bool hasStruck() const { return m_hasStruck; }
    // From the next connection on; as a load balancer does.
    void leadTo(quint16 server) { m_server = server; }
    // Requests that the server is still to hear of, though nobody waits for their answers any more.
    [[nodiscard]] int late() const { return m_late; }

private:
    class Passer;
    class Conversation;
    class LateRequest;

    [[nodiscard]] std::optional<Fault> fate();
    [[nodiscard]] bool loses(const QByteArray &request);
    void strikeIfMeant(const QByteArray &request);

    quint16 m_port = 0;
    std::atomic<int> m_requests{0};
    std::atomic<int> m_late{0};
    std::atomic<int> m_removalsLost{0};
    std::atomic<quint16> m_server;
    std::atomic<bool> m_hasStruck{false};
    mutable QMutex m_mutex; // of what follows
    core::SeededRandom m_random;
    int m_oneIn = 0;
    QList<Fault> m_faults;
    QMap<Fault, int> m_failed;
    bool m_losesRemovals = false;
    QRegularExpression m_struck; // requests that fit count down to the strike
    int m_untilStrike = 0;
    std::function<void()> m_strike;
    QSet<QByteArray> m_lost; // request lines whose next request is the repetition
    ProxyThread m_thread; // last: what it runs uses the rest
};

} // namespace support
