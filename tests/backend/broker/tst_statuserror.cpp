#include "backend/broker/statuserror.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using core::ErrorKind;
using http::Response;
using namespace std::chrono_literals;

class TestStatusError final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theSentenceHasWhatThereIs();
    void aRedirectIsToldAsSuch();
    void aClockThatIsFarOffIsTold_data();
    void aClockThatIsFarOffIsTold();
};

void TestStatusError::theSentenceHasWhatThereIs()
{
    const core::TimePoint now{};
    const QString what = QStringLiteral("%2 cannot be listed"); // a name that somebody chose
    const QString words = QStringLiteral("Not %1 today.");
    const QString hint = QStringLiteral("Ask %3.");
    Response response{503, {}, {}};
    QCOMPARE(broker::statusError(ErrorKind::Throttled, response, what, {}, {}, now).message,
             QStringLiteral("%2 cannot be listed (HTTP 503)."));
    QCOMPARE(broker::statusError(ErrorKind::Throttled, response, what, words, {}, now).message,
             QStringLiteral("%2 cannot be listed (HTTP 503): Not %1 today."));
    QCOMPARE(broker::statusError(ErrorKind::Throttled, response, what, {}, hint, now).message,
             QStringLiteral("%2 cannot be listed (HTTP 503). Ask %3."));
    response.headers.append(http::HeaderField{"Retry-After", "7"});
    const core::Error whole = broker::statusError(ErrorKind::Throttled, response, what, words, hint, now);
    QCOMPARE(whole.message, QStringLiteral("%2 cannot be listed (HTTP 503): Not %1 today. Ask %3."));
    QVERIFY(whole.kind == ErrorKind::Throttled);
    QCOMPARE(whole.retryAfter, core::Milliseconds{7s});
}

void TestStatusError::aRedirectIsToldAsSuch()
{
    const Response response{307, {{"Location", "https://login.example/"}}, {}};
    const core::Error error = broker::statusError(ErrorKind::Rejected, response, QStringLiteral("X"), {}, {}, {});
    QCOMPARE(error.message, QStringLiteral("X (HTTP 307). The server redirected the request. Redrive does not follow "
                                           "redirects: check the address of the connection."));
}

void TestStatusError::aClockThatIsFarOffIsTold_data()
{
    QTest::addColumn<qint64>("minutes"); // of this machine, against the service
    QTest::addColumn<QString>("hint");
    QTest::newRow("right") << qint64{0} << QString();
    QTest::newRow("near") << qint64{9} << QString();
    QTest::newRow("ahead") << qint64{
        10} << QStringLiteral("The clock of this machine is 10 minutes ahead of the service's; set it right.");
    QTest::newRow("behind") << qint64{
        -61} << QStringLiteral("The clock of this machine is 61 minutes behind the service's; set it right.");
}

void TestStatusError::aClockThatIsFarOffIsTold()
{
    QFETCH(qint64, minutes);
    QFETCH(QString, hint);
    const core::TimePoint theirs = core::fromMs(1767323045000);
    const Response response{401, {{"Date", core::toHttpDate(theirs)}}, {}};
    QCOMPARE(broker::clockHint(response, theirs + std::chrono::minutes(minutes), 10min), hint);
    QCOMPARE(broker::clockHint({401, {}, {}}, theirs, 10min), QString()); // it does not say
}

REDRIVE_TEST(TestStatusError)
#include "tst_statuserror.moc"
