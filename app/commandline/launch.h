// The interface between the command line and the composition root. The command line parses and prints. It reaches the
// engine only through api::EngineClient and does not depend on the store, the brokers or the window.
#pragma once

#include "backend/api/client.h"
#include "backend/api/starter.h"
#include "backend/records/address/connectionurl.h"
#include "backend/records/address/storeaddress.h"

#include <QString>

#include <functional>
#include <optional>

namespace commandline {

// The value of --store-was: how a store came from another machine to this one.
enum class StoreWas { Unsaid, Moved, Copied };

// The options that every command accepts.
struct Settings
{
    records::StoreAddress store; // never empty
    QString profile; // empty: the default profile
    QString secretFile; // file with NAME=SECRET lines; empty: none. Used besides the keychain and REDRIVE_SECRET_<NAME>
    StoreWas storeWas = StoreWas::Unsaid;
    bool json = false;
};

struct DemoOptions
{
    QString scenario; // name or file of a scenario of the sandbox; empty: the demo shop
    std::optional<int> messages; // nothing: as many as the scenario says
    quint64 seed = 1;
    bool headless = false;
    bool log = false; // headless: print what the endpoints log
    QString keepFolder; // empty: a temporary folder, removed at the end
    QString database; // URL of a PostgreSQL for the task tables of a scenario; empty: a file
    QString secretFile; // of Settings: it may have the password of the database
    records::StoreAddress store = {}; // a shared one, for others to look at; empty: a file of the demo
};

struct BrokerOptions
{
    QString address = QStringLiteral("127.0.0.1");
    quint16 port = records::embeddedBrokerPort;
    QString dataFolder; // empty: the XDG data folder
};

// The options of `redrive backup` and `redrive restore-backup`, which need no engine.
struct BackupOptions
{
    QString file;
    bool replace = false; // backup: replace an existing file
    std::optional<qint64> confirmed; // restore-backup: the count after --confirm
};

// The options of `redrive store roles`, which needs no store.
struct RolesOptions
{
    QString schema; // of the store in a PostgreSQL database; never empty
};

// The two stores of `redrive store copy`, without their passwords.
struct CopyOptions
{
    records::StoreAddress from;
    records::StoreAddress to;
};

// What a command needs when it starts the engine in its own process.
struct EngineNeeds
{
    api::Starter starter = api::Starter::Command;
    // Create the store if it does not exist. False: NotFound then, because a mistyped path must not create an empty store.
    bool makesStore = false;
};

struct EngineAccess
{
    api::EngineClient *client = nullptr; // valid until the program ends
    // True when the engine runs in this process, so unfinished work pauses when the command ends. May become true
    // later.
    std::function<bool()> inProcess;
    // Sets the function that is called from the event loop when the store can no longer be reached; the client gives no
    // more answers then. An empty function removes it. Not set when this cannot happen.
    std::function<void(std::function<void(const core::Error &)>)> onLost;
    // The holder of the store when it is a short command, which does not keep taking messages; else an empty text. Not
    // set when this cannot happen.
    std::function<QString()> passingHolder = {};
};

// Filled in by the composition root. Every function but `engine` is called outside an event loop, after the application
// object exists (a QApplication when CommandLine::needsWindow()). It runs the event loop itself and returns the exit
// code.
struct Launch
{
    std::function<int(const Settings &)> console;
    std::function<int(const Settings &, const DemoOptions &)> demo;
    std::function<int(const Settings &, const BrokerOptions &)> broker;
    std::function<int(const Settings &)> run;
    std::function<int(const Settings &, const BackupOptions &)> backup = {};
    std::function<int(const Settings &, const BackupOptions &)> restoreBackup = {};
    std::function<int(const Settings &, const RolesOptions &)> storeRoles = {};
    std::function<int(const Settings &, const CopyOptions &)> copyStore = {};
    // Connects to the running engine through its control socket, or starts one in this process.
    std::function<core::Result<EngineAccess>(const Settings &, const EngineNeeds &)> engine;
};

// The output of the program. Separate from stdout, so that tests can read every byte.
struct Terminal
{
    std::function<void(const QByteArray &)> out;
    std::function<void(const QByteArray &)> err;
    bool outIsTerminal = false;
    bool errIsTerminal = false;
    std::function<int()> outError = {}; // errno of the first failed write to `out`, else 0
};

} // namespace commandline
