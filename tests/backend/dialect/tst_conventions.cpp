// Every dialect against the fixtures beside this file: what is read, what goes back, and what must not be taken for it.
#include "backend/dialect/frameworks/packed.h"
#include "backend/dialect/published.h"
#include "backend/dialect/table.h"
#include "backend/records/editing/jsonpatcher.h"
#include "tests/support/testmain/testmain.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

using records::Header;
using records::Headers;
using Place = records::MessagePlace;

namespace {

QCborValue valueFrom(const QJsonValue &value)
{
    const QJsonObject object = value.toObject();
    if (object.contains(QLatin1String("base64")))
        return QByteArray::fromBase64(object.value(QLatin1String("base64")).toString().toLatin1());
    if (object.contains(QLatin1String("double")))
        return QCborValue(object.value(QLatin1String("double")).toDouble());
    if (object.contains(QLatin1String("times"))) // ["x", 2048]
        return object.value(QLatin1String("times"))
            .toArray()
            .at(0)
            .toString()
            .repeated(object.value(QLatin1String("times")).toArray().at(1).toInt());
    return QCborValue::fromJsonValue(value);
}

Headers headersFrom(const QJsonValue &list)
{
    Headers headers;
    const QJsonArray pairs = list.toArray();
    for (const QJsonValue &pair : pairs)
        headers.append({pair[0].toString(), valueFrom(pair[1])});
    return headers;
}

QByteArray bodyFrom(const QJsonValue &body)
{
    if (body.isString())
        return body.toString().toUtf8();
    const QJsonObject object = body.toObject();
    if (object.size() == 1 && object.contains(QLatin1String("base64")))
        return QByteArray::fromBase64(object.value(QLatin1String("base64")).toString().toLatin1());
    return object.isEmpty() ? QByteArray() : QJsonDocument(object).toJson(QJsonDocument::Compact);
}

dialect::Arrival arrivalFrom(const QJsonObject &message)
{
    dialect::Arrival arrival;
    const QString broker = message.value(QLatin1String("broker")).toString();
    if (broker == QLatin1String("Service Bus"))
        arrival.broker = records::BrokerKind::ServiceBus;
    else if (broker == QLatin1String("Storage Queues"))
        arrival.broker = records::BrokerKind::AzureQueue;
    else if (broker == QLatin1String("SQS"))
        arrival.broker = records::BrokerKind::Sqs;
    arrival.queue = message.value(QLatin1String("queue")).toString();
    arrival.origin = message.value(QLatin1String("origin")).toString();
    arrival.envelope.routingKey = message.value(QLatin1String("routing key")).toString();
    arrival.envelope.headers = headersFrom(message.value(QLatin1String("headers")));
    arrival.envelope.properties = headersFrom(message.value(QLatin1String("properties")));
    arrival.envelope.body = bodyFrom(message.value(QLatin1String("body")));
    return arrival;
}

QString certaintyOf(const dialect::Reading &reading)
{
    switch (reading.destination.certainty) {
    case records::Certainty::Unknown:
        return QStringLiteral("unknown");
    case records::Certainty::FanOut:
        return QStringLiteral("fan-out");
    case records::Certainty::Derived:
        return QStringLiteral("derived");
    case records::Certainty::Exact:
        return QStringLiteral("exact");
    }
    return {};
}

QJsonArray flagsOf(records::MessageFlags flags)
{
    QJsonArray names;
    if (flags.testFlag(records::MessageFlag::OtherTool))
        names.append(QStringLiteral("other tool"));
    if (flags.testFlag(records::MessageFlag::Damaged))
        names.append(QStringLiteral("damaged"));
    if (flags.testFlag(records::MessageFlag::Shortened))
        names.append(QStringLiteral("shortened"));
    return names;
}

// [exchange, routing keys separated by blanks, known from]
QJsonValue publishedOf(const dialect::Reading &reading, const dialect::Arrival &arrival)
{
    const auto found = dialect::publishedTo(reading.dialect, arrival.envelope, reading.destination.queue);
    return found ? QJsonArray{found->exchange, found->keys.join(QLatin1Char(' ')), found->knownFrom} : QJsonValue();
}

// All that a fixture may ask for.
QJsonObject factsOf(const dialect::Reading &reading, const dialect::Arrival &arrival)
{
    const records::Failure &failure = reading.failure;
    return {
        {QStringLiteral("dialect"), reading.dialect},
        {QStringLiteral("id"), reading.messageId},
        {QStringLiteral("type"), reading.messageType},
        {QStringLiteral("correlation"), reading.correlationId},
        {QStringLiteral("conversation"), reading.conversationId},
        {QStringLiteral("content type"), reading.contentType},
        {QStringLiteral("exception"), failure.exceptionType},
        {QStringLiteral("message"), failure.exceptionMessage},
        {QStringLiteral("stack"), failure.stackTrace},
        {QStringLiteral("endpoint"), failure.endpoint},
        {QStringLiteral("host"), failure.host},
        {QStringLiteral("failed at"), failure.at ? QJsonValue(double(core::toMs(*failure.at))) : QJsonValue()},
        {QStringLiteral("attempts"), reading.attempts ? QJsonValue(*reading.attempts) : QJsonValue()},
        {QStringLiteral("destination"), reading.destination.queue},
        {QStringLiteral("certainty"), certaintyOf(reading)},
        {QStringLiteral("known from"), reading.destination.knownFrom},
        {QStringLiteral("published"), publishedOf(reading, arrival)},
        {QStringLiteral("flags"), flagsOf(reading.flags)},
        {QStringLiteral("title"), dialect::groupTitle(records::Classifier::ExceptionAndStack, reading, arrival)},
    };
}

// Reads every fact there, and changes these places in every way.
records::Convention conventionAt(const QList<Place> &places)
{
    using Rule = records::Convention::BeforeRetry;
    records::Convention convention;
    convention.name = QStringLiteral("own");
    for (int fact = 0; fact <= int(lastOf(records::Convention::Fact())); ++fact)
        convention.reads.append({records::Convention::Fact(fact), places});
    for (const Place &place : places) {
        convention.beforeRetry.append({Rule::Do::SetToZero, place});
        if (place.in == Place::In::Header && place.pointer.isEmpty())
            convention.beforeRetry.append({Rule::Do::EmptyIsMissing, place});
        convention.beforeRetry.append({Rule::Do::Remove, place});
    }
    return convention;
}

// Its headers and properties, and the first levels of what is inside them and the body.
QList<Place> placesOf(const records::Envelope &envelope)
{
    QList<Place> places;
    const auto addMembers = [&places](const Place &around, const QJsonObject &object) {
        for (auto member = object.begin(); member != object.end(); ++member) {
            Place place = around;
            place.pointer += records::pointerTo({member.key()});
            places.append(place);
            const QStringList inner = member->toObject().keys();
            for (const QString &key : inner)
                places.append({place.in, place.name, place.pointer + records::pointerTo({key})});
        }
    };
    for (const Header &header : envelope.headers) {
        const Place whole{Place::In::Header, header.name, {}};
        places.append(whole);
        addMembers(whole, header.value.toJsonValue().toObject());
        addMembers(whole, QJsonDocument::fromJson(records::text(header.value).toUtf8()).object());
    }
    for (const Header &header : envelope.properties)
        places.append({Place::In::Property, header.name, {}});
    addMembers({Place::In::Body, {}, {}}, QJsonDocument::fromJson(envelope.body).object());
    return places;
}

QByteArray printed(const Headers &headers)
{
    QByteArray lines;
    for (const Header &header : headers)
        lines += header.name.toUtf8() + " = " + header.value.toDiagnosticNotation().toUtf8() + "\n";
    return lines;
}

} // namespace

