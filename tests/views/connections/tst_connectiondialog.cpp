#include "tests/support/fakeclient/fakeclient.h"
#include "views/common/theme/theme.h"
#include "views/connections/connectiondialog.h"
#include "tests/support/testmain/testmain.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

using views::ConnectionDialog;

class TestConnectionDialog final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void aPastedUrlFillsTheForm();
    void aPastedPasswordLeavesTheUrlField();
    void aPastedPasswordLeavesAlsoWhereItReplacesMore_data();
    void aPastedPasswordLeavesAlsoWhereItReplacesMore();
    void aPastedConnectionStringFillsTheForm();
    void theFormMakesTheAddressOfAStorageAccount();
    void theFormMakesTheAddressOfSqs();
    void aTypedUrlIsNotRewrittenWhileItIsTyped();
    void aGivenNameOutlivesTheUrl();
    void aPasswordTypedBlindlyIsNoName();
    void logInSaysWhatIsWanted();
    void renamingIsAnActOfItsOwn();
    void readableSecretsAreWarnedOfOnlyOnTheNetwork_data();
    void readableSecretsAreWarnedOfOnlyOnTheNetwork();
    void testingMovesNeitherButtonsNorFocus();
    void theFormWritesTheUrl();
    void aSecretThatWillNotBeKeptIsSaidBeforeSaving_data();
    void aSecretThatWillNotBeKeptIsSaidBeforeSaving();
    void nothingIsSavedWithoutNameAndHost();
    void aTakenNameIsRefusedBeforeTheBrokerIsAsked();
    void testingTellsWhatIsPossible();
    void aTestOffersErrorQueues();
    void aFailedTestSaysWhy();
    void changingKeepsWhatTheFormDoesNotShow();

private:
    views::Theme *m_theme = nullptr;
};

namespace {

template<typename Widget>
Widget *part(const QWidget &dialog, const char *name)
{
    auto *found = dialog.findChild<Widget *>(QLatin1String(name));
    Q_ASSERT(found != nullptr);
    return found;
}

void type(QLineEdit *edit, const QString &text)
{
    edit->selectAll();
    QTest::keyClick(edit, Qt::Key_Delete);
    QTest::keyClicks(edit, text);
}

struct Fixture
{
    support::FakeClient client;
    models::ConsoleSession session{client};

    Fixture()
    {
        client.snapshot.engine = api::EngineState::Running;
        client.publish();
    }

    records::Connection add(api::Health health)
    {
        api::ConnectionView view;
        view.connection.id = {3};
        view.connection.name = QStringLiteral("shop");
        view.connection.url = QUrl(QStringLiteral("http://ops@localhost:15672/%2F"));
        view.health = health;
        client.snapshot.connections = {view};
        client.publish();
        return view.connection;
    }
};

} // namespace

void TestConnectionDialog::initTestCase()
{
    m_theme = new views::Theme(views::ThemeMode::Light, this);
}

void TestConnectionDialog::aPastedUrlFillsTheForm()
{
    Fixture fixture;
    QTRY_VERIFY(fixture.session.hasSnapshot());
    ConnectionDialog dialog(fixture.session, {});
    dialog.show();
    type(part<QLineEdit>(dialog, "connectionUrl"),
         QStringLiteral("rabbitmq+https://ops@rabbit.example:15671/shop%2Feu"));
    QCOMPARE(part<QLineEdit>(dialog, "connectionHost")->text(), QStringLiteral("rabbit.example"));
    QCOMPARE(part<QLineEdit>(dialog, "connectionPort")->text(), QStringLiteral("15671"));
    QCOMPARE(part<QLineEdit>(dialog, "connectionUser")->text(), QStringLiteral("ops"));
    QCOMPARE(part<QLineEdit>(dialog, "connectionVhost")->text(), QStringLiteral("shop/eu"));
    QCOMPARE(part<QLineEdit>(dialog, "connectionName")->text(), QStringLiteral("rabbit.example"));
    const QString shots = qEnvironmentVariable("REDRIVE_SCREENSHOTS");
    QCoreApplication::processEvents(); // the layout of what has just been filled in
    if (!shots.isEmpty())
        QVERIFY(dialog.grab().save(shots + QStringLiteral("/connection.png")));
}

