#include "backend/pipeline/columns.h"

#include "backend/pipeline/text.h"
#include "backend/records/editing/jsonnode.h"
#include "backend/records/editing/jsonpatcher.h"

#include <QTime>

namespace pipeline {

namespace {

using core::Result;
using records::JsonNode;
using records::JsonObject;

constexpr qsizetype longestIdentifier = 128; // SQL Server's; PostgreSQL cuts at 63
const QLatin1StringView tableField("table");

Result<QString> identifierFrom(const JsonNode &node)
{
    TRY(const QString name, node.text());
    const bool hasNone = name.trimmed().isEmpty() || name.contains(QChar::Null);
    if (hasNone || name.size() > longestIdentifier)
        return node.wrong(Text::tr("The name must have 1 to %1 characters.").arg(longestIdentifier));
    return name;
}

Result<> readTable(const JsonObject &file, const char *name, const QList<ColumnField> &fields, QString &table,
                   Columns &columns)
{
    const std::optional<JsonNode> node = file.find(QLatin1StringView(name));
    if (!node)
        return {};
    QStringList known{QString(tableField)};
    for (const ColumnField &field : fields)
        known.append(QString::fromLatin1(field.name));
    TRY(const JsonObject object, node->object(known));
    if (const std::optional<JsonNode> given = object.find(tableField)) {
        TRY(table, identifierFrom(*given));
    }
    for (const ColumnField &field : fields) {
        if (const std::optional<JsonNode> given = object.find(QLatin1StringView(field.name))) {
            TRY(columns.*field.column, identifierFrom(*given));
        }
    }
    return {};
}

Result<> checkInitialTime(const JsonNode &node, const QString &time)
{
    if (QTime::fromString(time, QStringLiteral("HH:mm")).isValid())
        return {};
    return node.wrong(Text::tr("The initial time must look like 06:30."));
}

Result<ReceiverTiming> timingFrom(const JsonNode &node)
{
    if (!node.json().startsWith('{')) {
        TRY(const core::Milliseconds every, node.duration());
        if (every.count() <= 0)
            return node.wrong(Text::tr("The time between two batches must be longer than 0."));
        return ReceiverTiming{every, {}, {}, {}};
    }
    TRY(const JsonObject object, node.object({QStringLiteral("number_per_day"), QStringLiteral("initial_time")}));
    TRY(const JsonNode perDay, object.need(QLatin1StringView("number_per_day")));
    TRY(const int number, perDay.number(1, mostBatchesPerDay));
    ReceiverTiming timing = timesPerDay(number);
    if (const std::optional<JsonNode> given = object.find(QLatin1StringView("initial_time"))) {
        TRY(timing.initialTime, given->text());
        TRY(checkInitialTime(*given, timing.initialTime));
    }
    return timing;
}

Result<> readReceivers(const JsonObject &file, Columns &columns)
{
    const std::optional<JsonNode> node = file.find(QLatin1StringView("receivers"));
    if (!node)
        return {};
    TRY(const auto entries, node->entries(mostReceivers));
    for (const auto &[receiver, timing] : entries) {
        TRY(const ReceiverTiming read, timingFrom(timing));
        columns.timings.insert(receiver, read);
    }
    return {};
}

Result<> readChoices(const JsonObject &file, Columns &columns)
{
    if (const std::optional<JsonNode> node = file.find(QLatin1StringView("backstop"))) {
        TRY(const int place, node->word({QStringLiteral("next_action_at"), QStringLiteral("created_at")}));
        columns.backstop = Columns::Backstop(place);
    }
    if (const std::optional<JsonNode> node = file.find(QLatin1StringView("events"))) {
        TRY(const int place, node->word({QStringLiteral("json"), QStringLiteral("text")}));
        columns.events = Columns::Events(place);
    }
    return {};
}

} // namespace

const QList<ColumnField> &taskFields()
{
    static const QList<ColumnField> fields{
        {"report_id", &Columns::reportId, false},          {"next_action", &Columns::nextAction, false},
        {"next_action_at", &Columns::nextActionAt, false}, {"schema_name", &Columns::schemaName, false},
        {"receiver_name", &Columns::receiverName, false},  {"item_count", &Columns::itemCount, false},
        {"created_at", &Columns::createdAt, false},        {"retry_token", &Columns::retryToken, true},
    };
    return fields;
}

const QList<ColumnField> &actionFields()
{
    static const QList<ColumnField> fields{
        {"action_id", &Columns::actionId, true},
        {"action_name", &Columns::actionName, false},
        {"action_params", &Columns::actionParameters, true},
        {"action_result", &Columns::actionResult, true},
        {"created_at", &Columns::actionCreatedAt, false},
    };
    return fields;
}

Result<Columns> columnsFrom(const QByteArray &file)
{
    Columns columns;
    if (file.isEmpty())
        return columns;
    if (file.size() > longestColumnFile)
        return records::wrongAt({}, Text::tr("A column file can have at most %1 bytes.").arg(longestColumnFile));
    const QByteArray json = file.startsWith("\xef\xbb\xbf") ? file.mid(3) : file; // some editors write this mark
    if (!json.isValidUtf8())
        return records::wrongAt({}, Text::tr("The column file is not valid UTF-8. Save it as UTF-8."));
    if (const std::optional<qsizetype> fault = records::jsonFault(json)) {
        const records::TextPlace place = records::placeIn(json, *fault);
        return records::wrongAt({}, Text::tr("The column file is not valid JSON: see line %1, character %2.")
                                        .arg(QString::number(place.line), QString::number(place.column)));
    }
    TRY(const JsonObject object,
        JsonNode(json).object({QStringLiteral("task"), QStringLiteral("action"), QStringLiteral("setting"),
                               QStringLiteral("receivers"), QStringLiteral("backstop"), QStringLiteral("events")}));
    TRY(readTable(object, "task", taskFields(), columns.taskTable, columns));
    TRY(readTable(object, "action", actionFields(), columns.actionTable, columns));
    TRY(readTable(object, "setting", {}, columns.settingTable, columns));
    TRY(readReceivers(object, columns));
    TRY(readChoices(object, columns));
    return columns;
}

} // namespace pipeline
