#pragma once

#include "backend/core/secrets.h"

#include <QHash>

#include <memory>
#include <optional>

namespace engine {

// Finds secrets, in this order: entered in this run; the environment variable REDRIVE_SECRET_<NAME> (the connection's
// name in capitals, other characters as _); the secret file (lines NAME=SECRET); the place behind, such as the desktop
// keyring. A variable or line that could belong to two connections is given to neither, because a secret must not reach
// the host of another connection: Refused. NotFound: there is no secret; the message says how to enter one. Engine
// thread.
class LocalSecrets final : public core::Secrets
{
public:
    // Without a place behind, a written secret is known only until the program ends. write() then answers Refused and
    // says so, unless the variable or the secret file has the same secret.
    explicit LocalSecrets(QString secretFile = {}, std::unique_ptr<core::Secrets> behind = nullptr);

    [[nodiscard]] core::Task<core::Result<QString>> read(QString connection) override;
    [[nodiscard]] core::Task<core::Result<>> write(QString connection, QString secret) override;
    [[nodiscard]] core::Task<core::Result<>> remove(QString connection) override;

    [[nodiscard]] core::Task<core::Result<>> keeps() override;
    void setConnections(const QStringList &names) override { m_connections = names; }
    void onLateAnswer(std::function<void()> late) override;

    // Sets a secret for this run; it comes before all other places.
    void give(const QString &connection, const QString &secret) { m_given.insert(connection, secret); }

    // The secret of this name belongs to something else: no connection gets it (Refused).
    void reserve(const QString &name) { m_reserved = name; }

    [[nodiscard]] static QByteArray variableFor(const QString &connection);
    // The names in `others` that have the same variable.
    [[nodiscard]] static QStringList sharingVariable(const QString &connection, const QStringList &others);

private:
    [[nodiscard]] core::Result<QString> near(const QString &connection) const;
    [[nodiscard]] core::Result<std::optional<QString>> lasting(
        const QString &connection) const; // from variable or file
    [[nodiscard]] static QString notStored(const QString &connection, const QString &why);

    QString m_secretFile;
    std::unique_ptr<core::Secrets> m_behind;
    QHash<QString, QString> m_given;
    QString m_reserved;
    QStringList m_connections; // names of all connections in the store
};

} // namespace engine
