// What an export writes is read back without loss: every kind of header value, any bytes as body, every field.
#include "backend/core/random.h"
#include "backend/core/text/cborcodec.h"
#include "backend/transfer/messageline.h"
#include "backend/transfer/messagereader.h"
#include "backend/transfer/valuejson.h"
#include "tests/support/testmain/testmain.h"

#include <QCborArray>
#include <QCborMap>
#include <QJsonDocument>
#include <QTest>

#include <cmath>
#include <limits>

using records::ExportedMessage;

class TestMessageLine final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachKindOfValueSurvives_data();
    void eachKindOfValueSurvives();
    void theKindSaysWhatTheValueWas();
    void anyValueSurvives();
    void anyBodySurvives();
    void textIsReadable();
    void everyFieldSurvives();
    void timesThatIsoCannotSayAreCut();
};

namespace {

QString words(const char *text)
{
    return QString::fromUtf8(text);
}

QCborValue readBack(const QCborValue &value)
{
    const QByteArray json = QJsonDocument(transfer::valueJson(value)).toJson(QJsonDocument::Compact);
    const core::Result<QCborValue> read = transfer::valueFrom(records::JsonNode(json));
    if (!read)
        qWarning("%s in %s", qPrintable(read.error().message), json.constData());
    return read.value_or(QCborValue(QStringLiteral("unreadable")));
}

ExportedMessage sample()
{
    ExportedMessage message;
    message.store = QString(32, u'a');
    message.uniqueId = QString(32, u'b');
    message.connection = words("shop");
    message.queue = words("error");
    message.lastFailed = core::fromMs(1'790'000'000'123);
    message.firstFailed = core::fromMs(1'780'000'000'456);
    return message;
}

ExportedMessage messageBack(const ExportedMessage &message)
{
    QByteArray line = *transfer::messageLine(message);
    line.chop(1);
    const core::Result<transfer::Line> read = transfer::lineFrom(line);
    if (!read)
        qWarning("%s in %s", qPrintable(read.error().message), line.left(500).constData());
    return read ? read->message : ExportedMessage();
}

template<typename T>
T oneOf(core::Random &random, const QList<T> &all)
{
    return all.at(qsizetype(random.below(quint64(all.size()))));
}

// Texts with all that texts can have.
QString randomText(core::Random &random)
{
    static const QStringList parts{words("a"),      words("\"\\/"),        words("ü€😀"),           QString(QChar(0)),
                                   words("\n\r\t"), words("\xe2\x80\xae"), QString(QChar(0xfeff)), words("{}[],:")};
    QString text;
    for (quint64 left = random.below(6); left > 0; --left)
        text += oneOf(random, parts);
    return text;
}

QByteArray randomBytes(core::Random &random, quint64 most)
{
    QByteArray bytes;
    for (quint64 left = random.below(most + 1); left > 0; --left)
        bytes += char(random.below(256));
    return bytes;
}

double randomDouble(core::Random &random)
{
    static const QList<double> rare{0.0,
                                    -0.0,
                                    1.0,
                                    0.1,
                                    1e300,
                                    5e-324,
                                    9007199254740993.0,
                                    std::numeric_limits<double>::infinity(),
                                    -std::numeric_limits<double>::infinity()};
    return random.below(2) == 0 ? oneOf(random, rare) : double(random.below(1'000'000)) / 7.0;
}

qint64 randomInteger(core::Random &random)
{
    static const QList<qint64> rare{0,
                                    -1,
                                    (qint64{1} << 53) - 1,
                                    qint64{1} << 53,
                                    (qint64{1} << 53) + 1,
                                    std::numeric_limits<qint64>::max(),
                                    std::numeric_limits<qint64>::min()};
    return oneOf(random, rare);
}

QCborValue randomValue(core::Random &random, int depth)
{
    switch (random.below(depth > 3 ? 7 : 9)) {
    case 0:
        return randomText(random);
    case 1:
        return randomInteger(random);
    case 2:
        return randomDouble(random);
    case 3:
        return random.below(2) == 0;
    case 4:
        return nullptr;
    case 5:
        return randomBytes(random, 5);
    case 6: // what JSON has no word for
        return random.below(2) == 0 ? QCborValue(QCborValue::Undefined) : QCborValue(QCborTag(7), words("tagged"));
    case 7: {
        QCborArray list;
        for (quint64 left = random.below(4); left > 0; --left)
            list.append(randomValue(random, depth + 1));
        return list;
    }
    default: {
        QCborMap map;
        for (quint64 left = random.below(4); left > 0; --left) {
            const bool isNumbered = random.below(8) == 0;
            map.insert(isNumbered ? QCborValue(qint64(left)) : QCborValue(randomText(random)),
                       randomValue(random, depth + 1));
        }
        return map;
    }
    }
}

} // namespace

