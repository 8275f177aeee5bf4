#include "models/edits/bodyform.h"
#include "models/edits/editabletext.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using models::BodyForm;

class TestBodyForm final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatNobodySeesIsWrittenAndReadBack_data();
    void whatNobodySeesIsWrittenAndReadBack();
    void whatIsTypedLikeThatIsTheCharacter();
    void anUntouchedBodyKeepsItsBytes_data();
    void anUntouchedBodyKeepsItsBytes();
    void onlyWhatWasTypedDiffers_data();
    void onlyWhatWasTypedDiffers();
    void aLineThatStallsAnEditorIsRefused();
};

void TestBodyForm::whatNobodySeesIsWrittenAndReadBack_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("lines");
    QTest::newRow("plain") << QStringLiteral("a ‹b› c") << QStringLiteral("a ‹b› c");
    QTest::newRow("direction") << QStringLiteral("a\u202Eb") << QStringLiteral("a‹U+202E›b");
    QTest::newRow("control") << QStringLiteral("a\x01\n\tb\r") << QStringLiteral("a‹U+0001›\n\tb‹U+000D›");
    QTest::newRow("ends of paragraphs") << QStringLiteral("a\u2029b\u2028c") << QStringLiteral("a‹U+2029›b‹U+2028›c");
    QTest::newRow("object") << QStringLiteral("\uFFFC") << QStringLiteral("‹U+FFFC›");
    QTest::newRow("beyond 16 bits") << QString::fromUcs4(U"a\U000E0041😀") << QStringLiteral("a‹U+E0041›😀");
    QTest::newRow("hard space stays") << QStringLiteral("a\u00A0b") << QStringLiteral("a\u00A0b");
    QTest::newRow("looks written") << QStringLiteral("‹U+202E›") << QStringLiteral("‹U+2039›U+202E›");
}

void TestBodyForm::whatNobodySeesIsWrittenAndReadBack()
{
    QFETCH(QString, text);
    QFETCH(QString, lines);
    QCOMPARE(models::editableLines(text), lines);
    QCOMPARE(models::fromEditable(lines), text);
    QCOMPARE(models::fromEditable(models::editableLine(text)), text);
    QVERIFY(!models::editableLine(text).contains(QLatin1Char('\n')));
}

void TestBodyForm::whatIsTypedLikeThatIsTheCharacter()
{
    QCOMPARE(models::fromEditable(QStringLiteral("a‹U+0009›b")), QStringLiteral("a\tb"));
    QCOMPARE(models::fromEditable(QStringLiteral("‹U+110000›")), QStringLiteral("‹U+110000›")); // not a character
    QCOMPARE(models::fromEditable(QStringLiteral("‹U+12›")), QStringLiteral("‹U+12›"));
}

void TestBodyForm::anUntouchedBodyKeepsItsBytes_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("shown");
    QTest::addColumn<bool>("linedUp");
    QTest::newRow("empty") << QByteArray() << QString() << false;
    QTest::newRow("dense JSON") << QByteArray(R"({"a":1.0,"b":[],"c":"x: y, {"})")
                                << QStringLiteral("{\n  \"a\": 1.0,\n  \"b\": [],\n  \"c\": \"x: y, {\"\n}") << true;
    QTest::newRow("spaced JSON") << QByteArray(R"({"a": 1, "b": 2})") << QStringLiteral("{\n  \"a\": 1,\n  \"b\": 2\n}")
                                 << true;
    QTest::newRow("JSON of its own form") << QByteArray(R"({ "a":1 })") << QStringLiteral(R"({ "a":1 })") << false;
    QTest::newRow("JSON in lines") << QByteArray("{\n\t\"a\":1}") << QStringLiteral("{\n\t\"a\":1}") << false;
    QTest::newRow("carriage returns") << QByteArray("<a>\r\n</a>\r\n") << QStringLiteral("<a>\n</a>\n") << false;
    QTest::newRow("mixed line ends") << QByteArray("a\r\nb\nc") << QStringLiteral("a‹U+000D›\nb\nc") << false;
    QTest::newRow("byte order mark") << QByteArray("\xef\xbb\xbf{\"a\":1}") << QStringLiteral("‹U+FEFF›{\"a\":1}")
                                     << false;
    QTest::newRow("no JSON") << QByteArray("{hello world}") << QStringLiteral("{hello world}") << false;
}

void TestBodyForm::anUntouchedBodyKeepsItsBytes()
{
    QFETCH(QByteArray, body);
    const BodyForm form(body);
    QTEST(form.text(), "shown");
    QTEST(form.isLinedUp(), "linedUp");
    QCOMPARE(form.body(form.text()), body);
    // The way back gives the same bytes, too, not only the shortcut for unchanged text.
    QString touched = form.text() + QLatin1Char(' ');
    touched.chop(1);
    touched.detach();
    QCOMPARE(form.body(touched), body);
    QVERIFY(form.whyNot().isEmpty());
}

void TestBodyForm::onlyWhatWasTypedDiffers_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QByteArray>("edited");
    QTest::newRow("dense JSON") << QByteArray(R"({"a":1,"b":"x  y"})") << QStringLiteral("1") << QStringLiteral("22")
                                << QByteArray(R"({"a":22,"b":"x  y"})");
    QTest::newRow("spaced JSON") << QByteArray(R"({"a": 1, "b": 2})") << QStringLiteral("2") << QStringLiteral("[1, 2]")
                                 << QByteArray(R"({"a": 1, "b": [1, 2]})");
    QTest::newRow("carriage returns") << QByteArray("a\r\nb\r\n") << QStringLiteral("b") << QStringLiteral("c\nd")
                                      << QByteArray("a\r\nc\r\nd\r\n");
    QTest::newRow("byte order mark") << QByteArray("\xef\xbb\xbf"
                                                   "a")
                                     << QStringLiteral("a") << QStringLiteral("b")
                                     << QByteArray("\xef\xbb\xbf"
                                                   "b");
    QTest::newRow("unseen") << QByteArray("a\x01"
                                          "b")
                            << QStringLiteral("b") << QStringLiteral("c")
                            << QByteArray("a\x01"
                                          "c");
}

void TestBodyForm::onlyWhatWasTypedDiffers()
{
    QFETCH(QByteArray, body);
    QFETCH(QString, from);
    QFETCH(QString, to);
    const BodyForm form(body);
    QString text = form.text();
    text.replace(text.lastIndexOf(from), from.size(), to);
    QTEST(form.body(text), "edited");
}

void TestBodyForm::aLineThatStallsAnEditorIsRefused()
{
    const QByteArray longest(models::longestEditedLine, 'a');
    QVERIFY(BodyForm(longest).whyNot().isEmpty());
    QVERIFY(!BodyForm(longest + 'a').whyNot().isEmpty());
    QVERIFY(BodyForm(longest + '\n' + longest).whyNot().isEmpty());
}

REDRIVE_TEST(TestBodyForm)
#include "tst_bodyform.moc"
