#pragma once

#include "tests/peers/peertest.h"

namespace peers {

// Lambda, with what it sends itself when an asynchronous invocation fails for good.
class LambdaTest final : public PeerTest
{
    Q_OBJECT

public:
    using PeerTest::PeerTest;

private Q_SLOTS:
    void asynchronousInvocations();
};

} // namespace peers
