#pragma once

#include "app/commandline/commandline.h"
#include "tests/support/fakeclient/fakeclient.h"

#include <QJsonDocument>

namespace support {

// What one `redrive ...` left behind.
struct CommandResult
{
    int code = -1;
    QByteArray out;
    QByteArray err;

    [[nodiscard]] QJsonValue json() const;
};

// Runs the command against a fake engine that publishes a snapshot whenever nothing else is to be done.
struct CommandRun
{
    FakeClient client;
    bool inProcess = false;
    QString passingHolder; // of the store
    bool terminal = false;
    commandline::EngineNeeds needs; // of the last command
    int engines = 0; // how often a command asked for one
    int outError = 0; // of every write to standard output
    std::function<void()> beforeSnapshot; // the engine's work between two snapshots
    std::function<void(const core::Error &)> lose; // while a command runs: the store can no longer be reached

    CommandResult operator()(const QStringList &words);
    CommandResult operator()(const QByteArray &line); // the words between single blanks

    // One connection of that name, as a test machine's broker.
    core::ConnectionId addConnection(const QString &name,
                                     records::Environment environment = records::Environment::Test);
    records::FailedMessage &addMessage(core::ConnectionId connection, const QString &exception);
};

} // namespace support