class TestConventions final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void theyAreRead_data();
    void theyAreRead();
    void whatGoesBack_data();
    void whatGoesBack();
    void othersAreNotTakenForThem_data();
    void othersAreNotTakenForThem();
    void placesThatDoNotExistChangeNothing_data();
    void placesThatDoNotExistChangeNothing();
    void whatAPersonChangesIsChangedOnce_data();
    void whatAPersonChangesIsChangedOnce();
    void everyDialectHasFixtures();
    void hostileValuesAreReadAsLittle_data();
    void hostileValuesAreReadAsLittle();

private:
    // Rows of all files: of their list of that name.
    void addRows(const char *list);

    QJsonObject m_files; // by name
};

void TestConventions::initTestCase()
{
    const QDir folder(QStringLiteral(FIXTURES));
    for (const QString &name : folder.entryList({QStringLiteral("*.json")})) {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QJsonParseError error;
        const QJsonDocument document = QJsonDocument::fromJson(file.readAll(), &error);
        QVERIFY2(document.isObject(), qPrintable(name + QLatin1Char(' ') + error.errorString()));
        m_files.insert(name, document.object());
    }
}

void TestConventions::addRows(const char *list)
{
    QTest::addColumn<QJsonObject>("row");
    for (auto file = m_files.constBegin(); file != m_files.constEnd(); ++file) {
        const QJsonArray rows = file.value()[QLatin1String(list)].toArray();
        for (const QJsonValue &row : rows)
            QTest::addRow("%s: %s", qPrintable(file.key()), qPrintable(row[QLatin1String("name")].toString()))
                << row.toObject();
    }
}

