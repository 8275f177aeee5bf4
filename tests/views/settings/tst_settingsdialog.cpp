#include "tests/support/fakeclient/fakeclient.h"
#include "views/common/theme/theme.h"
#include "views/settings/settingsdialog.h"
#include "views/settings/spanfield.h"
#include "tests/support/testmain/testmain.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

using namespace std::chrono_literals;
using core::Milliseconds;
using records::RetentionPolicy;
using views::DurationField;

class TestSettingsDialog final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void spansAreShownInTheBiggestWholeUnit_data();
    void spansAreShownInTheBiggestWholeUnit();
    void whatTheEngineRefusesCannotBeTyped();
    void theSettingsAreShown();
    void nothingIsSavedThatWasNotChanged();
    void eachChangeIsSaved();
    void whatWouldBeRemovedIsSaidBeforeSaving();
    void aRefusalIsShownAndTheDialogStays();
    void screenshots();

private:
    std::unique_ptr<views::Theme> m_theme;
};

namespace {

struct Fixture
{
    support::FakeClient client;
    models::ConsoleSession session{client};
    std::unique_ptr<views::SettingsDialog> dialog;

    Fixture()
    {
        client.snapshot.engine = api::EngineState::Running;
        for (const char *name : {"shop-rabbit", "billing"}) {
            api::ConnectionView view;
            view.connection.id = {client.snapshot.connections.size() + 1};
            view.connection.name = QLatin1StringView(name);
            client.snapshot.connections.append(view);
            client.settingsAnswer.quiet.append({view.connection.id, Milliseconds(24h)});
        }
        client.settingsAnswer.retention = {24h * 90, std::nullopt};
        client.publish();
    }

    void open()
    {
        QTRY_VERIFY(session.hasSnapshot());
        dialog = std::make_unique<views::SettingsDialog>(session);
        dialog->show();
        QTRY_COMPARE(field("keepResolved")->span(), client.settingsAnswer.retention.resolved);
    }
    [[nodiscard]] DurationField *field(const char *name) const
    {
        return dialog->findChild<DurationField *>(QLatin1StringView(name));
    }
    [[nodiscard]] QPushButton *save() const { return dialog->findChild<QPushButton *>(QStringLiteral("settingsSave")); }
    [[nodiscard]] QLabel *answer() const { return dialog->findChild<QLabel *>(QStringLiteral("settingsAnswer")); }
    // Without the questions, which change nothing.
    [[nodiscard]] QList<api::ChangeSettings> changes() const
    {
        QList<api::ChangeSettings> commands = client.settingsCommands;
        commands.removeIf([](const api::ChangeSettings &one) { return !one.retention && !one.quiet; });
        return commands;
    }
};

QSpinBox *countOf(const DurationField *field)
{
    return field->findChild<QSpinBox *>();
}

void choose(const DurationField *field, const QString &unit)
{
    auto *box = field->findChild<QComboBox *>();
    box->setCurrentIndex(box->findText(unit.chopped(1), Qt::MatchStartsWith)); // "hour" or "hours"
    Q_EMIT box->activated(box->currentIndex());
}

} // namespace

void TestSettingsDialog::initTestCase()
{
    m_theme = std::make_unique<views::Theme>(views::ThemeMode::Light, nullptr);
}

void TestSettingsDialog::spansAreShownInTheBiggestWholeUnit_data()
{
    QTest::addColumn<qint64>("seconds"); // 0: none
    QTest::addColumn<int>("count");
    QTest::addColumn<QString>("unit");
    QTest::newRow("days") << qint64(90 * 86400) << 90 << QStringLiteral("days");
    QTest::newRow("one day") << qint64(86400) << 1 << QStringLiteral("day");
    QTest::newRow("hours") << qint64(36 * 3600) << 36 << QStringLiteral("hours");
    QTest::newRow("minutes") << qint64(90 * 60) << 90 << QStringLiteral("minutes");
    QTest::newRow("seconds") << qint64(90) << 90 << QStringLiteral("seconds");
    QTest::newRow("none") << qint64(0) << 0 << QString();
}

void TestSettingsDialog::spansAreShownInTheBiggestWholeUnit()
{
    QFETCH(const qint64, seconds);
    QFETCH(const int, count);
    QFETCH(const QString, unit);
    DurationField field(QStringLiteral("Span"), QStringLiteral("Never"), 1min);
    const std::optional<Milliseconds> span =
        seconds == 0 ? std::nullopt : std::optional<Milliseconds>(std::chrono::seconds(seconds));
    field.setSpan(span);
    QCOMPARE(field.span(), span);
    QCOMPARE(countOf(&field)->isEnabled(), seconds != 0);
    if (seconds != 0) {
        QCOMPARE(countOf(&field)->value(), count);
        QCOMPARE(field.findChild<QComboBox *>()->currentText(), unit);
    }
}

