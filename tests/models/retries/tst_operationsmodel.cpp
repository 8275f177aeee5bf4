#include "models/retries/operationsmodel.h"

#include "backend/core/random.h"
#include "models/common/roles.h"
#include "tests/support/testmain/testmain.h"

#include <QAbstractItemModelTester>
#include <QLocale>
#include <QTest>

#include <utility>

using models::OperationsModel;

class TestOperationsModel final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void newestFirst();
    void whatWasCancelledIsNoProgress();
    void aWaitingOperationSaysWhy();
    void whenItBeginsAndHowFastItMayGoAreSaid();
    void hostileScopesAreMadeVisible();
    void whatTellsThemApartComesFirst();
    void aRetryIsKnownByItsCause_data();
    void aRetryIsKnownByItsCause();
    void anEditedRetrySaysSo();
    void aRetryOfAPolicyNamesThePolicy();
    void countsThatNeedAPersonHaveATone();
    void aThousandRandomSnapshotsKeepTheModelSound();
};

namespace {

api::OperationView operation(qint64 id, qint64 sent = 0)
{
    api::OperationView view;
    view.operation.id = {id};
    view.operation.total = 1000;
    view.operation.counts.sent = sent;
    view.operation.counts.pending = 1000 - sent;
    view.operation.state = records::OperationState::Running;
    view.operation.scope = QStringLiteral("group %1").arg(id);
    return view;
}

void show(OperationsModel &model, const api::Snapshot &snapshot)
{
    QList<models::OperationItem> items;
    for (const api::OperationView &view : snapshot.operations)
        items.append({view, QStringLiteral("shop")});
    model.show(items, snapshot.at);
}

QString text(const OperationsModel &model, int row, int column)
{
    return model.index(row, column).data().toString();
}

} // namespace

void TestOperationsModel::newestFirst()
{
    OperationsModel model;
    api::Snapshot snapshot;
    snapshot.operations = {operation(1), operation(3, 250), operation(2)};
    show(model, snapshot);
    QCOMPARE(text(model, 0, OperationsModel::What), QStringLiteral("3 · group 3"));
    QCOMPARE(text(model, 0, OperationsModel::Progress), QStringLiteral("250 of 1,000"));
    QCOMPARE(model.index(0, OperationsModel::Progress).data(models::FractionRole).toDouble(), 0.25);
}

void TestOperationsModel::whatWasCancelledIsNoProgress()
{
    OperationsModel model;
    api::Snapshot snapshot;
    snapshot.operations = {operation(1, 250), operation(2)};
    for (api::OperationView &view : snapshot.operations) {
        view.operation.state = records::OperationState::Cancelled;
        view.operation.counts.cancelled = std::exchange(view.operation.counts.pending, 0);
    }
    snapshot.operations[1].operation.total = 0; // before it was frozen
    show(model, snapshot);
    QCOMPARE(text(model, 1, OperationsModel::Progress), QStringLiteral("250 of 1,000"));
    QCOMPARE(model.index(1, OperationsModel::Progress).data(models::FractionRole).toDouble(), 0.25);
    QCOMPARE(model.index(0, OperationsModel::Progress).data(models::FractionRole).toDouble(), 0.0);
}

void TestOperationsModel::aWaitingOperationSaysWhy()
{
    OperationsModel model;
    api::Snapshot snapshot;
    snapshot.operations = {operation(1)};
    snapshot.operations[0].operation.waitingReason = QStringLiteral("shop-rabbit does not answer");
    show(model, snapshot);
    QVERIFY(text(model, 0, OperationsModel::State).endsWith(QStringLiteral("shop-rabbit does not answer")));
    QCOMPARE(model.index(0, OperationsModel::State).data(models::ToneRole).toInt(), int(models::Tone::Warn));
}

void TestOperationsModel::whenItBeginsAndHowFastItMayGoAreSaid()
{
    OperationsModel model;
    api::Snapshot snapshot;
    snapshot.at = core::fromMs(1767323045000);
    snapshot.operations = {operation(1)};
    records::RetryOperation &one = snapshot.operations[0].operation;
    one.state = records::OperationState::Waiting;
    one.plan.perMinute = 1200;
    one.plan.notBefore = snapshot.at + std::chrono::hours(1);
    const auto state = [&] {
        show(model, snapshot);
        return text(model, 0, OperationsModel::State);
    };
    QCOMPARE(state(), QStringLiteral("Starts at 04:04:05"));
    one.started = snapshot.at;
    one.state = records::OperationState::Running;
    QCOMPARE(state(), QStringLiteral("Running, at most 20/s"));
    one.waitingReason = QStringLiteral("shop does not answer");
    QCOMPARE(state(), QStringLiteral("Running: shop does not answer"));
    one.waitingReason.clear();
    one.plan.brokerShare = 10;
    QCOMPARE(state(), QStringLiteral("Running, at most 20/s and 10 % of the broker"));
    one.state = records::OperationState::Completed;
    QVERIFY(!state().contains(u':'));
}

