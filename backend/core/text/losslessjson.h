// JSON and CBOR without loss. Qt's readers drop a byte order mark at the start of a text. In a message the mark is
// content: without it, the copy that is sent back would differ from the message. Any thread.
#pragma once

#include <QByteArray>
#include <QCborValue>
#include <QJsonDocument>
#include <QString>

namespace core {

// Like QJsonDocument::fromJson, but each text keeps its byte order mark.
[[nodiscard]] QJsonDocument jsonFrom(const QByteArray &json, QJsonParseError *error = nullptr);

// Like QCborValue::toString, but the text keeps its byte order mark.
[[nodiscard]] QString textOf(const QCborValue &value);

// The value if it is an integer, else `otherwise`. QCborValue::toInteger also converts doubles, which is undefined for
// doubles beyond 64 bits.
[[nodiscard]] inline qint64 integerOf(const QCborValue &value, qint64 otherwise = 0)
{
    return value.isInteger() ? value.toInteger() : otherwise;
}

// A copy of the value in which QCborValue::toString returns each text with its byte order mark.
[[nodiscard]] QCborValue withWholeTexts(const QCborValue &value);

} // namespace core
