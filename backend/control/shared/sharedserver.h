#pragma once

#include "backend/control/calls.h"
#include "backend/control/shared/sealing.h"
#include "backend/store/shared/controltables.h"

#include <QObject>

namespace control {

class ControlLine;
class RequestTaker;

// What the control socket's Server is, for a shared store: the process that holds its lease carries out the commands that
// others leave in the control tables, and publishes its snapshot there while somebody listens, at most every 250 ms. Lives on
// the thread of `client`. The database is used on a thread of its own, so the engine never waits for it.
//
// A request is taken with the fence of the lease and carried out at most once. One that an earlier holder, or an earlier
// run of this one, took and did not answer is answered with "may or may not be done". What is malformed, of another protocol
// version, or too much for one role is answered with an error and not carried out. When another process has taken the lease
// over, nothing more is taken. A request with a secret is sealed to this process (sealing.h); another holder refuses it.
class SharedServer final : public QObject
{
    Q_OBJECT

public:
    // `fence`: of the lease that this process holds. `clientFor` gets the person and the role of the database:
    // "alice@desk (role alice)".
    SharedServer(api::EngineClient &client, store::OpenControlTables open, qint64 fence, ClientFor clientFor = {},
                 QObject *parent = nullptr);
    // Waits until the last answers are written, at most five seconds.
    ~SharedServer() override;

    // Before start(): this holder is a command that ends and takes from no subscribed queue.
    void setPassing() { m_passing = true; }
    // Begins to serve, in the background: also when the database cannot be reached now.
    void start();
    // Call before the holder ends: takes no more requests. Those that were taken are answered while this object lives.
    void finish();

private:
    friend class RequestTaker;
    void receive(const store::SharedRequest &request, const QByteArray &payload);

    api::EngineClient &m_client;
    store::OpenControlTables m_open;
    qint64 m_fence;
    ClientFor m_clientFor;
    bool m_passing = false;
    const SealingKey m_key;
    std::shared_ptr<RequestTaker> m_taker; // null: not started
    std::unique_ptr<ControlLine> m_line;
};

} // namespace control
