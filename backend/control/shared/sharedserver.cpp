#include "backend/control/shared/sharedserver.h"

#include "backend/api/crossing.h"
#include "backend/control/framesocket.h"
#include "backend/control/shared/requesttaker.h"
#include "backend/control/socketname.h"
#include "backend/control/text.h"

#include <QCborValue>
#include <QLoggingCategory>
#include <QPointer>
#include <QTimer>

namespace control {

namespace {

Q_LOGGING_CATEGORY(logShared, "redrive.control")

constexpr core::Milliseconds signOfLifeEvery{3000};
constexpr core::Milliseconds forLastAnswers{5000};

} // namespace

SharedServer::SharedServer(api::EngineClient &client, store::OpenControlTables open, qint64 fence, ClientFor clientFor,
                           QObject *parent)
    : QObject(parent)
    , m_client(client)
    , m_open(std::move(open))
    , m_fence(fence)
    , m_clientFor(std::move(clientFor))
{
}

SharedServer::~SharedServer()
{
    if (!m_line)
        return;
    finish();
    m_line->finish(forLastAnswers);
}

void SharedServer::start()
{
    m_taker =
        std::make_shared<RequestTaker>(*this, m_fence, store::Greeting{protocolVersion, m_passing, m_key.publicKey()});
    m_line = std::make_unique<ControlLine>(m_open, m_taker);
    const QPointer<SharedServer> self(this);
    m_client.listen([self](api::SnapshotPtr snapshot) {
        if (self && self->m_taker->publish(std::move(snapshot)))
            self->m_line->wake();
    });
    auto *const beat = new QTimer(this); // of the thread of the engine: when that hangs, others see it
    connect(beat, &QTimer::timeout, this, [this] { m_taker->giveSignOfLife(); });
    beat->start(signOfLifeEvery);
}

void SharedServer::finish()
{
    if (m_taker)
        m_taker->stopTaking();
}

void SharedServer::receive(const store::SharedRequest &request, const QByteArray &payload)
{
    const Answered answered = [this, id = request.id](const QCborMap &answer) {
        QByteArray cbor = QCborValue(answer).toCbor();
        if (cbor.size() > largestMessage)
            cbor = QCborValue(answerTooLarge()).toCbor();
        m_taker->answer(id, cbor);
        m_line->wake();
    };
    const auto refuse = [&answered](core::ErrorKind kind, const QString &why) {
        qCWarning(logShared) << why; // quoted: it may hold control characters
        answered(api::encodeError({kind, why, {}, {}}));
    };
    if (request.protocol != protocolVersion)
        return refuse(core::ErrorKind::Refused, otherVersionText());
    QCborParserError error;
    QCborMap call = QCborValue::fromCbor(payload, &error).toMap();
    if (error.error != QCborError::NoError || call.isEmpty())
        return refuse(core::ErrorKind::Rejected, Text::tr("A message is no CBOR map."));
    if (call.contains(QLatin1StringView("sealed"))) {
        const std::optional<QByteArray> open = m_key.open(call.value(QLatin1StringView("sealed")).toByteArray());
        if (!open)
            return refuse(core::ErrorKind::Refused,
                          Text::tr("This request holds a secret for the program that held the store before. Nothing "
                                   "was done. Repeat the request."));
        call.insert(QLatin1StringView("with"), QCborValue::fromCbor(*open));
    }
    const core::Result<api::RequestPtr> read = readCall(call, this, answered);
    if (!read)
        return refuse(read.error().kind, read.error().message);
    const QString who = nameWithRole(request.who, request.role);
    if (m_clientFor)
        m_clientFor(who)->send(*read);
    else
        m_client.send(*read);
}

} // namespace control

#include "moc_sharedserver.cpp"