void TestConventions::theyAreRead_data()
{
    addRows("cases");
}

void TestConventions::theyAreRead()
{
    QFETCH(QJsonObject, row);
    const dialect::Arrival arrival = arrivalFrom(row.value(QLatin1String("message")).toObject());
    const QJsonObject found = factsOf(dialect::read(arrival), arrival);
    const QJsonObject wanted = row.value(QLatin1String("reads")).toObject();
    QVERIFY(wanted.contains(QLatin1String("dialect")) && wanted.contains(QLatin1String("title")));
    for (auto fact = wanted.begin(); fact != wanted.end(); ++fact) {
        QVERIFY2(found.contains(fact.key()), qPrintable(fact.key()));
        const QJsonArray both{found.value(fact.key()), fact.value()};
        QVERIFY2(both.at(0) == both.at(1),
                 qPrintable(fact.key() + QLatin1Char(' ')
                            + QString::fromUtf8(QJsonDocument(both).toJson(QJsonDocument::Compact))));
    }
}

void TestConventions::whatGoesBack_data()
{
    addRows("cases");
}

void TestConventions::whatGoesBack()
{
    QFETCH(QJsonObject, row);
    const QJsonValue wanted = row.value(QLatin1String("goesBack"));
    if (wanted.isUndefined())
        return;
    const dialect::Arrival arrival = arrivalFrom(row.value(QLatin1String("message")).toObject());
    const records::Envelope copy = dialect::stripped(dialect::read(arrival).dialect, arrival.envelope);
    const Headers headers = headersFrom(wanted[QLatin1String("headers")]);
    QCOMPARE(printed(copy.headers), printed(headers));
    QCOMPARE(copy.headers, headers);
    if (!wanted[QLatin1String("properties")].isUndefined())
        QCOMPARE(printed(copy.properties), printed(headersFrom(wanted[QLatin1String("properties")])));
    const QJsonValue body = wanted[QLatin1String("body")];
    QCOMPARE(copy.body, body.isUndefined() ? arrival.envelope.body : bodyFrom(body));
}

void TestConventions::othersAreNotTakenForThem_data()
{
    addRows("others");
}

void TestConventions::othersAreNotTakenForThem()
{
    QFETCH(QJsonObject, row);
    const dialect::Arrival arrival = arrivalFrom(row.value(QLatin1String("message")).toObject());
    QCOMPARE(dialect::read(arrival).dialect, row.value(QLatin1String("is")).toString());
}