void TestConnectionDialog::aPastedPasswordLeavesTheUrlField()
{
    Fixture fixture;
    QTRY_VERIFY(fixture.session.hasSnapshot());
    ConnectionDialog dialog(fixture.session, {});
    auto *url = part<QLineEdit>(dialog, "connectionUrl");
    url->insert(QStringLiteral("rabbitmq+http://ops:hunter2@localhost:15672/")); // as pasting does
    QVERIFY(!url->text().contains(QStringLiteral("hunter2")));
    QCOMPARE(part<QLineEdit>(dialog, "connectionSecret")->text(), QStringLiteral("hunter2"));
    QCOMPARE(part<QLineEdit>(dialog, "connectionSecret")->echoMode(), QLineEdit::Password);
}

void TestConnectionDialog::aPastedPasswordLeavesAlsoWhereItReplacesMore_data()
{
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("pasted");
    const QString longer = QStringLiteral("rabbitmq+https://operations@rabbit.shop.example.com:15671/shop%2Feurope");
    QTest::newRow("shorter") << longer << QStringLiteral("rabbitmq+http://ops:hunter2@localhost:1/");
    QTest::newRow("as long") << QStringLiteral("rabbitmq+http://operationsX@localhost:15672/%2F")
                             << QStringLiteral("rabbitmq+http://ops:hunter2@localhost:15672/%2F");
    QTest::newRow("one longer") << QStringLiteral("rabbitmq+http://operations@localhost:15672/%2F")
                                << QStringLiteral("rabbitmq+http://ops:hunter2@localhost:15672/%2F");
}

void TestConnectionDialog::aPastedPasswordLeavesAlsoWhereItReplacesMore()
{
    QFETCH(const QString, before);
    QFETCH(const QString, pasted);
    Fixture fixture;
    QTRY_VERIFY(fixture.session.hasSnapshot());
    ConnectionDialog dialog(fixture.session, {});
    auto *url = part<QLineEdit>(dialog, "connectionUrl");
    url->insert(before);
    QCOMPARE(url->text(), before);
    url->selectAll();
    url->insert(pasted);
    QVERIFY2(!url->text().contains(QStringLiteral("hunter2")), qPrintable(url->text()));
    QCOMPARE(part<QLineEdit>(dialog, "connectionSecret")->text(), QStringLiteral("hunter2"));
}

void TestConnectionDialog::aPastedConnectionStringFillsTheForm()
{
    Fixture fixture;
    QTRY_VERIFY(fixture.session.hasSnapshot());
    ConnectionDialog dialog(fixture.session, {});
    auto *url = part<QLineEdit>(dialog, "connectionUrl");
    url->insert(QStringLiteral("DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=aHVudGVyMg==;"
                               "EndpointSuffix=core.windows.net"));
    QCOMPARE(url->text(), QStringLiteral("azurequeue+https://shop.queue.core.windows.net/"));
    QCOMPARE(part<QComboBox>(dialog, "connectionKind")->currentText(), QStringLiteral("Storage Queues"));
    QCOMPARE(part<QLineEdit>(dialog, "connectionHost")->text(), QStringLiteral("shop.queue.core.windows.net"));
    QCOMPARE(part<QLineEdit>(dialog, "connectionUser")->text(), QStringLiteral("shop"));
    QCOMPARE(part<QLineEdit>(dialog, "connectionSecret")->text(), QStringLiteral("aHVudGVyMg=="));
    QVERIFY(part<QLineEdit>(dialog, "connectionVhost")->isHidden());
}

