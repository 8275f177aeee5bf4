#include "backend/http/redaction.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

class TestRedaction final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void noSecretSurvives_data();
    void noSecretSurvives();
    void whatIsNoSecretStays();
    void headersOfCredentialsAreHidden();
};

void TestRedaction::noSecretSurvives_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("user info") << QStringLiteral("Error at https://guest:S3CRET@broker:15672/api");
    QTest::newRow("basic") << QStringLiteral("sent Authorization: Basic S3CRET==");
    QTest::newRow("bearer") << QStringLiteral("authorization bearer S3CRET.abc");
    QTest::newRow("sas") << QStringLiteral("SharedAccessSignature sr=x&sig=S3CRET&se=1");
    QTest::newRow("sas in a query") << QStringLiteral("http://h/q?sv=1&sig=S3CRET&se=1");
    QTest::newRow("connection string") << QStringLiteral(
        "Endpoint=sb://n/;SharedAccessKeyName=root;SharedAccessKey=S3CRET=;EntityPath=q");
    QTest::newRow("password") << QStringLiteral("password: S3CRET");
    QTest::newRow("password of a longer name") << QStringLiteral("db_password=S3CRET");
    QTest::newRow("password in JSON") << QStringLiteral(R"({"user":"x","password" : "a S3CRET\" b"})");
    QTest::newRow("password with a slash") << QStringLiteral("Error at amqp://guest:a/S3CRET@broker/vhost");
    QTest::newRow("password that ends as a name") << QStringLiteral("amqp://guest:S3CRETpassword=@broker/");
    QTest::newRow("key of Amazon") << QStringLiteral("AWS_SECRET_ACCESS_KEY=S3CRET");
    QTest::newRow("token of Amazon") << QStringLiteral(R"("SessionToken":"S3CRET")");
    QTest::newRow("one scheme after the other") << QStringLiteral("Basic SharedKey account:S3CRET");
}

void TestRedaction::noSecretSurvives()
{
    QFETCH(QString, text);
    QVERIFY(!http::redacted(text).contains(QLatin1String("S3CRET")));
}

void TestRedaction::whatIsNoSecretStays()
{
    const QString harmless = QStringLiteral("Connection to https://broker:15672/api/queues?page=2 refused at 12:00");
    QCOMPARE(http::redacted(harmless), harmless);
    for (const char *words : {"ExpiredToken: The token is expired.", "at https://broker:15672/api/queues/%2F/a@b"})
        QCOMPARE(http::redacted(QString::fromLatin1(words)), QString::fromLatin1(words));
    QCOMPARE(http::redacted(QUrl(QStringLiteral("https://guest:S3CRET@broker:15672/api/queues/%2F?x=1"))),
             QStringLiteral("https://broker:15672/api/queues/%2F?x=1"));
    QVERIFY(
        http::redacted(QStringLiteral("SharedAccessKeyName=root;SharedAccessKey=x")).contains(QLatin1String("root")));
}

void TestRedaction::headersOfCredentialsAreHidden()
{
    QCOMPARE(http::redacted({"Authorization", "Basic S3CRET"}), QStringLiteral("Authorization: ***"));
    QCOMPARE(http::redacted({"Set-Cookie", "S3CRET"}), QStringLiteral("Set-Cookie: ***"));
    QCOMPARE(http::redacted({"Content-Type", "text/plain"}), QStringLiteral("Content-Type: text/plain"));
}

REDRIVE_TEST(TestRedaction)
#include "tst_redaction.moc"
