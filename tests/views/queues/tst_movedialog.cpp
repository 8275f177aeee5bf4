// A whole queue moved by its broker, in the window: what is said before, the typed number, the progress, and the end.
#include "tests/support/fakeclient/fakeclient.h"
#include "views/queues/movedialog.h"
#include "tests/support/testmain/testmain.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>

using Action = api::MoveQueue::Action;
using records::QueueMove;
using views::MoveDialog;

namespace {

const core::ConnectionId shop{3};
const QString dead = QStringLiteral("orders-dlq");

QueueMove moveOf(QueueMove::State state, qint64 moved, std::optional<qint64> total = 4000)
{
    QueueMove move;
    move.state = state;
    move.moved = moved;
    move.total = total;
    return move;
}

api::MoveAnswer answerOf(const QList<QueueMove> &moves = {})
{
    api::MoveAnswer answer;
    answer.moves = moves;
    answer.waiting = 4000;
    answer.facts = {QStringLiteral("Dead letters of: orders\u202e.")};
    answer.guarantee = QStringLiteral("It may arrive twice.");
    answer.mostPerSecond = 500;
    answer.targets = {QStringLiteral("orders"), QStringLiteral("spare")};
    return answer;
}

struct Fixture
{
    support::FakeClient client;
    models::ConsoleSession session{client};

