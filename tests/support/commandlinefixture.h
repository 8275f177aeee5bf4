#pragma once

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

namespace support {

struct Ended
{
    int code = -1;
    QByteArray out;
    QByteArray err;
    [[nodiscard]] QJsonObject object() const { return QJsonDocument::fromJson(out).object(); }
    [[nodiscard]] QJsonArray list() const { return QJsonDocument::fromJson(out).array(); }
    [[nodiscard]] QByteArray words() const { return QByteArray::number(code) + ' ' + out + err; }
};

// The program's command line on a store of its own; the programs started here have ended when they answer.
class CommandLineFixture final
{
public:
    // The secret of the connection "shop".
    explicit CommandLineFixture(QString secret)
        : m_secret(std::move(secret))
    {
    }

    Ended run(const QString &line)
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char *name : {"XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME"})
            environment.insert(QLatin1String(name), m_folder.path());
        environment.remove(QStringLiteral("DBUS_SESSION_BUS_ADDRESS"));
        environment.insert(QStringLiteral("REDRIVE_SECRET_SHOP"), m_secret);
        QProcess process;
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(REDRIVE_PROGRAM),
                      QStringList{QStringLiteral("--store"), m_folder.filePath(QStringLiteral("store/redrive.db")),
                                  QStringLiteral("--json")}
                          + line.split(QLatin1Char(' ')));
        constexpr int timeoutMs = 60000;
        process.waitForFinished(timeoutMs);
        return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAllStandardOutput(),
                process.readAllStandardError()};
    }

    // The secret stands in no file of it.
    [[nodiscard]] bool holds(const QByteArray &secret) const
    {
        QFile store(m_folder.filePath(QStringLiteral("store/redrive.db")));
        QFile log(m_folder.filePath(QStringLiteral("store/redrive.db-wal")));
        return (store.open(QIODevice::ReadOnly) && store.readAll().contains(secret))
               || (log.open(QIODevice::ReadOnly) && log.readAll().contains(secret));
    }

private:
    QTemporaryDir m_folder;
    QString m_secret;
};

} // namespace support
