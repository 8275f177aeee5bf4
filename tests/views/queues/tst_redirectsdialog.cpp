// The standing redirects of a connection in the window: seen, added, removed, and refused with the reason.
#include "tests/support/fakeclient/fakeclient.h"
#include "tests/support/testmain/testmain.h"
#include "views/common/lists/datatable.h"
#include "views/common/theme/theme.h"
#include "views/queues/redirectsdialog.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

using records::Redirect;
using views::RedirectsDialog;

namespace {

const core::ConnectionId shop{3};

Redirect redirect(const char *from, const char *to)
{
    return {Redirect::Of::Queue, QString::fromLatin1(from), QString::fromLatin1(to)};
}

struct Fixture
{
    support::FakeClient client;
    models::ConsoleSession session{client};
    views::Theme theme{views::ThemeMode::Light};

    explicit Fixture(records::Rights rights = records::defaultRights | records::Right::Redirect)
    {
        api::ConnectionView view;
        view.connection.id = shop;
        view.connection.name = QStringLiteral("shop <b>x</b>");
        view.connection.rights = rights;
        view.health = api::Health::Connected;
        client.snapshot.connections = {view};
        for (const char *name : {"billing", "error", "orders", "orders-2"}) {
            api::QueueView queue;
            queue.connection = shop;
            queue.name = QString::fromLatin1(name);
            queue.holdsFailed = queue.name == u"error";
            client.snapshot.queues << queue;
        }
        client.publish();
    }
    void have(const QList<Redirect> &redirects)
    {
        client.snapshot.connections.first().redirects = redirects;
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

QStringList entries(const QComboBox *box)
{
    QStringList all;
    for (int i = 0; i < box->count(); ++i)
        all << box->itemText(i);
    return all;
}

} // namespace

class TestRedirectsDialog final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theyAreShownAsTheyChange()
    {
        Fixture given;
        RedirectsDialog dialog(given.session, given.theme, shop, {});
        dialog.show();
        const auto *table = part<views::DataTable>(dialog, "redirectsTable");
        QVERIFY(!table->isVisible()); // words say that there is none
        given.have({redirect("orders", "orders-2"), redirect("x\u202e", "y")});
        QTRY_COMPARE(table->model()->rowCount(), 2);
        QVERIFY(table->isVisible());
        QCOMPARE(table->model()->index(0, 0).data().toString(), QStringLiteral("orders"));
        QCOMPARE(table->model()->index(0, 1).data().toString(), QStringLiteral("orders-2"));
        QVERIFY(!table->model()->index(1, 0).data().toString().contains(QChar(0x202e))); // it cannot pretend
        QVERIFY(dialog.windowTitle().contains(u"<b>x</b>"));
        given.client.snapshot.connections.clear();
        given.client.publish();
        QTRY_VERIFY(!dialog.isVisible()); // there is nothing to see any more
    }

    void oneIsAddedByTheKeyboard()
    {
        Fixture given;
        RedirectsDialog dialog(given.session, given.theme, shop, QStringLiteral("orders"));
        dialog.show();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        auto *from = part<QComboBox>(dialog, "redirectFrom");
        auto *to = part<QComboBox>(dialog, "redirectTo");
        QCOMPARE(from->currentText(), QStringLiteral("orders")); // the queue it was opened from
        QCOMPARE(entries(to),
                 (QStringList{QStringLiteral("billing"), QStringLiteral("orders"), QStringLiteral("orders-2")}));
        QVERIFY(!part<QPushButton>(dialog, "redirectAdd")->isEnabled());
        QVERIFY(to->hasFocus() || to->lineEdit()->hasFocus());
        QTest::keyClicks(to->lineEdit(), QStringLiteral("orders-2"));
        QTest::keyClick(to->lineEdit(), Qt::Key_Return);
        QTRY_COMPARE(given.client.redirects.size(), 1);
        const api::ChangeRedirect &sent = given.client.redirects.first();
        QCOMPARE(sent.connection, shop);
        QCOMPARE(sent.redirect, redirect("orders", "orders-2"));
        QVERIFY(!sent.remove);
        QTRY_VERIFY(part<QLabel>(dialog, "redirectAnswer")->text().contains(u"from orders to orders-2"));
        QCOMPARE(from->currentText(), QString()); // ready for the next one
        QVERIFY(dialog.isVisible());
    }

    void longNamesAreReadWhole()
    {
        Fixture given;
        api::QueueView queue;
        queue.connection = shop;
        queue.name = QStringLiteral("shop.warehouse.orders.that-wait-for-the-next-delivery.north");
        given.client.snapshot.queues << queue;
        given.client.publish();
        RedirectsDialog dialog(given.session, given.theme, shop, {});
        dialog.resize(400, 300);
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        auto *to = part<QComboBox>(dialog, "redirectTo");
        QVERIFY(to->width() < to->fontMetrics().horizontalAdvance(queue.name));
        to->showPopup();
        QTRY_VERIFY(to->view()->width() > to->fontMetrics().horizontalAdvance(queue.name));
        to->hidePopup();
    }

