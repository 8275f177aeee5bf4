#include "tests/fuzz/messages.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace fuzz {

namespace {

QCborValue valueFrom(const QByteArray &bytes)
{
    const QByteArray rest = bytes.mid(1);
    switch (bytes.isEmpty() ? '\0' : bytes.at(0)) {
    case 'i':
        return QCborValue(rest.toLongLong());
    case 'd':
        return QCborValue(rest.toDouble());
    case 'x':
        return QCborValue(rest);
    case 't':
        return QCborValue(true);
    case 'f':
        return QCborValue(false);
    case 'n':
        return QCborValue(nullptr);
    case 'j': {
        const QJsonArray one = QJsonDocument::fromJson('[' + rest + ']').array();
        return QCborValue::fromJsonValue(one.isEmpty() ? QJsonValue() : one.at(0));
    }
    default:
        return QCborValue(QString::fromUtf8(rest));
    }
}

records::Header headerFrom(const QByteArray &bytes)
{
    const qsizetype equals = std::max(qsizetype{0}, bytes.indexOf('='));
    return {QString::fromUtf8(bytes.first(equals)), valueFrom(bytes.mid(equals + 1))};
}

} // namespace

records::Envelope envelopeFrom(const QByteArrayList &parts)
{
    records::Envelope envelope;
    for (const QByteArray &part : parts) {
        const QByteArray rest = part.mid(1);
        switch (part.isEmpty() ? '\0' : part.at(0)) {
        case 'h':
            envelope.headers.append(headerFrom(rest));
            break;
        case 'p':
            envelope.properties.append(headerFrom(rest));
            break;
        case 'b':
            envelope.body = rest;
            break;
        case 'e':
            envelope.exchange = QString::fromUtf8(rest);
            break;
        case 'k':
            envelope.routingKey = QString::fromUtf8(rest);
            break;
        default:
            break;
        }
    }
    return envelope;
}

QString textOf(const QByteArrayList &parts, char letter)
{
    const auto found =
        std::find_if(parts.begin(), parts.end(), [letter](const QByteArray &part) { return part.startsWith(letter); });
    return found == parts.end() ? QString() : QString::fromUtf8(found->mid(1));
}

http::Response responseFrom(const QByteArray &bytes)
{
    http::Response response;
    const qsizetype blank = bytes.indexOf("\n\n");
    const QByteArrayList lines = bytes.left(blank).split('\n');
    response.status = std::clamp(lines.constFirst().toInt(), 100, 599);
    for (const QByteArray &line : lines.mid(1)) {
        const qsizetype colon = line.indexOf(':');
        if (colon > 0)
            response.headers.append(http::HeaderField{line.first(colon).trimmed(), line.sliced(colon + 1).trimmed()});
    }
    if (blank >= 0)
        response.body = bytes.mid(blank + 2);
    return response;
}

} // namespace fuzz
