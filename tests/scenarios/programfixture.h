// Programs on one store, started by a test. Its target defines REDRIVE_PROGRAM.
#pragma once

#include "backend/core/random.h"
#include "backend/core/time/systemclock.h"
#include "backend/sandbox/shop/seeder.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QProcess>
#include <QTemporaryDir>

#include <csignal>
#include <functional>
#include <memory>

namespace test {

inline constexpr int timeoutMs = 60000;
inline constexpr int messages = 200;

struct Ended
{
    int code = -1; // also when it has not ended within timeoutMs
    QByteArray out;
    QByteArray err;
    [[nodiscard]] QJsonDocument json() const { return QJsonDocument::fromJson(out); }
};

// A folder with a store and a broker in it; programs started here end with it.
class ProgramFixture
{
public:
    ProgramFixture()
    {
        m_environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), m_folder.path());
        m_environment.insert(QStringLiteral("XDG_DATA_HOME"), m_folder.path());
        m_environment.insert(QStringLiteral("XDG_CONFIG_HOME"), m_folder.path());
        m_environment.remove(QStringLiteral("DBUS_SESSION_BUS_ADDRESS"));
        qputenv("XDG_RUNTIME_DIR", m_folder.path().toLocal8Bit());
    }

    // A session bus on which nothing runs; false: there is none on this machine.
    bool startBus()
    {
        QFile config(m_folder.filePath(QStringLiteral("bus.conf")));
        if (!config.open(QIODevice::WriteOnly))
            return false;
        config.write("<busconfig><type>session</type><listen>unix:tmpdir=" + m_folder.path().toLocal8Bit()
                     + "</listen><auth>EXTERNAL</auth><policy context=\"default\">"
                       "<allow send_destination=\"*\" eavesdrop=\"true\"/><allow eavesdrop=\"true\"/><allow own=\"*\"/>"
                       "</policy></busconfig>");
        config.close();
        m_bus.start(QStringLiteral("dbus-daemon"), {QStringLiteral("--config-file=") + config.fileName(),
                                                    QStringLiteral("--nofork"), QStringLiteral("--print-address")});
        if (!m_bus.waitForReadyRead(timeoutMs))
            return false;
        m_environment.insert(QStringLiteral("DBUS_SESSION_BUS_ADDRESS"),
                             QString::fromLocal8Bit(m_bus.readLine().trimmed()));
        return true;
    }

    [[nodiscard]] QString store() const { return m_folder.filePath(QStringLiteral("store/redrive.db")); }

    std::unique_ptr<QProcess> start(const QStringList &arguments)
    {
        auto process = std::make_unique<QProcess>();
        process->setProcessEnvironment(m_environment);
        process->setProgram(QStringLiteral(REDRIVE_PROGRAM));
        process->setArguments(arguments);
        process->setProcessChannelMode(QProcess::SeparateChannels);
        process->start();
        return process;
    }

    Ended run(const QStringList &arguments)
    {
        const std::unique_ptr<QProcess> process = start(onStore(arguments));
        return outcome(*process, timeoutMs);
    }

    // Starts the program and kills it as soon as `isTime` of this kill, from 1, so often; then it runs to its end. Nothing of what
    // it leaves is touched in between. If it ends before a kill, that is the outcome, without a code.
    Ended runAfterKills(const QStringList &arguments, int kills, const std::function<bool(int kill)> &isTime)
    {
        for (int kill = 1; kill <= kills; ++kill) {
            const std::unique_ptr<QProcess> process = start(onStore(arguments));
            process->waitForStarted(timeoutMs);
            while (!isTime(kill) && !process->waitForFinished(1)) {
            }
            if (process->state() != QProcess::Running)
                return {-1, process->readAllStandardOutput(),
                        "ended before a kill: " + process->readAllStandardError()};
            process->kill();
            process->waitForFinished(timeoutMs);
        }
        const std::unique_ptr<QProcess> last = start(onStore(arguments));
        return outcome(*last, 2 * timeoutMs);
    }

    // For programs that are started from now on.
    void setVariable(const QString &name, const QString &value) { m_environment.insert(name, value); }

    // The broker with the scenario's messages; its URL.
    QString startBroker()
    {
        const QString data = m_folder.filePath(QStringLiteral("broker"));
        QDir().mkpath(data);
        core::SeededRandom random(3);
        const core::Result<> seeded =
            sandbox::seedShop(QDir(data).filePath(QStringLiteral("broker.db")), m_scenario, random);
        if (!seeded)
            return {};
        m_broker = start({QStringLiteral("--json"), QStringLiteral("broker"), QStringLiteral("--listen"),
                          QStringLiteral("127.0.0.1:0"), QStringLiteral("--data"), data});
        m_broker->waitForReadyRead(timeoutMs);
        return QJsonDocument::fromJson(m_broker->readLine())[QLatin1StringView("url")].toString();
    }

    std::unique_ptr<QProcess> startEngine()
    {
        std::unique_ptr<QProcess> engine = start({QStringLiteral("--store"), store(), QStringLiteral("run")});
        engine->waitForReadyRead(timeoutMs);
        return engine;
    }

    Ended addConnection(const QString &url)
    {
        return run({QStringLiteral("connection"), QStringLiteral("add"), QStringLiteral("shop"), url,
                    QStringLiteral("--environment"), QStringLiteral("development"), QStringLiteral("--error-queue"),
                    QStringLiteral("error")});
    }

    // An engine with the broker's failed messages in its store; null when that fails.
    std::unique_ptr<QProcess> startHolderThatHasTaken()
    {
        const QString url = startBroker();
        std::unique_ptr<QProcess> holder = startEngine();
        const bool isThere = !url.isEmpty() && addConnection(url).code == 0
                             && run({QStringLiteral("intake"), QStringLiteral("--once")}).code == 0;
        return isThere ? std::move(holder) : nullptr;
    }

    static void end(QProcess &process)
    {
        process.terminate();
        if (!process.waitForFinished(timeoutMs))
            process.kill();
    }

    void freezeBroker(bool freeze) const { ::kill(pid_t(m_broker->processId()), freeze ? SIGSTOP : SIGCONT); }

    ~ProgramFixture()
    {
        if (m_broker)
            end(*m_broker);
        end(m_bus);
    }

private:
    [[nodiscard]] QStringList onStore(const QStringList &arguments) const
    {
        return QStringList{QStringLiteral("--store"), store(), QStringLiteral("--json")} + arguments;
    }
    [[nodiscard]] static Ended outcome(QProcess &process, int limitMs)
    {
        const bool ended = process.waitForFinished(limitMs) && process.exitStatus() == QProcess::NormalExit;
        return {ended ? process.exitCode() : -1, process.readAllStandardOutput(), process.readAllStandardError()};
    }

    QTemporaryDir m_folder;
    QProcessEnvironment m_environment = QProcessEnvironment::systemEnvironment();
    sandbox::Scenario m_scenario{3, messages, core::SystemClock().now()};
    std::unique_ptr<QProcess> m_broker;
    QProcess m_bus;
};

} // namespace test