void TestMessageLine::eachKindOfValueSurvives_data()
{
    QTest::addColumn<QCborValue>("value");
    QTest::addColumn<QString>("kind");
    const auto row = [](const char *name, const QCborValue &value, const char *kind) {
        QTest::newRow(name) << value << QString::fromLatin1(kind);
    };
    row("text", words("ü"), "text");
    row("empty text", QString(), "text");
    row("integer", 1, "integer");
    row("big integer", std::numeric_limits<qint64>::max(), "integer");
    row("double", 1.0, "double");
    row("minus zero", -0.0, "double");
    row("not a number", std::numeric_limits<double>::quiet_NaN(), "double");
    row("bool", true, "bool");
    row("null", nullptr, "null");
    row("bytes", QByteArray("\0\xff", 2), "bytes");
    row("list", QCborArray{1, 1.0, words("1")}, "list");
    row("map", QCborMap{{words("a"), QCborArray{nullptr}}}, "map");
    row("map of numbers", QCborMap{{1, 2}}, "cbor");
    row("undefined", QCborValue(QCborValue::Undefined), "cbor");
    QCborValue deep = 1;
    for (int i = 0; i < transfer::deepestValue + 5; ++i)
        deep = QCborArray{deep};
    row("deep", deep, "cbor");
}

void TestMessageLine::eachKindOfValueSurvives()
{
    QFETCH(const QCborValue, value);
    QFETCH(const QString, kind);
    QCOMPARE(transfer::valueJson(value).value(QStringLiteral("kind")).toString(), kind);
    QCOMPARE(readBack(value).toCbor(), value.toCbor());
}

void TestMessageLine::theKindSaysWhatTheValueWas()
{
    QVERIFY(readBack(1).isInteger());
    QVERIFY(readBack(1.0).isDouble());
    QVERIFY(readBack(words("1")).isString());
}

void TestMessageLine::anyValueSurvives()
{
    for (quint64 seed = 1; seed <= 500; ++seed) {
        core::SeededRandom random(seed);
        const QCborValue value = randomValue(random, 0);
        QVERIFY2(readBack(value).toCbor() == value.toCbor(), qPrintable(QStringLiteral("seed %1").arg(seed)));
    }
}

void TestMessageLine::anyBodySurvives()
{
    for (const QByteArray &body :
         {QByteArray(), QByteArray("{\"a\":1}\n"), QByteArray("\xef\xbb\xbf<a/>"), QByteArray("\xff\xfe"),
          QByteArray("\0", 1), QByteArray("\xed\xa0\x80"), QByteArray("\xef\xbb\xbf")}) {
        ExportedMessage message = sample();
        message.envelope.body = body;
        QCOMPARE(messageBack(message).envelope.body, body);
    }
    for (quint64 seed = 1; seed <= 200; ++seed) {
        core::SeededRandom random(seed);
        ExportedMessage message = sample();
        message.envelope.body = random.below(2) == 0 ? randomBytes(random, 40) : randomText(random).toUtf8();
        QCOMPARE(messageBack(message).envelope.body, message.envelope.body);
    }
}

void TestMessageLine::textIsReadable()
{
    ExportedMessage message = sample();
    message.envelope.body = "{\"order\":7}";
    QVERIFY(transfer::messageLine(message)->contains("\"body\":\"{\\\"order\\\":7}\""));
    message.envelope.body = "\xff";
    QVERIFY(transfer::messageLine(message)->contains("\"body_base64\":\"/w==\""));
}

void TestMessageLine::everyFieldSurvives()
{
    ExportedMessage message = sample();
    message.broker = records::BrokerKind::Sqs;
    message.nativeId = words("native");
    message.dialect = words("NServiceBus");
    message.status = records::MessageStatus::Archived;
    message.messageId = words("id \xe2\x80\xae");
    message.messageType = words("type");
    message.correlationId = words("correlation");
    message.conversationId = words("conversation");
    message.failure = {words("T"), words("message\nof two lines"), words("at X"), words("E"),
                       words("H"), core::fromMs(1'790'000'000'000)};
    message.attempts = 3;
    message.cameBack = 2;
    message.destination = {words("billing"), records::Certainty::Derived, words("x-death")};
    message.flags = records::MessageFlags(records::MessageFlag::Damaged) | records::MessageFlag::BrowsedOnly;
    message.envelope = {{{words("h"), 1}}, {{words("p"), words("v")}}, "body", words("ex"), words("key")};
    message.trail = {{core::fromMs(5), words("Failed"), words("ada")}, {core::fromMs(6), words("Imported"), {}}};
    const ExportedMessage read = messageBack(message);
    QCOMPARE(core::encode(read).toCbor(), core::encode(message).toCbor());
}

void TestMessageLine::timesThatIsoCannotSayAreCut()
{
    ExportedMessage message = sample();
    message.failure.at = core::fromMs(std::numeric_limits<qint64>::max());
    QVERIFY(messageBack(message).failure.at.has_value());
    message.failure.at = core::fromMs(-100'000'000'000'000'000);
    QVERIFY(messageBack(message).failure.at.has_value());
}

REDRIVE_TEST(TestMessageLine)
#include "tst_messageline.moc"
