#include "app/keychain.h"

#include "backend/core/clock.h"

#include <QCoreApplication>
#include <QTimer>

#ifdef REDRIVE_KEYCHAIN
#include <qt6keychain/keychain.h>
#endif

namespace app {

#ifdef REDRIVE_KEYCHAIN

namespace {

constexpr core::Milliseconds patience{10000}; // a locked keychain asks the person; the engine does not wait for ever

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

class KeychainSecrets final : public core::Secrets
{
public:
    core::Task<core::Result<QString>> read(QString connection) override
    {
        auto *job = new QKeychain::ReadPasswordJob(service());
        const core::Result<> done = co_await run(job, connection);
        if (!done)
            co_return core::fail(done.error());
        co_return m_read;
    }

    core::Task<core::Result<>> write(QString connection, QString secret) override
    {
        auto *job = new QKeychain::WritePasswordJob(service());
        job->setTextData(secret);
        const core::Result<> done = co_await run(job, connection);
        co_return done;
    }

    core::Task<core::Result<>> remove(QString connection) override
    {
        const core::Result<> done = co_await run(new QKeychain::DeletePasswordJob(service()), connection);
        co_return done;
    }

private:
    core::Pending<core::Result<>> run(QKeychain::Job *job, const QString &connection)
    {
        const core::Pending<core::Result<>> ended;
        job->setKey(connection);
        QObject::connect(job, &QKeychain::Job::finished, job, [this, ended](QKeychain::Job *finished) {
            if (const auto *reading = qobject_cast<QKeychain::ReadPasswordJob *>(finished))
                m_read = reading->textData();
            if (finished->error() == QKeychain::NoError)
                ended.resolve({});
            else
                ended.resolve(core::fail(kindOf(finished->error()), finished->errorString()));
        });
        QTimer::singleShot(patience, job, [ended] {
            const QString text = QCoreApplication::translate("secrets", "The desktop's keychain does not answer.");
            ended.resolve(core::fail(core::ErrorKind::Transient, text));
        });
        job->start();
        return ended;
    }

    QString m_read;
};

} // namespace

std::unique_ptr<core::Secrets> keychainSecrets()
{
    if (qEnvironmentVariableIsEmpty("DBUS_SESSION_BUS_ADDRESS"))
        return nullptr;
    return std::make_unique<KeychainSecrets>();
}

#else

std::unique_ptr<core::Secrets> keychainSecrets()
{
    return nullptr;
}

#endif

} // namespace app
