#include "backend/control/socketguard.h"

#include "backend/control/text.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace control {

namespace {

constexpr mode_t ofOthers = S_IRWXG | S_IRWXO;

} // namespace

core::Result<> checkFolder(const QString &socketPath)
{
    if (socketPath.isEmpty() || QDir::isRelativePath(socketPath)) {
        return core::fail(
            core::ErrorKind::Refused,
            Text::tr("There is no safe folder for the control socket. Set XDG_RUNTIME_DIR to a folder of your "
                     "own with mode 0700."));
    }
    const QString folder = QFileInfo(socketPath).path();
    struct stat found = {};
    if (::stat(QFile::encodeName(folder).constData(), &found) != 0 || !S_ISDIR(found.st_mode)) {
        const QString text =
            Text::tr("The folder of the control socket, %1, does not exist. Create it with mode 0700, or set "
                     "XDG_RUNTIME_DIR to another one.");
        return core::fail(core::ErrorKind::Refused, text.arg(folder));
    }
    if (found.st_uid != ::geteuid() || (found.st_mode & ofOthers) != 0) {
        const QString text =
            Text::tr("Other users can enter the folder of the control socket, %1. Give it mode 0700 if it is "
                     "yours, or set XDG_RUNTIME_DIR to a folder of your own.");
        return core::fail(core::ErrorKind::Refused, text.arg(folder));
    }
    return {};
}

core::Result<> checkPeer(qintptr socket)
{
    ucred credentials{};
    socklen_t size = sizeof credentials;
    const bool isKnown = ::getsockopt(int(socket), SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0;
    if (isKnown && credentials.uid == ::geteuid())
        return {};
    if (!isKnown)
        return core::fail(core::ErrorKind::Refused,
                          Text::tr("The user at the other end of the control socket is unknown."));
    const QString text = Text::tr("Process %1 of another user (%2) is at the other end of the control socket.");
    return core::fail(core::ErrorKind::Refused,
                      text.arg(QString::number(credentials.pid), QString::number(credentials.uid)));
}

} // namespace control
