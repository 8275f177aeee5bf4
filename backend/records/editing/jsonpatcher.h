// Finds the values of a JSON text and changes one of them; every other byte stays. Parsing and printing the whole text
// would reorder members, change the value of big numbers and lose one of two members with the same name. Pure functions
// for any thread.
#pragma once

#include "backend/core/result.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace records {

// Like QString::fromUtf8, but keeps a byte order mark.
[[nodiscard]] QString textFromUtf8(const QByteArray &bytes);

// The text as a JSON string.
[[nodiscard]] QByteArray quotedJson(const QString &text);

// A part of the text, as byte offsets.
struct JsonSpan
{
    qsizetype begin = 0;
    qsizetype end = 0; // behind the last byte

    [[nodiscard]] QByteArray of(const QByteArray &json) const { return json.mid(begin, end - begin); }
};

struct JsonMember
{
    QString name;
    JsonSpan key; // with its quotation marks
    JsonSpan value;
};

// The byte offset at which the text stops being valid JSON; nothing if it is valid (RFC 8259: one value, with white
// space around it). Too deep nesting counts as invalid. UTF-8 is not checked.
[[nodiscard]] std::optional<qsizetype> jsonFault(const QByteArray &json);

// The place of a byte offset for a person: line and column from 1, columns in characters.
struct TextPlace
{
    qsizetype line = 1;
    qsizetype column = 1;
};
[[nodiscard]] TextPlace placeIn(const QByteArray &utf8, qsizetype offset);

// ---- The functions below need a text for which jsonFault() returns nothing. ----
// The value without the white space around it.
[[nodiscard]] JsonSpan wholeJson(const QByteArray &json);
// The members in their order; a name may occur twice. Nothing if the value is not an object.
[[nodiscard]] std::optional<QList<JsonMember>> jsonMembers(const QByteArray &json, JsonSpan object);
// Nothing if the value is not a list.
[[nodiscard]] std::optional<QList<JsonSpan>> jsonItems(const QByteArray &json, JsonSpan list);
// Nothing if the value is not a string.
[[nodiscard]] std::optional<QString> jsonString(const QByteArray &json, JsonSpan span);

// The decoded parts of a JSON pointer (RFC 6901). Nothing if the text is not a pointer.
[[nodiscard]] std::optional<QStringList> pointerParts(const QString &pointer);
// The pointer with these parts.
[[nodiscard]] QString pointerTo(const QStringList &parts);
// The place in a list that a part of a pointer names: "0", "17".
[[nodiscard]] std::optional<qsizetype> placeInList(const QString &part);

// The value that the pointer names. The errors are those of setJson().
[[nodiscard]] core::Result<JsonSpan> findJson(const QByteArray &json, const QString &pointer);

// Both return the changed text. NotFound if the place that the pointer names does not exist. Rejected if the pointer is
// invalid or a name on its way occurs twice. The message of the error is a fragment without a full stop.
//
// Replaces the value, or adds it to an object or to the end of a list.
[[nodiscard]] core::Result<QByteArray> setJson(const QByteArray &json, const QString &pointer, const QByteArray &value);
// Rejected also for the whole text.
[[nodiscard]] core::Result<QByteArray> removeJson(const QByteArray &json, const QString &pointer);

} // namespace records
