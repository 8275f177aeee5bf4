// Reads a JSON text and names the place of each mistake: "schedule.first", "classify[2].as". All errors are Rejected;
// their message is the path, a colon and one or two sentences. For texts that jsonFault() accepts.
#pragma once

#include "backend/core/result.h"
#include "backend/core/time/clock.h"
#include "backend/records/editing/jsonpatcher.h"

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

#include <optional>
#include <utility>

namespace records {

// The error about the value at this path. An empty path means the whole text.
[[nodiscard]] tl::unexpected<core::Error> wrongAt(const QString &path, const QString &what);
// A name or value of the file in an error: at most 60 characters, without those that end the line or turn it around.
[[nodiscard]] QString shown(const QString &text);
// `"linear", "exponential" or "list"`
[[nodiscard]] QString oneOf(const QStringList &words);

inline constexpr qsizetype longestJsonFile = 256 * 1024; // bytes, unless a format allows more

// The text of a file without its byte order mark. Rejected: too long, not UTF-8, or not JSON; the message then names line
// and character.
[[nodiscard]] core::Result<QByteArray> checkedJson(const QByteArray &file, qsizetype longest = longestJsonFile);

class JsonObject;

// A value and its path. It refers to the text, which must live as long.
class JsonNode final
{
public:
    explicit JsonNode(const QByteArray &json);
    JsonNode(const QByteArray &json, JsonSpan span, QString path);

    [[nodiscard]] const QString &path() const { return m_path; }
    [[nodiscard]] QByteArray json() const { return m_span.of(*m_json); } // the text of this value
    [[nodiscard]] tl::unexpected<core::Error> wrong(const QString &what) const { return wrongAt(m_path, what); }

    [[nodiscard]] core::Result<QString> text() const;
    // The place of the text in `words`.
    [[nodiscard]] core::Result<int> word(const QStringList &words) const;
    // "90s", "15m", "24h", "30d": core::durationFrom().
    [[nodiscard]] core::Result<core::Milliseconds> duration() const;
    [[nodiscard]] core::Result<int> number(int least, int most) const;
    [[nodiscard]] core::Result<double> fraction() const;
    [[nodiscard]] core::Result<QList<JsonNode>> items(qsizetype most) const;
    // Only these fields are allowed, each once. An unknown one is named, with the nearest known one.
    [[nodiscard]] core::Result<JsonObject> object(const QStringList &fields) const;
    // The members of an object whose names are free, each once.
    [[nodiscard]] core::Result<QList<std::pair<QString, JsonNode>>> entries(qsizetype most) const;

private:
    [[nodiscard]] core::Result<QList<JsonMember>> members() const;

    const QByteArray *m_json;
    JsonSpan m_span;
    QString m_path;
};

class JsonObject final
{
public:
    JsonObject(QString path, QList<std::pair<QString, JsonNode>> members);

    [[nodiscard]] bool has(QLatin1StringView field) const { return find(field).has_value(); }
    // Nothing if the field is missing.
    [[nodiscard]] std::optional<JsonNode> find(QLatin1StringView field) const;
    // An error that names the missing field.
    [[nodiscard]] core::Result<JsonNode> need(QLatin1StringView field) const;
    // Of the fields that are there, the first that is not one of these.
    [[nodiscard]] std::optional<JsonNode> otherThan(const QStringList &fields) const;

private:
    QString m_path;
    QList<std::pair<QString, JsonNode>> m_members;
};

} // namespace records
