// What Qt's readers of JSON and CBOR leave to who calls them. They leave out a byte order mark at the start of a text: in what
// somebody sent it is content, and would be missing in what goes back.
#pragma once

#include <QByteArray>
#include <QCborValue>
#include <QJsonDocument>
#include <QString>

namespace core {

// QJsonDocument::fromJson with every text whole.
[[nodiscard]] QJsonDocument jsonFrom(const QByteArray &json, QJsonParseError *error = nullptr);

// QCborValue::toString of the whole text.
[[nodiscard]] QString textOf(const QCborValue &value);

// The integer that it is. (QCborValue::toInteger turns doubles too, which is undefined for those beyond 64 bits.)
[[nodiscard]] inline qint64 integerOf(const QCborValue &value, qint64 otherwise = 0)
{
    return value.isInteger() ? value.toInteger() : otherwise;
}

// The same value with all texts in it whole, for who asks Qt for them later.
[[nodiscard]] QCborValue withWholeTexts(const QCborValue &value);

} // namespace core
