#pragma once

#include "backend/api/queuemove.h"
#include "backend/control/dispatch.h"
#include "backend/control/framesocket.h"
#include "backend/core/clock.h"
#include "backend/engine/queryingclient.h"

#include <deque>
#include <functional>
#include <map>
#include <vector>

class QTimer;

namespace control {

// The engine of another program that holds the same store: commands go through its control socket, questions are answered
// from the store by this program's own read-only connection. Its snapshots say Viewer and who holds the store.
class RemoteClient final : public QObject, public engine::QueryingClient, public api::QueueMoves
{
    Q_OBJECT

public:
    // Nothing is sent before folder and other end of the socket are known to be this user's (socketguard.h).
    // who: stands in the holder's trail for everything that is asked through this client.
    RemoteClient(QString socketPath, engine::QueriesPtr queries, QString who = {}, QObject *parent = nullptr);
    ~RemoteClient() override;

    // Called once on this thread when the holder cannot be reached or has gone; every call that it may have heard has been
    // answered by then.
    void onLost(std::function<void(const QString &reason)> lost);
    // From now on a holder that says nothing for this long, and nothing again when it is asked whether it is there, counts
    // as lost; until then it is waited for without end. `toGreet`: for its greeting, which takes no work.
    void limitSilence(core::Milliseconds toGreet, core::Milliseconds later);
    // It was lost because it said nothing: it may go on at any time, with what it was asked.
    [[nodiscard]] bool isSilent() const { return m_silent; }
    // It was lost because the socket is not safe: why, and what to do.
    [[nodiscard]] const std::optional<core::Error> &danger() const { return m_danger; }
    // Whatever is not answered, and whatever is asked from now on, ends with this error.
    void refuseAll(const core::Error &reason);
    // The holder answered: who is lost after that has gone, rather than being out of reach.
    [[nodiscard]] bool wasReached() const { return m_greeted; }
    // The holder is a command that ends and follows nothing.
    [[nodiscard]] bool isPassing() const { return m_passing; }
    // Once it is lost: what was asked and surely never begun, to be asked of who comes next. What nobody takes ends with
    // Cancelled.
    [[nodiscard]] std::vector<Call> takeUnheard();

    void listen(Listener listener) override;
    api::Answer<core::ConnectionId> saveConnection(const api::ConnectionDraft &draft) override;
    api::Answer<> removeConnection(core::ConnectionId id) override;
    api::Answer<api::ConnectionTest> testConnection(const api::ConnectionDraft &draft) override;
    api::Answer<> refreshQueues() override;
    api::Answer<records::IntakeCounts> intake(const api::IntakeRequest &request) override;
    api::Answer<records::BrowseCounts> browse(const api::BrowseRequest &request) override;
    api::Answer<> subscribe(const api::SubscribeRequest &request) override;
    api::Answer<api::PlanPreview> preview(const api::RetryRequest &request) override;
    api::Answer<core::OperationId> retry(const api::RetryCommand &command) override;
    api::Answer<> act(core::OperationId id, api::OperationAction action) override;
    api::Answer<> setRate(const api::RateCommand &command) override;
    api::Answer<api::PauseAllAnswer> pauseAll(bool pause) override;
    api::Answer<qint64> settle(const api::SettleCommand &command) override;
    api::Answer<api::DecisionCounts> decide(const api::DecisionCommand &command) override;
    api::Answer<api::EditSample> editSample(const api::EditQuestion &question) override;
    api::Answer<api::RedirectAnswer> redirect(const api::RedirectCommand &command) override;
    api::Answer<api::Settings> settings(const api::SettingsCommand &command) override;
    api::Answer<> setGroupNote(const api::GroupNoteCommand &command) override;
    api::Answer<> muteGroups(const api::GroupMuteCommand &command) override;
    api::Answer<api::MoveAnswer> moveQueue(const api::MoveCommand &command) override;

private:
    template<typename T>
    api::Answer<T> ask(const char *verb, const QCborValue &with);
    void receive(const QCborMap &message);
    void showSnapshot(const QCborValue &cbor);
    void lose(const QString &reason);
    // False: the line is closed.
    bool isSafe(const core::Result<> &checked);
    void heard();
    void heardNothing();

    FrameSocket *m_line;
    std::function<void(const QString &)> m_lost;
    Listener m_listener;
    bool m_greeted = false;
    bool m_gone = false;
    QTimer *m_silence;
    core::Milliseconds m_patience{0}; // with the holder, once it has greeted; none: without end
    bool m_asked = false; // whether it is there
    bool m_silent = false;
    std::optional<core::Error> m_danger;
    QString m_reason; // why it was lost
    std::optional<core::Error> m_refusal;
    qint64 m_holder = 0; // process id
    bool m_passing = false;
    qint64 m_lastCall = 0;
    std::map<qint64, Call> m_open; // in the order they were asked
    std::optional<qint64> m_lastHeard; // said by a holder that is about to go
    std::deque<QCborMap> m_early; // before the greeting came back
};

} // namespace control