void TestConnectionDialog::theFormMakesTheAddressOfAStorageAccount()
{
    Fixture fixture;
    QTRY_VERIFY(fixture.session.hasSnapshot());
    ConnectionDialog dialog(fixture.session, {});
    dialog.show();
    auto *kind = part<QComboBox>(dialog, "connectionKind");
    kind->setCurrentIndex(kind->findText(QStringLiteral("Storage Queues")));
    type(part<QLineEdit>(dialog, "connectionName"), QStringLiteral("queues"));
    type(part<QLineEdit>(dialog, "connectionHost"), QStringLiteral("127.0.0.1"));
    type(part<QLineEdit>(dialog, "connectionPort"), QStringLiteral("10001"));
    QVERIFY(!part<QPushButton>(dialog, "connectionSave")->isEnabled()); // whose queues?
    type(part<QLineEdit>(dialog, "connectionUser"), QStringLiteral("dev"));
    QVERIFY(part<QPushButton>(dialog, "connectionSave")->isEnabled());
    QCOMPARE(part<QLineEdit>(dialog, "connectionUrl")->text(),
             QStringLiteral("azurequeue+https://127.0.0.1:10001/dev"));
    type(part<QLineEdit>(dialog, "connectionHost"), QStringLiteral("dev.queue.core.windows.net"));
    QCOMPARE(part<QLineEdit>(dialog, "connectionUrl")->text(),
             QStringLiteral("azurequeue+https://dev.queue.core.windows.net:10001/"));
}

void TestConnectionDialog::theFormMakesTheAddressOfSqs()
{
    Fixture fixture;
    QTRY_VERIFY(fixture.session.hasSnapshot());
    ConnectionDialog dialog(fixture.session, {});
    dialog.show();
    auto *kind = part<QComboBox>(dialog, "connectionKind");
    auto *region = part<QLineEdit>(dialog, "connectionRegion");
    QVERIFY(region->isHidden());
    kind->setCurrentIndex(kind->findText(QStringLiteral("Amazon SQS")));
    type(part<QLineEdit>(dialog, "connectionName"), QStringLiteral("sqs"));
    type(part<QLineEdit>(dialog, "connectionHost"), QStringLiteral("127.0.0.1"));
    QVERIFY(!part<QPushButton>(dialog, "connectionSave")->isEnabled()); // in which region?
    QVERIFY(!region->isHidden());
    QVERIFY(part<QLineEdit>(dialog, "connectionVhost")->isHidden());
    type(region, QStringLiteral("eu-west-1"));
    type(part<QLineEdit>(dialog, "connectionUser"), QStringLiteral("AKIA"));
    QVERIFY(part<QPushButton>(dialog, "connectionSave")->isEnabled());
    auto *url = part<QLineEdit>(dialog, "connectionUrl");
    QCOMPARE(url->text(), QStringLiteral("sqs+https://AKIA@127.0.0.1/?region=eu-west-1"));
    type(region, QString());
    type(part<QLineEdit>(dialog, "connectionHost"), QStringLiteral("sqs.us-east-2.amazonaws.com")); // says it itself
    QVERIFY(part<QPushButton>(dialog, "connectionSave")->isEnabled());
    QCOMPARE(url->text(), QStringLiteral("sqs+https://AKIA@sqs.us-east-2.amazonaws.com/?region=us-east-2"));
    ConnectionDialog another(fixture.session, {});
    url = part<QLineEdit>(another, "connectionUrl");
    url->insert(QStringLiteral("sqs+https://ASIA:hunter2@sqs.eu-north-1.amazonaws.com/")); // as pasting does
    QCOMPARE(part<QLineEdit>(another, "connectionRegion")->text(), QStringLiteral("eu-north-1"));
    QVERIFY(!url->text().contains(QStringLiteral("hunter2")));
}

void TestConnectionDialog::aTypedUrlIsNotRewrittenWhileItIsTyped()
{
    Fixture fixture;
    QTRY_VERIFY(fixture.session.hasSnapshot());
    ConnectionDialog dialog(fixture.session, {});
    dialog.show();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    auto *url = part<QLineEdit>(dialog, "connectionUrl");
    const QString typed = QStringLiteral("rabbitmq+http://guest:bad@127.0.0.1:45673/gui%2Fv");
    type(url, typed);
    QCOMPARE(url->text(), typed);
    QCOMPARE(part<QLineEdit>(dialog, "connectionHost")->text(), QStringLiteral("127.0.0.1"));
    QCOMPARE(part<QLineEdit>(dialog, "connectionPort")->text(), QStringLiteral("45673"));
    QCOMPARE(part<QLineEdit>(dialog, "connectionVhost")->text(), QStringLiteral("gui/v"));
    QCOMPARE(part<QLineEdit>(dialog, "connectionSecret")->text(), QStringLiteral("bad"));
    QTest::keyClick(url, Qt::Key_Tab);
    QCOMPARE(url->text(), QStringLiteral("rabbitmq+http://guest@127.0.0.1:45673/gui%2Fv"));
}

