#include "backend/http/answertext.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

class TestAnswerText final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anAnswerIsToldWithWhatWasAsked();
    void theFirstWordsAreHarmless_data();
    void theFirstWordsAreHarmless();
    void everythingIsShort();
};

void TestAnswerText::anAnswerIsToldWithWhatWasAsked()
{
    http::Response answer;
    answer.status = 200;
    answer.body = "Sign in";
    QCOMPARE(http::answerText(answer), QStringLiteral("HTTP 200: Sign in"));
    answer.verb = "GET";
    answer.url = QUrl(QStringLiteral("https://ops:hunter2@mq.example:15671/api/whoami?sig=hunter2"));
    QCOMPARE(http::answerText(answer), QStringLiteral("GET /api/whoami (HTTP 200): Sign in"));
    for (const char *body : {"", "<html></html>"}) {
        answer.body = body;
        const QString words = http::answerText(answer);
        QVERIFY2(words.startsWith(QLatin1String("GET /api/whoami (HTTP 200): ")) && words.size() > 40,
                 qPrintable(words));
    }
}

void TestAnswerText::theFirstWordsAreHarmless_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("words");
    const QChar mark(QChar::ReplacementCharacter);
    QTest::newRow("a page") << QByteArray("<!DOCTYPE html>\n<html><head><style>b{}</style>"
                                          "<script>if (a<b) steal()</script><title>Sign\n in</title></head>")
                            << QStringLiteral("Sign in");
    QTest::newRow("half a page") << QByteArray("<html><body>Sign in<form act") << QStringLiteral("Sign in");
    QTest::newRow("terminal") << QByteArray("a\x1b[2Jb\x07") << QLatin1Char('a') + mark + QLatin1String("[2Jb") + mark;
    QTest::newRow("direction") << QByteArray("a\u202eb\u2066c\u200dd") << QStringLiteral("a%1b%1c%1d").arg(mark);
    QTest::newRow("lines") << QByteArray("a\r\nb\u2028c") << QStringLiteral("a b c");
    QTest::newRow("no UTF-8") << QByteArray("a\xff") << QLatin1Char('a') + mark;
    QTest::newRow("secret") << QByteArray("Authorization: Basic b3BzOmh1bnRlcjI=")
                            << QStringLiteral("Authorization: Basic ***");
    QTest::newRow("JSON") << QByteArray(R"({"error": "x"})") << QStringLiteral(R"({"error": "x"})");
}

void TestAnswerText::theFirstWordsAreHarmless()
{
    QFETCH(QByteArray, body);
    QFETCH(QString, words);
    QCOMPARE(http::firstText(body), words);
}

void TestAnswerText::everythingIsShort()
{
    http::Response answer;
    answer.verb = "GET";
    answer.url = QUrl(QStringLiteral("http://h/") + QString(5000, QLatin1Char('q')));
    answer.body = QByteArray(1000000, '[');
    QVERIFY(http::answerText(answer).size() < 300);
}

REDRIVE_TEST(TestAnswerText)
#include "tst_answertext.moc"
