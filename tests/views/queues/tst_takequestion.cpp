// Taking failed messages from a broker is decided by a person, who is told how many, from where and to where.
#include "tests/support/fakeclient/fakeclient.h"
#include "tests/support/testmain/testmain.h"
#include "views/common/theme/theme.h"
#include "views/queues/queuespane.h"
#include "views/queues/takequestion.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QTreeView>

using views::TakeQuestion;

namespace {

const core::ConnectionId shop{3};

struct Fixture
{
    support::FakeClient client;
    models::ConsoleSession session{client};

    explicit Fixture(records::Environment environment = records::Environment::Test)
    {
        api::ConnectionView view;
        view.connection.id = shop;
        view.connection.name = QStringLiteral("shop");
        view.connection.environment = environment;
        view.health = api::Health::Connected;
        view.canTake = true;
        api::QueueView queue;
        queue.connection = shop;
        queue.name = QStringLiteral("error");
        queue.holdsFailed = true;
        queue.depth = 800;
        client.snapshot.connections = {view};
        client.snapshot.queues = {queue};
        client.snapshot.storePath = QStringLiteral("/home/ana/redrive.db");
        client.publish();
    }
};

template<typename Widget>
Widget *part(const QWidget &whole, const char *name)
{
    auto *found = whole.findChild<Widget *>(QLatin1String(name));
    Q_ASSERT(found != nullptr);
    return found;
}

} // namespace

class TestTakeQuestion final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isAskedBeforeTheFirstIntakeAndInProduction_data();
    void isAskedBeforeTheFirstIntakeAndInProduction();
    void saysHowManyAndWhere();
    void saysWhatCannotBePutBack();
    void saysWhatADeliveryLimitRisks();
    void allOrTheFirst();
    void saysWhatTheDiskMustHold();
    void namesTheQueuesOfOtherConsoles();
    void enterTakes();
    void aQueueOfWhichMuchIsHeldIsTakenAtOnce();
    void aFirstStartWithoutConnectionSaysSo();
    void whatRunsIsShownAndTroubleGetsItsLine();
};

void TestTakeQuestion::isAskedBeforeTheFirstIntakeAndInProduction_data()
{
    QTest::addColumn<records::Environment>("environment");
    QTest::addColumn<qint64>("held");
    QTest::addColumn<bool>("subscribed");
    QTest::addColumn<bool>("asked");
    using records::Environment;
    QTest::newRow("first") << Environment::Test << qint64(0) << false << true;
    QTest::newRow("not the first") << Environment::Test << qint64(5) << false << false;
    QTest::newRow("subscribed anyway") << Environment::Development << qint64(0) << true << false;
    QTest::newRow("production, always") << Environment::Production << qint64(5) << true << true;
}

void TestTakeQuestion::isAskedBeforeTheFirstIntakeAndInProduction()
{
    QFETCH(const records::Environment, environment);
    QFETCH(const qint64, held);
    QFETCH(const bool, subscribed);
    Fixture fixture(environment);
    fixture.client.snapshot.queues[0].unresolved = held;
    fixture.client.snapshot.queues[0].subscribed = subscribed;
    fixture.client.publish();
    QTRY_COMPARE(fixture.session.snapshot().queues.size(), 1);
    QTEST(TakeQuestion::isNeeded(fixture.client.snapshot, shop, QStringLiteral("error")), "asked");
    QTEST(TakeQuestion::isNeeded(fixture.client.snapshot, shop, QString()), "asked");
}

void TestTakeQuestion::saysHowManyAndWhere()
{
    Fixture fixture;
    QTRY_VERIFY(fixture.session.hasSnapshot());
    const TakeQuestion question(fixture.session, shop, QStringLiteral("error"));
    const QString said = part<QLabel>(question, "takeSentence")->text();
    QVERIFY2(said.contains(QStringLiteral("800 failed messages wait in queue error on shop (TEST)")), qPrintable(said));
    QVERIFY(said.contains(QStringLiteral("/home/ana/redrive.db")));
    QVERIFY(said.contains(QStringLiteral("subscribe to the queue")));
    QCOMPARE(part<QPushButton>(question, "takeButton")->text(), QStringLiteral("Take all 800 messages"));
}

