#include "backend/rehearsal/bodymask.h"
#include "tests/support/testmain/testmain.h"

#include <QJsonDocument>
#include <QTest>
#include <QXmlStreamReader>

using rehearsal::maskedBody;

class TestBodyMask : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keepsTheStructure_data();
    void keepsTheStructure();
    void jsonStaysJson();
    void xmlStaysXml();
    void aLargeBodyEnds_data();
    void aLargeBodyEnds();
};

void TestBodyMask::keepsTheStructure_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("masked");
    const auto row = [](const char *name, const QByteArray &body, const QByteArray &masked) {
        QTest::newRow(name) << body << masked;
    };
    row("empty", "", "");
    row("text", "Order 12 of Ada, 3rd", "xxxxx 00 xx xxx, 0xx");
    row("beyond ASCII", "Jos\xc3\xa9", "xxxxx");
    row("names of fields stay", "{\"name\": \"Ada\", \"id\" : 17}", "{\"name\": \"xxx\", \"id\" : 10}");
    row("values look like names", "{\"a\": \"b\", \"c\": [\"d\", \"e\"]}", "{\"a\": \"x\", \"c\": [\"x\", \"x\"]}");
    row("literals stay", "[true, false, null]", "[true, false, null]");
    row("numbers stay numbers", "[0, -12.50, 1e308, 7]", "[1, -10.00, 1e000, 1]");
    row("escapes stay", "[\"a\\n\\\"b\\\\\", \"\\u00e9\"]", "[\"x\\n\\\"x\\\\\", \"\\u0078\"]");
    row("cut in a string", "{\"a\": \"secr", "{\"a\": \"xxxx");
    row("cut in an escape", "[\"a\\", "[\"x\\");
    row("words outside of strings", "{\"a\": secret}", "{\"a\": xxxxxx}");
    row("tags and attributes", "<a id='7'>Ada <b/>&amp; co</a>", "<a id='0'>xxx <b/>&amp; xx</a>");
    row("numbered entity", "<a>&#65;</a>", "<a>xxxxx</a>");
    row("comment and cdata", "<a><!-- Ada --><![CDATA[b<1]]></a>", "<a><!-- xxx --><![CDATA[x<0]]></a>");
    row("cut tag", "<a id=\"7", "<a id=\"0");
    row("no UTF-8", QByteArray("a\xff\xfe", 3), QByteArray(3, '\0'));
    row("with a zero", QByteArray("a\0b", 3), QByteArray(3, '\0'));
}

void TestBodyMask::keepsTheStructure()
{
    QFETCH(const QByteArray, body);
    QFETCH(const QByteArray, masked);
    QCOMPARE(maskedBody(body), masked);
    QCOMPARE(maskedBody(body).size(), body.size());
}

// What looks for the end of something from each place would take many minutes here.
void TestBodyMask::aLargeBodyEnds_data()
{
    QTest::addColumn<QByteArray>("part");
    QTest::addColumn<QByteArray>("masked");
    QTest::newRow("entities without an end") << QByteArray("&") << QByteArray("&");
    QTest::newRow("entities") << QByteArray("&a;") << QByteArray("&a;");
    QTest::newRow("tags without an end") << QByteArray("<") << QByteArray("<");
    QTest::newRow("comments without an end") << QByteArray("<!--") << QByteArray("<!--");
}

void TestBodyMask::aLargeBodyEnds()
{
    QFETCH(const QByteArray, part);
    QFETCH(const QByteArray, masked);
    constexpr qsizetype large = 8 * 1024 * 1024;
    const QByteArray start("<a>");
    QCOMPARE(maskedBody(start + part.repeated(large / part.size())), start + masked.repeated(large / part.size()));
}

void TestBodyMask::jsonStaysJson()
{
    const QByteArray body = "{\"order\": {\"id\": 1204, \"total\": 0.99, \"tax\": 1e-3, \"who\": \"Ren\xc3\xa9 "
                            "\\ud83d\\ude00\"}, \"ok\": true}";
    QVERIFY(!QJsonDocument::fromJson(body).isNull());
    QVERIFY(!QJsonDocument::fromJson(maskedBody(body)).isNull());
}

void TestBodyMask::xmlStaysXml()
{
    QXmlStreamReader reader(maskedBody("<o xmlns=\"urn:a\"><n v=\"a&lt;1\">Tom &amp; Ada</n><!-- c --></o>"));
    while (!reader.atEnd())
        reader.readNext();
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
}

REDRIVE_TEST(TestBodyMask)
#include "tst_bodymask.moc"
