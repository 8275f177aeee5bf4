#include "backend/records/address/addressparts.h"
#include "backend/records/address/connectionurl.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using records::BrokerKind;

class TestConnectionUrl final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void urlsAreTakenApart_data();
    void urlsAreTakenApart();
    void connectionStringsOfServiceBusAreTakenApart_data();
    void connectionStringsOfServiceBusAreTakenApart();
    void addressesOfSqsAreTakenApart_data();
    void addressesOfSqsAreTakenApart();
    void whatIsNoUrlIsRefused_data();
    void whatIsNoUrlIsRefused();
    void noErrorRepeatsASecret_data();
    void noErrorRepeatsASecret();
    void theTextFormHasNoSecretAndReadsBack_data();
    void theTextFormHasNoSecretAndReadsBack();
    void partsAreTheSameAddress_data();
    void partsAreTheSameAddress();
    void whatIsMissingIsSaid();
};

void TestConnectionUrl::urlsAreTakenApart_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<BrokerKind>("kind");
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("secret");
    const auto rabbit = [](const char *name, const char *text, const char *url, const char *secret) {
        QTest::newRow(name) << QString::fromUtf8(text) << BrokerKind::RabbitMq << QString::fromUtf8(url)
                            << QString::fromUtf8(secret);
    };
    rabbit("whole", "rabbitmq+http://ann:pw@mq:8080/prod", "http://ann@mq:8080/prod", "pw");
    rabbit("usual port", "rabbitmq+http://ann@mq/prod", "http://ann@mq:15672/prod", "");
    rabbit("usual port with TLS", "rabbitmq+https://ann@mq/prod", "https://ann@mq:15671/prod", "");
    rabbit("no path", "rabbitmq+http://ann@mq", "http://ann@mq:15672/%2F", "");
    rabbit("slash alone", "rabbitmq+http://ann@mq/", "http://ann@mq:15672/%2F", "");
    rabbit("the usual host, encoded", "rabbitmq+http://ann@mq/%2F", "http://ann@mq:15672/%2F", "");
    rabbit("slash in a name", "rabbitmq+http://ann@mq/prod/eu", "http://ann@mq:15672/prod%2Feu", "");
    rabbit("slash in a name, encoded", "rabbitmq+http://ann@mq/prod%2Feu", "http://ann@mq:15672/prod%2Feu", "");
    rabbit("percent in a name", "rabbitmq+http://ann@mq/100%25", "http://ann@mq:15672/100%25", "");
    rabbit("umlaut in a name", "rabbitmq+http://ann@mq/b%C3%BCro", "http://ann@mq:15672/b%C3%BCro", "");
    rabbit("encoded secret", "rabbitmq+http://ann:p%40ss%2Fw%3Ard@mq/", "http://ann@mq:15672/%2F", "p@ss/w:rd");
    rabbit("capitals and blanks around", " RabbitMQ+HTTP://ann@mq/ ", "http://ann@mq:15672/%2F", "");
    rabbit("no decimals", "rabbitmq+http://ann@mq/prod?decimals=none", "http://ann@mq:15672/prod?decimals=none", "");
    rabbit("small steps", "rabbitmq+http://ann@mq/prod?take=steps", "http://ann@mq:15672/prod?take=steps", "");
    rabbit("both", "rabbitmq+http://ann@mq/prod?take=steps&decimals=none",
           "http://ann@mq:15672/prod?take=steps&decimals=none", "");
    rabbit("IPv6", "rabbitmq+http://ann@[::1]:9/", "http://ann@[::1]:9/%2F", "");
    QTest::newRow("service bus") << "servicebus+https://Root:a%2Bb%3D@ns.example/" << BrokerKind::ServiceBus
                                 << "https://Root@ns.example/"
                                 << "a+b=";
    QTest::newRow("service bus, local") << "servicebus+http://Root@localhost:5380" << BrokerKind::ServiceBus
                                        << "http://Root@localhost:5380/"
                                        << "";
    const auto storage = [](const char *name, const char *text, const char *url, const char *secret) {
        QTest::newRow(name) << QString::fromUtf8(text) << BrokerKind::AzureQueue << QString::fromUtf8(url)
                            << QString::fromUtf8(secret);
    };
    const char *const cloud = "https://shop@shop.queue.core.windows.net/";
    const char *const emulator = "http://dev@127.0.0.1:10001/dev";
    storage("queues in the cloud", "azurequeue+https://shop.queue.core.windows.net", cloud, "");
    storage("queues in the cloud, account named twice", "azurequeue+https://shop.queue.core.windows.net/shop", cloud,
            "");
    storage("queues of an emulator", "azurequeue+http://127.0.0.1:10001/dev/", emulator, "");
    storage("queues, account as the address begins", "azurequeue+http://127.0.0.1:10001/127",
            "http://127@127.0.0.1:10001/127", "");
    storage("queues, account in capitals", "AccountName=Shop;AccountKey=a/b=", cloud, "a/b=");
    storage("queues, account as user", "azurequeue+http://dev:a%2Fb%3D@127.0.0.1:10001/", emulator, "a/b=");
    storage("queues, token", "azurequeue+https://shop.queue.core.windows.net/?sv=1&sig=a%2Bb", cloud, "sv=1&sig=a%2Bb");
    storage("queues, connection string",
            "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=a/b=;EndpointSuffix=core.windows.net", cloud,
            "a/b=");
    storage("queues, connection string with addresses",
            "accountname=dev;AccountKey=a/b=;BlobEndpoint=http://127.0.0.1:10000/dev;QueueEndpoint=http://"
            "127.0.0.1:10001/dev;",
            emulator, "a/b=");
    storage("queues, connection string with a token",
            "QueueEndpoint=https://shop.queue.core.windows.net/;SharedAccessSignature=sv=1&sig=a%2Bb", cloud,
            "sv=1&sig=a%2Bb");
    storage("queues, development", "UseDevelopmentStorage=true",
            "http://devstoreaccount1@127.0.0.1:10001/devstoreaccount1",
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==");
    QTest::newRow("embedded broker") << "local:" << BrokerKind::ServiceBus
                                     << "http://RootManageSharedAccessKey@127.0.0.1:5380/"
                                     << "";
    QTest::newRow("embedded broker, port")
        << "Local:5999" << BrokerKind::ServiceBus << "http://RootManageSharedAccessKey@127.0.0.1:5999/"
        << "";
}

