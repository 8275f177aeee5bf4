// A look that counts as a delivery is done only after a person has seen its price.
#include "tests/support/fakeclient/fakeclient.h"
#include "tests/support/testmain/testmain.h"
#include "views/queues/browsequestion.h"

#include <QDialog>
#include <QLabel>
#include <QPushButton>
#include <QTest>

namespace {

const core::ConnectionId shop{3};
const QString queueName = QStringLiteral("error");

struct Fixture
{
    support::FakeClient client;
    models::ConsoleSession session{client};
    QWidget window;

    explicit Fixture(std::optional<records::DeliveryLimit> limit, qint64 looked = 0)
    {
        api::ConnectionView view;
        view.connection.id = shop;
        view.connection.name = QStringLiteral("shop");
        view.health = api::Health::Connected;
        view.canBrowse = true;
        api::QueueView queue;
        queue.connection = shop;
        queue.name = queueName;
        queue.holdsFailed = true;
        queue.deliveryLimit = std::move(limit);
        queue.deliveriesUsed.looked = looked;
        client.snapshot.connections = {view};
        client.snapshot.queues = {queue};
        client.publish();
    }

    [[nodiscard]] QDialog *question() const { return window.findChild<QDialog *>(QStringLiteral("browseCounted")); }
};

} // namespace

class TestBrowseQuestion final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFreeLookIsDoneAtOnce_data();
    void aFreeLookIsDoneAtOnce();
    void aLookThatCountsIsDoneAfterItsPriceIsAccepted();
    void theLastLooksAreNotOffered();
};

void TestBrowseQuestion::aFreeLookIsDoneAtOnce_data()
{
    QTest::addColumn<bool>("isLimited");
    QTest::newRow("no limit") << false;
    QTest::newRow("a limit that looks do not count for") << true;
}

void TestBrowseQuestion::aFreeLookIsDoneAtOnce()
{
    QFETCH(const bool, isLimited);
    Fixture fixture(isLimited ? std::optional(records::DeliveryLimit{20, false, {}}) : std::nullopt);
    QTRY_VERIFY(fixture.session.hasSnapshot());
    views::browseOrAsk(fixture.session, shop, queueName, &fixture.window);
    QVERIFY(fixture.question() == nullptr);
    QTRY_COMPARE(fixture.client.browses.size(), 1);
    QVERIFY(!fixture.client.browses.first().acceptsDelivery);
}

void TestBrowseQuestion::aLookThatCountsIsDoneAfterItsPriceIsAccepted()
{
    Fixture fixture(records::DeliveryLimit{20, true, {}}, 3);
    QTRY_VERIFY(fixture.session.hasSnapshot());
    views::browseOrAsk(fixture.session, shop, queueName, &fixture.window);
    QDialog *const dialog = fixture.question();
    QVERIFY(dialog != nullptr);
    const QString price = dialog->findChild<QLabel *>(QStringLiteral("questionConsequences"))->text();
    QVERIFY2(price.contains(QStringLiteral("3 of 20")), qPrintable(price));
    QVERIFY(fixture.client.browses.isEmpty());
    dialog->findChild<QPushButton *>(QStringLiteral("questionGo"))->click();
    QTRY_COMPARE(fixture.client.browses.size(), 1);
    QVERIFY(fixture.client.browses.first().acceptsDelivery);
    QCOMPARE(fixture.client.browses.first().queue, queueName);
}

void TestBrowseQuestion::theLastLooksAreNotOffered()
{
    Fixture fixture(records::DeliveryLimit{20, true, {}}, 16);
    QTRY_VERIFY(fixture.session.hasSnapshot());
    views::browseOrAsk(fixture.session, shop, queueName, &fixture.window);
    const QDialog *const dialog = fixture.question();
    QVERIFY(dialog != nullptr);
    QVERIFY(dialog->findChild<QPushButton *>(QStringLiteral("questionGo")) == nullptr);
    const QString why = dialog->findChild<QLabel *>(QStringLiteral("questionConsequences"))->text();
    QVERIFY2(why.contains(QStringLiteral("16 of 20")), qPrintable(why));
    QVERIFY(fixture.client.browses.isEmpty());
}

REDRIVE_WIDGET_TEST(TestBrowseQuestion)
#include "tst_browsequestion.moc"
