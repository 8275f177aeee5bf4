#pragma once

#include "tests/peers/peerrun.h"

#include <QObject>

namespace peers {

// One row of the matrix in tests/README.md, but for the kills: each function is a cell. Each one begins with orders of its own, and
// a store of its own.
class PeerTest : public QObject
{
    Q_OBJECT

public:
    explicit PeerTest(const Peer &peer);

protected:
    [[nodiscard]] PeerRun &run() { return m_run; }

private Q_SLOTS:
    void initTestCase();
    void init() { removeDelayQueues(); }
    void recognised();
    void destination();
    void fullBudgetAfterReturn();
    void returnedAndProcessedOnce();

private:
    void removeDelayQueues();

    using Messages = QList<records::FailedMessage>;
    // A console on a fresh store that has taken what failed.
    [[nodiscard]] std::unique_ptr<support::Console> consoleWith(qsizetype messages);
    void checkRead(support::Console &console, const Messages &messages, int failures);
    void returnAll(support::Console &console);

    PeerRun m_run;
    std::unique_ptr<QTemporaryDir> m_folder; // of the store
};

} // namespace peers