void TestConnectionDialog::aGivenNameOutlivesTheUrl()
{
    Fixture fixture;
    QTRY_VERIFY(fixture.session.hasSnapshot());
    ConnectionDialog dialog(fixture.session, {});
    type(part<QLineEdit>(dialog, "connectionName"), QStringLiteral("shop"));
    type(part<QLineEdit>(dialog, "connectionUrl"), QStringLiteral("rabbitmq+http://ops@rabbit.example:15672/"));
    QCOMPARE(part<QLineEdit>(dialog, "connectionName")->text(), QStringLiteral("shop"));
}

void TestConnectionDialog::aPasswordTypedBlindlyIsNoName()
{
    Fixture fixture;
    const records::Connection shop = fixture.add(api::Health::LoginNeeded);
    QTRY_COMPARE(fixture.session.snapshot().connections.size(), 1);
    ConnectionDialog dialog(fixture.session, shop);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    QTest::keyClicks(dialog.focusWidget(), QStringLiteral("s3cret"));
    QTest::keyClick(dialog.focusWidget(), Qt::Key_Return);
    QTRY_COMPARE(fixture.client.savedConnections.size(), 1);
    QCOMPARE(fixture.client.savedConnections.first().connection.name, QStringLiteral("shop"));
    QCOMPARE(fixture.client.savedConnections.first().secret, std::optional(QStringLiteral("s3cret")));
}

void TestConnectionDialog::logInSaysWhatIsWanted()
{
    Fixture fixture;
    const records::Connection shop = fixture.add(api::Health::LoginNeeded);
    QTRY_COMPARE(fixture.session.snapshot().connections.size(), 1);
    const ConnectionDialog dialog(fixture.session, shop);
    QCOMPARE(dialog.windowTitle(), QStringLiteral("Log in to shop"));
    QCOMPARE(part<QLabel>(dialog, "connectionAnswer")->text(),
             QStringLiteral("Type the password or access key of ops for shop."));
    QCOMPARE(part<QPushButton>(dialog, "connectionSave")->text(), QStringLiteral("Log in"));
}

void TestConnectionDialog::renamingIsAnActOfItsOwn()
{
    Fixture fixture;
    const records::Connection shop = fixture.add(api::Health::Connected);
    QTRY_COMPARE(fixture.session.snapshot().connections.size(), 1);
    ConnectionDialog dialog(fixture.session, shop);
    dialog.show();
    auto *name = part<QLineEdit>(dialog, "connectionName");
    QTest::keyClicks(name, QStringLiteral("x"));
    QCOMPARE(name->text(), QStringLiteral("shop"));
    QTest::mouseClick(part<QPushButton>(dialog, "connectionRename"), Qt::LeftButton);
    QTest::keyClicks(name, QStringLiteral("store"));
    QTest::mouseClick(part<QPushButton>(dialog, "connectionSave"), Qt::LeftButton);
    QTRY_COMPARE(fixture.client.savedConnections.size(), 1);
    QCOMPARE(fixture.client.savedConnections.first().connection.name, QStringLiteral("store"));
}

void TestConnectionDialog::readableSecretsAreWarnedOfOnlyOnTheNetwork_data()
{
    QTest::addColumn<QString>("host");
    QTest::addColumn<bool>("warned");
    QTest::newRow("name of this machine") << QStringLiteral("localhost") << false;
    QTest::newRow("loopback address") << QStringLiteral("127.0.0.1") << false;
    QTest::newRow("loopback of the newer kind") << QStringLiteral("::1") << false;
    QTest::newRow("another machine") << QStringLiteral("rabbit.example") << true;
    QTest::newRow("a name that begins so") << QStringLiteral("127.0.0.1.example") << true;
}