    void aRefusalIsShownAndNothingTypedIsLost()
    {
        Fixture given;
        RedirectsDialog dialog(given.session, given.theme, shop, {});
        dialog.show();
        part<QComboBox>(dialog, "redirectFrom")->setEditText(QStringLiteral("a"));
        part<QComboBox>(dialog, "redirectTo")->setEditText(QStringLiteral("b"));
        given.client.failNext<api::ChangeRedirect>(
            {core::ErrorKind::Conflict,
             QStringLiteral("a is already redirected to c. Remove that redirect first."),
             {},
             {}});
        QTest::mouseClick(part<QPushButton>(dialog, "redirectAdd"), Qt::LeftButton);
        auto *answer = part<QLabel>(dialog, "redirectAnswer");
        QTRY_COMPARE(answer->text(), QStringLiteral("a is already redirected to c. Remove that redirect first."));
        QCOMPARE(answer->property("tone").toString(), QStringLiteral("bad"));
        QCOMPARE(answer->textFormat(), Qt::PlainText);
        QCOMPARE(part<QComboBox>(dialog, "redirectFrom")->currentText(), QStringLiteral("a"));
        given.client.redirectAnswer.notKnown = QStringLiteral("shop does not list its queues");
        QTest::mouseClick(part<QPushButton>(dialog, "redirectAdd"), Qt::LeftButton);
        QTRY_VERIFY(answer->text().contains(u"queue b exists. shop does not list its queues"));
    }

    void chosenOnesAreRemoved()
    {
        Fixture given;
        given.have({redirect("a", "b"), redirect("c", "d"), redirect("e", "f")});
        RedirectsDialog dialog(given.session, given.theme, shop, {});
        dialog.show();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        auto *table = part<views::DataTable>(dialog, "redirectsTable");
        auto *remove = part<QPushButton>(dialog, "redirectRemove");
        QVERIFY(!remove->isEnabled());
        table->selectRow(1);
        QVERIFY(remove->isEnabled());
        QTest::mouseClick(remove, Qt::LeftButton);
        QTRY_COMPARE(given.client.redirects.size(), 1);
        QVERIFY(given.client.redirects.first().remove);
        QCOMPARE(given.client.redirects.first().redirect.from, QStringLiteral("c"));
        given.client.publish();
        QTRY_COMPARE(table->model()->rowCount(), 2);
        table->setFocus();
        table->selectRow(0);
        QTest::keyClick(table, Qt::Key_Delete);
        QTRY_COMPARE(given.client.redirects.size(), 2);
        QCOMPARE(given.client.redirects.last().redirect.from, QStringLiteral("a"));
    }

    void withoutTheRightTheyAreOnlySeen()
    {
        Fixture given{records::defaultRights};
        given.have({redirect("a", "b")});
        RedirectsDialog dialog(given.session, given.theme, shop, QStringLiteral("orders"));
        dialog.show();
        part<views::DataTable>(dialog, "redirectsTable")->selectRow(0);
        for (const char *name : {"redirectAdd", "redirectRemove"}) {
            QVERIFY(!part<QPushButton>(dialog, name)->isEnabled());
            QVERIFY(part<QPushButton>(dialog, name)->toolTip().contains(QStringLiteral("redirect")));
        }
        QVERIFY(!part<QComboBox>(dialog, "redirectTo")->isEnabled());
        QVERIFY(part<QLabel>(dialog, "redirectAnswer")->text().contains(u"does not grant the right"));
    }

    void itIsDrawnInBothShades()
    {
        const QString shots = qEnvironmentVariable("REDRIVE_SCREENSHOTS");
        for (const views::ThemeMode mode : {views::ThemeMode::Light, views::ThemeMode::Dark}) {
            Fixture given;
            views::Theme theme(mode);
            given.have({redirect("orders", "orders-2"), redirect("billing", "billing-eu")});
            RedirectsDialog dialog(given.session, theme, shop, {});
            dialog.show();
            QCoreApplication::processEvents();
            const QImage image = dialog.grab().toImage();
            const QPoint corner(4, 4);
            QCOMPARE(image.pixelColor(corner), theme.color(views::Token::Panel));
            const QString shade = mode == views::ThemeMode::Light ? QStringLiteral("light") : QStringLiteral("dark");
            if (!shots.isEmpty())
                QVERIFY(image.save(shots + QStringLiteral("/redirects-%1.png").arg(shade)));
        }
    }
};

REDRIVE_WIDGET_TEST(TestRedirectsDialog)
#include "tst_redirectsdialog.moc"
