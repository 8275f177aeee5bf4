#include "backend/dialect/editing.h"

#include "backend/dialect/frameworks/packed.h"
#include "backend/dialect/table.h"
#include "backend/dialect/text.h"
#include "backend/records/editing/editing.h"
#include "backend/records/messages/stamp.h"
#include "backend/records/rules/retrycount.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace dialect {

using core::ErrorKind;
using core::fail;
using core::Result;
using records::HeaderCare;

namespace {

// Source: ServiceControl EditFailedMessagesController.cs, and the headers by which the framework finds a saga or
// recognizes a copy.
constexpr std::array nServiceBusLocked{"NServiceBus.MessageId",         "NServiceBus.SagaId",
                                       "NServiceBus.CorrelationId",     "NServiceBus.ControlMessage",
                                       "NServiceBus.OriginatingSagaId", "NServiceBus.RelatedTo",
                                       "NServiceBus.ConversationId",    "NServiceBus.MessageIntent",
                                       "NServiceBus.Version",           "NServiceBus.IsSagaTimeoutMessage",
                                       "NServiceBus.IsDeferredMessage", "NServiceBus.ProcessingStarted",
                                       "NServiceBus.ProcessingEnded"};
// From the same source.
constexpr std::array nServiceBusSensitive{"NServiceBus.Header.RouteTo",  "NServiceBus.DestinationSites",
                                          "NServiceBus.OriginatingSite", "NServiceBus.To",
                                          "NServiceBus.ReplyToAddress",  "NServiceBus.ReturnMessage.ErrorCode",
                                          "NServiceBus.SagaType",        "NServiceBus.OriginatingSagaType",
                                          "NServiceBus.TimeSent"};
// Headers of other frameworks that link related messages: conversations, replies and traces.
constexpr std::array locked{"MT-Request-Id", "RequestId",    "InitiatorId",    "ConversationId",
                            "rbs2-msg-id",   "rbs2-corr-id", "rbs2-corr-seq",  "rbs2-in-reply-to",
                            "traceparent",   "tracestate",   "Diagnostic-Id",  "parent-id",
                            "saga-id",       "ce-id",        "cloudEvents:id", "cloudEvents_id"};
constexpr std::array sensitive{"reply-to",
                               "replyTo",
                               "ReplyTo",
                               "reply_to",
                               "rbs2-return-address",
                               "rbs2-sender-address",
                               "ResponseAddress",
                               "FaultAddress",
                               "MT-Response-Address",
                               "MT-Fault-Address",
                               "reply-requested",
                               "rbs2-content-type",
                               "rbs2-content-encoding",
                               "content-type",
                               "Content-Type",
                               "content_type",
                               "contentType",
                               "__TypeId__"};

template<typename Names>
bool isAmong(const Names &names, const QString &header)
{
    return std::any_of(names.begin(), names.end(), [&header](const char *name) {
        return header.compare(QLatin1StringView(name), Qt::CaseInsensitive) == 0;
    });
}

bool isAmong(const FieldPaths &paths, const QString &header)
{
    return std::any_of(paths.begin(), paths.end(), [&header](const FieldPath &path) {
        return path.place == Place::Header
               && header.compare(path.name, path.ordinal ? Qt::CaseSensitive : Qt::CaseInsensitive) == 0;
    });
}

bool isStripped(const std::vector<StripRule> &rules, const QString &header)
{
    return std::any_of(rules.begin(), rules.end(), [&header](const StripRule &rule) {
        if (rule.place == Place::InHeader)
            return header == rule.name.section(QLatin1Char('/'), 0, 0);
        if (rule.place != Place::Header || rule.action == Action::DropNull)
            return false;
        switch (rule.match) {
        case Match::Exact:
            return header == rule.name;
        case Match::Prefix:
            return header.startsWith(rule.name);
        case Match::Suffix:
            return header.endsWith(rule.name);
        }
        Q_UNREACHABLE();
    });
}

Care lockedBecause(const QString &why)
{
    return {HeaderCare::Locked, why};
}

// The locked headers among these.
records::Headers lockedOf(const QString &dialect, const records::Headers &headers)
{
    records::Headers kept;
    std::copy_if(headers.begin(), headers.end(), std::back_inserter(kept), [&dialect](const records::Header &header) {
        return careOf(dialect, header.name).care == HeaderCare::Locked;
    });
    return kept;
}

Result<> checkNamed(const QString &dialect, const QString &header)
{
    const Care care = careOf(dialect, header);
    if (care.care != HeaderCare::Locked)
        return {};
    return fail(ErrorKind::Rejected, Text::tr("The header %1 is locked: %2.").arg(header, care.why));
}

} // namespace

Care careOf(const QString &dialect, const QString &header)
{
    const Dialect &entry = dialectNamed(dialect);
    const Fields &fields = entry.fields;
    if (header.compare(records::stampHeader, Qt::CaseInsensitive) == 0
        || header.compare(records::retryCountHeader, Qt::CaseInsensitive) == 0)
        return lockedBecause(Text::tr("Redrive recognizes its own copies by it"));
    // Before the strip rules: some of them cover counters among the fields, but none covers an identity.
    if (isAmong(fields.messageId, header))
        return lockedBecause(Text::tr("it identifies the message"));
    if (isAmong(fields.correlationId, header) || isAmong(fields.conversationId, header) || isAmong(locked, header)
        || isAmong(nServiceBusLocked, header))
        return lockedBecause(Text::tr("it links related messages, or it controls how the framework handles them"));
    if (isStripped(commonStrip(), header) || isStripped(entry.strip, header))
        return lockedBecause(
            Text::tr("it describes the failure or counts attempts, and Redrive removes or resets it on retry"));
    if (isAmong(fields.messageType, header) || isAmong(fields.contentType, header))
        return {HeaderCare::Sensitive, Text::tr("it defines the message type or how the body is read")};
    if (isAmong(sensitive, header) || isAmong(nServiceBusSensitive, header))
        return {HeaderCare::Sensitive, Text::tr("it controls where replies go or how the message is handled")};
    return {};
}

Result<records::Envelope> edited(const QString &dialect, const records::Envelope &stripped, const records::Edit &edit,
                                 const records::EditLimit &limit)
{
    using Do = records::EditStep::Do;
    for (const records::EditStep &step : edit.steps) {
        if (step.what != Do::SetHeader && step.what != Do::RemoveHeader && step.what != Do::RenameHeader)
            continue;
        Result<> free = checkNamed(dialect, step.name);
        if (free && step.what == Do::RenameHeader)
            free = checkNamed(dialect, step.text);
        if (!free)
            return fail(free.error());
    }
    Result<records::Envelope> edited = records::apply(edit, stripped, limit);
    if (!edited)
        return edited;
    const auto stripBody = dialectNamed(dialect).stripBody;
    if (stripBody != nullptr && stripBody(stripped) && !stripBody(*edited))
        return fail(
            ErrorKind::Rejected,
            Text::tr("The edit breaks the body: the framework could no longer read it. Lengths written in the body "
                     "must match its texts."));
    const std::optional<records::Headers> before = packedHeaders(stripped);
    const std::optional<records::Headers> after = packedHeaders(*edited);
    if (before.has_value() != after.has_value() || (before && lockedOf(dialect, *before) != lockedOf(dialect, *after)))
        return fail(ErrorKind::Rejected, Text::tr("The edit changes locked headers that the framework packed into this "
                                                  "message. Leave those headers unchanged."));
    return edited;
}

} // namespace dialect