void TestConnectionDialog::readableSecretsAreWarnedOfOnlyOnTheNetwork()
{
    QFETCH(const QString, host);
    QFETCH(const bool, warned);
    Fixture fixture;
    QTRY_VERIFY(fixture.session.hasSnapshot());
    ConnectionDialog dialog(fixture.session, {});
    auto *scheme = part<QComboBox>(dialog, "connectionScheme");
    scheme->setCurrentIndex(scheme->findData(QStringLiteral("http")));
    type(part<QLineEdit>(dialog, "connectionName"), QStringLiteral("shop"));
    type(part<QLineEdit>(dialog, "connectionHost"), host);
    QCOMPARE(part<QLabel>(dialog, "connectionAnswer")->text().contains(QStringLiteral("https")), warned);
}

void TestConnectionDialog::testingMovesNeitherButtonsNorFocus()
{
    Fixture fixture;
    QTRY_VERIFY(fixture.session.hasSnapshot());
    fixture.client.testAnswer.product = QStringLiteral("RabbitMQ 3.10.8");
    fixture.client.testAnswer.can = {QStringLiteral("take"), QStringLiteral("send")};
    fixture.client.testAnswer.missing = {QStringLiteral("the right policymaker")};
    ConnectionDialog dialog(fixture.session, {});
    dialog.show();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    type(part<QLineEdit>(dialog, "connectionName"), QStringLiteral("shop"));
    type(part<QLineEdit>(dialog, "connectionHost"), QStringLiteral("localhost"));
    auto *test = part<QPushButton>(dialog, "connectionTest");
    const auto *host = part<QLineEdit>(dialog, "connectionHost");
    QCoreApplication::processEvents(); // the layout of what has just been typed
    const QRect before = test->geometry();
    const int height = host->height();
    fixture.client.holdAnswers(true);
    QTest::mouseClick(test, Qt::LeftButton);
    QCOMPARE(dialog.focusWidget(), test);
    fixture.client.holdAnswers(false);
    QTRY_VERIFY(part<QLabel>(dialog, "connectionAnswer")->text().contains(QStringLiteral("RabbitMQ")));
    QCoreApplication::processEvents(); // the layout with the answer
    QCOMPARE(dialog.focusWidget(), test);
    QCOMPARE(test->geometry(), before);
    QCOMPARE(host->height(), height);
}

void TestConnectionDialog::theFormWritesTheUrl()
{
    Fixture fixture;
    QTRY_VERIFY(fixture.session.hasSnapshot());
    ConnectionDialog dialog(fixture.session, {});
    type(part<QLineEdit>(dialog, "connectionHost"), QStringLiteral("rabbit.example"));
    type(part<QLineEdit>(dialog, "connectionUser"), QStringLiteral("ops"));
    type(part<QLineEdit>(dialog, "connectionVhost"), QStringLiteral("shop/eu"));
    QCOMPARE(part<QLineEdit>(dialog, "connectionUrl")->text(),
             QStringLiteral("rabbitmq+https://ops@rabbit.example/shop%2Feu"));
}

void TestConnectionDialog::aSecretThatWillNotBeKeptIsSaidBeforeSaving_data()
{
    QTest::addColumn<QString>("why");
    QTest::newRow("a keyring keeps it") << QString();
    QTest::newRow("there is none") << QStringLiteral("No keyring service runs in this desktop session.");
}

void TestConnectionDialog::aSecretThatWillNotBeKeptIsSaidBeforeSaving()
{
    QFETCH(const QString, why);
    Fixture fixture;
    fixture.client.snapshot.secretsNotKept = why;
    fixture.client.publish();
    QTRY_COMPARE(fixture.session.snapshot().secretsNotKept, why);
    ConnectionDialog dialog(fixture.session, {});
    dialog.show();
    const auto *note = dialog.findChild<QLabel *>(QStringLiteral("secretNote"));
    QCOMPARE(note != nullptr && note->isVisible(), !why.isEmpty());
    if (note != nullptr) {
        QVERIFY(note->text().startsWith(why));
        QVERIFY(note->text().contains(QStringLiteral("REDRIVE_SECRET_")));
        QVERIFY(note->text().contains(QStringLiteral("--secret-file")));
    }
    const QString shots = qEnvironmentVariable("REDRIVE_SCREENSHOTS");
    QCoreApplication::processEvents();
    if (!shots.isEmpty())
        QVERIFY(dialog.grab().save(shots + QStringLiteral("/connection-%1.png").arg(why.isEmpty() ? 0 : 1)));
}

