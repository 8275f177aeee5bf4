#include "backend/intake/pages/identity.h"

#include "backend/core/digest.h"
#include "backend/dialect/confirmation.h"
#include "backend/records/rules/retrycount.h"

#include <QCryptographicHash>

#include <algorithm>

namespace intake {

namespace {

// The headers without those that sending back adds or removes (outgoing.cpp), sorted, because each broker has its own
// order.
records::Headers failureHeaders(records::Headers headers)
{
    headers.removeIf([](const records::Header &header) {
        return isDeliveryCount(header.name) || header.name == records::stampHeader
               || header.name == records::retryCountHeader || header.name == dialect::confirmationIdHeader
               || header.name == dialect::confirmationQueueHeader || header.name == QLatin1String("CC")
               || header.name == QLatin1String("BCC");
    });
    std::stable_sort(headers.begin(), headers.end(),
                     [](const records::Header &a, const records::Header &b) { return a.name < b.name; });
    return headers;
}

} // namespace

QString deterministicGuid(const QString &text)
{
    QByteArray hash = QCryptographicHash::hash(text.toUtf8(), QCryptographicHash::Md5);
    std::reverse(hash.begin(), hash.begin() + 4);
    std::reverse(hash.begin() + 4, hash.begin() + 6);
    std::reverse(hash.begin() + 6, hash.begin() + 8);
    return QString::fromLatin1(hash.toHex());
}

QString uniqueIdOf(const QString &messageId, const QString &endpoint)
{
    return deterministicGuid(messageId + endpoint);
}

QString uniqueIdOf(core::ConnectionId connection, const QString &queue, const QString &nativeId)
{
    return deterministicGuid(
        QStringLiteral("native\n%1\n%2\n%3").arg(QString::number(connection.value), queue, nativeId));
}

QString anotherUniqueId(const QString &uniqueId, const QString &why)
{
    return deterministicGuid(QStringLiteral("beside\n%1\n%2").arg(uniqueId, why));
}

QString contentDigest(const records::Envelope &envelope)
{
    const QByteArray headers = records::toCbor(envelope.headers);
    const QByteArray properties = records::toCbor(envelope.properties);
    // With the lengths, a byte that moves from one part to the next changes the digest.
    const QByteArray lengths = QByteArray::number(headers.size()) + ' ' + QByteArray::number(properties.size()) + ' ';
    return QString::fromLatin1(core::sha256({lengths, headers, properties, envelope.body}).toHex().left(32));
}

bool isDeliveryCount(const QString &header)
{
    return header == QLatin1String("x-delivery-count") || header == QLatin1String("x-acquired-count");
}

bool isSameFailure(const records::Envelope &known, const records::Envelope &again)
{
    return known.body == again.body && failureHeaders(known.headers) == failureHeaders(again.headers);
}

QString passedOnId(const records::Stamp &stamp, const QString &destination, const records::Envelope &sent)
{
    records::Envelope content;
    content.headers = failureHeaders(sent.headers);
    content.body = sent.body;
    return anotherUniqueId(stamp.uniqueId,
                           QStringLiteral("passed on\n%1\n%2\n%3\n%4")
                               .arg(QString::number(stamp.operation.value), QString::number(stamp.attempt),
                                    contentDigest(content), destination));
}

} // namespace intake