void TestSettingsDialog::whatTheEngineRefusesCannotBeTyped()
{
    DurationField field(QStringLiteral("Span"), QStringLiteral("Never"), 1h);
    field.setSpan(2h);
    countOf(&field)->setValue(0);
    QCOMPARE(field.span(), std::optional<Milliseconds>(1h));
    choose(&field, QStringLiteral("minutes"));
    QCOMPARE(field.span(), std::optional<Milliseconds>(1h));
    choose(&field, QStringLiteral("days"));
    countOf(&field)->setValue(1000000);
    QCOMPARE(field.span(), std::optional<Milliseconds>(24h * 3650));
}

void TestSettingsDialog::theSettingsAreShown()
{
    Fixture fixture;
    fixture.client.settingsAnswer.quiet[1].after.reset();
    fixture.open();
    QVERIFY(!fixture.field("keepArchived")->span());
    QCOMPARE(fixture.field("quiet1")->span(), std::optional<Milliseconds>(24h));
    QVERIFY(!fixture.field("quiet2")->span());
    QVERIFY(!fixture.save()->isEnabled()); // nothing to save yet
}

void TestSettingsDialog::nothingIsSavedThatWasNotChanged()
{
    Fixture fixture;
    fixture.open();
    fixture.field("quiet2")->setSpan(2h);
    QVERIFY(fixture.save()->isEnabled());
    fixture.field("quiet2")->setSpan(24h);
    QVERIFY(!fixture.save()->isEnabled());
    QVERIFY(fixture.changes().isEmpty());
}

void TestSettingsDialog::eachChangeIsSaved()
{
    Fixture fixture;
    fixture.open();
    fixture.field("keepResolved")->setSpan(std::nullopt);
    fixture.field("keepArchived")->setSpan(24h * 30);
    fixture.field("quiet1")->setSpan(2h);
    fixture.field("quiet2")->setSpan(std::nullopt);
    QSignalSpy accepted(fixture.dialog.get(), &QDialog::accepted);
    fixture.save()->click();
    QTRY_COMPARE(accepted.size(), 1);
    const QList<api::ChangeSettings> changes = fixture.changes();
    QCOMPARE(changes.size(), 3);
    QVERIFY(changes.at(0).retention == (RetentionPolicy{std::nullopt, 24h * 30}));
    QVERIFY(changes.at(1).quiet == (records::QuietRule{{1}, Milliseconds(2h)}));
    QVERIFY(changes.at(2).quiet == (records::QuietRule{{2}, std::nullopt}));
}

void TestSettingsDialog::whatWouldBeRemovedIsSaidBeforeSaving()
{
    Fixture fixture;
    fixture.open();
    QCOMPARE(fixture.answer()->property("tone").toString(), QStringLiteral("muted"));
    fixture.client.settingsAnswer.resolvedDue = 1203;
    fixture.field("keepResolved")->setSpan(24h);
    QTRY_COMPARE(fixture.answer()->property("tone").toString(), QStringLiteral("warn"));
    QVERIFY2(fixture.answer()->text().contains(QStringLiteral("1,203")), qPrintable(fixture.answer()->text()));
    QVERIFY(fixture.client.settingsCommands.last().wouldKeep == (RetentionPolicy{24h, std::nullopt}));
    QVERIFY(fixture.changes().isEmpty());
}

void TestSettingsDialog::aRefusalIsShownAndTheDialogStays()
{
    Fixture fixture;
    fixture.open();
    fixture.field("quiet1")->setSpan(2h);
    fixture.client.failNext<api::ChangeSettings>(
        {core::ErrorKind::StoreFailed, QStringLiteral("The store is full."), {}, {}});
    fixture.save()->click();
    QTRY_COMPARE(fixture.answer()->text(), QStringLiteral("The store is full."));
    QVERIFY(fixture.dialog->isVisible());
    QVERIFY(fixture.save()->isEnabled()); // it can be tried again
}

void TestSettingsDialog::screenshots()
{
    const QString shots = qEnvironmentVariable("REDRIVE_SCREENSHOTS");
    if (shots.isEmpty())
        QSKIP("REDRIVE_SCREENSHOTS names no folder.");
    for (const views::ThemeMode mode : {views::ThemeMode::Light, views::ThemeMode::Dark}) {
        m_theme->setMode(mode);
        Fixture fixture;
        fixture.client.settingsAnswer.resolvedDue = 1203;
        fixture.open();
        const QString name = mode == views::ThemeMode::Light ? QStringLiteral("light") : QStringLiteral("dark");
        QCoreApplication::processEvents();
        QVERIFY(fixture.dialog->grab().save(shots + QStringLiteral("/settings-%1.png").arg(name)));
    }
    m_theme->setMode(views::ThemeMode::Light);
}

REDRIVE_WIDGET_TEST(TestSettingsDialog)
#include "tst_settingsdialog.moc"
