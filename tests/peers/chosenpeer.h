#pragma once

#include "tests/peers/peer.h"

#include <cstdio>

namespace peers {

// The peer that REDRIVE_PEER names. Nothing: none has that name; said on standard error.
[[nodiscard]] inline std::optional<Peer> chosenPeer()
{
    const QString wanted = qEnvironmentVariable("REDRIVE_PEER");
    QStringList names;
    const QList<Peer> all = allPeers();
    for (const Peer &peer : all) {
        if (peer.name == wanted)
            return peer;
        names.append(peer.name);
    }
    std::fprintf(stderr, "REDRIVE_PEER has to be one of: %s\n", qPrintable(names.join(u' ')));
    return std::nullopt;
}

} // namespace peers
