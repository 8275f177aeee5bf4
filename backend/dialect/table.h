// The dialects as data: how each is told apart, where its facts lie, what has to go before a retry. Adding a framework
// means adding one entry; only what data cannot say (a time format, a name form) is code, in `refine`.
// Source of every name: the framework's own source, as cited beside the entries.
#pragma once

#include "backend/dialect/dialect.h"

#include <QFlags>

#include <vector>

namespace dialect {

// Where a fact lies in a message.
enum class Place {
    Header, // read Ordinal first, then ignoring case: proxies and REST interfaces change the case of names
    Property, // native property of the broker, likewise
    JsonBody, // path into a JSON body, segments separated by '/'; bodies over 1 MiB are not parsed
};

struct FieldPath
{
    Place place = Place::Header;
    QString name;
};

using FieldPaths = std::vector<FieldPath>; // the first that is there and not empty wins

struct Fields
{
    FieldPaths messageId;
    FieldPaths correlationId;
    FieldPaths conversationId;
    FieldPaths messageType;
    FieldPaths returnTo;
    FieldPaths exceptionType;
    FieldPaths exceptionMessage;
    FieldPaths stackTrace;
    FieldPaths endpoint;
    FieldPaths host;
    FieldPaths contentType;
};

enum class Match { Exact, Prefix }; // both Ordinal
enum class Action { Drop, ResetToZero }; // a counter that is missing is fine; one that is exhausted fails again at once

struct StripRule
{
    QString name;
    Match match = Match::Exact;
    Action action = Action::Drop;
    Place place = Place::Header;
};

// How a message of this dialect gets back to whoever failed.
enum class ReturnStrategy { Queue, ExchangeAndKey, Topic, Unwrap, Invoke, Manual };

enum class Capability {
    EditableHeaders = 1, // headers are the broker's headers, not a part of the body
    ExceptionPresent = 2, // failures name an exception, usually with a stack
    ExactAttempts = 4, // the attempts of the message itself are known, not estimated
    UniqueIds = 8, // the framework guarantees that a message id is never used twice
};
Q_DECLARE_FLAGS(Capabilities, Capability)
Q_DECLARE_OPERATORS_FOR_FLAGS(Capabilities)

struct Dialect
{
    QString name; // as stored and shown
    bool (*detect)(const Arrival &arrival) = nullptr;
    Fields fields;
    records::Certainty certainty = records::Certainty::Exact; // of fields.returnTo
    std::vector<StripRule> strip; // beside commonStrip
    ReturnStrategy returns = ReturnStrategy::Queue;
    Capabilities capabilities;
    void (*refine)(const Arrival &arrival, Reading &reading) = nullptr; // may be null
};

// In order of detection; the last one takes everything.
[[nodiscard]] const std::vector<Dialect> &dialects();
// The entry of that name; the last one ("unknown") for a name that is not in the table.
[[nodiscard]] const Dialect &dialectNamed(const QString &name);
[[nodiscard]] const Dialect &dialectOf(const Arrival &arrival);

// Taken out of every retry, whatever the dialect.
[[nodiscard]] const std::vector<StripRule> &commonStrip();

// Reading with the tolerance that hostile input needs: never more than `limits` characters, empty when absent.
[[nodiscard]] const QCborValue *findLoosely(const records::Headers &headers, QStringView name);
[[nodiscard]] QString textAt(const records::Envelope &envelope, const FieldPath &path);
[[nodiscard]] QString firstText(const records::Envelope &envelope, const FieldPaths &paths, qsizetype longest);

namespace bounds {
inline constexpr qsizetype name = 512; // type, endpoint, host
inline constexpr qsizetype address = 1024; // a longer queue name is no queue name: unknown, never cut
inline constexpr qsizetype id = 1024;
inline constexpr qsizetype exceptionMessage = 32 * 1024; // NServiceBus cuts at 16,384
inline constexpr qsizetype stackTrace = 256 * 1024;
inline constexpr qsizetype jsonBody = 1024 * 1024;
inline constexpr qsizetype title = 300;
} // namespace bounds

} // namespace dialect