void TestConnectionDialog::nothingIsSavedWithoutNameAndHost()
{
    Fixture fixture;
    QTRY_VERIFY(fixture.session.hasSnapshot());
    ConnectionDialog dialog(fixture.session, {});
    dialog.show();
    auto *save = part<QPushButton>(dialog, "connectionSave");
    QVERIFY(!save->isEnabled());
    type(part<QLineEdit>(dialog, "connectionHost"), QStringLiteral("localhost"));
    QVERIFY(!save->isEnabled());
    type(part<QLineEdit>(dialog, "connectionName"), QStringLiteral("shop"));
    QVERIFY(save->isEnabled());
    type(part<QLineEdit>(dialog, "connectionSecret"), QStringLiteral("s3cret"));
    for (const char *right : {"right-edit", "right-redirect", "right-delete"}) // those that nobody has unasked
        QTest::mouseClick(part<QCheckBox>(dialog, right), Qt::LeftButton);
    QTest::mouseClick(save, Qt::LeftButton);
    QTRY_COMPARE(fixture.client.savedConnections.size(), 1);
    const api::ConnectionDraft draft = fixture.client.savedConnections.first();
    QCOMPARE(draft.secret, std::optional(QStringLiteral("s3cret")));
    using records::Right;
    QVERIFY(draft.connection.rights == (records::defaultRights | Right::Edit | Right::Redirect | Right::Delete));
    QVERIFY(draft.connection.environment == records::Environment::Production);
    QTRY_VERIFY(!dialog.isVisible());
}

void TestConnectionDialog::aTakenNameIsRefusedBeforeTheBrokerIsAsked()
{
    Fixture fixture;
    api::ConnectionView taken;
    taken.connection.id = {5};
    taken.connection.name = QStringLiteral("shop");
    fixture.client.snapshot.connections = {taken};
    fixture.client.publish();
    QTRY_COMPARE(fixture.session.snapshot().connections.size(), 1);
    ConnectionDialog dialog(fixture.session, {});
    type(part<QLineEdit>(dialog, "connectionHost"), QStringLiteral("localhost"));
    type(part<QLineEdit>(dialog, "connectionName"), QStringLiteral("shop"));
    QVERIFY(!part<QPushButton>(dialog, "connectionSave")->isEnabled());
    QVERIFY(part<QLabel>(dialog, "connectionAnswer")->text().contains(QStringLiteral("already exists")));
}

void TestConnectionDialog::testingTellsWhatIsPossible()
{
    Fixture fixture;
    QTRY_VERIFY(fixture.session.hasSnapshot());
    fixture.client.testAnswer.product = QStringLiteral("RabbitMQ 3.10.8");
    fixture.client.testAnswer.missing = {QStringLiteral("the right policymaker")};
    ConnectionDialog dialog(fixture.session, {});
    type(part<QLineEdit>(dialog, "connectionHost"), QStringLiteral("localhost"));
    QTest::mouseClick(part<QPushButton>(dialog, "connectionTest"), Qt::LeftButton);
    QTRY_VERIFY(part<QLabel>(dialog, "connectionAnswer")->text().contains(QStringLiteral("RabbitMQ 3.10.8")));
    QVERIFY(part<QLabel>(dialog, "connectionAnswer")->text().contains(QStringLiteral("policymaker")));
    QCOMPARE(fixture.client.savedConnections.size(), 0);

    fixture.client.testAnswer.missing.clear();
    fixture.client.testAnswer.notKnown = {QStringLiteral("take failed messages")};
    fixture.client.testAnswer.notKnownReason = QStringLiteral("RabbitMQ does not tell.");
    QTest::mouseClick(part<QPushButton>(dialog, "connectionTest"), Qt::LeftButton);
    QTRY_VERIFY(part<QLabel>(dialog, "connectionAnswer")
                    ->text()
                    .contains(QStringLiteral("Unknown: take failed messages. RabbitMQ does not tell.")));
}

