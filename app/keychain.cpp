#include "app/keychain.h"

#include "app/text.h"
#include "backend/engine/connection/retryingsecrets.h"

#ifdef REDRIVE_KEYCHAIN
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <qt6keychain/keychain.h>

#include <algorithm>
#include <vector>
#endif

namespace app {

#ifdef REDRIVE_KEYCHAIN

namespace {

constexpr int busTimeoutMs = 2000;

// The D-Bus names of keyring services.
const QStringList &keyringNames()
{
    static const QStringList names{QStringLiteral("org.freedesktop.secrets"), QStringLiteral("org.kde.kwalletd6"),
                                   QStringLiteral("org.kde.kwalletd5"), QStringLiteral("org.kde.kwalletd"),
                                   QStringLiteral("org.gnome.keyring")};
    return names;
}

QString service()
{
    return QStringLiteral("redrive");
}

core::ErrorKind kindOf(QKeychain::Error error)
{
    switch (error) {
    case QKeychain::EntryNotFound:
        return core::ErrorKind::NotFound;
    case QKeychain::AccessDenied:
    case QKeychain::AccessDeniedByUser:
        return core::ErrorKind::Unauthorized;
    case QKeychain::NoError:
    case QKeychain::CouldNotDeleteEntry:
    case QKeychain::NoBackendAvailable:
    case QKeychain::NotImplemented:
    case QKeychain::OtherError:
        break;
    }
    return core::ErrorKind::Refused;
}

bool namesKeyring(const QStringList &services)
{
    return std::any_of(keyringNames().cbegin(), keyringNames().cend(),
                       [&services](const QString &name) { return services.contains(name); });
}

// Resolves `answer` with true when the bus lists a keyring ("ListNames" or "ListActivatableNames"), else calls
// `otherwise`.
void askBus(QObject *owner, const QString &list, const core::Pending<bool> &answer,
            const std::function<void()> &otherwise)
{
    const QString bus = QStringLiteral("org.freedesktop.DBus");
    const QDBusMessage question =
        QDBusMessage::createMethodCall(bus, QStringLiteral("/org/freedesktop/DBus"), bus, list);
    auto *watcher = new QDBusPendingCallWatcher(QDBusConnection::sessionBus().asyncCall(question, busTimeoutMs), owner);
    QObject::connect(watcher, &QDBusPendingCallWatcher::finished, watcher,
                     [answer, otherwise](QDBusPendingCallWatcher *done) {
                         done->deleteLater();
                         const QDBusPendingReply<QStringList> reply = *done;
                         if (reply.isValid() && namesKeyring(reply.value()))
                             answer.resolve(true);
                         else
                             otherwise();
                     });
}

class KeychainSecrets final : public core::Secrets
{
public:
    ~KeychainSecrets() override
    {
        for (const Waiting &one : std::exchange(m_waiting, {}))
            one.end();
    }

    // Checks the bus first, because a call can block for minutes when no keyring runs.
    core::Task<core::Result<QString>> read(QString connection) override
    {
        const core::Result<> keeps = co_await this->keeps();
        if (!keeps)
            co_return core::fail(core::ErrorKind::NotFound, keeps.error().message);
        core::Result<QString> found = co_await run(new QKeychain::ReadPasswordJob(service()), connection);
        co_return found;
    }

    core::Task<core::Result<>> write(QString connection, QString secret) override
    {
        CO_TRY(co_await this->keeps());
        auto *job = new QKeychain::WritePasswordJob(service());
        job->setTextData(secret);
        CO_TRY(co_await run(job, connection));
        co_return core::Result<>{};
    }

    core::Task<core::Result<>> remove(QString connection) override
    {
        const core::Result<> keeps = co_await this->keeps();
        if (!keeps)
            co_return core::fail(core::ErrorKind::NotFound, keeps.error().message);
        CO_TRY(co_await run(new QKeychain::DeletePasswordJob(service()), connection));
        co_return core::Result<>{};
    }

    core::Task<core::Result<>> keeps() override
    {
        const core::Pending<bool> isThere = waiting<bool>(false);
        askBus(&m_owner, QStringLiteral("ListNames"), isThere, [this, isThere] {
            askBus(&m_owner, QStringLiteral("ListActivatableNames"), isThere, [isThere] { isThere.resolve(false); });
        });
        const bool found = co_await isThere;
        if (found)
            co_return core::Result<>{};
        co_return core::fail(core::ErrorKind::Refused, Text::tr("No keyring service runs in this desktop session."));
    }

private:
    struct Waiting
    {
        std::function<bool()> isOver;
        std::function<void()> end;
    };

    // Resolved with `atEnd` if this object is destroyed first.
    template<typename T>
    core::Pending<T> waiting(T atEnd)
    {
        const core::Pending<T> pending;
        std::erase_if(m_waiting, [](const Waiting &one) { return one.isOver(); });
        m_waiting.push_back({[pending] { return pending.isResolved(); }, [pending, atEnd] { pending.resolve(atEnd); }});
        return pending;
    }

    core::Pending<core::Result<QString>> run(QKeychain::Job *job, const QString &connection)
    {
        const core::Result<QString> cancelled = core::fail(core::ErrorKind::Cancelled, QStringLiteral("Stopped."));
        const core::Pending<core::Result<QString>> ended = waiting<core::Result<QString>>(cancelled);
        job->setParent(&m_owner);
        job->setKey(connection);
        QObject::connect(job, &QKeychain::Job::finished, job, [ended](QKeychain::Job *finished) {
            const auto *reading = qobject_cast<QKeychain::ReadPasswordJob *>(finished);
            const QString text = Text::tr("The desktop keyring reports: %1.");
            if (finished->error() == QKeychain::NoError)
                ended.resolve(reading == nullptr ? QString() : reading->textData());
            else
                ended.resolve(core::fail(kindOf(finished->error()), text.arg(finished->errorString())));
        });
        job->start();
        return ended;
    }

    std::vector<Waiting> m_waiting;
    QObject m_owner; // parent of the running calls, so that they end with this object
};

} // namespace

std::unique_ptr<core::Secrets> keychainSecrets(core::Clock &clock)
{
    if (qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS"))
        return nullptr;
    return std::make_unique<engine::RetryingSecrets>(std::make_unique<KeychainSecrets>(), clock);
}

#else

std::unique_ptr<core::Secrets> keychainSecrets(core::Clock &)
{
    return nullptr;
}

#endif

} // namespace app
