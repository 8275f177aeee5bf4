#include "models/detail/bodytext.h"

#include "backend/records/editing/jsonlines.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using models::BodyKind;
using models::BodyView;

class TestBodyText final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void knowsWhatItIs_data();
    void knowsWhatItIs();
    void jsonKeepsEveryToken_data();
    void jsonKeepsEveryToken();
    void longLinesAreCut();
    void hexIsExact();
    void asItIsChangesNothing();
};

void TestBodyText::knowsWhatItIs_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("kind");
    QTest::newRow("empty") << QByteArray() << int(BodyKind::Empty);
    QTest::newRow("json") << QByteArray("{\"a\":1}") << int(BodyKind::Json);
    QTest::newRow("broken json") << QByteArray("{\"a\":") << int(BodyKind::Text);
    QTest::newRow("xml") << QByteArray("<a><b>c</b></a>") << int(BodyKind::Xml);
    QTest::newRow("broken xml") << QByteArray("<a><b>") << int(BodyKind::Text);
    QTest::newRow("text") << QByteArray("hello") << int(BodyKind::Text);
    QTest::newRow("not UTF-8") << QByteArray("\xff\xfe\x01") << int(BodyKind::Binary);
    QTest::newRow("zero byte") << QByteArray("a\0b", 3) << int(BodyKind::Binary);
    QTest::newRow("deeply nested") << QByteArray(100'000, '[') << int(BodyKind::Text);
}

void TestBodyText::knowsWhatItIs()
{
    QFETCH(QByteArray, body);
    QFETCH(int, kind);
    QCOMPARE(int(models::bodyText(body, BodyView::Formatted).kind), kind);
}

void TestBodyText::jsonKeepsEveryToken_data()
{
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("indented");
    QTest::newRow("numbers keep their digits") << QStringLiteral("{\"a\":1.0,\"b\":12345678901234567890}")
                                               << QStringLiteral("{\n  \"a\": 1.0,\n  \"b\": 12345678901234567890\n}");
    QTest::newRow("keys keep their order")
        << QStringLiteral("{\"z\":1,\"a\":2}") << QStringLiteral("{\n  \"z\": 1,\n  \"a\": 2\n}");
    QTest::newRow("empty ones stay short")
        << QStringLiteral("{\"a\":{ },\"b\":[]}") << QStringLiteral("{\n  \"a\": {},\n  \"b\": []\n}");
    QTest::newRow("marks in strings") << QStringLiteral("[\"a,{\\\"b\\\":[\"]")
                                      << QStringLiteral("[\n  \"a,{\\\"b\\\":[\"\n]");
}

void TestBodyText::jsonKeepsEveryToken()
{
    QFETCH(QString, json);
    QFETCH(QString, indented);
    QCOMPARE(records::indentedJson(json), indented);
}

void TestBodyText::longLinesAreCut()
{
    const models::BodyText shown = models::bodyText(QByteArray(256 * 1024, 'x'), BodyView::Formatted);
    QCOMPARE(shown.cutLines, 1);
    QVERIFY(shown.text.size() < models::longestBodyLine + 40);
    QVERIFY(shown.text.contains(QStringLiteral("more characters")));
}

void TestBodyText::hexIsExact()
{
    QCOMPARE(models::hexDump(QByteArray("\x00\x01 A\xff", 5)),
             QStringLiteral("00000000  00 01 20 41 ff                                   .. A."));
    QCOMPARE(models::hexDump(QByteArray(17, 'a')).count(QLatin1Char('\n')), 1);
}

void TestBodyText::asItIsChangesNothing()
{
    QCOMPARE(models::bodyText("{\"a\":1}", BodyView::AsIs).text, QStringLiteral("{\"a\":1}"));
}

REDRIVE_TEST(TestBodyText)
#include "tst_bodytext.moc"
