// The dialects as data: how each is told apart, where its facts lie, what has to go before a retry. Adding a framework
// means adding one entry; only what data cannot say (a text to take apart, a wrapper to open) is code, in `refine` and
// `unwrap`. README.md says how. Source of every name: the framework's own source, as cited beside the entries.
#pragma once

#include "backend/dialect/messageview.h"

#include <QFlags>

#include <vector>

namespace dialect {

enum class Match { Exact, Prefix, Suffix }; // Ordinal, all of them

// One thing that tells a dialect.
struct Sign
{
    Place place = Place::Header;
    QString name; // of a header or property, or a path, that must be there; of the queue: how its name is matched
    Match match = Match::Exact;
    QStringList values = {}; // one of these; one that ends with '*' stands for what begins so; none: whatever it says
};

using Signs = std::vector<Sign>; // all of them

enum class TimeForm { Iso, UnixMs, UnixSeconds, NServiceBus };
// "queue"; "rabbitmq://host/vhost/queue?options", "sb://namespace/scope/queue"; "arn:aws:sqs:region:account:queue"
enum class AddressForm { Name, Uri, Arn };

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
    FieldPaths failedAt;
    FieldPaths attempts;
    TimeForm timeForm = TimeForm::Iso;
    AddressForm addressForm = AddressForm::Name;
    records::Certainty certainty = records::Certainty::Exact; // of returnTo
    int attemptsBeside = 0; // what the counter leaves out: the first try, or what a look at it adds
};

// How a framework shortens what it says, so that it can be told.
struct Cut
{
    qsizetype message = 0; // a message exactly this long; 0: never by length
    qsizetype stack = 0;
    QString messageEnd; // at the end of what was cut
    QString stackEnd;
};

enum class Action {
    Drop,
    ResetToZero, // a counter that is missing is fine; one that is exhausted fails again at once
    DropNull, // where it is null: to the framework a missing header says the same, and RabbitMQ's HTTP API takes no null
};

struct StripRule
{
    QString name; // in a header: "rascal/error", always exact
    Match match = Match::Exact;
    Action action = Action::Drop;
    Place place = Place::Header;
};

enum class Capability {
    UniqueIds = 1, // the framework guarantees that a message id is never used twice
    OtherTool = 2, // what failed is no message of a queue, or cannot be restored: a retry is its own tool's
    NoCause = 4, // the framework never writes into a message why it failed: groups are made by message type
};
Q_DECLARE_FLAGS(Capabilities, Capability)
Q_DECLARE_OPERATORS_FOR_FLAGS(Capabilities)

struct Dialect
{
    QString name; // as stored and shown
    std::vector<Signs> signs; // any of these
    bool (*detect)(const MessageView &view) = nullptr; // beside the signs; may be null
    Fields fields;
    Cut cut;
    std::vector<StripRule> strip; // beside commonStrip
    Capabilities capabilities;
    void (*refine)(const MessageView &view, Reading &reading) = nullptr; // may be null
    // The message that failed, out of what the framework wrapped it in; nothing: it cannot be restored. May be null.
    std::optional<records::Envelope> (*unwrap)(const records::Envelope &envelope) = nullptr;
};

// In order of detection; the last one takes everything.
[[nodiscard]] const std::vector<Dialect> &dialects();
// The entry of that name; the last one ("unknown") for a name that is not in the table.
[[nodiscard]] const Dialect &dialectNamed(const QString &name);
[[nodiscard]] const Dialect &dialectOf(const MessageView &view);

// Whether it says nothing: null, a list of nulls only, or the text "undefined", as which RabbitMQ's HTTP API shows a null.
[[nodiscard]] bool isNull(const QCborValue &value);

// Taken out of every retry, whatever the dialect.
[[nodiscard]] const std::vector<StripRule> &commonStrip();

// ---- for entries ----
[[nodiscard]] FieldPaths headers(std::initializer_list<const char *> names);
[[nodiscard]] FieldPaths properties(std::initializer_list<const char *> names);
[[nodiscard]] FieldPaths inHeader(std::initializer_list<const char *> paths);
[[nodiscard]] FieldPaths inBody(std::initializer_list<const char *> paths);
[[nodiscard]] FieldPaths operator+(FieldPaths first, const FieldPaths &then);
[[nodiscard]] std::vector<StripRule> drop(std::initializer_list<const char *> names, Match match = Match::Exact);
[[nodiscard]] Sign header(const char *name, QStringList values = {});
// What brokers know of a message.
[[nodiscard]] Fields nativeFields();

} // namespace dialect