void TestTakeQuestion::saysWhatCannotBePutBack()
{
    Fixture fixture;
    QTRY_VERIFY(fixture.session.hasSnapshot());
    const auto sentence = [&fixture](const QString &queue) {
        const TakeQuestion question(fixture.session, shop, queue);
        return part<QLabel>(question, "takeSentence")->text();
    };
    const QString error = QStringLiteral("error");
    QVERIFY(!sentence(error).contains(QStringLiteral("cannot be put back")));
    fixture.client.snapshot.queues[0].noWayBack = QStringLiteral("Only the broker fills error.");
    fixture.client.publish();
    QTRY_VERIFY(sentence(error).contains(QStringLiteral("Only the broker fills error.")));
    QVERIFY(sentence(error).contains(QStringLiteral("cannot be put back")));
    QVERIFY(sentence({}).contains(QStringLiteral("cannot be put back"))); // all queues
    fixture.client.snapshot.queues[0].depth = 0; // nothing is taken from it
    fixture.client.publish();
    QTRY_VERIFY(!sentence({}).contains(QStringLiteral("cannot be put back")));
}

void TestTakeQuestion::saysWhatADeliveryLimitRisks()
{
    Fixture fixture;
    QTRY_VERIFY(fixture.session.hasSnapshot());
    const auto sentence = [&fixture] {
        const TakeQuestion question(fixture.session, shop, QStringLiteral("error"));
        return part<QLabel>(question, "takeSentence")->text();
    };
    QVERIFY(!sentence().contains(QStringLiteral("delivery limit")));
    fixture.client.snapshot.queues[0].deliveryLimit = records::DeliveryLimit{20, true, {QStringLiteral("error.dead")}};
    fixture.client.snapshot.queues[0].deliveriesUsed.returned = 3;
    fixture.client.publish();
    QTRY_VERIFY(sentence().contains(QStringLiteral("3 of 20")));
    QVERIFY(sentence().contains(QStringLiteral("error.dead")));
    fixture.client.snapshot.queues[0].deliveriesUsed.returned = 16;
    fixture.client.publish();
    QTRY_VERIFY(sentence().contains(QStringLiteral("takes no more messages from error")));
    QVERIFY(sentence().contains(QStringLiteral("Browse the queue")));
}

void TestTakeQuestion::saysWhatTheDiskMustHold()
{
    Fixture f;
    const auto sentence = [&f] {
        const TakeQuestion question(f.session, shop, QStringLiteral("error"));
        return part<QLabel>(question, "takeSentence")->text();
    };
    QVERIFY(!sentence().contains(QStringLiteral("disk"))); // nothing is known
    f.client.snapshot.diskFree = 3LL * 1024 * 1024 * 1024;
    f.client.publish();
    QVERIFY(sentence().contains(QStringLiteral("unknown; 3.0 GB is free.")));
    f.client.snapshot.queues.first().averageBytes = 3072;
    f.client.publish();
    QVERIFY(sentence().contains(QStringLiteral("about 3.9 MB of disk space; 3.0 GB is free.")));
    f.client.snapshot.diskFree = 1024 * 1024;
    f.client.publish();
    QVERIFY(sentence().contains(QStringLiteral("but only 1.0 MB is free.")));
}

void TestTakeQuestion::namesTheQueuesOfOtherConsoles()
{
    Fixture f;
    f.client.snapshot.connections.first().foreignQueues = {QStringLiteral("redrive.aa.1.bb")};
    f.client.publish();
    const TakeQuestion question(f.session, shop, QStringLiteral("error"));
    QVERIFY(part<QLabel>(question, "takeSentence")->text().contains(QStringLiteral("redrive.aa.1.bb")));
}

