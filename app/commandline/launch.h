// What the command line and the composition root say to each other. The command line parses and prints; it reaches the
// engine through api::EngineClient alone and knows no store, broker or window.
#pragma once

#include "backend/api/client.h"
#include "backend/api/starter.h"
#include "backend/records/connectionurl.h"

#include <QString>

#include <functional>
#include <optional>

namespace commandline {

// What a person says about a store that was last used on another machine.
enum class StoreWas { Unsaid, Moved, Copied };

// The options that stand before or after any command.
struct Settings
{
    QString storePath; // file of the SQLite store; never empty
    QString profile; // empty: the usual one
    QString secretFile; // NAME=SECRET lines, beside the keychain and REDRIVE_SECRET_<NAME>
    StoreWas storeWas = StoreWas::Unsaid;
    bool json = false;
};

struct DemoOptions
{
    int messages = 3000;
    quint64 seed = 1;
    bool headless = false;
    QString keepFolder; // empty: a temporary folder that is removed at the end
};

struct BrokerOptions
{
    QString address = QStringLiteral("127.0.0.1");
    quint16 port = records::embeddedBrokerPort;
    QString dataFolder; // empty: the XDG data folder
};

// `redrive backup` and `redrive restore-backup`, which need no engine.
struct BackupOptions
{
    QString file;
    bool replace = false; // backup: the file that is there
    std::optional<qint64> confirmed; // restore-backup: the count that was shown
};

// What a command needs of an engine that it has to start itself.
struct EngineNeeds
{
    api::Starter starter = api::Starter::Command;
    bool makesStore = false; // else NotFound where there is none: a path that was mistyped is no empty store
};

struct EngineAccess
{
    api::EngineClient *client = nullptr; // lives until the program ends
    // This process is the engine, or has become it: what it has not finished rests when the command ends.
    std::function<bool()> inProcess;
    // Who is to be called, from the event loop, when the store can no longer be reached: nothing more is heard from the
    // client then. Empty: nobody. May be none where that cannot be.
    std::function<void(std::function<void(const core::Error &)>)> onLost;
    // Who holds the store, where that is a command that ends and follows nothing. Nothing: such a one never does.
    std::function<QString()> passingHolder = {};
};

// Filled in by the composition root. console, demo, broker and run are called outside any event loop, with the
// application object made (a QApplication where CommandLine::needsWindow()); they run the event loop themselves and
// return the exit code of the program.
struct Launch
{
    std::function<int(const Settings &)> console;
    std::function<int(const Settings &, const DemoOptions &)> demo;
    std::function<int(const Settings &, const BrokerOptions &)> broker;
    std::function<int(const Settings &)> run;
    std::function<int(const Settings &, const BackupOptions &)> backup = {};
    std::function<int(const Settings &, const BackupOptions &)> restoreBackup = {};
    // The running engine through its control socket, or one in this process. Opened only by commands that need it.
    std::function<core::Result<EngineAccess>(const Settings &, const EngineNeeds &)> engine;
};

// Where the words go. Kept apart from stdout so that tests read every byte.
struct Terminal
{
    std::function<void(const QByteArray &)> out;
    std::function<void(const QByteArray &)> err;
    bool outIsTerminal = false;
    bool errIsTerminal = false;
    std::function<int()> outError = {}; // errno of the first write to `out` that failed, else 0; empty: none fails
};

} // namespace commandline
