#include "backend/core/text/losslessjson.h"
#include "backend/records/messages/headers.h"
#include "backend/records/messages/stamp.h"
#include "tests/support/testmain/testmain.h"

#include <QCborArray>
#include <QCborMap>
#include <QJsonObject>
#include <QTest>

class TestRecords final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void headersKeepOrderNamesAndKinds();
    void aByteOrderMarkIsKept();
    void theirFormDoesNotChange();
    void damagedHeadersAreAnError();
    void aStampSurvivesItsText();
    void hostileStampsAreNotOurs_data();
    void hostileStampsAreNotOurs();
};

void TestRecords::headersKeepOrderNamesAndKinds()
{
    const records::Headers headers{
        {QStringLiteral("text"), QStringLiteral("1")},
        {QStringLiteral("integer"), 1},
        {QStringLiteral("double"), QCborValue(1.0)},
        {QStringLiteral("Text"), true},
        {QStringLiteral("void"), QCborValue(QCborValue::Null)},
        {QStringLiteral("bytes"), QCborValue(QByteArray("\x00\xff", 2))},
        {QStringLiteral("list"), QCborValue(QCborArray{1, QStringLiteral("b")})},
    };
    const auto back = records::headersFromCbor(records::toCbor(headers));
    QVERIFY(back.has_value());
    QCOMPARE(*back, headers);
    QVERIFY(records::find(*back, u"double")->isDouble());
    QVERIFY(records::find(*back, u"integer")->isInteger());
    QCOMPARE(records::text(*back, u"Text"), QStringLiteral("true"));
    QCOMPARE(records::find(*back, u"TEXT"), nullptr);
}

// Digests of messages that lie in stores, and on brokers, are made of these bytes.
// Qt's readers leave it out where a text begins with it: the copy that is sent would be another.
void TestRecords::aByteOrderMarkIsKept()
{
    const QString marked = QStringLiteral("\ufeff<xml/>");
    const QCborMap map{{marked, QCborArray{marked, 7}}};
    const records::Headers headers{{marked, marked}, {QStringLiteral("long"), marked.repeated(100)}, {marked, map}};
    const auto back = records::headersFromCbor(records::toCbor(headers));
    QVERIFY(back.has_value());
    QCOMPARE(back->at(0).name, marked);
    QCOMPARE(back->at(0).value.toString(), marked);
    QCOMPARE(back->at(1).value.toString(), marked.repeated(100));
    QCOMPARE(back->at(2).value.toMap().keys().constFirst().toString(), marked);
    QCOMPARE(back->at(2).value.toMap().value(marked).toArray().at(0).toString(), marked);
    const QByteArray json = "\xef\xbb\xbf{\"a\":\"\xef\xbb\xbfx\"}";
    QCOMPARE(core::jsonFrom(json).object().value(QLatin1String("a")).toString(), QStringLiteral("\ufeffx"));
}

void TestRecords::theirFormDoesNotChange()
{
    const records::Headers headers{
        {QStringLiteral("a"), QStringLiteral("Grüße")},
        {QStringLiteral("ü"), 300},
        {QStringLiteral("d"), QCborValue(1.0)},
        {QStringLiteral("r"), QCborValue(0.1)},
        {QStringLiteral("l"), QCborValue(QCborArray{1, QCborMap{{QStringLiteral("k"), true}}})},
        {QString(), QCborValue(QCborValue::Null)},
    };
    QCborArray pairs;
    for (const records::Header &header : headers)
        pairs.append(QCborArray{header.name, header.value});
    QCOMPARE(records::toCbor(headers), QCborValue(pairs).toCbor());
    QCOMPARE(records::toCbor({{QStringLiteral("ü"), 300}}), QByteArray::fromHex("81"
                                                                                "82"
                                                                                "62c3bc"
                                                                                "19012c"));
    QCOMPARE(records::toCbor({}), QByteArray::fromHex("80"));
}

void TestRecords::damagedHeadersAreAnError()
{
    QVERIFY(!records::headersFromCbor("not cbor"));
    QVERIFY(!records::headersFromCbor(QCborValue(QCborArray{1, 2}).toCbor()));
}

void TestRecords::aStampSurvivesItsText()
{
    const records::Stamp stamp{QStringLiteral("0a"), QStringLiteral("b1"),       {12}, 3,
                               QStringLiteral("c2"), records::bodyDigest("body")};
    const auto back = records::stampFrom(records::toText(stamp));
    QVERIFY(back.has_value());
    QVERIFY(*back == stamp);
}

void TestRecords::hostileStampsAreNotOurs_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("empty") << QString();
    QTest::newRow("other version") << QStringLiteral("2;s;u;1;1;g;d");
    QTest::newRow("too few parts") << QStringLiteral("1;s;u;1;1;g");
    QTest::newRow("operation is no number") << QStringLiteral("1;s;u;x;1;g;d");
    QTest::newRow("no store") << QStringLiteral("1;;u;1;1;g;d");
    QTest::newRow("huge") << QStringLiteral("1;s;u;1;1;g;") + QString(100000, QLatin1Char('d'));
}

void TestRecords::hostileStampsAreNotOurs()
{
    QFETCH(QString, text);
    QVERIFY(!records::stampFrom(text));
}

REDRIVE_TEST(TestRecords)
#include "tst_records.moc"