void TestConnectionUrl::urlsAreTakenApart()
{
    QFETCH(const QString, text);
    QFETCH(const BrokerKind, kind);
    QFETCH(const QString, url);
    QFETCH(const QString, secret);
    const core::Result<records::ConnectionUrl> found = records::connectionUrlFrom(text);
    QVERIFY2(found.has_value(), qPrintable(found ? QString() : found.error().message));
    QVERIFY(found->kind == kind);
    QCOMPARE(found->url.toString(QUrl::FullyEncoded), url);
    QCOMPARE(found->secret.value_or(QString()), secret);
    QCOMPARE(found->secret.has_value(), !secret.isEmpty());
}

void TestConnectionUrl::connectionStringsOfServiceBusAreTakenApart_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<BrokerKind>("kind");
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("secret");
    const auto bus = [](const char *name, const char *text, const char *url) {
        QTest::newRow(name) << QString::fromUtf8(text) << BrokerKind::ServiceBus << QString::fromUtf8(url)
                            << QStringLiteral("a=b=");
    };
    bus("service bus, connection string",
        "Endpoint=sb://ns.servicebus.windows.net/;SharedAccessKeyName=root;SharedAccessKey=a=b=",
        "https://root@ns.servicebus.windows.net/");
    bus("service bus, connection string of one entity",
        "Endpoint=sb://ns/;SharedAccessKeyName=n;SharedAccessKey=a=b=;EntityPath=orders", "https://n@ns/");
    bus("service bus, connection string of an emulator",
        "endpoint=sb://127.0.0.1:5000/;SharedAccessKeyName=n;SharedAccessKey=a=b=;UseDevelopmentEmulator=true;",
        "http://n@127.0.0.1:5000/");
    bus("service bus, connection string with http",
        "Endpoint=http://127.0.0.1:5000/;SharedAccessKeyName=n;SharedAccessKey=a=b=", "http://n@127.0.0.1:5000/");
}

void TestConnectionUrl::connectionStringsOfServiceBusAreTakenApart()
{
    urlsAreTakenApart();
}

void TestConnectionUrl::addressesOfSqsAreTakenApart_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<BrokerKind>("kind");
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("secret");
    const auto sqs = [](const char *name, const char *text, const char *url, const char *secret) {
        QTest::newRow(name) << QString::fromUtf8(text) << BrokerKind::Sqs << QString::fromUtf8(url)
                            << QString::fromUtf8(secret);
    };
    sqs("sqs, region of the host", "sqs+https://AKIA@sqs.eu-west-1.amazonaws.com",
        "https://AKIA@sqs.eu-west-1.amazonaws.com/?region=eu-west-1", "");
    sqs("sqs, in a private network", "sqs+https://vpce-1-2.sqs.us-gov-west-1.vpce.amazonaws.com/",
        "https://vpce-1-2.sqs.us-gov-west-1.vpce.amazonaws.com/?region=us-gov-west-1", "");
    sqs("sqs, in China", "sqs+https://AKIA@sqs.cn-north-1.amazonaws.com.cn/",
        "https://AKIA@sqs.cn-north-1.amazonaws.com.cn/?region=cn-north-1", "");
    sqs("sqs, old name", "sqs+https://AKIA@eu-west-1.queue.amazonaws.com/",
        "https://AKIA@eu-west-1.queue.amazonaws.com/?region=eu-west-1", "");
    sqs("sqs, emulator with a secret", "sqs+http://key:a%2Fb%2Bc@127.0.0.1:4566/?region=us-east-1",
        "http://key@127.0.0.1:4566/?region=us-east-1", "a/b+c");
}

