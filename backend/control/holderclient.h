#pragma once

#include "backend/core/time/clock.h"
#include "backend/engine/dispatch/queryingclient.h"

#include <QCborMap>
#include <QObject>

#include <functional>
#include <map>
#include <vector>

class QTimer;

namespace control {

// The client of the engine in another process, the holder of the store: what is the same however it is reached, through the
// control socket (RemoteClient) or through the database of a shared store (SharedClient). Queries are answered from the store
// by read-only connections of this process. Snapshots have the state Viewer and name the holder. Calls made before the holder
// has greeted are kept and sent then. Use it on the thread that created it.
class HolderClient : public QObject, public engine::QueryingClient
{
    Q_OBJECT

public:
    ~HolderClient() override;

    // Calls `lost` once, on this thread, when the holder cannot be reached or is gone. Unless isSilent(), every call that it
    // may have heard has been answered by then.
    void onLost(std::function<void(const QString &reason)> lost);
    // From now on a holder that sends nothing for this long, although it was asked, counts as lost. `toGreet`: the limit for
    // its greeting; `later`: afterwards. Without this call the client waits forever.
    void limitSilence(core::Milliseconds toGreet, core::Milliseconds later);
    // The holder was lost because it sent nothing: it may still carry out the calls it got.
    [[nodiscard]] bool isSilent() const { return m_silent; }
    // Set when the way to the holder is not safe or not allowed, or the holder turned this client away: why, and what to do.
    [[nodiscard]] const std::optional<core::Error> &danger() const { return m_danger; }
    // Ends all open calls, and all later ones, with this error.
    void refuseAll(const core::Error &reason);
    // The holder has greeted: if it is lost now, it is gone and was not just unreachable.
    [[nodiscard]] bool wasReached() const { return m_greeted; }
    // The holder is a command that ends; it takes from no subscribed queue.
    [[nodiscard]] bool isPassing() const { return m_passing; }
    // This person may have commands carried out. False: every command ends with Unauthorized, and says what is missing.
    // Known once the holder has greeted; true before.
    [[nodiscard]] virtual bool mayAsk() const { return true; }
    // After the holder was lost: the commands that were certainly never begun, to send to the next holder. A command that
    // nobody takes ends with Cancelled.
    [[nodiscard]] std::vector<api::RequestPtr> takeUnheard();

    void listen(Listener listener) final;

protected:
    HolderClient(engine::QueriesPtr queries, QObject *parent);

    // ---- what a way to the holder does ----
    // Sends a command, which the number names until it is answered. Called after the greeting.
    virtual void carry(qint64 number, const api::PendingRequest &command) = 0;
    virtual void askForSnapshots() = 0; // called after the greeting
    virtual void ping() = 0; // asks for a sign of life; called after the greeting
    virtual void disconnectLine() = 0;

    // ---- what it reports ----
    void greeted(bool passing);
    void heard(); // a sign of life
    void answered(qint64 number, const QCborMap &answer);
    void failed(qint64 number, const core::Error &error); // it was not carried out
    // `holder`: who holds the store, in a sentence.
    void show(std::shared_ptr<api::Snapshot> snapshot, const QString &holder);
    // Nothing is sent any more. Fails the calls up to `lastHeard` of which nobody knows whether they are done; the others are
    // for takeUnheard(). `turnedAway`: why the holder did so, if it did.
    void lose(const QString &reason, qint64 lastHeard, const QString &turnedAway = {});
    void endanger(const core::Error &danger) { m_danger = danger; }
    // What is reported from the destructor reaches nobody.
    void forgetOwner() { m_lost = nullptr; }

    [[nodiscard]] bool isGone() const { return m_gone; }
    [[nodiscard]] bool isListening() const { return bool(m_listener); }
    [[nodiscard]] qint64 lastCall() const { return m_lastCall; }
    [[nodiscard]] bool isOpen(qint64 number) const { return m_open.contains(number); }
    [[nodiscard]] bool hasOpen() const { return !m_open.empty(); }

private:
    void sendCommand(api::RequestPtr command) final;
    void heardNothing();

    std::function<void(const QString &)> m_lost;
    Listener m_listener;
    bool m_greeted = false;
    bool m_gone = false;
    bool m_passing = false;
    QTimer *m_silence;
    core::Milliseconds m_replyTimeout{0}; // limit after the greeting, for each of two timeouts; 0: none
    bool m_asked = false; // a ping is unanswered
    bool m_silent = false;
    std::optional<core::Error> m_danger;
    QString m_reason; // why it was lost
    std::optional<core::Error> m_refusal;
    qint64 m_lastCall = 0;
    std::map<qint64, api::RequestPtr> m_open; // commands without an answer, in order
};

} // namespace control
