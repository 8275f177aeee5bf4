// The table of dialects: how each one is recognized, where its facts are, and what to strip before a retry. A new
// framework needs one new entry, as README.md describes. `refine` and `unwrap` are code for what data cannot describe,
// such as a text to parse or a wrapper to open. All names come from the source of the framework, which is cited beside
// each entry.
#pragma once

#include "backend/core/result.h"
#include "backend/dialect/messageview.h"

#include <QFlags>

#include <vector>

namespace dialect {

enum class Match { Exact, Prefix, Suffix }; // Ordinal, all of them

// One feature by which a dialect is recognized.
struct Sign
{
    Place place = Place::Header;
    // The header, property or path that must exist. For Queue: the text to match with the name of the queue.
    QString name;
    Match match = Match::Exact;
    QStringList values = {}; // the value must be one of these; "x*" means any that starts with "x"; empty: any value
};

using Signs = std::vector<Sign>; // all of them must be present

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
    int attemptsBeside = 0; // added to the counter: 1 if it leaves out the first try, -1 if it includes our own receive
};

// How to see that a framework has shortened its text.
struct Cut
{
    qsizetype message = 0; // a message of exactly this length was cut; 0: the length does not show it
    qsizetype stack = 0; // likewise
    QString messageEnd; // a message that ends with this text was cut
    QString stackEnd; // likewise
};

enum class Action {
    Drop,
    ResetToZero, // for a counter: with an exhausted one the message would fail again at once
    DropNull, // drop it if it is null: a missing header means the same, and RabbitMQ's HTTP API accepts no null
};

struct StripRule
{
    QString name; // for InHeader and JsonBody a path, "rascal/error", which is always matched exactly
    Match match = Match::Exact;
    Action action = Action::Drop; // InHeader and JsonBody: always Drop
    Place place = Place::Header;
    bool counts = false; // it counts tries: the plan says that it starts again (see counters.h)
};

enum class Capability {
    UniqueIds = 1, // the framework guarantees that a message id is never used twice
    OtherTool = 2, // only the tool of the framework can retry it: it is not a message of a queue, or cannot be restored
    NoCause = 4, // the framework never writes the cause into a message: failure groups are made by message type
    Confirms = 8, // its endpoints confirm what they handled, if the message asks (confirmation.h)
};
Q_DECLARE_FLAGS(Capabilities, Capability)
Q_DECLARE_OPERATORS_FOR_FLAGS(Capabilities)

struct Dialect
{
    QString name; // as stored and shown; it must never change
    std::vector<Signs> signs; // one of these must match
    bool (*detect)(const MessageView &view) = nullptr; // another way to match; may be null
    Fields fields;
    Cut cut;
    std::vector<StripRule> strip; // in addition to commonStrip()
    Capabilities capabilities;
    void (*refine)(const MessageView &view, Reading &reading) = nullptr; // may be null
    // The body without what the framework wrote about the failure, all else unchanged. An error says why that cannot be
    // done; the message is then left out of every retry. May be null: the body says nothing about the failure.
    core::Result<QByteArray> (*stripBody)(const records::Envelope &envelope) = nullptr;
    // Unwraps the message that failed. Nothing if it cannot be restored. May be null.
    std::optional<records::Envelope> (*unwrap)(const records::Envelope &envelope) = nullptr;
};

// In order of detection. The last entry ("unknown") matches every message.
[[nodiscard]] const std::vector<Dialect> &dialects();
// The entry with that name, or the last one if the name is not in the table.
[[nodiscard]] const Dialect &dialectNamed(const QString &name);
[[nodiscard]] const Dialect &dialectOf(const MessageView &view);

// Whether the value means null: null itself, a list of nulls, or the text "undefined", which RabbitMQ's HTTP API shows
// for a null.
[[nodiscard]] bool isNull(const QCborValue &value);

// The rules that apply to every retry, whatever the dialect.
[[nodiscard]] const std::vector<StripRule> &commonStrip();

// ---- Helpers for entries ----
[[nodiscard]] FieldPaths headers(std::initializer_list<const char *> names);
[[nodiscard]] FieldPaths properties(std::initializer_list<const char *> names);
[[nodiscard]] FieldPaths inHeader(std::initializer_list<const char *> paths);
[[nodiscard]] FieldPaths inBody(std::initializer_list<const char *> paths);
[[nodiscard]] FieldPaths operator+(FieldPaths first, const FieldPaths &then);
[[nodiscard]] std::vector<StripRule> drop(std::initializer_list<const char *> names, Match match = Match::Exact);
// Counters of tries. Drop: to the framework a missing one means the same as 0.
[[nodiscard]] std::vector<StripRule> counters(std::initializer_list<const char *> names, Action action,
                                              Place place = Place::Header);
void append(std::vector<StripRule> &rules, const std::vector<StripRule> &more);
[[nodiscard]] Sign header(const char *name, QStringList values = {});
// The fields that brokers themselves fill in.
[[nodiscard]] Fields nativeFields();

} // namespace dialect
