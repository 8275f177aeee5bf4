#include "backend/records/messages/stamp.h"

#include "backend/core/digest.h"

#include <QStringList>

namespace records {

namespace {

constexpr int partCount = 7;
constexpr int longestStamp = 512; // our stamps are shorter than 200 characters

} // namespace

QString toText(const Stamp &stamp)
{
    return QStringList{QStringLiteral("1"),
                       stamp.store,
                       stamp.uniqueId,
                       QString::number(stamp.operation.value),
                       QString::number(stamp.attempt),
                       stamp.stagingId,
                       stamp.bodyDigest}
        .join(QLatin1Char(';'));
}

std::optional<Stamp> stampFrom(const QString &text)
{
    if (text.size() > longestStamp)
        return std::nullopt;
    const QStringList parts = text.split(QLatin1Char(';'));
    if (parts.size() != partCount || parts.at(0) != QLatin1String("1"))
        return std::nullopt;
    bool operationOk = false;
    bool attemptOk = false;
    Stamp stamp{parts.at(1), parts.at(2), {parts.at(3).toLongLong(&operationOk)}, parts.at(4).toInt(&attemptOk),
                parts.at(5), parts.at(6)};
    if (!operationOk || !attemptOk || stamp.store.isEmpty() || stamp.uniqueId.isEmpty())
        return std::nullopt;
    return stamp;
}

std::optional<Stamp> stampOf(const Headers &headers)
{
    const QCborValue *value = find(headers, stampHeader);
    return value != nullptr && value->isString() ? stampFrom(value->toString()) : std::nullopt;
}

QString bodyDigest(const QByteArray &body)
{
    return QString::fromLatin1(core::sha256({body}).toHex().left(32));
}

} // namespace records
