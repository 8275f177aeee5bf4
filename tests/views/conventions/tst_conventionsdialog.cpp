// The list of conventions: seen, opened and removed.
#include "backend/records/conventions/conventionfile.h"
#include "tests/support/askedquestion.h"
#include "tests/support/fakeclient/fakeclient.h"
#include "views/common/lists/datatable.h"
#include "views/common/theme/theme.h"
#include "views/conventions/conventiondialog.h"
#include "views/conventions/conventionsdialog.h"
#include "tests/support/testmain/testmain.h"

#include <QApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

using views::ConventionsDialog;

namespace {

struct Fixture
{
    support::FakeClient client;
    models::ConsoleSession session{client};
    views::Theme theme{views::ThemeMode::Light};

    explicit Fixture(records::Rights rights = records::defaultRights | records::Right::Edit)
    {
        api::ConnectionView view;
        view.connection.id = core::ConnectionId(3);
        view.connection.name = QStringLiteral("Production");
        view.connection.rights = rights;
        client.snapshot.connections = {view};
        client.conventionList = {
            {QStringLiteral("billing"),
             "{\"name\": \"billing\", \"for\": {\"connection\": \"Production\", \"queues\": [\"billing.*\"]}}",
             QStringLiteral("ops"), core::fromMs(1'767'225'600'000), 60}};
        client.publish();
    }
};

template<typename Widget>
Widget *part(const QWidget &whole, const char *name)
{
    return whole.findChild<Widget *>(QLatin1String(name));
}

} // namespace

class TestConventionsDialog final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theyAreListed()
    {
        Fixture given;
        ConventionsDialog dialog(given.session, given.theme, models::TimeZone::Utc);
        const QAbstractItemModel *model = part<views::DataTable>(dialog, "conventionsTable")->model();
        QTRY_COMPARE(model->rowCount(), 1);
        QCOMPARE(model->index(0, 0).data().toString(), QStringLiteral("billing"));
        QCOMPARE(model->index(0, 1).data().toString(), QStringLiteral("Production · billing.*"));
        QCOMPARE(model->index(0, 2).data().toString(), QStringLiteral("60"));
        QVERIFY(model->index(0, 3).data().toString().startsWith(QStringLiteral("ops, ")));
        QVERIFY(!part<QPushButton>(dialog, "conventionsEdit")->isEnabled());
    }

    void oneIsOpened()
    {
        Fixture given;
        ConventionsDialog dialog(given.session, given.theme, models::TimeZone::Utc);
        dialog.show();
        auto *table = part<views::DataTable>(dialog, "conventionsTable");
        QTRY_COMPARE(table->model()->rowCount(), 1);
        table->selectRow(0);
        QTest::mouseClick(part<QPushButton>(dialog, "conventionsEdit"), Qt::LeftButton);
        auto *opened = part<views::ConventionDialog>(dialog, "conventionDialog");
        QVERIFY(opened != nullptr);
        QVERIFY(part<QLineEdit>(*opened, "conventionName")->isReadOnly());
        QCOMPARE(opened->convention()->isFor.queues, QStringList{QStringLiteral("billing.*")});
    }

    void oneIsRemovedAfterAQuestion()
    {
        Fixture given;
        ConventionsDialog dialog(given.session, given.theme, models::TimeZone::Utc);
        dialog.show();
        auto *table = part<views::DataTable>(dialog, "conventionsTable");
        QTRY_COMPARE(table->model()->rowCount(), 1);
        table->selectRow(0);
        QTest::mouseClick(part<QPushButton>(dialog, "conventionsRemove"), Qt::LeftButton);
        const test::AskedQuestion question(dialog, "conventionsRemoveQuestion");
        QVERIFY(question.isOpen());
        QVERIFY(question.consequences().contains(QStringLiteral("60")));
        question.go()->click();
        QTRY_COMPARE(table->model()->rowCount(), 0);
        QVERIFY(given.client.conventionList.isEmpty());
    }

    void withoutTheRightTheyAreOnlySeen()
    {
        Fixture given{records::defaultRights & ~records::Rights(records::Right::Retry)};
        ConventionsDialog dialog(given.session, given.theme, models::TimeZone::Utc);
        auto *table = part<views::DataTable>(dialog, "conventionsTable");
        QTRY_COMPARE(table->model()->rowCount(), 1);
        table->selectRow(0);
        QVERIFY(!part<QPushButton>(dialog, "conventionsNew")->isEnabled());
        QVERIFY(!part<QPushButton>(dialog, "conventionsRemove")->isEnabled());
        QVERIFY(part<QPushButton>(dialog, "conventionsExport")->isEnabled());
    }
};

REDRIVE_WIDGET_TEST(TestConventionsDialog)
#include "tst_conventionsdialog.moc"
