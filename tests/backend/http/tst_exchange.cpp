// What QNetworkReply may do and no server can make it do.
#include "backend/http/exchange.h"
#include "tests/support/testmain/testmain.h"

#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QSslConfiguration>
#include <QTest>

#include <algorithm>
#include <memory>
#include <optional>

using core::ErrorKind;
using core::Result;
using http::Response;

namespace {

// Ends with bytes that it has not told of.
class SilentReply final : public QNetworkReply
{
public:
    SilentReply(QByteArray body, QObject *parent)
        : QNetworkReply(parent)
        , m_body(std::move(body))
    {
        setAttribute(QNetworkRequest::HttpStatusCodeAttribute, 200);
        open(QIODevice::ReadOnly);
        QMetaObject::invokeMethod(
            this,
            [this] {
                setFinished(true);
                Q_EMIT finished();
            },
            Qt::QueuedConnection);
    }
    void abort() override {}
    [[nodiscard]] bool isSequential() const override { return true; }
    [[nodiscard]] qint64 bytesAvailable() const override { return m_body.size() + QIODevice::bytesAvailable(); }

protected:
    qint64 readData(char *data, qint64 most) override
    {
        const qint64 count = std::min<qint64>(most, m_body.size());
        std::copy_n(m_body.cbegin(), count, data);
        m_body.remove(0, count);
        return count;
    }

private:
    QByteArray m_body;
};

class SilentManager final : public QNetworkAccessManager
{
public:
    explicit SilentManager(QByteArray body)
        : m_body(std::move(body))
    {
    }

protected:
    QNetworkReply *createRequest(Operation /*operation*/, const QNetworkRequest & /*request*/,
                                 QIODevice * /*outgoing*/) override
    {
        return new SilentReply(m_body, this);
    }

private:
    const QByteArray m_body;
};

} // namespace

class TestExchange final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void bytesThatComeWithTheEndAreCounted_data();
    void bytesThatComeWithTheEndAreCounted();
};

void TestExchange::bytesThatComeWithTheEndAreCounted_data()
{
    QTest::addColumn<int>("bytes");
    QTest::addColumn<bool>("fits");
    QTest::newRow("as many as allowed") << 100 << true;
    QTest::newRow("one more") << 101 << false;
}

void TestExchange::bytesThatComeWithTheEndAreCounted()
{
    QFETCH(int, bytes);
    QFETCH(bool, fits);
    SilentManager manager(QByteArray(bytes, 'x'));
    http::Request request;
    request.url = QUrl(QStringLiteral("http://127.0.0.1:1/"));
    request.maxResponseBytes = 100;
    std::optional<Result<Response>> ended;
    std::unique_ptr<http::Exchange> exchange;
    exchange = std::make_unique<http::Exchange>(request, [&](Result<Response> result) {
        ended = std::move(result);
        exchange.reset(); // as its owner does
    });
    exchange->start(manager, QSslConfiguration::defaultConfiguration());
    QTRY_VERIFY(ended.has_value());
    QCOMPARE(ended->has_value(), fits);
    if (fits)
        QCOMPARE((*ended)->body.size(), bytes);
    else
        QCOMPARE(core::toString(ended->error().kind), core::toString(ErrorKind::Corrupt));
}

REDRIVE_TEST(TestExchange)
#include "tst_exchange.moc"
