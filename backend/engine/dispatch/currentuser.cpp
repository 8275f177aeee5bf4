#include "backend/engine/dispatch/currentuser.h"

#include <QSysInfo>

#include <pwd.h>
#include <unistd.h>

namespace engine {

QString currentUser()
{
    const uid_t user = geteuid();
    const passwd *entry = getpwuid(user); // NOLINT(concurrency-mt-unsafe): copied at once
    const QString login = entry != nullptr ? QString::fromLocal8Bit(entry->pw_name) : QString::number(user);
    return QStringLiteral("%1@%2").arg(login, QSysInfo::machineHostName());
}

} // namespace engine
