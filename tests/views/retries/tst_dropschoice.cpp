// What destinations drop, in the plan dialog: said with numbers, and certain loss needs a tick. And the order.
#include "tests/support/fakeclient/fakeclient.h"
#include "tests/support/testmain/testmain.h"
#include "views/common/theme/theme.h"
#include "views/retries/plan/plandialog.h"

#include <QApplication>
#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QTest>

using views::PlanDialog;

namespace {

api::PlanPreview previewWith(const records::QueueLimits &limits)
{
    api::PlanPreview preview;
    preview.environment = records::Environment::Test;
    preview.frozenCount = 30;
    preview.asOf = core::fromMs(1767323045000);
    api::PlannedDrop drop;
    drop.queue = QStringLiteral("orders");
    drop.limits = limits;
    drop.coming.count = 30;
    drop.coming.waiting = 5;
    drop.forecast = records::forecastOf(drop.limits, drop.coming);
    preview.drops = {drop};
    preview.certainDrops = drop.forecast.isCertain ? drop.forecast.dropped : 0;
    return preview;
}

template<typename Widget>
Widget *partOf(const QWidget &dialog, const char *name)
{
    return dialog.findChild<Widget *>(QLatin1String(name));
}

} // namespace

class TestDropsChoice final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_theme = new views::Theme(views::ThemeMode::Light, this); }
    void aFullQueueIsSaidAndHoldsNothingUp();
    void certainLossNeedsATick();
    void withoutLimitsTheRowIsAbsent();
    void theOrderCanBeKeptWhereTheBrokerLetsUs();
    void endpointsAreAskedOnlyWhenAPersonSaysSo();

private:
    views::Theme *m_theme = nullptr;
};

void TestDropsChoice::aFullQueueIsSaidAndHoldsNothingUp()
{
    records::QueueLimits limits;
    limits.messages = 10;
    limits.whenFull = records::QueueLimits::WhenFull::DropsOldest;
    support::FakeClient client;
    client.previewAnswer = previewWith(limits);
    models::ConsoleSession session(client);
    PlanDialog dialog(session, {}, *m_theme, models::TimeZone::Utc);
    dialog.show();
    QTRY_VERIFY(partOf<QPushButton>(dialog, "planGo")->isEnabled());
    auto *words = partOf<QLabel>(dialog, "planDrops");
    QVERIFY(words->isVisible());
    for (const char *number : {"orders", "10", "30", "25"})
        QVERIFY(words->text().contains(QLatin1String(number)));
    QVERIFY(!partOf<QCheckBox>(dialog, "planAcceptDrops")->isChecked());
}

void TestDropsChoice::certainLossNeedsATick()
{
    records::QueueLimits limits;
    limits.keeps = core::Milliseconds{1000};
    support::FakeClient client;
    client.previewAnswer = previewWith(limits);
    client.previewAnswer.refusal = QStringLiteral("orders loses them.");
    models::ConsoleSession session(client);
    PlanDialog dialog(session, {}, *m_theme, models::TimeZone::Utc);
    dialog.show();
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Refused);
    auto *accept = partOf<QCheckBox>(dialog, "planAcceptDrops");
    QVERIFY(accept->text().contains(u"30"));
    auto *go = partOf<QPushButton>(dialog, "planGo");
    QVERIFY(!go->isEnabled());
    client.previewAnswer.refusal.clear(); // what the engine answers for the choice
    accept->click();
    QVERIFY(dialog.plan().draft().plan.acceptDrops);
    QTRY_VERIFY(go->isEnabled());
    QVERIFY(accept->isChecked());
    go->click();
    QTRY_COMPARE(client.retries.size(), 1);
    QVERIFY(client.retries.first().draft.plan.acceptDrops);
}

void TestDropsChoice::withoutLimitsTheRowIsAbsent()
{
    support::FakeClient client;
    client.previewAnswer = previewWith({});
    client.previewAnswer.drops.clear();
    models::ConsoleSession session(client);
    PlanDialog dialog(session, {}, *m_theme, models::TimeZone::Utc);
    dialog.show();
    QTRY_VERIFY(partOf<QPushButton>(dialog, "planGo")->isEnabled());
    QVERIFY(!partOf<QCheckBox>(dialog, "planAcceptDrops")->isVisible());
}

void TestDropsChoice::theOrderCanBeKeptWhereTheBrokerLetsUs()
{
    support::FakeClient client;
    client.previewAnswer = previewWith({});
    client.previewAnswer.cannotKeepOrder = QStringLiteral("No staging queue.");
    models::ConsoleSession session(client);
    PlanDialog dialog(session, {}, *m_theme, models::TimeZone::Utc);
    dialog.show();
    auto *order = partOf<QCheckBox>(dialog, "planKeepOrder");
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Ready);
    QVERIFY(!order->isEnabled());
    client.previewAnswer.cannotKeepOrder.clear();
    dialog.plan().ask();
    QTRY_VERIFY(order->isEnabled());
    order->click();
    QVERIFY(dialog.plan().draft().plan.keepOrder);
}

void TestDropsChoice::endpointsAreAskedOnlyWhenAPersonSaysSo()
{
    support::FakeClient client;
    client.previewAnswer = previewWith({});
    models::ConsoleSession session(client);
    PlanDialog dialog(session, {}, *m_theme, models::TimeZone::Utc);
    dialog.show();
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Ready);
    QVERIFY(!dialog.plan().draft().plan.askEndpoints);
    partOf<QCheckBox>(dialog, "planAskEndpoints")->click();
    QVERIFY(dialog.plan().draft().plan.askEndpoints);
    QTRY_COMPARE(dialog.plan().state(), models::RetryPlan::State::Ready);
    QVERIFY(client.previews.last().plan.askEndpoints);
}

REDRIVE_WIDGET_TEST(TestDropsChoice)
#include "tst_dropschoice.moc"
