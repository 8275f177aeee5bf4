// A convention is made of the fields of a message, tried on real messages, saved and applied.
#include "backend/records/conventions/conventionfile.h"
#include "models/conventions/placeuse.h"
#include "tests/support/fakeclient/fakeclient.h"
#include "views/common/lists/datatable.h"
#include "views/common/theme/theme.h"
#include "views/conventions/conventiondialog.h"
#include "tests/support/testmain/testmain.h"

#include <QApplication>
#include <QCborMap>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabBar>
#include <QTest>

using records::Convention;
using records::MessagePlace;
using views::ConventionDialog;

namespace {

const core::ConnectionId shop{3};
const core::MessageId first{7};

api::MessageDetail unknownMessage()
{
    api::MessageDetail detail;
    detail.message.id = first;
    detail.message.connection = shop;
    detail.message.queue = QStringLiteral("billing.failed");
    detail.envelope.headers = {
        {QStringLiteral("x-error"), QCborMap{{QStringLiteral("type"), QStringLiteral("Billing.CardExpired")},
                                             {QStringLiteral("api-token"), QStringLiteral("s3cret")}}},
        {QStringLiteral("x-info"), QStringLiteral("{\"from\":\"billing.charge\"}")}};
    detail.envelope.body = "{\"error\":{\"text\":\"no\"}}";
    return detail;
}

api::ConventionTrial trial(core::MessageId message)
{
    api::ConventionTrial one;
    one.message = message;
    one.applies = true;
    one.before.group = QStringLiteral("billing.failed (no exception recorded)");
    one.after.group = QStringLiteral("CardExpired: No stacktrace");
    one.after.failure.exceptionType = QStringLiteral("Billing.CardExpired");
    one.after.destination = {QStringLiteral("billing.charge"), records::Certainty::Derived, {}};
    one.sentBefore.headers = {{QStringLiteral("x-error"), 1}};
    return one;
}

struct Fixture
{
    support::FakeClient client;
    models::ConsoleSession session{client};
    views::Theme theme{views::ThemeMode::Light};

    explicit Fixture(records::Rights rights = records::defaultRights | records::Right::Edit | records::Right::Redirect)
    {
        api::ConnectionView view;
        view.connection.id = shop;
        view.connection.name = QStringLiteral("Production");
        view.connection.rights = rights;
        client.snapshot.connections = {view};
        for (int i = 0; i < 3; ++i) {
            records::FailedMessage message = unknownMessage().message;
            message.id = core::MessageId(first.value + i);
            client.store.append(message);
        }
        client.trialAnswer = {trial(first), trial(core::MessageId(8))};
        client.publish();
    }
    [[nodiscard]] Convention convention() const
    {
        Convention one;
        one.name = QStringLiteral("billing.failed");
        one.isFor.connection = QStringLiteral("Production");
        one.isFor.queues = {QStringLiteral("billing.failed")};
        return one;
    }
};

template<typename Widget>
Widget *part(const QWidget &whole, const char *name)
{
    auto *found = whole.findChild<Widget *>(QLatin1String(name));
    Q_ASSERT(found != nullptr);
    return found;
}

// The row whose first cell has this text; -1: none.
int rowOf(const QWidget &whole, const char *table, const QString &text)
{
    const QAbstractItemModel *model = part<views::DataTable>(whole, table)->model();
    for (int row = 0; row < model->rowCount(); ++row) {
        if (model->index(row, 0).data().toString() == text)
            return row;
    }
    return -1;
}

void say(ConventionDialog &dialog, const QString &place, models::PlaceUse use)
{
    const int row = rowOf(dialog, "placeTable", place);
    QVERIFY2(row >= 0, qPrintable(place));
    part<views::DataTable>(dialog, "placeTable")->selectRow(row);
    QMenu *menu = part<QPushButton>(dialog, "placeUse")->menu();
    Q_EMIT menu->aboutToShow();
    auto *entry = menu->findChild<QAction *>(QStringLiteral("use%1").arg(int(use)));
    QVERIFY(entry != nullptr && entry->isEnabled());
    entry->trigger();
}

QString shownAt(const QWidget &dialog, const char *label)
{
    return part<QLabel>(dialog, label)->text();
}

} // namespace