void TestConnectionUrl::addressesOfSqsAreTakenApart()
{
    urlsAreTakenApart();
}

void TestConnectionUrl::whatIsNoUrlIsRefused_data()
{
    QTest::addColumn<QString>("text");
    for (const char *text : {"",
                             "Endpoint=sb://ns/;SharedAccessKeyName=n",
                             "SharedAccessKeyName=n;SharedAccessKey=s3cret",
                             "Endpoint=file:///etc;SharedAccessKeyName=n;SharedAccessKey=s3cret",
                             "Endpoint=sb://u:s3cret@ns/;SharedAccessKeyName=n;SharedAccessKey=s3cret",
                             " ",
                             "mq",
                             "http://ann@mq/",
                             "rabbitmq://ann@mq/",
                             "rabbitmq+http://ann@mq/?decimals=some",
                             "rabbitmq+http://ann@mq/?take=all",
                             "rabbitmq+http://ann@mq/?take=steps&take=steps",
                             "rabbitmq+http://ann@mq/?",
                             "servicebus+http://ann@mq/?decimals=none",
                             "rabbitmq+ftp://ann@mq/",
                             "rabbitmq+http:",
                             "rabbitmq+http://",
                             "rabbitmq+http:///v",
                             "rabbitmq+http://mq/",
                             "rabbitmq+http://:pw@mq/",
                             "rabbitmq+http://ann@mq:0/",
                             "rabbitmq+http://ann@mq:99999/",
                             "rabbitmq+http://ann@mq:port/",
                             "rabbitmq+http://ann@mq/v?x=1",
                             "rabbitmq+http://ann@mq/v#x",
                             "rabbitmq+http://ann@m q/",
                             "rabbitmq+http://ann@mq/a\nb",
                             "servicebus+https://ns/",
                             "kafka+http://ann@mq/",
                             "azurequeue+http://127.0.0.1:10001/",
                             "azurequeue+http://localhost/",
                             "azurequeue+http://127.0.0.1/dev/orders",
                             "azurequeue+http://127.0.0.1/d%2Fv",
                             "azurequeue+http://ann@127.0.0.1/dev",
                             "azurequeue+https://shop.queue.core.windows.net/?comp=list",
                             "azurequeue+https://shop.queue.core.windows.net/#x",
                             "sqs+https://127.0.0.1/",
                             "sqs+https://queue.example/?region=",
                             "sqs+https://sqs.eu-west-1.amazonaws.com/123456789012/orders",
                             "sqs+https://127.0.0.1/?region=eu%20west",
                             "sqs+https://127.0.0.1/?region=eu-west-1&x=1",
                             "sqs+https://127.0.0.1/?zone=eu-west-1",
                             "AccountName=;AccountKey=x",
                             "AccountName=a/b;AccountKey=x",
                             "QueueEndpoint=file:///etc/passwd;AccountKey=x",
                             "QueueEndpoint=https://a/?x;AccountKey=x",
                             "rabbitmq+http://ann@mq/%zz",
                             "local",
                             "local:0",
                             "local:99999",
                             "local:port",
                             "local://localhost/"}) {
        QTest::newRow(text) << QString::fromLatin1(text);
    }
    QTest::newRow("endless") << QStringLiteral("rabbitmq+http://ann@mq/") + QString(4096, QLatin1Char('a'));
    QTest::newRow("endless when it is written")
        << QStringLiteral("rabbitmq+http://ann@mq/") + QString(400, QChar(u'\u00e9'));
    QTest::newRow("null character") << QStringLiteral("rabbitmq+http://ann@mq/a") + QChar(u'\0');
    QTest::newRow("direction mark") << QStringLiteral("rabbitmq+http://ann@mq/a") + QChar(u'\u202e');
}

void TestConnectionUrl::whatIsNoUrlIsRefused()
{
    QFETCH(const QString, text);
    const core::Result<records::ConnectionUrl> found = records::connectionUrlFrom(text);
    QVERIFY(!found.has_value());
    QVERIFY(found.error().kind == core::ErrorKind::Rejected);
    QVERIFY(found.error().message.endsWith(QLatin1Char('.')));
}

