#include "backend/broker/azurequeue/sharedkey.h"

#include <QMessageAuthenticationCode>

#include <map>

namespace broker::azurequeue {

namespace {

QByteArray headerOf(const http::Request &request, QByteArrayView name)
{
    for (const http::HeaderField &field : request.headers) {
        if (name.compare(field.name, Qt::CaseInsensitive) == 0)
            return field.value;
    }
    return {};
}

QByteArray serviceHeaders(const http::Request &request)
{
    std::map<QByteArray, QByteArray> sorted;
    for (const http::HeaderField &field : request.headers) {
        const QByteArray name = field.name.toLower();
        if (name.startsWith("x-ms-"))
            sorted[name] = field.value.trimmed();
    }
    QByteArray text;
    for (const auto &[name, value] : sorted)
        text += name + ':' + value + '\n';
    return text;
}

QByteArray resource(const QUrl &url, const QByteArray &account)
{
    std::map<QByteArray, QByteArray> sorted;
    const QList<QByteArray> parts = url.query(QUrl::FullyEncoded).toLatin1().split('&');
    for (const QByteArray &part : parts) {
        const qsizetype equals = part.indexOf('=');
        if (equals > 0)
            sorted[QByteArray::fromPercentEncoding(part.first(equals)).toLower()] =
                QByteArray::fromPercentEncoding(part.sliced(equals + 1));
    }
    QByteArray text = '/' + account + url.path(QUrl::FullyEncoded).toLatin1();
    for (const auto &[name, value] : sorted)
        text += '\n' + name + ':' + value;
    return text;
}

} // namespace

QByteArray stringToSign(const http::Request &request, const QByteArray &account)
{
    const QByteArray length = request.body.isEmpty() ? QByteArray() : QByteArray::number(request.body.size());
    QByteArray text = request.verb + '\n';
    for (const char *name : {"Content-Encoding", "Content-Language"})
        text += headerOf(request, name) + '\n';
    text += length + '\n';
    for (const char *name : {"Content-MD5", "Content-Type"})
        text += headerOf(request, name) + '\n';
    text += '\n'; // empty Date: x-ms-date is signed instead
    for (const char *name : {"If-Modified-Since", "If-Match", "If-None-Match", "If-Unmodified-Since", "Range"})
        text += headerOf(request, name) + '\n';
    return text + serviceHeaders(request) + resource(request.url, account);
}

QByteArray sharedKey(const QByteArray &account, const QByteArray &key, const QByteArray &stringToSign)
{
    const QByteArray signature =
        QMessageAuthenticationCode::hash(stringToSign, key, QCryptographicHash::Sha256).toBase64();
    return "SharedKey " + account + ':' + signature;
}

} // namespace broker::azurequeue
