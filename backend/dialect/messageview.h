// A message as the dialects read it. All of it may be hostile: every length is limited, and an unexpected form gives an
// empty result.
#pragma once

#include "backend/dialect/dialect.h"

#include <QJsonObject>
#include <QJsonValue>

#include <vector>

namespace dialect {

// The place of a fact in a message.
enum class Place {
    Header,
    Property, // native property of the broker
    InHeader, // a path into a header that is a map: "rascal/error/message" (Ordinal)
    JsonBody, // a path into a JSON body, separated by '/', with numbers for the items of a list
    Queue, // the name of the queue in which the message was found (signs only)
};

struct FieldPath
{
    Place place = Place::Header;
    QString name;
    // False: the name is searched for Ordinal first, then without regard to case, because proxies and REST interfaces
    // change the case of names. True: only Ordinal, for a framework with names that differ only in case.
    bool ordinal = false;
};

using FieldPaths = std::vector<FieldPath>; // the first path with a value that is not empty counts

// Reads one message. The body is parsed once, when it is first needed. The Arrival must outlive the view. Not
// thread-safe.
class MessageView final
{
public:
    explicit MessageView(const Arrival &arrival)
        : m_arrival(arrival)
    {
    }

    [[nodiscard]] const Arrival &arrival() const { return m_arrival; }
    [[nodiscard]] const records::Envelope &envelope() const { return m_arrival.envelope; }
    // Empty if the body is not a JSON object, or is larger than bounds::jsonBody.
    [[nodiscard]] const QJsonObject &json() const;
    // Whether the body contains these bytes. A cheap test before json().
    [[nodiscard]] bool mayHold(const char *bytes) const;
    [[nodiscard]] QJsonValue jsonAt(const QString &path) const;
    [[nodiscard]] QCborValue inHeader(const QString &path) const; // undefined if there is none

    [[nodiscard]] QString text(const FieldPath &path) const;
    [[nodiscard]] QString first(const FieldPaths &paths, qsizetype longest) const;
    [[nodiscard]] QString header(const char *name) const; // without regard to case

private:
    const Arrival &m_arrival;
    mutable std::optional<QJsonObject> m_json;
};

// Null if there is no such header. The name is searched for Ordinal first, then without regard to case.
[[nodiscard]] const QCborValue *findLoosely(const records::Headers &headers, QStringView name);

namespace bounds {
inline constexpr qsizetype name = 512; // type, endpoint, host
inline constexpr qsizetype address = 1024; // a longer queue name counts as unknown; it is never cut
inline constexpr qsizetype id = 1024;
inline constexpr qsizetype exceptionMessage = 32 * 1024; // NServiceBus cuts at 16,384
inline constexpr qsizetype stackTrace = 256 * 1024;
inline constexpr qsizetype jsonBody = 1024 * 1024;
inline constexpr qsizetype deaths = 100; // entries of x-death; a broker writes one per queue and reason
inline constexpr qsizetype title = 300;
inline constexpr qsizetype cause = 4000;
inline constexpr int attempts = 1'000'000; // a larger number is not a counter
} // namespace bounds

// Empty if the bytes are not a JSON object, or are more than `longest`.
[[nodiscard]] QJsonObject jsonObject(const QByteArray &bytes, qsizetype longest = bounds::jsonBody);

} // namespace dialect
