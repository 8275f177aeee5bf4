// A message as the dialects look at it. All of it is hostile: what is read is bounded, and what is not as expected is
// read as nothing.
#pragma once

#include "backend/dialect/dialect.h"

#include <QJsonObject>
#include <QJsonValue>

#include <vector>

namespace dialect {

// Where a fact lies in a message.
enum class Place {
    Header,
    Property, // native property of the broker
    InHeader, // path into a header that is a map: "rascal/error/message" (Ordinal)
    JsonBody, // path into a JSON body, segments separated by '/', numbers for the places of a list
    Queue, // the name of the queue that it lay in (signs only)
};

struct FieldPath
{
    Place place = Place::Header;
    QString name;
    // Read Ordinal first, then ignoring case: proxies and REST interfaces change the case of names. Ordinal only where a
    // framework uses names that differ in nothing else.
    bool ordinal = false;
};

using FieldPaths = std::vector<FieldPath>; // the first that is there and not empty wins

// One message being looked at; its body is parsed once, and only when somebody asks.
class MessageView final
{
public:
    explicit MessageView(const Arrival &arrival)
        : m_arrival(arrival)
    {
    }

    [[nodiscard]] const Arrival &arrival() const { return m_arrival; }
    [[nodiscard]] const records::Envelope &envelope() const { return m_arrival.envelope; }
    // Empty where the body is no JSON object, or larger than bounds::jsonBody.
    [[nodiscard]] const QJsonObject &json() const;
    // Cheaper than json() where it is not: whether the bytes are in the body at all.
    [[nodiscard]] bool mayHold(const char *bytes) const;
    [[nodiscard]] QJsonValue jsonAt(const QString &path) const;
    [[nodiscard]] QCborValue inHeader(const QString &path) const; // undefined where nothing is

    [[nodiscard]] QString text(const FieldPath &path) const;
    [[nodiscard]] QString first(const FieldPaths &paths, qsizetype longest) const;
    [[nodiscard]] QString header(const char *name) const; // loosely

private:
    const Arrival &m_arrival;
    mutable std::optional<QJsonObject> m_json;
};

[[nodiscard]] const QCborValue *findLoosely(const records::Headers &headers, QStringView name);

namespace bounds {
inline constexpr qsizetype name = 512; // type, endpoint, host
inline constexpr qsizetype address = 1024; // a longer queue name is no queue name: unknown, never cut
inline constexpr qsizetype id = 1024;
inline constexpr qsizetype exceptionMessage = 32 * 1024; // NServiceBus cuts at 16,384
inline constexpr qsizetype stackTrace = 256 * 1024;
inline constexpr qsizetype jsonBody = 1024 * 1024;
inline constexpr qsizetype deaths = 100; // entries of x-death that are read; a broker writes one per queue and reason
inline constexpr qsizetype title = 300;
inline constexpr int attempts = 1'000'000; // more is no counter
} // namespace bounds

// Empty where it is no JSON object, or longer than that.
[[nodiscard]] QJsonObject jsonObject(const QByteArray &bytes, qsizetype longest = bounds::jsonBody);

} // namespace dialect