// A name with a comma would be several in the field: it is not offered here.
void TestConnectionDialog::aTestOffersErrorQueues()
{
    Fixture fixture;
    QTRY_VERIFY(fixture.session.hasSnapshot());
    const records::QueueFacts facts{{records::QueueFact::Kind::NamedForFailures}};
    for (const char *name : {"orders.dlq", "mail.dlq", "dlq,orders"})
        fixture.client.testAnswer.candidates.append({QString::fromLatin1(name), 1, facts});
    ConnectionDialog dialog(fixture.session, {});
    type(part<QLineEdit>(dialog, "connectionHost"), QStringLiteral("localhost"));
    type(part<QLineEdit>(dialog, "connectionErrorQueues"), QStringLiteral("error, mail.dlq"));
    auto *choose = part<QPushButton>(dialog, "connectionChooseQueues");
    QVERIFY(!choose->isEnabled());
    QTest::mouseClick(part<QPushButton>(dialog, "connectionTest"), Qt::LeftButton);
    QTRY_VERIFY(choose->isEnabled());
    choose->click();
    auto *offer = part<QDialog>(dialog, "errorQueuesDialog");
    const QList<QCheckBox *> boxes = offer->findChildren<QCheckBox *>(QStringLiteral("candidate"));
    QCOMPARE(boxes.size(), 2);
    QVERIFY(boxes.at(0)->isChecked() && boxes.at(1)->isChecked());
    boxes.at(1)->setChecked(false);
    part<QPushButton>(*offer, "errorQueuesChoose")->click();
    QCOMPARE(part<QLineEdit>(dialog, "connectionErrorQueues")->text(), QStringLiteral("error, orders.dlq"));
    QCOMPARE(fixture.client.savedConnections.size(), 0);
}

void TestConnectionDialog::aFailedTestSaysWhy()
{
    Fixture fixture;
    QTRY_VERIFY(fixture.session.hasSnapshot());
    fixture.client.failNext<api::TestConnection>(
        {core::ErrorKind::Unauthorized, QStringLiteral("The broker refused the password."), {}, {}});
    ConnectionDialog dialog(fixture.session, {});
    type(part<QLineEdit>(dialog, "connectionHost"), QStringLiteral("localhost"));
    QTest::mouseClick(part<QPushButton>(dialog, "connectionTest"), Qt::LeftButton);
    QTRY_COMPARE(part<QLabel>(dialog, "connectionAnswer")->text(), QStringLiteral("The broker refused the password."));
}

void TestConnectionDialog::changingKeepsWhatTheFormDoesNotShow()
{
    Fixture fixture;
    QTRY_VERIFY(fixture.session.hasSnapshot());
    records::Connection connection;
    connection.id = {3};
    connection.name = QStringLiteral("shop");
    connection.url = QUrl(QStringLiteral("http://ops@localhost:15672/"));
    connection.rights = records::Rights(records::Right::See) | records::Right::Edit;
    connection.doublesAllowed = false;
    connection.errorQueues = {QStringLiteral("error"), QStringLiteral("a,b").left(1)};
    ConnectionDialog dialog(fixture.session, connection);
    dialog.show();
    QTest::mouseClick(part<QPushButton>(dialog, "connectionSave"), Qt::LeftButton);
    QTRY_COMPARE(fixture.client.savedConnections.size(), 1);
    const api::ConnectionDraft draft = fixture.client.savedConnections.first();
    QCOMPARE(draft.connection.id, core::ConnectionId{3});
    QVERIFY(!draft.connection.doublesAllowed);
    QVERIFY(draft.connection.rights.testFlag(records::Right::Edit));
    QCOMPARE(draft.connection.errorQueues, connection.errorQueues);
    QVERIFY2(!draft.secret, "an empty field leaves the secret as it is");
}

REDRIVE_WIDGET_TEST(TestConnectionDialog)
#include "tst_connectiondialog.moc"
