#include "app/host/storepassword.h"

#include "backend/core/secretfile.h"
#include "backend/engine/connection/localsecrets.h"

namespace app {

using core::Result;

Result<std::optional<QString>> secretNamed(const QString &name, const QString &secretFile)
{
    const QByteArray variable = engine::LocalSecrets::variableFor(name);
    if (qEnvironmentVariableIsSet(variable.constData()))
        return std::optional(qEnvironmentVariable(variable.constData()));
    if (secretFile.isEmpty())
        return std::optional<QString>();
    return core::secretFromFile(secretFile, name, {});
}

Result<records::StoreAddress> withPassword(records::StoreAddress address, const QString &secretFile,
                                           const QStringList &names)
{
    if (!address.isShared() || !address.password.isNull())
        return address;
    for (const QString &name : names) {
        TRY(const std::optional<QString> password, secretNamed(name, secretFile));
        if (password) {
            address.password = *password;
            return address;
        }
    }
    return address;
}

} // namespace app