void TestConventions::placesThatDoNotExistChangeNothing_data()
{
    addRows("cases");
}

void TestConventions::placesThatDoNotExistChangeNothing()
{
    QFETCH(QJsonObject, row);
    const dialect::Arrival arrival = arrivalFrom(row.value(QLatin1String("message")).toObject());
    const records::Conventions elsewhere{
        conventionAt({{Place::In::Header, QStringLiteral("x-none"), {}},
                      {Place::In::Property, QStringLiteral("x-none"), {}},
                      {Place::In::Header, QStringLiteral("x-none"), QStringLiteral("/a/0")},
                      {Place::In::Body, {}, QStringLiteral("/x-none/a")}})};
    const dialect::Reading before = dialect::read(arrival);
    const dialect::Reading after = dialect::read(arrival, elsewhere);
    QCOMPARE(after.conventions, QStringList{QStringLiteral("own")});
    QCOMPARE(factsOf(after, arrival), factsOf(before, arrival));
    QCOMPARE(dialect::stripped(before.dialect, arrival.envelope, elsewhere),
             dialect::stripped(before.dialect, arrival.envelope));
    QCOMPARE(dialect::withoutNulls(before.dialect, arrival.envelope, elsewhere),
             dialect::withoutNulls(before.dialect, arrival.envelope));
}

void TestConventions::whatAPersonChangesIsChangedOnce_data()
{
    addRows("cases");
}

// Every place of the message, in every way.
void TestConventions::whatAPersonChangesIsChangedOnce()
{
    QFETCH(QJsonObject, row);
    const dialect::Arrival arrival = arrivalFrom(row.value(QLatin1String("message")).toObject());
    const QString name = dialect::read(arrival).dialect;
    const records::Envelope seen = dialect::read(arrival).unwrapped.value_or(arrival.envelope);
    for (const Place &place : placesOf(seen)) {
        const records::Conventions conventions{conventionAt({place})};
        const dialect::Reading reading = dialect::read(arrival, conventions);
        QCOMPARE(reading.dialect, name);
        QVERIFY(reading.flags == dialect::read(arrival).flags);
        const records::Envelope copy = dialect::stripped(name, seen, conventions);
        // Without its signature the body of Symfony could be stripped. But such a message is never sent.
        if (!reading.flags.testFlag(records::MessageFlag::OtherTool))
            QCOMPARE(dialect::stripped(name, copy, conventions), copy);
    }
}

void TestConventions::everyDialectHasFixtures()
{
    QSet<QString> read;
    for (auto file = m_files.constBegin(); file != m_files.constEnd(); ++file) {
        QVERIFY2(!file.value()[QLatin1String("others")].toArray().isEmpty(), qPrintable(file.key()));
        const QJsonArray cases = file.value()[QLatin1String("cases")].toArray();
        for (const QJsonValue &row : cases)
            read.insert(row[QLatin1String("reads")][QLatin1String("dialect")].toString());
    }
    for (const dialect::Dialect &entry : dialect::dialects())
        QVERIFY2(read.contains(entry.name) || entry.name == QLatin1String("unknown"), qPrintable(entry.name));
}

