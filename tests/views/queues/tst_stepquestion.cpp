// Small steps are taken only after a person has read what they guarantee; the connection keeps the choice.
#include "backend/records/address/connectionurl.h"
#include "backend/records/takinginsteps.h"
#include "tests/support/fakeclient/fakeclient.h"
#include "tests/support/testmain/testmain.h"
#include "views/queues/stepquestion.h"

#include <QDialog>
#include <QLabel>
#include <QPushButton>
#include <QTest>

class TestStepQuestion final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theChoiceIsMadeAfterTheGuaranteeIsShown();
};

void TestStepQuestion::theChoiceIsMadeAfterTheGuaranteeIsShown()
{
    support::FakeClient client;
    models::ConsoleSession session{client};
    QWidget window;
    api::ConnectionView view;
    view.connection.id = core::ConnectionId{3};
    view.connection.name = QStringLiteral("shop");
    view.connection.url = QUrl(QStringLiteral("https://support@mq.example:15671/prod?decimals=none"));
    view.offersSteps = true;
    client.snapshot.connections = {view};
    client.publish();
    QTRY_VERIFY(session.hasSnapshot());
    views::askForSteps(session, view.connection.id, &window);
    const auto *dialog = window.findChild<QDialog *>(QStringLiteral("takeInSteps"));
    QVERIFY(dialog != nullptr);
    QCOMPARE(dialog->findChild<QLabel *>(QStringLiteral("questionConsequences"))->text(), records::stepsGuarantee());
    QVERIFY(client.savedConnections.isEmpty());
    dialog->findChild<QPushButton *>(QStringLiteral("questionGo"))->click();
    QTRY_COMPARE(client.savedConnections.size(), 1);
    const api::ConnectionDraft saved = client.savedConnections.first();
    QVERIFY(records::takesInSteps(saved.connection));
    QVERIFY(!records::mayCarryDecimals(saved.connection)); // the other choice stays
    QVERIFY(!saved.secret);
    QCOMPARE(records::withSteps(saved.connection.url, false), view.connection.url);
}

REDRIVE_WIDGET_TEST(TestStepQuestion)
#include "tst_stepquestion.moc"
