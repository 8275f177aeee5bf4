#pragma once

#include "backend/api/client.h"

#include <QCborMap>
#include <QHash>
#include <QObject>

#include <functional>
#include <memory>

class QLocalServer;
class QLocalSocket;

namespace control {

class FrameSocket;

// Takes the commands of other programs of this user that work on the same store, and sends them the snapshots. Lives on
// the thread of `client`, which it hands every command to; only the holder of the store's lock makes one. Peers of other
// users, of another protocol version, with too many calls open or with malformed values are disconnected.
class Server final : public QObject
{
    Q_OBJECT

public:
    // Hands a peer its own client, which says in the trail who asks; none: all share `client`.
    using ClientFor = std::function<std::unique_ptr<api::EngineClient>(const QString &who)>;

    explicit Server(api::EngineClient &client, ClientFor clientFor = {}, QObject *parent = nullptr);
    ~Server() override;

    // The holder is a command that ends: it follows no queue, and says so to who comes.
    void setPassing() { m_passing = true; }
    // Removes what a dead holder left at that path and listens there, for this user alone. Refused where others can enter
    // its folder.
    [[nodiscard]] core::Result<> listen(const QString &path);
    // The holder is about to go: nobody new, and no new call. The peers are told which call was the last that was heard:
    // that one and those before it are answered as long as this lives, later ones were never begun.
    void finish();

private:
    struct Peer
    {
        bool greeted = false;
        bool listening = false;
        bool waitingForAck = false;
        bool outdated = false; // a newer snapshot than the one in flight is there
        int open = 0; // calls without an answer
        qint64 lastCall = 0;
        std::shared_ptr<api::EngineClient> client; // none: the shared one
    };
    void welcome();
    void receive(FrameSocket *from, const QCborMap &message);
    void call(FrameSocket *from, qint64 number, const QString &verb, const QCborValue &with);
    void answer(FrameSocket *to, qint64 number, QCborMap message);
    void publish(api::SnapshotPtr snapshot);
    void sendSnapshot(FrameSocket *to, Peer &peer);
    void drop(FrameSocket *peer);

    [[nodiscard]] api::EngineClient &clientOf(FrameSocket *peer);

    api::EngineClient &m_client;
    ClientFor m_clientFor;
    QLocalServer *m_server;
    QHash<FrameSocket *, Peer> m_peers;
    QCborValue m_snapshot; // the newest, encoded once for all
    bool m_passing = false;
    bool m_finishing = false;
};

} // namespace control
