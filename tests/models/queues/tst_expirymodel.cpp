// The browsed messages that will expire, as the window shows them.
#include "models/common/roles.h"
#include "models/queues/expirymodel.h"
#include "tests/support/fakeclient/fakeclient.h"
#include "tests/support/testmain/testmain.h"

#include <QAbstractItemModelTester>
#include <QTest>

using models::ExpiryModel;
using models::Tone;
using records::Expiry;

namespace {

constexpr core::TimePoint noon = core::fromMs(1'790'000'000'000);
constexpr core::Milliseconds hour = std::chrono::hours(1);

api::ExpiringRow row(qint64 message, core::TimePoint at, Expiry::Known known = Expiry::Known::At)
{
    api::ExpiringRow row;
    row.message = core::MessageId{message};
    row.connection = core::ConnectionId{1};
    row.queue = QStringLiteral("error\u202e");
    row.messageType = QStringLiteral("Shop.PlaceOrder");
    row.cause = QStringLiteral("Timeout");
    row.expiry = {known, at};
    return row;
}

struct Shown
{
    Shown()
        : session(client)
        , model(session, filter, core::ConnectionId{1}, {})
    {
        client.snapshot.at = noon;
        client.publish();
    }

    QVariant cell(int at, int column, int role = Qt::DisplayRole) { return model.index(at, column).data(role); }

    support::FakeClient client;
    models::ConsoleSession session;
    models::ConsoleFilter filter;
    ExpiryModel model;
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::Fatal};
};

} // namespace

class TestExpiryModel final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tellsTheTimeThatIsLeft()
    {
        Shown shown;
        shown.client.expiryPage.rows = {row(1, noon - hour), row(2, noon + 3 * hour, Expiry::Known::Latest),
                                        row(3, noon + 48 * hour)};
        shown.model.load();
        QTRY_COMPARE(shown.model.rowCount(), 3);
        QCOMPARE(shown.cell(0, ExpiryModel::Lost).toString(), QStringLiteral("should have expired"));
        QCOMPARE(shown.cell(1, ExpiryModel::Lost).toString(), QStringLiteral("in 3 h 0 min at the latest"));
        QCOMPARE(shown.cell(2, ExpiryModel::Lost).toString(), QStringLiteral("in 2 d"));
        QCOMPARE(shown.cell(0, ExpiryModel::Lost, models::ToneRole).toInt(), int(Tone::Bad));
        QCOMPARE(shown.cell(1, ExpiryModel::Lost, models::ToneRole).toInt(), int(Tone::Warn));
        QCOMPARE(shown.cell(2, ExpiryModel::Lost, models::ToneRole).toInt(), int(Tone::Normal));
        QVERIFY(!shown.cell(0, ExpiryModel::Queue).toString().contains(QChar(0x202e))); // no turned text
        QVERIFY(shown.cell(1, ExpiryModel::Lost, Qt::ToolTipRole).toString().contains(QStringLiteral("UTC")));
    }

    void asksAgainWhenMessagesChanged()
    {
        Shown shown;
        shown.model.load();
        QTRY_VERIFY(shown.model.isLoaded());
        QCOMPARE(shown.model.rowCount(), 0);
        shown.client.expiryPage.rows = {row(1, noon + hour)};
        shown.client.touchMessages();
        QTRY_COMPARE(shown.model.rowCount(), 1);
        QCOMPARE(shown.client.expiryQueries.last().connection, core::ConnectionId{1});
    }

    void whatIsNotKnownIsSaid()
    {
        Shown shown;
        shown.client.expiryPage.rows = {row(1, noon + hour)};
        shown.client.expiryPage.notKnown = 3;
        shown.client.expiryPage.never = 2;
        shown.model.load();
        QTRY_VERIFY(shown.model.isLoaded());
        QVERIFY2(shown.model.summary().contains(QStringLiteral("3 more have no known expiry")),
                 qPrintable(shown.model.summary()));
        QVERIFY(shown.model.summary().contains(QStringLiteral("2 more do not expire")));
    }

    void anErrorIsSaidAndKeepsWhatIsShown()
    {
        Shown shown;
        shown.client.expiryPage.rows = {row(1, noon + hour)};
        shown.model.load();
        QTRY_COMPARE(shown.model.rowCount(), 1);
        shown.client.failNext<api::ExpiryQuery>({core::ErrorKind::StoreFailed, QStringLiteral("No."), {}, {}});
        shown.client.touchMessages();
        QTRY_COMPARE(shown.model.error(), QStringLiteral("No."));
        QCOMPARE(shown.model.rowCount(), 1);
    }

    void aQueueTellsHowItLosesMessages()
    {
        records::QueueLoss loss;
        QVERIFY(models::lossLines(loss, 0, noon).isEmpty());
        loss.retention = {
            records::BrokerRetention::Known::Limited, 96 * hour, {QStringLiteral("The oldest are dropped.")}};
        loss.first = noon + 3 * hour;
        loss.soon = 40;
        loss.past = 1;
        loss.dated = 50;
        loss.never = 1;
        const QString lines = models::lossLines(loss, 53, noon).join(QLatin1Char('\n'));
        for (const char *part :
             {"keeps a message for 4 d", "The oldest are dropped.", "expires in 3 h 0 min, 40 within 24 h.",
              "1 messages should have expired", "no expiry time for 2 browsed messages"})
            QVERIFY2(lines.contains(QLatin1String(part)), qPrintable(lines));
    }
};

REDRIVE_TEST(TestExpiryModel)
#include "tst_expirymodel.moc"