void TestTakeQuestion::allOrTheFirst()
{
    Fixture fixture;
    QTRY_VERIFY(fixture.session.hasSnapshot());
    TakeQuestion first(fixture.session, shop, QStringLiteral("error"));
    first.show();
    part<QSpinBox>(first, "takeLimit")->setValue(25);
    QCOMPARE(part<QPushButton>(first, "takeButton")->text(), QStringLiteral("Take 25 messages"));
    QTest::mouseClick(part<QPushButton>(first, "takeButton"), Qt::LeftButton);
    QCOMPARE(fixture.client.intakes.size(), 1);
    QCOMPARE(fixture.client.intakes.first().limit, std::optional<qint64>(25));
    TakeQuestion all(fixture.session, shop, QStringLiteral("error"));
    all.show();
    QTest::mouseClick(part<QPushButton>(all, "takeButton"), Qt::LeftButton);
    QCOMPARE(fixture.client.intakes.last().limit, std::optional<qint64>());
    QVERIFY(fixture.client.subscribes.isEmpty());
}

// Taking can be undone by a release.
void TestTakeQuestion::enterTakes()
{
    Fixture fixture(records::Environment::Production);
    QTRY_VERIFY(fixture.session.hasSnapshot());
    TakeQuestion question(fixture.session, shop, QStringLiteral("error"));
    question.show();
    QTest::keyClick(&question, Qt::Key_Return);
    QVERIFY(!question.isVisible());
    QCOMPARE(fixture.client.intakes.size(), 1);
}

void TestTakeQuestion::aQueueOfWhichMuchIsHeldIsTakenAtOnce()
{
    Fixture fixture;
    fixture.client.snapshot.queues[0].unresolved = 12;
    fixture.client.publish();
    QTRY_COMPARE(fixture.session.snapshot().queues.value(0).unresolved, 12);
    QWidget parent;
    TakeQuestion::ask(fixture.session, shop, QStringLiteral("error"), &parent);
    QVERIFY(parent.findChild<TakeQuestion *>() == nullptr);
    QCOMPARE(fixture.client.intakes.size(), 1);
}

void TestTakeQuestion::aFirstStartWithoutConnectionSaysSo()
{
    support::FakeClient client;
    models::ConsoleSession session(client);
    models::ConsoleFilter filter;
    models::SharedSelection selection;
    views::Navigator navigator;
    const views::Theme theme(views::ThemeMode::Light);
    const views::QueuesPane pane({session, filter, selection, navigator, theme});
    QCOMPARE(part<QLabel>(pane, "stateTitle")->text(), QStringLiteral("Starting…"));
    client.publish();
    QTRY_COMPARE(part<QLabel>(pane, "stateTitle")->text(), QStringLiteral("No connection yet"));
}

void TestTakeQuestion::whatRunsIsShownAndTroubleGetsItsLine()
{
    Fixture fixture;
    models::ConsoleFilter filter;
    models::SharedSelection selection;
    views::Navigator navigator;
    const views::Theme theme(views::ThemeMode::Light);
    views::QueuesPane pane({fixture.session, filter, selection, navigator, theme});
    pane.resize(240, 400);
    pane.show();
    auto *tree = part<QTreeView>(pane, "queueTree");
    QTRY_COMPARE(tree->model()->rowCount(tree->model()->index(0, 0)), 1);
    fixture.client.snapshot.queues[0].activity = QStringLiteral("taking: 300 so far");
    fixture.client.publish();
    const QModelIndex queue = tree->model()->index(0, 0, tree->model()->index(0, 0));
    QTRY_COMPARE(queue.data(models::SecondTextRole).toString(), QStringLiteral("taking: 300 so far"));
    const int before = tree->visualRect(tree->model()->index(0, 0)).height();
    fixture.client.snapshot.connections[0].health = api::Health::Unreachable;
    fixture.client.snapshot.connections[0].words = QStringLiteral("unreachable since 02:11 UTC");
    fixture.client.publish();
    QTRY_VERIFY(tree->visualRect(tree->model()->index(0, 0)).height() > before); // a second line
}

REDRIVE_WIDGET_TEST(TestTakeQuestion)
#include "tst_takequestion.moc"
