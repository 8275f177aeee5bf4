#include "backend/broker/sqs/sigv4.h"

#include "backend/core/digest.h"

#include <QCryptographicHash>
#include <QMessageAuthenticationCode>

#include <map>

namespace broker::sqs {

namespace {

constexpr auto algorithm = "AWS4-HMAC-SHA256";
constexpr qsizetype dayDigits = 8;

QByteArray hexDigest(const QByteArray &bytes)
{
    return core::sha256({bytes}).toHex();
}

QByteArray keyed(const QByteArray &key, const QByteArray &text)
{
    return QMessageAuthenticationCode::hash(text, key, QCryptographicHash::Sha256);
}

// The host as Qt sends it: with the port if the URL names one, even the default port.
QByteArray hostOf(const QUrl &url)
{
    const QString host = url.host(QUrl::FullyEncoded);
    const QByteArray name =
        (host.contains(QLatin1Char(':')) ? QLatin1Char('[') + host + QLatin1Char(']') : host).toLatin1();
    return url.port() < 0 ? name : name + ':' + QByteArray::number(url.port());
}

std::map<QByteArray, QByteArray> signedHeaders(const http::Request &request)
{
    std::map<QByteArray, QByteArray> sorted{{"host", hostOf(request.url)}};
    for (const http::HeaderField &field : request.headers)
        sorted[field.name.toLower()] = field.value.simplified();
    return sorted;
}

QByteArray namesOf(const std::map<QByteArray, QByteArray> &headers)
{
    QByteArrayList names;
    for (const auto &[name, value] : headers)
        names.append(name);
    return names.join(';');
}

QByteArray scopeOf(const http::Request &request, const SigningKey &key)
{
    const QByteArray date = signedHeaders(request)["x-amz-date"];
    return date.left(dayDigits) + '/' + key.region + '/' + key.service + "/aws4_request";
}

} // namespace

QByteArray canonicalRequest(const http::Request &request)
{
    const std::map<QByteArray, QByteArray> headers = signedHeaders(request);
    QByteArray text = request.verb + '\n' + request.url.path(QUrl::FullyEncoded).toLatin1() + "\n\n";
    for (const auto &[name, value] : headers)
        text += name + ':' + value + '\n';
    return text + '\n' + namesOf(headers) + '\n' + hexDigest(request.body);
}

QByteArray stringToSign(const http::Request &request, const SigningKey &key)
{
    return QByteArray(algorithm) + '\n' + signedHeaders(request)["x-amz-date"] + '\n' + scopeOf(request, key) + '\n'
           + hexDigest(canonicalRequest(request));
}

QByteArray authorization(const http::Request &request, const SigningKey &key)
{
    const std::map<QByteArray, QByteArray> headers = signedHeaders(request);
    QByteArray derived = "AWS4" + key.secret;
    for (const QByteArray &part : scopeOf(request, key).split('/'))
        derived = keyed(derived, part);
    return QByteArray(algorithm) + " Credential=" + key.keyId + '/' + scopeOf(request, key) + ", SignedHeaders="
           + namesOf(headers) + ", Signature=" + keyed(derived, stringToSign(request, key)).toHex();
}

} // namespace broker::sqs
