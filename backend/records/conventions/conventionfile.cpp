#include "backend/records/conventions/conventionfile.h"

#include "backend/records/conventions/conventionwords.h"
#include "backend/records/editing/jsonnode.h"
#include "backend/records/text.h"

namespace records {

using core::Result;

namespace {

using namespace conventions;
using L1 = QLatin1StringView;

const QStringList &classifierWords()
{
    static const QStringList words = [] {
        QStringList list;
        for (int i = 0; i < classifierCount; ++i)
            list.append(toString(Classifier(i)));
        return list;
    }();
    return words;
}

// ---- Reading ----

// Sets the text if the field is there.
Result<> readText(const JsonObject &object, L1 field, QString &text)
{
    if (const std::optional<JsonNode> node = object.find(field)) {
        TRY(text, node->text());
        if (text.isEmpty())
            return node->wrong(Text::tr("The text is empty. Fill it in."));
    }
    return {};
}

Result<> readTexts(const JsonObject &object, L1 field, int most, QStringList &texts)
{
    const std::optional<JsonNode> node = object.find(field);
    if (!node)
        return {};
    TRY(const QList<JsonNode> items, node->items(most));
    for (const JsonNode &item : items) {
        TRY(const QString text, item.text());
        texts.append(text);
    }
    return {};
}

Result<QList<Convention::For::Header>> headersFrom(const JsonNode &node)
{
    QList<Convention::For::Header> headers;
    TRY(const auto entries, node.entries(mostHeaders));
    for (const auto &[name, value] : entries) {
        TRY(const QString text, value.text());
        headers.append({name, text});
    }
    return headers;
}

Result<Convention::For::Group> groupFrom(const JsonNode &node)
{
    const QStringList fields{QStringLiteral("by"), QStringLiteral("title")};
    TRY(const JsonObject object, node.object(fields));
    TRY(const JsonNode by, object.need(L1("by")));
    TRY(const int classifier, by.word(classifierWords()));
    TRY(const JsonNode title, object.need(L1("title")));
    TRY(const QString text, title.text());
    return Convention::For::Group{Classifier(classifier), text};
}

Result<Convention::For> forFrom(const JsonNode &node)
{
    const QStringList fields{QStringLiteral("connection"), QStringLiteral("queues"), QStringLiteral("dialects"),
                             QStringLiteral("headers"), QStringLiteral("group")};
    TRY(const JsonObject object, node.object(fields));
    Convention::For isFor;
    TRY(readText(object, L1("connection"), isFor.connection));
    TRY(readTexts(object, L1("queues"), mostQueues, isFor.queues));
    TRY(readTexts(object, L1("dialects"), mostDialects, isFor.dialects));
    if (const std::optional<JsonNode> headers = object.find(L1("headers"))) {
        TRY(isFor.headers, headersFrom(*headers));
    }
    if (const std::optional<JsonNode> group = object.find(L1("group"))) {
        TRY(isFor.group, groupFrom(*group));
    }
    return isFor;
}

// Of these fields exactly one must be there.
Result<int> oneField(const JsonNode &node, const JsonObject &object, const QStringList &fields)
{
    int found = -1;
    for (int i = 0; i < fields.size(); ++i) {
        const std::optional<JsonNode> field = object.find(L1(fields.at(i).toLatin1()));
        if (field && found >= 0)
            return field->wrong(Text::tr("Only one of %1 can be here. Remove the others.").arg(oneOf(fields)));
        found = field ? i : found;
    }
    if (found < 0)
        return node.wrong(Text::tr("One of the fields %1 is missing. Add it.").arg(oneOf(fields)));
    return found;
}

Result<MessagePlace> placeFrom(const JsonNode &node)
{
    TRY(const JsonObject object, node.object(placeWords() + QStringList{QStringLiteral("pointer")}));
    TRY(const int in, oneField(node, object, placeWords()));
    TRY(const JsonNode value, object.need(L1(placeWords().at(in).toLatin1())));
    TRY(const QString text, value.text());
    const std::optional<JsonNode> pointer = object.find(L1("pointer"));
    if (MessagePlace::In(in) == MessagePlace::In::Body) {
        if (pointer)
            return pointer->wrong(Text::tr("\"body\" is the pointer already. Remove this field."));
        return MessagePlace{MessagePlace::In::Body, {}, text};
    }
    MessagePlace place{MessagePlace::In(in), text, {}};
    if (pointer) {
        TRY(place.pointer, pointer->text());
    }
    return place;
}

// One place, or a list of them.
Result<QList<MessagePlace>> placesFrom(const JsonNode &node)
{
    QList<JsonNode> items{node};
    if (node.json().startsWith('[')) {
        TRY(items, node.items(mostPlaces));
    }
    QList<MessagePlace> places;
    for (const JsonNode &item : items) {
        TRY(const MessagePlace place, placeFrom(item));
        places.append(place);
    }
    return places;
}

// In the order of the file.
Result<QList<Convention::Read>> readsFrom(const JsonNode &node)
{
    TRY(const JsonObject object, node.object(factWords()));
    TRY(const auto entries, node.entries(factWords().size()));
    QList<Convention::Read> reads;
    for (const auto &entry : entries) {
        TRY(const JsonNode value, object.need(L1(entry.first.toLatin1())));
        TRY(const QList<MessagePlace> places, placesFrom(value));
        reads.append({Convention::Fact(factWords().indexOf(entry.first)), places});
    }
    return reads;
}

Result<QList<Convention::BeforeRetry>> rulesFrom(const JsonNode &node)
{
    QList<Convention::BeforeRetry> rules;
    TRY(const QList<JsonNode> items, node.items(mostConventionRules));
    for (const JsonNode &item : items) {
        TRY(const JsonObject object, item.object(ruleWords()));
        TRY(const int what, oneField(item, object, ruleWords()));
        TRY(const JsonNode value, object.need(L1(ruleWords().at(what).toLatin1())));
        TRY(const MessagePlace place, placeFrom(value));
        rules.append({Convention::BeforeRetry::Do(what), place});
    }
    return rules;
}

// ---- Writing ----

// "name": value
QByteArray member(const QString &name, const QByteArray &value)
{
    return quotedJson(name) + ": " + value;
}

QByteArray objectOf(const QByteArrayList &members)
{
    return '{' + members.join(", ") + '}';
}

QByteArray listOf(const QStringList &texts)
{
    QByteArrayList items;
    for (const QString &text : texts)
        items.append(quotedJson(text));
    return '[' + items.join(", ") + ']';
}

// An object or a list of the convention itself: one line for each of its parts.
QByteArray lines(char open, const QByteArrayList &parts, char close)
{
    return open + QByteArray("\n    ") + parts.join(",\n    ") + "\n  " + close;
}

QByteArray forText(const Convention::For &isFor)
{
    QByteArrayList members;
    if (!isFor.connection.isEmpty())
        members.append(member(QStringLiteral("connection"), quotedJson(isFor.connection)));
    if (!isFor.queues.isEmpty())
        members.append(member(QStringLiteral("queues"), listOf(isFor.queues)));
    if (!isFor.dialects.isEmpty())
        members.append(member(QStringLiteral("dialects"), listOf(isFor.dialects)));
    QByteArrayList headers;
    for (const Convention::For::Header &header : isFor.headers)
        headers.append(member(header.name, quotedJson(header.value)));
    if (!headers.isEmpty())
        members.append(member(QStringLiteral("headers"), objectOf(headers)));
    if (isFor.group) {
        members.append(member(QStringLiteral("group"),
                              objectOf({member(QStringLiteral("by"), quotedJson(toString(isFor.group->by))),
                                        member(QStringLiteral("title"), quotedJson(isFor.group->title))})));
    }
    return members.isEmpty() ? QByteArray() : lines('{', members, '}');
}

QByteArray placeText(const MessagePlace &place)
{
    const QString in = placeWords().at(int(place.in));
    if (place.in == MessagePlace::In::Body)
        return objectOf({member(in, quotedJson(place.pointer))});
    QByteArrayList members{member(in, quotedJson(place.name))};
    if (!place.pointer.isEmpty())
        members.append(member(QStringLiteral("pointer"), quotedJson(place.pointer)));
    return objectOf(members);
}

QByteArray readText(const Convention::Read &read)
{
    QByteArrayList places;
    for (const MessagePlace &place : read.from)
        places.append(placeText(place));
    return member(factWords().at(int(read.fact)),
                  places.size() == 1 ? places.constFirst() : '[' + places.join(", ") + ']');
}

QByteArray ruleText(const Convention::BeforeRetry &rule)
{
    return objectOf({member(ruleWords().at(int(rule.what)), placeText(rule.place))});
}

template<typename List, typename Write>
QByteArrayList textsOf(const List &list, const Write &write)
{
    QByteArrayList texts;
    for (const auto &one : list)
        texts.append(write(one));
    return texts;
}

} // namespace

Result<Convention> conventionFrom(const QByteArray &file)
{
    TRY(const QByteArray json, checkedJson(file, longestFile));
    const QStringList fields{QStringLiteral("name"),
                             QStringLiteral("note"),
                             QStringLiteral("for"),
                             QStringLiteral("read"),
                             QStringLiteral("return_to_queue"),
                             QStringLiteral("before_retry")};
    TRY(const JsonObject object, JsonNode(json).object(fields));
    Convention convention;
    TRY(const JsonNode name, object.need(L1("name")));
    TRY(convention.name, name.text());
    if (const std::optional<JsonNode> note = object.find(L1("note"))) {
        TRY(convention.note, note->text());
    }
    if (const std::optional<JsonNode> isFor = object.find(L1("for"))) {
        TRY(convention.isFor, forFrom(*isFor));
    }
    if (const std::optional<JsonNode> read = object.find(L1("read"))) {
        TRY(convention.reads, readsFrom(*read));
    }
    TRY(readText(object, L1("return_to_queue"), convention.returnTo));
    if (const std::optional<JsonNode> rules = object.find(L1("before_retry"))) {
        TRY(convention.beforeRetry, rulesFrom(*rules));
    }
    TRY(checkConvention(convention));
    return convention;
}

QByteArray toJson(const Convention &convention)
{
    QByteArrayList members{member(QStringLiteral("name"), quotedJson(convention.name))};
    if (!convention.note.isEmpty())
        members.append(member(QStringLiteral("note"), quotedJson(convention.note)));
    if (const QByteArray isFor = forText(convention.isFor); !isFor.isEmpty())
        members.append(member(QStringLiteral("for"), isFor));
    if (!convention.reads.isEmpty())
        members.append(
            member(QStringLiteral("read"),
                   lines('{', textsOf(convention.reads, [](const auto &one) { return readText(one); }), '}')));
    if (!convention.returnTo.isEmpty())
        members.append(member(QStringLiteral("return_to_queue"), quotedJson(convention.returnTo)));
    if (!convention.beforeRetry.isEmpty())
        members.append(
            member(QStringLiteral("before_retry"), lines('[', textsOf(convention.beforeRetry, ruleText), ']')));
    return "{\n  " + members.join(",\n  ") + "\n}\n";
}

} // namespace records
