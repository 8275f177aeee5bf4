#include "backend/http/redaction.h"

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

QTEST_APPLESS_MAIN(TestRedaction)
#include "tst_redaction.moc"
