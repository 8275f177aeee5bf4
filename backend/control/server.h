#pragma once

#include "backend/control/calls.h"

#include <QCborMap>
#include <QHash>
#include <QObject>

#include <functional>
#include <memory>

class QLocalServer;
class QLocalSocket;

namespace control {

class FrameSocket;

// The control socket of the process that holds the store's lock: carries out the commands of other processes of the
// same user and sends them snapshots. Lives on the thread of `client`. A request that is unknown or malformed is answered
// with an error and not carried out. Peers of other users, with another protocol version, with too many open requests
// or with malformed messages are told why and disconnected.
class Server final : public QObject
{
    Q_OBJECT

public:
    explicit Server(api::EngineClient &client, ClientFor clientFor = {}, QObject *parent = nullptr);
    ~Server() override;

    // Tells peers that this holder is a command that ends and takes from no subscribed queue.
    void setPassing() { m_passing = true; }
    // Listens at this path, for this user only; replaces the socket of a holder that died. Refused: other users can
    // enter the folder. Transient: the socket cannot be created.
    [[nodiscard]] core::Result<> listen(const QString &path);
    // Call before the holder ends: accepts no new peers and no new calls, and tells each peer the last call it heard.
    // Calls up to that one are answered while this object lives; later ones are never begun.
    void finish();

private:
    struct Peer
    {
        bool greeted = false;
        bool listening = false;
        bool waitingForAck = false;
        bool outdated = false; // there is a newer snapshot than the one in flight
        int open = 0; // calls without an answer
        qint64 lastCall = 0;
        std::shared_ptr<api::EngineClient> client; // null: the shared one
    };
    void welcome();
    void receive(FrameSocket *from, const QCborMap &message);
    void call(FrameSocket *from, qint64 number, const QCborMap &message);
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