void TestOperationsModel::whatTellsThemApartComesFirst()
{
    api::Snapshot snapshot;
    snapshot.operations = {operation(1)};
    snapshot.operations[0].operation.scope = QStringLiteral("Unresolved messages on shop, in the group X, of type Y");
    OperationsModel model;
    show(model, snapshot);
    QCOMPARE(text(model, 0, OperationsModel::What),
             QStringLiteral("1 · in the group X, of type Y · Unresolved messages on shop"));
    QCOMPARE(model.index(0, OperationsModel::What).data(Qt::ToolTipRole).toString(),
             snapshot.operations[0].operation.scope);
}

void TestOperationsModel::aRetryIsKnownByItsCause_data()
{
    QTest::addColumn<QString>("scope");
    QTest::addColumn<QString>("shown");
    QTest::newRow("group") << QStringLiteral("Unresolved messages on shop, in the group “SqlException: Save”")
                           << QStringLiteral("1 · SqlException: Save · Unresolved messages on shop");
    QTest::newRow("group and type") << QStringLiteral("All, in the group “A, “B” of C”, of type “Y”")
                                    << QStringLiteral("1 · A, “B” of C, of type “Y” · All");
    QTest::newRow("groups") << QStringLiteral("All, in “A” and 2 more groups, of type “Y”")
                            << QStringLiteral("1 · “A” and 2 more groups, of type “Y” · All");
    QTest::newRow("search") << QStringLiteral("All, containing “timeout”")
                            << QStringLiteral("1 · containing “timeout” · All");
    QTest::newRow("whole connection") << QStringLiteral("Unresolved messages on shop")
                                      << QStringLiteral("1 · Unresolved messages on shop");
}

void TestOperationsModel::aRetryIsKnownByItsCause()
{
    QFETCH(QString, scope);
    api::Snapshot snapshot;
    snapshot.operations = {operation(1)};
    snapshot.operations[0].operation.scope = scope;
    OperationsModel model;
    show(model, snapshot);
    QTEST(text(model, 0, OperationsModel::What), "shown");
}

void TestOperationsModel::hostileScopesAreMadeVisible()
{
    OperationsModel model;
    api::Snapshot snapshot;
    snapshot.operations = {operation(1)};
    snapshot.operations[0].operation.scope = QStringLiteral("queue \u202Erorre\nnext");
    show(model, snapshot);
    QVERIFY(!text(model, 0, OperationsModel::What).contains(QChar(0x202E)));
    QVERIFY(!text(model, 0, OperationsModel::What).contains(QLatin1Char('\n')));
}

void TestOperationsModel::anEditedRetrySaysSo()
{
    OperationsModel model;
    api::Snapshot snapshot;
    snapshot.operations = {operation(1)};
    show(model, snapshot);
    QVERIFY(!text(model, 0, OperationsModel::What).contains(QStringLiteral("edited")));
    records::EditStep step;
    step.what = records::EditStep::Do::RemoveHeader;
    step.name = QStringLiteral("x-debug");
    snapshot.operations[0].operation.plan.edit.steps = {step};
    show(model, snapshot);
    QVERIFY(text(model, 0, OperationsModel::What).contains(QStringLiteral("edited")));
    const QString tip = model.index(0, OperationsModel::What).data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.contains(QStringLiteral("x-debug")), qPrintable(tip));
}

// A policy takes what is due: nobody selected those messages.
void TestOperationsModel::aRetryOfAPolicyNamesThePolicy()
{
    OperationsModel model;
    api::Snapshot snapshot;
    snapshot.operations = {operation(7)};
    snapshot.operations.first().operation.policy = QStringLiteral("night\nshift");
    snapshot.operations.first().operation.scope = QStringLiteral("Unresolved messages on shop, 10 selected");
    show(model, snapshot);
    QCOMPARE(text(model, 0, OperationsModel::What),
             QStringLiteral("7 · policy night⏎shift · Unresolved messages on shop"));
}

void TestOperationsModel::countsThatNeedAPersonHaveATone()
{
    OperationsModel model;
    api::Snapshot snapshot;
    snapshot.operations = {operation(1)};
    snapshot.operations[0].operation.counts.ejected = 2;
    show(model, snapshot);
    QCOMPARE(model.index(0, OperationsModel::Ejected).data(models::ToneRole).toInt(), int(models::Tone::Bad));
    QCOMPARE(model.index(0, OperationsModel::InDoubt).data(models::ToneRole).toInt(), int(models::Tone::Muted));
}

void TestOperationsModel::aThousandRandomSnapshotsKeepTheModelSound()
{
    OperationsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    core::SeededRandom random(4);
    for (int step = 0; step < 1000; ++step) {
        api::Snapshot snapshot;
        for (qint64 id = 1; id <= 12; ++id) {
            if (random.below(3) != 0)
                snapshot.operations.append(operation(id, qint64(random.below(1000))));
        }
        show(model, snapshot);
        QCOMPARE(model.rowCount(), int(snapshot.operations.size()));
        for (int row = 1; row < model.rowCount(); ++row) {
            QVERIFY(model.index(row, 0).data(models::IdRole).toLongLong()
                    < model.index(row - 1, 0).data(models::IdRole).toLongLong());
        }
    }
}

REDRIVE_TEST(TestOperationsModel)
#include "tst_operationsmodel.moc"
