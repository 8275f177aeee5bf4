// A real framework, the one that REDRIVE_PEER names, at the other end of a real broker: what it gives up is read right, goes back to
// where it was, is done once there, and gets all its tries again.
#include "tests/peers/chosenpeer.h"
#include "tests/peers/lambdatest.h"
#include "tests/support/testmain/testmain.h"

#include <QCoreApplication>
#include <QTest>

static int runOnThePeer(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    const std::optional<peers::Peer> peer = peers::chosenPeer();
    if (!peer)
        return 2;
    if (peer->name == QLatin1String("lambda")) {
        peers::LambdaTest test(*peer);
        return QTest::qExec(&test, argc, argv);
    }
    peers::PeerTest test(*peer);
    return QTest::qExec(&test, argc, argv);
}

REDRIVE_TEST_RUN(runOnThePeer)
