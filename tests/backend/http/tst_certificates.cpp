// A broker is talked to over TLS only when its certificate is trusted, valid and its own: nothing is sent to any other.
#include "backend/http/qnamhttpclient.h"
#include "tests/support/testmain/testmain.h"

#include <QCoro/QCoroTask>
#include <QFile>
#include <QSslConfiguration>
#include <QSslKey>
#include <QSslServer>
#include <QSslSocket>
#include <QTest>

using namespace std::chrono_literals;
using core::ErrorKind;
using core::Result;
using http::Response;

namespace {

QString file(const char *name)
{
    return QStringLiteral(REDRIVE_TLS_FILES "/") + QString::fromLatin1(name);
}

// Answers every request with 200 and counts the bytes that came out of a finished handshake.
class TlsServer final : public QObject
{
public:
    explicit TlsServer(const QString &certificate)
    {
        QFile keyFile(file("server.key"));
        const bool opened = keyFile.open(QIODevice::ReadOnly);
        Q_ASSERT(opened);
        QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
        tls.setLocalCertificateChain(QSslCertificate::fromPath(certificate));
        tls.setPrivateKey(QSslKey(&keyFile, QSsl::Ec));
        m_server.setSslConfiguration(tls);
        connect(&m_server, &QTcpServer::pendingConnectionAvailable, this, [this] {
            while (QTcpSocket *socket = m_server.nextPendingConnection())
                answer(socket);
        });
        const bool listening = m_server.listen(QHostAddress::LocalHost);
        Q_ASSERT(listening);
    }
    [[nodiscard]] quint16 port() const { return m_server.serverPort(); }
    QByteArray received;

private:
    void answer(QTcpSocket *socket)
    {
        connect(socket, &QTcpSocket::readyRead, this, [this, socket] {
            received += socket->readAll();
            if (received.endsWith("\r\n\r\n"))
                socket->write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        });
    }
    QSslServer m_server;
};

} // namespace

class TestCertificates final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!QSslSocket::supportsSsl())
            QSKIP("Qt has no TLS here.");
    }
    void onlyTheRightOneIsTalkedTo_data();
    void onlyTheRightOneIsTalkedTo();
    void everyCallThatWaitsIsToldWhy();
    void aServerWithoutTlsIsSaid();
};

void TestCertificates::onlyTheRightOneIsTalkedTo_data()
{
    QTest::addColumn<QString>("certificate"); // of the server
    QTest::addColumn<QString>("authority"); // of the connection
    QTest::addColumn<QString>("host");
    QTest::addColumn<QString>("says"); // empty: it is talked to
    const QString own = file("authority.pem");
    const QString here = QStringLiteral("127.0.0.1");
    QTest::newRow("of the CA file") << file("server.pem") << own << here << QString();
    QTest::newRow("of nobody the system knows") << file("server.pem") << QString() << here << QStringLiteral("issuer");
    QTest::newRow("of another authority")
        << file("server.pem") << file("stranger.pem") << here << QStringLiteral("issuer");
    QTest::newRow("for another host") << file("elsewhere.pem") << own << here << QStringLiteral("host name");
    QTest::newRow("right, asked for by another name")
        << file("server.pem") << own << QStringLiteral("localhost") << QStringLiteral("host name");
    QTest::newRow("expired") << file("expired.pem") << own << here << QStringLiteral("expired");
}

void TestCertificates::onlyTheRightOneIsTalkedTo()
{
    QFETCH(QString, certificate);
    QFETCH(QString, authority);
    QFETCH(QString, host);
    QFETCH(QString, says);
    TlsServer server(certificate);
    http::QnamHttpClient client({1, authority});
    http::Request request;
    request.url = QUrl(QStringLiteral("https://%1:%2/secret").arg(host).arg(server.port()));
    request.verb = "GET";
    request.headers.append(http::HeaderField{"Authorization", "SharedAccessSignature secret"});
    request.timeout = 20s;
    const Result<Response> result = QCoro::waitFor(client.send(request));
    if (says.isEmpty()) {
        QVERIFY2(result.has_value(), result ? "" : qPrintable(result.error().message));
        QCOMPARE(result->body, QByteArray("ok"));
        QVERIFY(server.received.contains("secret"));
        return;
    }
    QVERIFY(!result);
    QVERIFY(result.error().kind == ErrorKind::Transient); // waits for a person, counts against no message
    const QString message = result.error().message;
    QVERIFY2(message.contains(QStringLiteral("certificate of %1").arg(host)), qPrintable(message));
    QVERIFY2(message.contains(says), qPrintable(message));
    QVERIFY2(message.contains(QStringLiteral("CA file")), qPrintable(message));
    QVERIFY(server.received.isEmpty()); // nothing was told to it
}

// More than there are connections.
void TestCertificates::everyCallThatWaitsIsToldWhy()
{
    TlsServer server(file("expired.pem"));
    http::QnamHttpClient client({1, file("authority.pem")});
    http::Request request;
    request.url = QUrl(QStringLiteral("https://127.0.0.1:%1/secret").arg(server.port()));
    constexpr size_t many = 30;
    QStringList messages;
    const std::function<core::Task<>(size_t)> one = [&](size_t) -> core::Task<> {
        const Result<Response> result = co_await client.send(request);
        messages.append(result ? QString() : result.error().message);
    };
    QCoro::waitFor(core::forEachLimited(many, many, one));
    QCOMPARE(messages.size(), qsizetype(many));
    for (const QString &message : messages)
        QVERIFY2(message.contains(QStringLiteral("expired")), qPrintable(message));
    QVERIFY(server.received.isEmpty());
}

void TestCertificates::aServerWithoutTlsIsSaid()
{
    QTcpServer plain;
    QVERIFY(plain.listen(QHostAddress::LocalHost));
    connect(&plain, &QTcpServer::newConnection, &plain, [&plain] {
        QTcpSocket *socket = plain.nextPendingConnection();
        socket->write("HTTP/1.1 400 Bad Request\r\n\r\n");
        socket->disconnectFromHost();
    });
    http::QnamHttpClient client({1, {}});
    http::Request request;
    request.url = QUrl(QStringLiteral("https://127.0.0.1:%1/").arg(plain.serverPort()));
    request.verb = "GET";
    request.timeout = 20s;
    const Result<Response> result = QCoro::waitFor(client.send(request));
    QVERIFY(!result);
    QVERIFY(result.error().kind == ErrorKind::Transient);
    QVERIFY2(result.error().message.contains(QStringLiteral("127.0.0.1")), qPrintable(result.error().message));
}

REDRIVE_TEST(TestCertificates)
#include "tst_certificates.moc"
