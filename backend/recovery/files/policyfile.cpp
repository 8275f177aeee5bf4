#include "backend/recovery/files/policyfile.h"

#include "backend/core/time/durationtext.h"
#include "backend/records/editing/jsonnode.h"
#include "backend/recovery/files/policycheck.h"
#include "backend/recovery/text.h"

#include <QLocale>

#include <algorithm>
#include <limits>

namespace recovery {

using core::Milliseconds;
using core::Result;
using records::checkedJson;
using records::JsonNode;
using records::JsonObject;
using records::oneOf;
using records::quotedJson;
using records::wrongAt;

namespace {

using L1 = QLatin1StringView;

// In the order of the enums.
const QStringList classWords{QStringLiteral("transient"), QStringLiteral("delayed"), QStringLiteral("permanent")};
const QStringList ruleWords{QStringLiteral("exception"), QStringLiteral("message"), QStringLiteral("http_status"),
                            QStringLiteral("dead_letter_reason")};
const QStringList scheduleWords{QStringLiteral("linear"), QStringLiteral("exponential"), QStringLiteral("list"),
                                QStringLiteral("cadence")};
const QStringList jitterWords{QStringLiteral("none"), QStringLiteral("full"), QStringLiteral("equal")};
const QStringList waitWords{QStringLiteral("store"), QStringLiteral("broker")};
const QStringList builtInWords{QStringLiteral("redrive"), QStringLiteral("nservicebus")};
const QStringList endWords{QStringLiteral("leave"), QStringLiteral("move"), QStringLiteral("dead-letter"),
                           QStringLiteral("notify")};

QStringList fields(std::initializer_list<const char *> names)
{
    QStringList list;
    for (const char *name : names)
        list.append(QString::fromLatin1(name));
    return list;
}

// Sets the value if the field is there.
Result<> readSpan(const JsonObject &object, const char *field, Milliseconds &value)
{
    if (const std::optional<JsonNode> node = object.find(L1(field))) {
        TRY(value, node->duration());
    }
    return {};
}

Result<> readNumber(const JsonObject &object, const char *field, int least, int most, int &value)
{
    if (const std::optional<JsonNode> node = object.find(L1(field))) {
        TRY(value, node->number(least, most));
    }
    return {};
}

Result<ClassRule> ruleFrom(const JsonNode &node)
{
    TRY(const JsonObject object,
        node.object(fields({"exception", "message", "http_status", "dead_letter_reason", "as"})));
    ClassRule rule;
    std::optional<JsonNode> pattern;
    for (qsizetype i = 0; i < ruleWords.size(); ++i) {
        const std::optional<JsonNode> found = object.find(L1(ruleWords.at(i).toLatin1()));
        if (!found)
            continue;
        if (pattern)
            return found->wrong(
                Text::tr("A rule has one condition, but this is its second. Make it a rule of its own."));
        pattern = found;
        rule.by = ClassRule::By(i);
    }
    if (!pattern)
        return node.wrong(Text::tr("A rule needs a condition: %1.").arg(oneOf(ruleWords)));
    if (rule.by == ClassRule::By::HttpStatus) {
        TRY(rule.httpStatus, pattern->number(100, 599));
    } else {
        TRY(rule.pattern, pattern->text());
    }
    TRY(const JsonNode as, object.need(L1("as")));
    TRY(const int place, as.word(classWords));
    rule.as = FailureClass(place);
    return rule;
}

Result<> readRules(const JsonObject &object, Policy &policy)
{
    const std::optional<JsonNode> list = object.find(L1("classify"));
    if (!list)
        return {};
    TRY(const QList<JsonNode> items, list->items(limits::rules));
    for (const JsonNode &item : items) {
        TRY(const ClassRule rule, ruleFrom(item));
        policy.rules.append(rule);
    }
    return {};
}

Result<> readBuiltIn(const JsonObject &object, Policy &policy)
{
    if (const std::optional<JsonNode> node = object.find(L1("built_in_rules"))) {
        TRY(const int place, node->word(builtInWords));
        policy.builtIn = BuiltInRules(place);
    }
    return {};
}

Result<> readSubtypes(const JsonObject &object, Policy &policy)
{
    const std::optional<JsonNode> table = object.find(L1("subtypes"));
    if (!table)
        return {};
    TRY(const auto entries, table->entries(limits::baseTypes));
    for (const auto &[type, list] : entries) {
        TRY(const QList<JsonNode> items, list.items(limits::subtypes));
        QStringList &subtypes = policy.subtypes[type];
        for (const JsonNode &item : items) {
            TRY(const QString subtype, item.text());
            subtypes.append(subtype);
        }
    }
    return {};
}

// The fields of each kind of schedule, "kind" among them. The first one after it is required.
const QList<QStringList> &scheduleFields()
{
    static const QList<QStringList> list{fields({"kind", "first"}), fields({"kind", "first", "factor", "cap"}),
                                         fields({"kind", "delays"}), fields({"kind", "every", "offset"})};
    return list;
}

Result<> readExponential(const JsonObject &object, Schedule &schedule)
{
    if (const std::optional<JsonNode> factor = object.find(L1("factor"))) {
        TRY(schedule.factor, factor->fraction());
    }
    if (const std::optional<JsonNode> cap = object.find(L1("cap"))) {
        TRY(schedule.cap, cap->duration());
    }
    return {};
}

Result<> readDelays(const JsonObject &object, Schedule &schedule)
{
    const std::optional<JsonNode> list = object.find(L1("delays"));
    if (!list)
        return {};
    TRY(const QList<JsonNode> items, list->items(limits::delays));
    for (const JsonNode &item : items) {
        TRY(const Milliseconds delay, item.duration());
        schedule.delays.append(delay);
    }
    return {};
}

Result<Schedule> scheduleFrom(const JsonNode &node)
{
    TRY(const JsonObject object, node.object(fields({"kind", "first", "factor", "cap", "delays", "every", "offset"})));
    TRY(const JsonNode kind, object.need(L1("kind")));
    TRY(const int place, kind.word(scheduleWords));
    const QStringList &allowed = scheduleFields().at(place);
    if (const std::optional<JsonNode> other = object.otherThan(allowed))
        return other->wrong(
            Text::tr("A schedule of kind \"%1\" does not have this field. Remove it.").arg(scheduleWords.at(place)));
    TRY(object.need(L1(allowed.at(1).toLatin1())));
    Schedule schedule;
    schedule.kind = Schedule::Kind(place);
    TRY(readSpan(object, "first", schedule.first));
    TRY(readExponential(object, schedule));
    TRY(readDelays(object, schedule));
    TRY(readSpan(object, "every", schedule.every));
    TRY(readSpan(object, "offset", schedule.offset));
    return schedule;
}

Result<Jitter> jitterFrom(const JsonNode &node)
{
    TRY(const QString text, node.text());
    if (const qsizetype place = jitterWords.indexOf(text); place >= 0)
        return Jitter{.kind = Jitter::Kind(place), .percent = 0};
    bool good = false;
    const int percent = text.chopped(std::min<qsizetype>(1, text.size())).toInt(&good);
    if (!good || !text.endsWith(QLatin1Char('%')) || percent < 1 || percent > 100)
        return node.wrong(
            Text::tr("The value must be %1, or a share from \"1%\" to \"100%\".").arg(oneOf(jitterWords)));
    return Jitter{.kind = Jitter::Kind::Percent, .percent = percent};
}

Result<Backstop> backstopFrom(const JsonNode &node, const Schedule &schedule)
{
    TRY(const JsonObject object, node.object(fields({"cycle", "plus"})));
    Backstop backstop;
    if (schedule.kind == Schedule::Kind::Cadence)
        backstop.cycle = schedule.every;
    else
        TRY(object.need(L1("cycle")));
    TRY(readSpan(object, "cycle", backstop.cycle));
    TRY(readSpan(object, "plus", backstop.plus));
    return backstop;
}

Result<RateLimit> rateLimitFrom(const JsonNode &node)
{
    TRY(const JsonObject object, node.object(fields({"after", "wait"})));
    RateLimit limit;
    TRY(readNumber(object, "after", 1, limits::rateLimitAfter, limit.after));
    TRY(readSpan(object, "wait", limit.wait));
    return limit;
}

Result<Exhausted> exhaustedFrom(const JsonNode &node)
{
    TRY(const JsonObject object, node.object(fields({"do", "queue"})));
    TRY(const JsonNode what, object.need(L1("do")));
    TRY(const int place, what.word(endWords));
    Exhausted exhausted{.what = Exhausted::Do(place), .queue = {}};
    if (exhausted.what == Exhausted::Do::Move)
        TRY(object.need(L1("queue")));
    if (const std::optional<JsonNode> queue = object.find(L1("queue"))) {
        TRY(exhausted.queue, queue->text());
    }
    return exhausted;
}

const QString neverWord = QStringLiteral("never");

Result<records::StopWhen> stopWhenFrom(const JsonNode &node)
{
    TRY(const QString text, node.text());
    if (text == neverWord)
        return records::StopWhen{};
    const std::optional<records::StopWhen> stop = records::stopWhenFrom(text);
    if (!stop)
        return node.wrong(Text::tr("The value must be a share like \"5%\", a number of messages like \"50\", or "
                                   "\"never\"."));
    return *stop;
}

// As many delayed retries as the schedule asks for by itself.
int delayedByDefault(const Policy &policy)
{
    switch (policy.schedule.kind) {
    case Schedule::Kind::List:
        return int(policy.schedule.delays.size());
    case Schedule::Kind::Cadence:
        return int(std::min<qint64>(turnsBeforeBackstop(policy), std::numeric_limits<int>::max()));
    default:
        return policy.delayed;
    }
}

Result<> readSchedule(const JsonObject &object, Policy &policy)
{
    if (const std::optional<JsonNode> node = object.find(L1("schedule"))) {
        TRY(policy.schedule, scheduleFrom(*node));
        policy.jitter = jitterByDefault(policy.schedule.kind);
    }
    if (const std::optional<JsonNode> node = object.find(L1("jitter"))) {
        TRY(policy.jitter, jitterFrom(*node));
    }
    if (const std::optional<JsonNode> node = object.find(L1("wait_at"))) {
        TRY(const int place, node->word(waitWords));
        policy.waitAt = WaitAt(place);
    }
    if (const std::optional<JsonNode> node = object.find(L1("longest_gap"))) {
        TRY(policy.longestGap, node->duration());
    }
    if (const std::optional<JsonNode> node = object.find(L1("backstop"))) {
        TRY(policy.backstop, backstopFrom(*node, policy.schedule));
    }
    policy.delayed = delayedByDefault(policy);
    TRY(readNumber(object, "delayed", 0, limits::attempts - 1, policy.delayed));
    if (object.has(L1("delayed")) && policy.delayed > 0 && !object.has(L1("schedule")))
        return wrongAt(
            QStringLiteral("schedule"),
            Text::tr("Delayed retries need a schedule. Add one, for example {\"kind\": \"linear\", \"first\": "
                     "\"10s\"}."));
    return {};
}

Result<Policy> policyFromNode(const JsonNode &node)
{
    TRY(const JsonObject object,
        node.object(fields({"name", "classify", "built_in_rules", "subtypes", "immediate", "delayed", "schedule",
                            "jitter", "wait_at", "counter", "longest_gap", "backstop", "rate_limit", "exhausted",
                            "stop_when"})));
    Policy policy;
    TRY(const JsonNode name, object.need(L1("name")));
    TRY(policy.name, name.text());
    TRY(readRules(object, policy));
    TRY(readBuiltIn(object, policy));
    TRY(readSubtypes(object, policy));
    TRY(readNumber(object, "immediate", 0, limits::immediate, policy.immediate));
    TRY(readSchedule(object, policy));
    if (const std::optional<JsonNode> counter = object.find(L1("counter"))) {
        TRY(policy.counter, counter->text());
        if (policy.counter.isEmpty())
            return counter->wrong(Text::tr("The text is empty. Name a header, or leave the field out."));
    }
    if (const std::optional<JsonNode> limit = object.find(L1("rate_limit"))) {
        TRY(policy.rateLimit, rateLimitFrom(*limit));
    }
    if (const std::optional<JsonNode> end = object.find(L1("exhausted"))) {
        TRY(policy.exhausted, exhaustedFrom(*end));
    }
    if (const std::optional<JsonNode> stop = object.find(L1("stop_when"))) {
        TRY(policy.stopWhen, stopWhenFrom(*stop));
    }
    TRY(checkPolicy(policy));
    return policy;
}

QByteArray quoted(Milliseconds span)
{
    return quotedJson(core::durationWord(span));
}

// "name": value
QByteArray field(const char *name, const QByteArray &value)
{
    return '"' + QByteArray(name) + "\": " + value;
}

QByteArray objectText(const QByteArrayList &members)
{
    return '{' + members.join(", ") + '}';
}

QByteArray ruleText(const ClassRule &rule)
{
    const QByteArray name = ruleWords.at(int(rule.by)).toLatin1();
    const bool isStatus = rule.by == ClassRule::By::HttpStatus;
    const QByteArray value = isStatus ? QByteArray::number(rule.httpStatus) : quotedJson(rule.pattern);
    return objectText({field(name.constData(), value), field("as", quotedJson(classWords.at(int(rule.as))))});
}

QByteArray rulesText(const QList<ClassRule> &rules)
{
    QByteArrayList lines;
    for (const ClassRule &rule : rules)
        lines.append("    " + ruleText(rule));
    return "[\n" + lines.join(",\n") + "\n  ]";
}

// Sorted, so that the same policy is always the same text.
QByteArray subtypesText(const QHash<QString, QStringList> &subtypes)
{
    QStringList types = subtypes.keys();
    types.sort();
    QByteArrayList lines;
    for (const QString &type : types) {
        QByteArrayList list;
        for (const QString &subtype : subtypes.value(type))
            list.append(quotedJson(subtype));
        lines.append("    " + quotedJson(type) + ": [" + list.join(", ") + ']');
    }
    return "{\n" + lines.join(",\n") + "\n  }";
}

QByteArray scheduleText(const Schedule &schedule)
{
    QByteArrayList members{field("kind", quotedJson(scheduleWords.at(int(schedule.kind))))};
    switch (schedule.kind) {
    case Schedule::Kind::Linear:
        members.append(field("first", quoted(schedule.first)));
        break;
    case Schedule::Kind::Exponential:
        members.append(field("first", quoted(schedule.first)));
        members.append(field("factor", QByteArray::number(schedule.factor, 'g', QLocale::FloatingPointShortest)));
        if (schedule.cap)
            members.append(field("cap", quoted(*schedule.cap)));
        break;
    case Schedule::Kind::List: {
        QByteArrayList delays;
        for (const Milliseconds delay : schedule.delays)
            delays.append(quoted(delay));
        members.append(field("delays", '[' + delays.join(", ") + ']'));
        break;
    }
    case Schedule::Kind::Cadence:
        members.append(field("every", quoted(schedule.every)));
        members.append(field("offset", quoted(schedule.offset)));
        break;
    }
    return objectText(members);
}

QByteArray jitterText(const Jitter &jitter)
{
    if (jitter.kind == Jitter::Kind::Percent)
        return quotedJson(QString::number(jitter.percent) + QLatin1Char('%'));
    return quotedJson(jitterWords.at(int(jitter.kind)));
}

QByteArray exhaustedText(const Exhausted &exhausted)
{
    QByteArrayList members{field("do", quotedJson(endWords.at(int(exhausted.what))))};
    if (!exhausted.queue.isEmpty())
        members.append(field("queue", quotedJson(exhausted.queue)));
    return objectText(members);
}

QByteArray backstopText(const Backstop &backstop)
{
    return objectText({field("cycle", quoted(backstop.cycle)), field("plus", quoted(backstop.plus))});
}

QByteArray rateLimitText(const RateLimit &limit)
{
    return objectText({field("after", QByteArray::number(limit.after)), field("wait", quoted(limit.wait))});
}

} // namespace

Result<Policy> policyFrom(const QByteArray &file)
{
    TRY(const QByteArray json, checkedJson(file));
    return policyFromNode(JsonNode(json));
}

QByteArray toJson(const Policy &policy)
{
    QByteArrayList members{field("name", quotedJson(policy.name))};
    if (!policy.rules.isEmpty())
        members.append(field("classify", rulesText(policy.rules)));
    if (policy.builtIn != BuiltInRules::Redrive)
        members.append(field("built_in_rules", quotedJson(builtInWords.at(int(policy.builtIn)))));
    if (!policy.subtypes.isEmpty())
        members.append(field("subtypes", subtypesText(policy.subtypes)));
    members.append(field("immediate", QByteArray::number(policy.immediate)));
    members.append(field("delayed", QByteArray::number(policy.delayed)));
    members.append(field("schedule", scheduleText(policy.schedule)));
    members.append(field("jitter", jitterText(policy.jitter)));
    if (policy.waitAt != WaitAt::Store)
        members.append(field("wait_at", quotedJson(waitWords.at(int(policy.waitAt)))));
    if (!policy.counter.isEmpty())
        members.append(field("counter", quotedJson(policy.counter)));
    if (policy.longestGap)
        members.append(field("longest_gap", quoted(*policy.longestGap)));
    if (policy.backstop)
        members.append(field("backstop", backstopText(*policy.backstop)));
    if (policy.rateLimit)
        members.append(field("rate_limit", rateLimitText(*policy.rateLimit)));
    members.append(field("exhausted", exhaustedText(policy.exhausted)));
    if (policy.stopWhen)
        members.append(field(
            "stop_when", quotedJson(policy.stopWhen->amount == 0 ? neverWord : records::toString(*policy.stopWhen))));
    return "{\n  " + members.join(",\n  ") + "\n}\n";
}

} // namespace recovery
