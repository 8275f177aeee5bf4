#include "backend/control/shared/sharedclient.h"

#include "backend/api/snapshot.h"
#include "backend/control/calls.h"
#include "backend/control/framesocket.h"
#include "backend/control/shared/asker.h"
#include "backend/control/shared/sealing.h"
#include "backend/control/text.h"

#include <QCborValue>

namespace control {

// Of the engine of the holder: it gives one every three seconds while anybody is there.
static constexpr core::Milliseconds signOfLife{10000};

static core::Error cannotSealError()
{
    return {core::ErrorKind::Refused,
            Text::tr("The secret cannot be sealed for the program that holds the store, so it was not sent. Give it to "
                     "that program where it runs: REDRIVE_SECRET_NAME or --secret-file."),
            {},
            {}};
}

SharedClient::SharedClient(store::OpenControlTables open, engine::QueriesPtr queries, QString who, QObject *parent)
    : HolderClient(std::move(queries), parent)
    , m_asker(std::make_shared<Asker>(*this, std::move(who)))
    , m_line(std::make_unique<ControlLine>(std::move(open), m_asker))
{
}

SharedClient::~SharedClient()
{
    forgetOwner();
    m_line.reset(); // nothing is told any more
    lose({}, m_lastCarried);
}

void SharedClient::carry(qint64 number, const api::PendingRequest &command)
{
    if (!m_mayAsk)
        return failed(number, mayOnlyReadError(m_role));
    QCborMap call = callOf(command);
    if (const QCborValue with = call.value(QLatin1StringView("with")); hasSecret(with.toMap())) {
        const QByteArray sealed = seal(m_key, with.toCbor());
        if (sealed.isEmpty())
            return failed(number, cannotSealError());
        call.remove(QLatin1StringView("with"));
        call.insert(QLatin1StringView("sealed"), sealed);
    }
    const QByteArray payload = QCborValue(call).toCbor();
    if (payload.size() > largestMessage)
        return failed(number, tooLargeError());
    m_lastCarried = number;
    m_asker->add(number, payload);
    m_line->wake();
}

void SharedClient::askForSnapshots()
{
    m_asker->setListening();
    m_line->wake();
}

void SharedClient::ping()
{
    m_line->wake();
}

void SharedClient::disconnectLine()
{
    m_asker->stop();
}

void SharedClient::connected(const QString &role, bool mayAsk)
{
    m_role = role;
    m_mayAsk = mayAsk;
}

void SharedClient::sees(const store::HolderState &holder)
{
    if (isGone())
        return;
    m_holder = Text::tr("Another Redrive (process %1 on %2, %3) holds the store and carries out your commands.")
                   .arg(QString::number(holder.pid), holder.host, holder.who);
    if (!m_mayAsk)
        m_holder = Text::tr("Another Redrive (process %1 on %2, %3) holds the store. Your role %4 may only read it.")
                       .arg(QString::number(holder.pid), holder.host, holder.who, m_role);
    if (!holder.protocol)
        return;
    m_key = holder.key;
    if (holder.silent < signOfLife)
        heard();
    if (std::exchange(m_cutOff, false) && m_newest)
        show(std::make_shared<api::Snapshot>(*m_newest), m_holder);
    greeted(holder.passing);
}

void SharedClient::shows(const std::shared_ptr<api::Snapshot> &snapshot)
{
    if (isGone())
        return;
    if (!m_mayAsk) { // a window then offers nothing that the database would refuse
        for (api::ConnectionView &view : snapshot->connections)
            view.connection.rights &= records::Right::See;
    }
    m_newest = snapshot;
    show(std::make_shared<api::Snapshot>(*snapshot), m_holder);
}

void SharedClient::isCutOff(const core::Error &error)
{
    if (!isGone() && !std::exchange(m_cutOff, true) && m_newest)
        show(std::make_shared<api::Snapshot>(*m_newest), error.message);
}

void SharedClient::endangered(const core::Error &danger)
{
    if (isGone())
        return;
    endanger(danger);
    m_reason = danger.message;
}

void SharedClient::isGoneWith(const QList<qint64> &taken)
{
    if (isGone())
        return;
    for (const qint64 number : taken)
        failed(number, goneError());
    lose(m_reason.isEmpty() ? Text::tr("The program that held the store has ended.") : m_reason, 0);
}

} // namespace control

#include "moc_sharedclient.cpp"