void TestConventions::hostileValuesAreReadAsLittle_data()
{
    QTest::addColumn<QJsonObject>("row");
    QTest::addColumn<QCborValue>("value");
    const QString deep = QStringLiteral("[").repeated(100000);
    const std::pair<const char *, QCborValue> values[] = {
        {"null", QCborValue(QCborValue::Null)},
        {"map", QCborMap{{QStringLiteral("a"), 1}}},
        {"bytes", QByteArray(1000, '\xff')},
        {"long", QString(3'000'000, QLatin1Char('x'))},
        {"lines", QStringLiteral("\n\n1: a.b: ").repeated(100'000)},
        {"colons", QStringLiteral(": ").repeated(500'000)},
        {"deep", deep},
        {"deep object", QStringLiteral("{\"a\":").repeated(50000)},
        {"lone surrogate", QString(QChar(0xdc00))},
        {"largest", std::numeric_limits<qint64>::max()},
        {"negative", -1},
        {"nan", std::numeric_limits<double>::quiet_NaN()},
        {"uri", QStringLiteral("rabbitmq://[::1/%%%/%zz?type=topic")},
        {"arn", QStringLiteral("arn:aws:sqs:::")},
        {"time", QStringLiteral("9999-99-99T99:99:99+99:99")},
    };
    for (auto file = m_files.constBegin(); file != m_files.constEnd(); ++file) {
        const QJsonArray cases = file.value()[QLatin1String("cases")].toArray();
        for (const QJsonValue &row : cases) {
            for (const auto &[name, value] : values)
                QTest::addRow("%s: %s: %s", qPrintable(file.key()), qPrintable(row[QLatin1String("name")].toString()),
                              name)
                    << row.toObject() << value;
        }
    }
}

// In turn each header and property alone, then the body, then all of them: whatever a parser takes for granted is missing
// in one of them.
void TestConventions::hostileValuesAreReadAsLittle()
{
    QFETCH(QJsonObject, row);
    QFETCH(QCborValue, value);
    const dialect::Arrival sound = arrivalFrom(row.value(QLatin1String("message")).toObject());
    const qsizetype headers = sound.envelope.headers.size();
    const qsizetype properties = sound.envelope.properties.size();
    for (qsizetype i = 0; i <= headers + properties + 1; ++i) {
        dialect::Arrival arrival = sound;
        const bool all = i > headers + properties;
        for (qsizetype h = 0; h < headers; ++h) {
            if (all || h == i)
                arrival.envelope.headers[h].value = value;
        }
        for (qsizetype p = 0; p < properties; ++p) {
            if (all || headers + p == i)
                arrival.envelope.properties[p].value = value;
        }
        if (all || i == headers + properties)
            arrival.envelope.body = records::text(value).toUtf8();
        const dialect::Reading reading = dialect::read(arrival);
        QVERIFY(!reading.dialect.isEmpty());
        QVERIFY(reading.failure.exceptionType.size() <= dialect::bounds::name);
        QVERIFY(reading.failure.exceptionMessage.size() <= dialect::bounds::exceptionMessage);
        QVERIFY(reading.failure.stackTrace.size() <= dialect::bounds::stackTrace);
        QVERIFY(reading.failure.endpoint.size() <= dialect::bounds::address);
        QVERIFY(reading.messageId.size() <= dialect::bounds::id);
        QVERIFY(reading.messageType.size() <= dialect::bounds::name);
        QVERIFY(reading.destination.queue.size() <= dialect::bounds::address);
        const auto published = dialect::publishedTo(reading.dialect, arrival.envelope, reading.destination.queue);
        QVERIFY(!published || published->exchange.size() <= dialect::bounds::address);
        QVERIFY(!published || published->keys.join(QString()).size() <= 10 * dialect::bounds::address);
        QVERIFY(!reading.attempts || *reading.attempts >= 0);
        QVERIFY(!reading.failure.at || core::toMs(*reading.failure.at) < 253402300800000);
        QVERIFY(!dialect::groupTitle(records::Classifier::ExceptionAndStack, reading, arrival).isEmpty());
        const records::Envelope copy = dialect::stripped(reading.dialect, arrival.envelope);
        const bool packed = dialect::packedHeaders(arrival.envelope).has_value();
        const bool fromBody = reading.dialect == QLatin1String("MassTransit")
                              || dialect::dialectNamed(reading.dialect).stripBody != nullptr;
        QVERIFY(packed || fromBody || reading.unwrapped || copy.body == arrival.envelope.body);
    }
}

REDRIVE_TEST(TestConventions)
#include "tst_conventions.moc"
