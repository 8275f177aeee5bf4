// Where values lie in a JSON text, so that one of them can be changed while every other byte stays: parsed and printed again, members
// would change their order, big numbers their value, and of two members with one name one would be lost.
#pragma once

#include "backend/core/result.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace records {

// With a byte order mark, which QString::fromUtf8 leaves out.
[[nodiscard]] QString textFromUtf8(const QByteArray &bytes);

struct JsonSpan
{
    qsizetype begin = 0;
    qsizetype end = 0;

    [[nodiscard]] QByteArray of(const QByteArray &json) const { return json.mid(begin, end - begin); }
};

struct JsonMember
{
    QString name;
    JsonSpan key; // with its quotation marks
    JsonSpan value;
};

// Where it stops being JSON (RFC 8259, one value with white space around it, bounded in depth); nothing: all of it is.
// UTF-8 is not checked.
[[nodiscard]] std::optional<qsizetype> jsonFault(const QByteArray &json);

// Where that is for who reads the text: from 1, columns in characters.
struct TextPlace
{
    qsizetype line = 1;
    qsizetype column = 1;
};
[[nodiscard]] TextPlace placeIn(const QByteArray &utf8, qsizetype offset);

// ---- of texts without a fault ----
// The value itself, without white space around it.
[[nodiscard]] JsonSpan wholeJson(const QByteArray &json);
// In order, twice the same name among them; nothing: it is no object.
[[nodiscard]] std::optional<QList<JsonMember>> jsonMembers(const QByteArray &json, JsonSpan object);
[[nodiscard]] std::optional<QList<JsonSpan>> jsonItems(const QByteArray &json, JsonSpan list);
// Nothing: it is no text.
[[nodiscard]] std::optional<QString> jsonString(const QByteArray &json, JsonSpan span);

// The names and places of a pointer (RFC 6901); nothing: it is none.
[[nodiscard]] std::optional<QStringList> pointerParts(const QString &pointer);

// NotFound: what the pointer names is not there. Rejected: it cannot be told which one is meant.
// Sets the value that is there, or adds it to an object or at the end of a list.
[[nodiscard]] core::Result<QByteArray> setJson(const QByteArray &json, const QString &pointer, const QByteArray &value);
[[nodiscard]] core::Result<QByteArray> removeJson(const QByteArray &json, const QString &pointer);

} // namespace records
