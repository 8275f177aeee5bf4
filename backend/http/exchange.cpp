#include "backend/http/exchange.h"

#include "backend/http/answertext.h"
#include "backend/http/redaction.h"
#include "backend/http/singlesendbody.h"

#include <QLocale>
#include <QNetworkAccessManager>
#include <QNetworkRequest>
#include <QSslConfiguration>
#include <QSslError>

namespace http {

using core::Error;
using core::ErrorKind;

namespace {

constexpr qint64 answerHeaderBytes = 1024 * 1024;
constexpr qint64 readAhead = 8LL * 1024 * 1024; // bytes that the network thread may read before they are taken here

QNetworkRequest networkRequest(const Request &request, const QSslConfiguration &tls)
{
    QUrl url = request.url;
    url.setUserInfo({}); // otherwise Qt answers an authentication challenge by itself
    QNetworkRequest result(url);
    result.setSslConfiguration(tls);
    result.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    result.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    result.setAttribute(QNetworkRequest::HttpPipeliningAllowedAttribute, false);
    result.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    result.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    result.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    result.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    result.setAttribute(QNetworkRequest::CacheSaveControlAttribute, false);
    result.setRawHeader("User-Agent", "redrive/" REDRIVE_VERSION);
    // No compression: a response cannot grow to more than its length.
    result.setRawHeader("Accept-Encoding", "identity");
    for (const HeaderField &field : request.headers)
        result.setRawHeader(field.name, field.value);
    return result;
}

// The length that the response announces, if its body ends by that length.
std::optional<qint64> announcedLength(const QNetworkReply &reply, const Request &request, int status)
{
    if (request.verb == "HEAD" || status == 204 || status == 304 || reply.hasRawHeader("Transfer-Encoding"))
        return {};
    bool ok = false;
    const qint64 length = reply.rawHeader("Content-Length").toLongLong(&ok);
    return ok ? std::optional(length) : std::nullopt;
}

// QNetworkReply also reports complete responses with 3xx, 4xx and 5xx as errors. These errors mean an incomplete
// response.
bool isBroken(QNetworkReply::NetworkError error)
{
    const int code = error;
    const bool network = code > QNetworkReply::NoError && code <= QNetworkReply::UnknownNetworkError;
    const bool proxy = code > QNetworkReply::UnknownNetworkError && code <= QNetworkReply::UnknownProxyError
                       && code != QNetworkReply::ProxyAuthenticationRequiredError;
    return network || proxy || code == QNetworkReply::ContentReSendError || code == QNetworkReply::ProtocolFailure;
}

} // namespace

Exchange::Exchange(Request request, End onEnd)
    : m_request(std::move(request))
    , m_onEnd(std::move(onEnd))
{
    m_deadline.setSingleShot(true);
    connect(&m_deadline, &QTimer::timeout, this, [this] {
        const qint64 seconds = std::chrono::ceil<std::chrono::seconds>(m_request.timeout).count();
        stop(brokenOff(tr("no complete response within %1 s").arg(seconds)));
    });
    m_silence.setSingleShot(true);
    connect(&m_silence, &QTimer::timeout, this, [this] {
        const qint64 seconds = std::chrono::ceil<std::chrono::seconds>(m_request.silence).count();
        stop(brokenOff(tr("nothing arrived for %1 s").arg(seconds)));
    });
}

Exchange::~Exchange()
{
    if (m_reply) {
        m_reply->disconnect(this);
        // Deleting the reply aborts it. abort() would print a warning if the reply is about to fail by itself (Qt
        // 6.4.2).
        m_reply->deleteLater();
    }
}

void Exchange::start(QNetworkAccessManager &manager, const QSslConfiguration &tls)
{
    QNetworkRequest request = networkRequest(m_request, tls);
    // Idempotent calls use the same device, so that Qt does not repeat them silently. Without it Qt 6.4.2 also reports
    // a chunked response that was cut short as complete.
    request.setAttribute(QNetworkRequest::DoNotBufferUploadDataAttribute, true);
    request.setHeader(QNetworkRequest::ContentLengthHeader, m_request.body.size());
    m_body = new SingleSendBody(m_request.body);
    m_reply = manager.sendCustomRequest(request, m_request.verb, m_body);
    m_body->setParent(m_reply); // the reply may read it until its own end
    // Qt delays readyRead while data keeps coming, so without this bound a fast sender is never stopped. The reply
    // accepts the bound only after it has started, which happens in the event loop (Qt 6.4.2).
    QMetaObject::invokeMethod(
        m_reply, [reply = m_reply.data()] { reply->setReadBufferSize(readAhead); }, Qt::QueuedConnection);
    m_deadline.start(m_request.timeout);
    heard();
    connect(m_reply, &QNetworkReply::uploadProgress, this, &Exchange::heard);
    connect(m_reply, &QNetworkReply::requestSent, this, [this] { m_requestSent = true; });
    connect(m_reply, &QNetworkReply::metaDataChanged, this, &Exchange::onHeaders);
    connect(m_reply, &QNetworkReply::readyRead, this, [this] { static_cast<void>(takeBody()); });
    connect(m_reply, &QNetworkReply::finished, this, &Exchange::onFinished);
    // Listen to every call to that host: calls that wait for the same connection fail too, but without a reason (Qt
    // 6.4.2).
    connect(&manager, &QNetworkAccessManager::sslErrors, this,
            [this](const QNetworkReply *refused, const QList<QSslError> &errors) {
                if (!m_reply || refused->url().authority() != m_reply->url().authority())
                    return;
                for (const QSslError &error : errors)
                    m_certificateErrors.append(error.errorString());
            });
}

void Exchange::stop(Error error)
{
    end(core::fail(std::move(error)));
}

void Exchange::heard()
{
    if (m_request.silence.count() > 0)
        m_silence.start(m_request.silence);
}

// A response that announces too many bytes is refused at once. For others the memory is reserved once.
void Exchange::onHeaders()
{
    heard();
    const int status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    const qint64 announced = announcedLength(*m_reply, m_request, status).value_or(0);
    if (announced > m_request.maxResponseBytes)
        stop(tooLarge(sizeText()));
    else if (announced > 0)
        m_received.reserve(announced);
}

bool Exchange::takeBody()
{
    heard();
    if (m_reply->bytesAvailable() + m_received.size() > m_request.maxResponseBytes) {
        stop(tooLarge(sizeText()));
        return false;
    }
    m_received += m_reply->readAll();
    return true;
}

void Exchange::onFinished()
{
    if (m_reply->bytesAvailable() > 0 && !takeBody())
        return;
    end(completeAnswer());
}

core::Result<Response> Exchange::completeAnswer()
{
    const int status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    // For 307 and 308 Qt tries to rewind the body, whatever the redirect policy says.
    const bool refusedRedirect =
        (status == 307 || status == 308) && m_reply->error() == QNetworkReply::ContentReSendError;
    if (status < 100 || status > 999 || (isBroken(m_reply->error()) && !refusedRedirect))
        return core::fail(classify());
    if (refusedRedirect)
        return Response{status, {}, {}, m_request.verb, m_request.url};
    const std::optional<qint64> announced = announcedLength(*m_reply, m_request, status);
    if (announced && *announced != m_received.size())
        return core::fail(brokenOff(tr("the response was cut short"),
                                    QStringLiteral("%1 of %2 bytes").arg(m_received.size()).arg(*announced)));
    Response response;
    response.status = status;
    response.verb = m_request.verb;
    response.url = m_request.url;
    response.body = std::move(m_received);
    qint64 headerBytes = 0;
    for (const QNetworkReply::RawHeaderPair &pair : m_reply->rawHeaderPairs()) {
        headerBytes += pair.first.size() + pair.second.size();
        response.headers.append(HeaderField{pair.first, pair.second});
    }
    if (headerBytes > answerHeaderBytes)
        return core::fail(tooLarge(tr("the response headers are larger than 1 MB")));
    return response;
}

// Not Transient for idempotent calls, because another try would bring the same response.
Error Exchange::tooLarge(const QString &what) const
{
    Error error = brokenOff(what);
    if (m_request.idempotent)
        error.kind = ErrorKind::Corrupt;
    return error;
}

QString Exchange::sizeText() const
{
    return tr("the response to %1 is larger than the limit of %2")
        .arg(askedText(m_request.verb, m_request.url),
             QLocale::c().formattedDataSize(m_request.maxResponseBytes, 0, QLocale::DataSizeTraditionalFormat));
}

Error Exchange::classify() const
{
    const QString detail = redacted(m_reply->errorString());
    if (!m_certificateErrors.isEmpty()) {
        return Error{ErrorKind::Transient,
                     tr("The certificate of %1 is not trusted: %2. If the certificate is your own, set the CA file of "
                        "the connection.")
                         .arg(target(), m_certificateErrors.first()),
                     detail,
                     {}};
    }
    const auto transient = [&](const QString &text) {
        return Error{ErrorKind::Transient, text.arg(target()), detail, {}};
    };
    if (!mayHaveLeft()) {
        switch (int(m_reply->error())) {
        case QNetworkReply::ConnectionRefusedError:
            return transient(tr("%1 refused the connection. Check that the broker is running there."));
        case QNetworkReply::HostNotFoundError:
            return transient(tr("The host of %1 is unknown. Check its name."));
        case QNetworkReply::SslHandshakeFailedError:
            return transient(tr("The secure connection to %1 failed. Check that this port uses TLS."));
        default:
            return transient(tr("%1 cannot be reached. Check the address and the network."));
        }
    }
    const QNetworkReply::NetworkError error = m_reply->error();
    if (m_request.idempotent
        && (error == QNetworkReply::ProtocolFailure || error == QNetworkReply::ProtocolUnknownError))
        return Error{ErrorKind::Corrupt,
                     tr("The response of %1 is not HTTP. Check the address and the port.").arg(target()),
                     detail,
                     {}};
    return brokenOff(tr("the connection broke before the response was complete"), detail);
}

Error Exchange::brokenOff(const QString &reason, const QString &detail) const
{
    const bool unknown = !m_request.idempotent && mayHaveLeft();
    const QString text =
        unknown ? tr("Whether %1 carried out the request is unknown: %2.") : tr("The request to %1 failed: %2.");
    return Error{unknown ? ErrorKind::UnknownOutcome : ErrorKind::Transient, text.arg(target(), reason), detail, {}};
}

bool Exchange::mayHaveLeft() const
{
    if (m_requestSent || m_body->wasRead())
        return true;
    if (!m_request.body.isEmpty())
        return false;
    // For an empty device Qt 6.4.2 does not emit requestSent: only a failed connection proves that nothing was sent.
    switch (int(m_reply->error())) {
    case QNetworkReply::ConnectionRefusedError:
    case QNetworkReply::HostNotFoundError:
    case QNetworkReply::SslHandshakeFailedError:
        return false;
    default:
        return true;
    }
}

QString Exchange::target() const
{
    return m_request.url.authority().isEmpty()
               ? redacted(m_request.url)
               : QStringLiteral("%1:%2").arg(
                   m_request.url.host(),
                   QString::number(m_request.url.port(m_request.url.scheme() == QLatin1String("https") ? 443 : 80)));
}

void Exchange::end(core::Result<Response> result)
{
    m_deadline.stop();
    m_silence.stop();
    // onEnd destroys this object.
    if (const End onEnd = std::exchange(m_onEnd, {}))
        onEnd(std::move(result));
}

} // namespace http

#include "moc_exchange.cpp"