    explicit Fixture(records::Rights rights = records::defaultRights | records::Right::Redirect)
    {
        api::ConnectionView view;
        view.connection.id = shop;
        view.connection.name = QStringLiteral("shop");
        view.connection.rights = rights;
        view.health = api::Health::Connected;
        client.snapshot.engine = api::EngineState::Running;
        client.snapshot.connections = {view};
        client.publish();
        client.moveAnswers = {answerOf()};
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

class TestMoveDialog final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatWouldHappenIsSaidAndThenBegun()
    {
        Fixture given;
        QTRY_VERIFY(given.session.hasSnapshot());
        MoveDialog dialog(given.session, shop, dead);
        dialog.show();
        auto *begin = part<QPushButton>(dialog, "moveBegin");
        QTRY_VERIFY(begin->isEnabled());
        const QString words = part<QLabel>(dialog, "moveWords")->text();
        QVERIFY2(words.contains(u"orders-dlq on shop") && words.contains(u"It may arrive twice."), qPrintable(words));
        QVERIFY(!words.contains(QChar(0x202e)));
        QCOMPARE(begin->text(), QStringLiteral("Move all 4,000 messages"));
        QVERIFY(!part<QLineEdit>(dialog, "moveTyped")->isVisible());
        QVERIFY(!part<QPushButton>(dialog, "moveCancel")->isVisible());
        auto *to = part<QComboBox>(dialog, "moveTo");
        QCOMPARE(to->count(), 3);
        to->setCurrentIndex(2);
        part<QSpinBox>(dialog, "moveRate")->setValue(20);
        given.client.moveAnswers = {answerOf({moveOf(QueueMove::State::Running, 1000)})};
        begin->click();
        QTRY_VERIFY(part<QPushButton>(dialog, "moveCancel")->isVisible());
        const api::MoveQueue &command = given.client.moves.last();
        QVERIFY(command.action == Action::Begin);
        QCOMPARE(command.connection, shop);
        QCOMPARE(command.queue, dead);
        QCOMPARE(command.to, QStringLiteral("spare"));
        QCOMPARE(command.perSecond, std::optional<int>(20));
        QVERIFY(!begin->isEnabled()); // one at a time
        QCOMPARE(part<QProgressBar>(dialog, "moveBar")->value(), 250);
        QVERIFY(part<QLabel>(dialog, "moveState")->text().contains(u"about 1,000 of 4,000"));
    }

    void oneQueueIsChosenWhereTheBrokerKnowsNoOther()
    {
        Fixture given;
        given.client.moveAnswers.first().needsTarget = true;
        given.client.moveAnswers.first().mostPerSecond = 0;
        QTRY_VERIFY(given.session.hasSnapshot());
        MoveDialog dialog(given.session, shop, dead);
        dialog.show();
        auto *begin = part<QPushButton>(dialog, "moveBegin");
        auto *to = part<QComboBox>(dialog, "moveTo");
        QTRY_COMPARE(to->itemText(0), QStringLiteral("choose a queue"));
        QVERIFY(!begin->isEnabled());
        QVERIFY(begin->toolTip().contains(u"destination queue"));
        QVERIFY(!part<QSpinBox>(dialog, "moveRate")->isEnabled());
        to->setCurrentIndex(2);
        QVERIFY(begin->isEnabled());
        to->setCurrentIndex(0);
        QVERIFY(!begin->isEnabled());
    }

    void itsProgressAndEndAreShown()
    {
        Fixture given;
        given.client.moveAnswers = {answerOf({moveOf(QueueMove::State::Running, 0, {})}),
                                    answerOf({moveOf(QueueMove::State::Completed, 4000)})};
        QTRY_VERIFY(given.session.hasSnapshot());
        MoveDialog dialog(given.session, shop, dead);
        dialog.show();
        QTRY_VERIFY(part<QProgressBar>(dialog, "moveBar")->isVisible());
        QCOMPARE(part<QProgressBar>(dialog, "moveBar")->maximum(), 0); // how many it will be is not known yet
        QTRY_VERIFY_WITH_TIMEOUT(!part<QProgressBar>(dialog, "moveBar")->isVisible(),
                                 60000); // it asked again by itself
        QVERIFY(part<QLabel>(dialog, "moveState")->text().contains(u"is complete"));
        QVERIFY(part<QPushButton>(dialog, "moveBegin")->isEnabled());
    }

    void itIsCancelled()
    {
        Fixture given;
        given.client.moveAnswers = {answerOf({moveOf(QueueMove::State::Running, 10)})};
        QTRY_VERIFY(given.session.hasSnapshot());
        MoveDialog dialog(given.session, shop, dead);
        dialog.show();
        auto *cancel = part<QPushButton>(dialog, "moveCancel");
        QTRY_VERIFY(cancel->isVisible());
        given.client.moveAnswers = {answerOf({moveOf(QueueMove::State::Cancelling, 12)})};
        cancel->click();
        QTRY_VERIFY(part<QLabel>(dialog, "moveState")->text().startsWith(u"Cancelling"));
        QVERIFY(given.client.moves.last().action == Action::Cancel);
        QVERIFY(!cancel->isEnabled());
    }

    void inProductionTheNumberIsTyped()
    {
        Fixture given;
        given.client.moveAnswers.first().confirmCount = true;
        QTRY_VERIFY(given.session.hasSnapshot());
        MoveDialog dialog(given.session, shop, dead);
        dialog.show();
        auto *typed = part<QLineEdit>(dialog, "moveTyped");
        auto *begin = part<QPushButton>(dialog, "moveBegin");
        QTRY_VERIFY(typed->isVisible());
        QVERIFY(!begin->isEnabled());
        typed->setText(QStringLiteral("399"));
        QVERIFY(!begin->isEnabled());
        for (const char *right : {"4000", "4,000"}) {
            typed->setText(QLatin1StringView(right));
            QVERIFY(begin->isEnabled());
        }
        begin->click();
        QTRY_COMPARE(given.client.moves.size(), 2);
        QCOMPARE(given.client.moves.last().confirmedCount, std::optional<qint64>(4000));
    }

    void refusalsAndErrorsAreSaid()
    {
        Fixture given;
        given.client.moveAnswers.first().refusal = QStringLiteral("3 messages are in a retry.");
        QTRY_VERIFY(given.session.hasSnapshot());
        MoveDialog dialog(given.session, shop, dead);
        dialog.show();
        auto *answer = part<QLabel>(dialog, "moveAnswer");
        QTRY_COMPARE(answer->text(), QStringLiteral("3 messages are in a retry."));
        QVERIFY(!part<QPushButton>(dialog, "moveBegin")->isEnabled());

        Fixture failing;
        failing.client.failNext<api::MoveQueue>({core::ErrorKind::Refused, QStringLiteral("It moves none."), {}, {}});
        QTRY_VERIFY(failing.session.hasSnapshot());
        MoveDialog other(failing.session, shop, dead);
        other.show();
        QTRY_COMPARE(part<QLabel>(other, "moveAnswer")->text(), QStringLiteral("It moves none."));
        QVERIFY(!part<QPushButton>(other, "moveBegin")->isEnabled());
    }

    void rightsAreRespected()
    {
        Fixture given(records::Rights(records::Right::See) | records::Right::Take);
        QTRY_VERIFY(given.session.hasSnapshot());
        MoveDialog dialog(given.session, shop, dead);
        dialog.show();
        QTRY_VERIFY(part<QLabel>(dialog, "moveWords")->text().contains(u"4,000"));
        QVERIFY(!part<QPushButton>(dialog, "moveBegin")->isEnabled());
        QVERIFY(part<QPushButton>(dialog, "moveBegin")->toolTip().contains(u"retry"));
        QCOMPARE(part<QComboBox>(dialog, "moveTo")->count(), 1); // nowhere else without the right to redirect
    }

    void longWordsAreNotClipped()
    {
        Fixture given;
        api::MoveAnswer &answer = given.client.moveAnswers.first();
        answer.guarantee =
            QStringLiteral("What the broker promises of the moves that it makes by itself. ").repeated(9);
        answer.refusal = QStringLiteral("Some of them are in a retry that has not ended yet. ").repeated(6);
        QTRY_VERIFY(given.session.hasSnapshot());
        MoveDialog dialog(given.session, shop, dead);
        dialog.show();
        for (const char *name : {"moveWords", "moveAnswer"}) {
            auto *label = part<QLabel>(dialog, name);
            QTRY_VERIFY(label->text().size() > 300);
            QTRY_VERIFY2(label->height() >= label->heightForWidth(label->width()), name);
        }
    }

    void aConnectionThatGoesTakesTheDialogWithIt()
    {
        Fixture given;
        QTRY_VERIFY(given.session.hasSnapshot());
        MoveDialog dialog(given.session, shop, dead);
        dialog.show();
        given.client.snapshot.connections.clear();
        given.client.publish();
        QTRY_VERIFY(!dialog.isVisible());
    }
};

REDRIVE_WIDGET_TEST(TestMoveDialog)
#include "tst_movedialog.moc"
