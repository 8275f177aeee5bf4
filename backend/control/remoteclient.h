#pragma once

#include "backend/control/framesocket.h"
#include "backend/control/holderclient.h"

namespace control {

// The client of the holder on this machine: commands go through its control socket.
class RemoteClient final : public HolderClient
{
    Q_OBJECT

public:
    // Connects at once. Sends nothing before socketguard.h has confirmed that the folder and the other end of the
    // socket belong to this user. `who`: the person in the holder's activity log for every command of this client.
    RemoteClient(QString socketPath, engine::QueriesPtr queries, QString who = {}, QObject *parent = nullptr);
    ~RemoteClient() override;

private:
    void carry(qint64 number, const api::PendingRequest &command) override;
    void askForSnapshots() override;
    void ping() override;
    void disconnectLine() override { m_line->close(); }
    // A command that is too large ends with Rejected.
    void transmit(const QCborMap &message);
    void receive(const QCborMap &message);
    void showSnapshot(const QCborValue &cbor);
    void loseAll(const QString &reason);
    // False: not safe, and the connection is closed.
    bool isSafe(const core::Result<> &checked);

    FrameSocket *m_line;
    QString m_refusedBecause; // empty: the holder did not turn this client away
    qint64 m_holder = 0; // process id
    std::optional<qint64> m_lastHeard; // the last call that a holder heard before it ended
};

} // namespace control