class TestConventionDialog final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFieldBecomesTheCause()
    {
        Fixture given;
        ConventionDialog dialog(given.session, given.theme, given.convention(), true, unknownMessage());
        dialog.show();
        say(dialog, QStringLiteral("Header x-error /type"), models::PlaceUse::CauseType);
        say(dialog, QStringLiteral("Header x-info /from"), models::PlaceUse::ReturnTo);
        say(dialog, QStringLiteral("Body /error"), models::PlaceUse::Remove);
        const core::Result<Convention> made = dialog.convention();
        QVERIFY(made);
        QCOMPARE(made->reads.size(), 2);
        QVERIFY(made->reads.at(0).from.constFirst()
                == (MessagePlace{MessagePlace::In::Header, QStringLiteral("x-error"), QStringLiteral("/type")}));
        QVERIFY(made->beforeRetry.constFirst().place
                == (MessagePlace{MessagePlace::In::Body, {}, QStringLiteral("/error")}));
        // It was tried on this message and on others.
        QTRY_COMPARE(shownAt(dialog, "trialAfter1"), QStringLiteral("CardExpired: No stacktrace"));
        QCOMPARE(shownAt(dialog, "trialBefore1"), QStringLiteral("billing.failed (no exception recorded)"));
        QVERIFY(shownAt(dialog, "trialAfter2").contains(QStringLiteral("billing.charge")));
        QTRY_VERIFY(part<QPushButton>(dialog, "trialNext")->isEnabled());
        QTest::mouseClick(part<QPushButton>(dialog, "trialNext"), Qt::LeftButton);
        QVERIFY(!part<QPushButton>(dialog, "trialNext")->isEnabled());
    }

    void aSecretIsNotShown()
    {
        Fixture given;
        ConventionDialog dialog(given.session, given.theme, given.convention(), true, unknownMessage());
        const int row = rowOf(dialog, "placeTable", QStringLiteral("Header x-error /api-token"));
        QVERIFY(row >= 0);
        const QAbstractItemModel *model = part<views::DataTable>(dialog, "placeTable")->model();
        QVERIFY(!model->index(row, 1).data().toString().contains(QStringLiteral("s3cret")));
    }

    void savedItIsAppliedInPlace()
    {
        Fixture given;
        given.client.rereadAnswer = {3, 2, 0};
        ConventionDialog dialog(given.session, given.theme, given.convention(), true, unknownMessage());
        dialog.show();
        say(dialog, QStringLiteral("Header x-error /type"), models::PlaceUse::CauseType);
        QTest::mouseClick(part<QPushButton>(dialog, "conventionSave"), Qt::LeftButton);
        QTRY_COMPARE(given.client.conventionsSet.size(), 1);
        QVERIFY(given.client.conventionsSet.constFirst().isNew);
        QVERIFY(*records::conventionFrom(given.client.conventionsSet.constFirst().file) == *dialog.convention());
        auto *apply = part<QPushButton>(dialog, "conventionApply");
        QTRY_VERIFY(apply->isVisible());
        QVERIFY(apply->text().contains(QLatin1Char('3')));
        QTest::mouseClick(apply, Qt::LeftButton);
        QTRY_COMPARE(given.client.conventionsApplied.size(), 1);
        const records::MessageFilter filter = given.client.conventionsApplied.constFirst().filter;
        QVERIFY(filter.connection == shop);
        QCOMPARE(filter.queue, QStringLiteral("billing.failed"));
        QTRY_VERIFY(shownAt(dialog, "conventionAnswer").contains(QLatin1Char('2')));
        // Saved once more, it replaces itself.
        say(dialog, QStringLiteral("Body /error/text"), models::PlaceUse::CauseMessage);
        QTest::mouseClick(part<QPushButton>(dialog, "conventionSave"), Qt::LeftButton);
        QTRY_COMPARE(given.client.conventionsSet.size(), 2);
        QVERIFY(!given.client.conventionsSet.at(1).isNew);
    }

    void readingAgainIsShownAndCancelledFirst()
    {
        Fixture given;
        given.client.workProgress = {12, 60};
        ConventionDialog dialog(given.session, given.theme, given.convention(), true, unknownMessage());
        dialog.show();
        say(dialog, QStringLiteral("Header x-error /type"), models::PlaceUse::CauseType);
        QTest::mouseClick(part<QPushButton>(dialog, "conventionSave"), Qt::LeftButton);
        auto *apply = part<QPushButton>(dialog, "conventionApply");
        QTRY_VERIFY(apply->isVisible());
        given.client.heldNames = {given.client.nameOf<api::ApplyConventions>()};
        given.client.failNext<api::ApplyConventions>({core::ErrorKind::Cancelled, QStringLiteral("12 stay."), {}, {}});
        QTest::mouseClick(apply, Qt::LeftButton);
        QTRY_VERIFY(shownAt(dialog, "conventionAnswer").contains(QStringLiteral("12 of 60")));
        QTest::mouseClick(part<QPushButton>(dialog, "conventionClose"), Qt::LeftButton);
        QCOMPARE(given.client.cancelledWork, QStringList{given.client.conventionsApplied.last().ticket});
        QVERIFY(dialog.isVisible());
        given.client.releaseOne();
        QTRY_COMPARE(shownAt(dialog, "conventionAnswer"), QStringLiteral("12 stay."));
        QTest::mouseClick(part<QPushButton>(dialog, "conventionClose"), Qt::LeftButton);
        QVERIFY(!dialog.isVisible());
    }

    void aRefusalIsShown()
    {
        Fixture given;
        given.client.failNext<api::SetConvention>({core::ErrorKind::Conflict, QStringLiteral("There is one."), {}});
        ConventionDialog dialog(given.session, given.theme, given.convention(), true, unknownMessage());
        dialog.show();
        QTest::mouseClick(part<QPushButton>(dialog, "conventionSave"), Qt::LeftButton);
        QTRY_COMPARE(shownAt(dialog, "conventionAnswer"), QStringLiteral("There is one."));
        QVERIFY(part<QPushButton>(dialog, "conventionSave")->isEnabled());
        QVERIFY(!part<QPushButton>(dialog, "conventionApply")->isVisible());
    }

    void withoutTheRightNothingIsSaved()
    {
        Fixture given{records::defaultRights & ~records::Rights(records::Right::Edit)};
        ConventionDialog dialog(given.session, given.theme, given.convention(), true, unknownMessage());
        dialog.show();
        QVERIFY(part<QPushButton>(dialog, "conventionSave")->isEnabled());
        say(dialog, QStringLiteral("Header x-info"), models::PlaceUse::Remove); // an edit of what is sent
        QVERIFY(!part<QPushButton>(dialog, "conventionSave")->isEnabled());
        QVERIFY(!part<QPushButton>(dialog, "conventionSave")->toolTip().isEmpty());
    }

    void rulesAreRemovedAndConditionsChanged()
    {
        Fixture given;
        ConventionDialog dialog(given.session, given.theme, given.convention(), true, unknownMessage());
        dialog.show();
        say(dialog, QStringLiteral("Header x-info"), models::PlaceUse::Remove);
        auto *lines = part<views::DataTable>(dialog, "conventionLines");
        lines->selectRow(rowOf(dialog, "conventionLines", QStringLiteral("Removed before a retry")));
        QVERIFY(!part<QPushButton>(dialog, "conventionChange")->isEnabled());
        QTest::mouseClick(part<QPushButton>(dialog, "conventionRemove"), Qt::LeftButton);
        QVERIFY(dialog.convention()->beforeRetry.isEmpty());
        lines->clearSelection();
        lines->selectRow(rowOf(dialog, "conventionLines", QStringLiteral("For queue")));
        QTest::mouseClick(part<QPushButton>(dialog, "conventionChange"), Qt::LeftButton);
        part<QLineEdit>(dialog, "conventionValueLine")->setText(QStringLiteral("billing.*"));
        part<QPushButton>(dialog, "conventionValueSet")->click();
        QCOMPARE(dialog.convention()->isFor.queues, QStringList{QStringLiteral("billing.*")});
    }

    void theFileIsReadAndEditedAsText()
    {
        Fixture given;
        ConventionDialog dialog(given.session, given.theme, given.convention(), true, unknownMessage());
        dialog.show();
        auto *tabs = part<QTabBar>(dialog, "conventionTabs");
        tabs->setCurrentIndex(1);
        auto *json = part<QPlainTextEdit>(dialog, "plain");
        QVERIFY(*records::conventionFrom(json->toPlainText().toUtf8()) == given.convention());
        json->setPlainText(QStringLiteral("{\"name\": \"a\", \"read\": {\"cause\": 1}}"));
        QVERIFY(shownAt(dialog, "conventionAnswer").startsWith(QStringLiteral("read.cause")));
        QVERIFY(!part<QPushButton>(dialog, "conventionSave")->isEnabled());
        QVERIFY(!tabs->isTabEnabled(0));
        json->setPlainText(QStringLiteral("{\"name\": \"a\", \"return_to_queue\": \"orders\"}"));
        tabs->setCurrentIndex(0);
        QCOMPARE(part<QLineEdit>(dialog, "conventionName")->text(), QStringLiteral("a"));
        QCOMPARE(dialog.convention()->returnTo, QStringLiteral("orders"));
    }
};

REDRIVE_WIDGET_TEST(TestConventionDialog)
#include "tst_conventiondialog.moc"
