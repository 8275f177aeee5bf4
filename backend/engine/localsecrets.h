#pragma once

#include "backend/core/secrets.h"

#include <QHash>

#include <memory>
#include <optional>

namespace engine {

// Secrets in the order in which they are looked for: given in this run, the environment variable
// REDRIVE_SECRET_<NAME> (the connection's name in capitals, other characters as _), the secret file of this run (lines
// NAME=SECRET), then the place behind (the desktop's keychain, where there is one). Where a variable or a line of the file
// could be meant for two connections, neither gets it: a secret must not reach the host of another connection.
class LocalSecrets final : public core::Secrets
{
public:
    // Without a place behind, what is written is known until the program ends. That is Refused, saying so, unless the
    // variable or the secret file holds the same.
    explicit LocalSecrets(QString secretFile = {}, std::unique_ptr<core::Secrets> behind = nullptr);

    [[nodiscard]] core::Task<core::Result<QString>> read(QString connection) override;
    [[nodiscard]] core::Task<core::Result<>> write(QString connection, QString secret) override;
    [[nodiscard]] core::Task<core::Result<>> remove(QString connection) override;

    [[nodiscard]] core::Task<core::Result<>> keeps() override;
    void setConnections(const QStringList &names) override { m_connections = names; }
    void onLateAnswer(std::function<void()> late) override;

    // Known for this run, before anything else is looked at.
    void give(const QString &connection, const QString &secret) { m_given.insert(connection, secret); }

    [[nodiscard]] static QByteArray variableFor(const QString &connection);
    // Those of `others` that have the same variable.
    [[nodiscard]] static QStringList sharingVariable(const QString &connection, const QStringList &others);

private:
    [[nodiscard]] core::Result<QString> near(const QString &connection) const;
    [[nodiscard]] core::Result<std::optional<QString>> lasting(const QString &connection) const; // variable or file
    [[nodiscard]] static QString notStored(const QString &connection, const QString &why);

    QString m_secretFile;
    std::unique_ptr<core::Secrets> m_behind;
    QHash<QString, QString> m_given;
    QStringList m_connections; // of the store, by name
};

} // namespace engine
