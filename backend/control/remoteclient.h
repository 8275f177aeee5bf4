#pragma once

#include "backend/control/framesocket.h"
#include "backend/core/time/clock.h"
#include "backend/engine/dispatch/queryingclient.h"

#include <deque>
#include <functional>
#include <map>
#include <vector>

class QTimer;

namespace control {

// The client of the engine in another process, the holder of the store. Commands go through its control socket; queries
// are answered from the store by read-only connections of this process. Its snapshots have the state Viewer and name
// the holder. Calls made before the holder has greeted are kept and sent then. Use it on the thread that created it.
class RemoteClient final : public QObject, public engine::QueryingClient
{
    Q_OBJECT

public:
    // Connects at once. Sends nothing before socketguard.h has confirmed that the folder and the other end of the
    // socket belong to this user. `who`: the person in the holder's activity log for every command of this client.
    RemoteClient(QString socketPath, engine::QueriesPtr queries, QString who = {}, QObject *parent = nullptr);
    ~RemoteClient() override;

    // Calls `lost` once, on this thread, when the holder cannot be reached or is gone. Unless isSilent(), every call
    // that it may have heard has been answered by then.
    void onLost(std::function<void(const QString &reason)> lost);
    // From now on a holder that sends nothing for this long, although it was asked with a ping, counts as lost.
    // `toGreet`: the limit for its greeting; `later`: afterwards. Without this call the client waits forever.
    void limitSilence(core::Milliseconds toGreet, core::Milliseconds later);
    // The holder was lost because it sent nothing: it may still carry out the calls it got.
    [[nodiscard]] bool isSilent() const { return m_silent; }
    // Set when the socket is not safe, or the holder turned this client away: why, and what to do.
    [[nodiscard]] const std::optional<core::Error> &danger() const { return m_danger; }
    // Ends all open calls, and all later ones, with this error.
    void refuseAll(const core::Error &reason);
    // The holder has greeted: if it is lost now, it is gone and was not just unreachable.
    [[nodiscard]] bool wasReached() const { return m_greeted; }
    // The holder is a command that ends; it takes from no subscribed queue.
    [[nodiscard]] bool isPassing() const { return m_passing; }
    // After the holder was lost: the commands that were certainly never begun, to send to the next holder. A command that
    // nobody takes ends with Cancelled.
    [[nodiscard]] std::vector<api::RequestPtr> takeUnheard();

    void listen(Listener listener) override;

private:
    void sendCommand(api::RequestPtr command) override;
    // A command that is too large ends with Rejected.
    void transmit(const QCborMap &message);
    void receive(const QCborMap &message);
    void showSnapshot(const QCborValue &cbor);
    void lose(const QString &reason);
    // False: not safe, and the connection is closed.
    bool isSafe(const core::Result<> &checked);
    void heard();
    void heardNothing();

    FrameSocket *m_line;
    std::function<void(const QString &)> m_lost;
    Listener m_listener;
    bool m_greeted = false;
    bool m_gone = false;
    QTimer *m_silence;
    core::Milliseconds m_replyTimeout{0}; // limit after the greeting, for each of two timeouts; 0: none
    bool m_asked = false; // a ping is unanswered
    bool m_silent = false;
    std::optional<core::Error> m_danger;
    QString m_reason; // why it was lost
    QString m_refusedBecause; // empty: the holder did not turn this client away
    std::optional<core::Error> m_refusal;
    qint64 m_holder = 0; // process id
    bool m_passing = false;
    qint64 m_lastCall = 0;
    std::map<qint64, api::RequestPtr> m_open; // commands without an answer, in order
    std::optional<qint64> m_lastHeard; // the last call that a holder heard before it ended
    std::deque<QCborMap> m_early; // messages to send after the greeting
};

} // namespace control