void TestConnectionUrl::noErrorRepeatsASecret_data()
{
    QTest::addColumn<QString>("text");
    for (const char *text :
         {"rabbitmq+http://ann:hunter2@", "rabbitmq+http://ann:hunter2@mq/?x", "kafka+http://ann:hunter2@mq/",
          "rabbitmq+http://:hunter2@mq/", "local:hunter2", "azurequeue+http://127.0.0.1/a/b?sig=hunter2",
          "sqs+https://AKIA:hunter2@127.0.0.1/", "AccountName=a/b;AccountKey=hunter2",
          "Endpoint=sb://ns/;SharedAccessKey=hunter2", "rabbitmq+http://ann:hunter2@m q/", "hunter2"})
        QTest::newRow(text) << QString::fromLatin1(text);
}

void TestConnectionUrl::noErrorRepeatsASecret()
{
    QFETCH(const QString, text);
    const core::Result<records::ConnectionUrl> found = records::connectionUrlFrom(text);
    QVERIFY(!found.has_value());
    QVERIFY(!found.error().message.contains(QStringLiteral("hunter2")));
    QVERIFY(!found.error().detail.contains(QStringLiteral("hunter2")));
}

void TestConnectionUrl::theTextFormHasNoSecretAndReadsBack_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("rabbitmq") << "rabbitmq+https://ann:hunter2@mq:99/prod%2Feu";
    QTest::newRow("servicebus") << "servicebus+http://Root:hunter2@localhost:5380/";
    QTest::newRow("azurequeue") << "azurequeue+https://shop.queue.core.windows.net/";
    QTest::newRow("azurequeue, emulator") << "azurequeue+http://127.0.0.1:10001/dev";
    QTest::newRow("sqs") << "sqs+https://AKIA:hunter2@sqs.eu-west-1.amazonaws.com/?region=eu-west-1";
    QTest::newRow("sqs, emulator") << "sqs+http://127.0.0.1:4566/?region=us-east-1";
}

void TestConnectionUrl::theTextFormHasNoSecretAndReadsBack()
{
    QFETCH(const QString, text);
    const core::Result<records::ConnectionUrl> found = records::connectionUrlFrom(text);
    QVERIFY(found.has_value());
    const QString shown = records::connectionUrlText(found->kind, found->url);
    QCOMPARE(shown, QString(text).remove(QStringLiteral(":hunter2")));
    const core::Result<records::ConnectionUrl> again = records::connectionUrlFrom(shown);
    QVERIFY(again.has_value());
    QVERIFY(again->kind == found->kind);
    QCOMPARE(again->url, found->url);
}

void TestConnectionUrl::partsAreTheSameAddress_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("virtual host with a slash") << QStringLiteral("rabbitmq+https://ops@mq.example:15671/a%2Fb");
    QTest::newRow("default virtual host") << QStringLiteral("rabbitmq+http://ops@mq.example:15672/");
    QTest::newRow("Service Bus") << QStringLiteral("servicebus+https://key@shop.servicebus.windows.net/");
    QTest::newRow("account in the path") << QStringLiteral("azurequeue+http://127.0.0.1:10001/devstoreaccount1");
    QTest::newRow("account in the host") << QStringLiteral("azurequeue+https://shop.queue.core.windows.net/");
    QTest::newRow("region in the query") << QStringLiteral("sqs+https://id@sqs.example/?region=eu-west-1");
    QTest::newRow("region in the host") << QStringLiteral("sqs+https://id@sqs.eu-west-1.amazonaws.com/");
}

void TestConnectionUrl::partsAreTheSameAddress()
{
    QFETCH(QString, text);
    const core::Result<records::ConnectionUrl> read = records::connectionUrlFrom(text);
    QVERIFY(read);
    const records::AddressParts parts = records::partsOf(read->kind, read->url);
    QCOMPARE(records::urlOf(read->kind, parts), read->url);
    QCOMPARE(parts.virtualHost.isEmpty(), !records::hasVirtualHost(read->kind));
    QCOMPARE(parts.region.isEmpty(), !records::hasRegion(read->kind));
    QCOMPARE(records::missingPart(read->kind, read->url), QString());
}

void TestConnectionUrl::whatIsMissingIsSaid()
{
    records::AddressParts parts;
    for (const records::BrokerKind kind : records::brokerKinds)
        QVERIFY(!records::missingPart(kind, records::urlOf(kind, parts)).isEmpty());
    parts.host = QStringLiteral("broker.example");
    for (const records::BrokerKind kind : records::brokerKinds) {
        const bool isWhole = kind == records::BrokerKind::RabbitMq || kind == records::BrokerKind::ServiceBus;
        QCOMPARE(records::missingPart(kind, records::urlOf(kind, parts)).isEmpty(), isWhole);
    }
}

REDRIVE_TEST(TestConnectionUrl)
#include "tst_connectionurl.moc"
