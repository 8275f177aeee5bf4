#pragma once

#include "backend/records/messages/message.h"

#include <QProcessEnvironment>
#include <QStringList>

#include <optional>

namespace peers {

enum class BrokerOfPeer { RabbitMq, Sqs, StorageQueues };

// A framework: how its program is started (README.md), and what Redrive has to read from the messages that it gave up.
struct Peer
{
    QString name; // "celery"
    QString program; // empty: it was not found
    QStringList arguments{}; // before command, address and folder
    QStringList check{}; // arguments with which the program ends with 0 where the framework is there
    QString missing; // said where it is not there

    BrokerOfPeer broker = BrokerOfPeer::RabbitMq;
    QString errorQueue = QStringLiteral("failed");
    bool makesErrorQueue = false; // the program does, not the test
    QStringList delayQueues{}; // in which a message waits for its next try

    int budget = 3; // tries of a message before it is given up
    QString dialect;
    QString title; // of the group
    QString type; // of the message
    QString exception; // its type
    QString cause; // its words
    std::optional<int> attempts{}; // as the message says
    records::Destination destination;
};

// Every peer, in the order of tests/README.md.
[[nodiscard]] QList<Peer> allPeers();

[[nodiscard]] bool isInstalled(const Peer &peer);
// For a program of a peer: without what a sanitizer needs.
[[nodiscard]] QProcessEnvironment environment();

} // namespace peers
