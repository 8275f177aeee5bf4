// Messages that are left out because of empty headers are sent without them, after a question.
#include "tests/support/askedquestion.h"
#include "tests/support/fakeclient/fakeclient.h"
#include "views/common/theme/theme.h"
#include "views/retries/plan/plandialog.h"
#include "tests/support/testmain/testmain.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QTest>

#include <memory>

using views::PlanDialog;

namespace {

struct Fixture
{
    support::FakeClient client;
    models::ConsoleSession session{client};
    views::Theme theme{views::ThemeMode::Light};
    api::RetryDraft draft;

    Fixture()
    {
        client.previewAnswer.frozenCount = 40;
        client.previewAnswer.leftOut[records::LeftOut::NotFaithful] = 61;
        client.previewAnswer.emptyHeaders = 60;
        client.previewAnswer.asOf = core::fromMs(1767323045000);
        client.emptyHeadersAnswer = {60,
                                     {{QStringLiteral("x-<b>tenant"), 60}},
                                     "{\"name\": \"empty headers\", \"before_retry\": "
                                     "[{\"empty_is_missing\": {\"header\": \"x-<b>tenant\"}}]}"};
        draft.filter.queue = QStringLiteral("failed");
        draft.asOfChange = 7;
    }
};

template<typename Widget>
Widget *part(const QWidget &dialog, const char *name)
{
    return dialog.findChild<Widget *>(QLatin1String(name));
}

void answer(const PlanDialog &dialog, bool yes)
{
    QTRY_VERIFY(test::AskedQuestion(dialog, "emptyHeadersQuestion").isOpen());
    const test::AskedQuestion question(dialog, "emptyHeadersQuestion");
    QVERIFY(part<QLabel>(*question.dialog(), "questionConsequences")->textFormat() == Qt::PlainText);
    QVERIFY(question.consequences().contains(QStringLiteral("x-<b>tenant")));
    (yes ? question.go() : question.leave())->click();
}

} // namespace

class TestEmptyHeaders final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theyAreSentWithoutThemAfterAQuestion()
    {
        Fixture given;
        PlanDialog dialog(given.session, given.draft, given.theme, models::TimeZone::Utc);
        dialog.show();
        auto *send = part<QPushButton>(dialog, "emptyHeadersSend");
        QTRY_VERIFY(send->isVisible() && send->isEnabled());
        QVERIFY(part<QLabel>(dialog, "emptyHeadersWords")->text().contains(QStringLiteral("60")));
        QTest::mouseClick(send, Qt::LeftButton);
        given.client.previewAnswer.emptyHeaders = 0;
        given.client.previewAnswer.frozenCount = 100;
        answer(dialog, true);
        QTRY_COMPARE(given.client.conventionsApplied.size(), 1);
        QCOMPARE(given.client.conventionsSet.constFirst().file, given.client.emptyHeadersAnswer.convention);
        QCOMPARE(given.client.conventionsApplied.constFirst().filter.queue, QStringLiteral("failed"));
        QTRY_VERIFY(!send->isVisible());
        // The messages changed by our own hand: the list that the person saw does not leave them out.
        QVERIFY(!given.client.previews.constLast().asOfChange);
    }

    void readingThemAgainIsShownAndCancelled()
    {
        Fixture given;
        given.client.workProgress = {20, 60};
        given.client.heldNames = {given.client.nameOf<api::ApplyConventions>()};
        given.client.failNext<api::ApplyConventions>({core::ErrorKind::Cancelled, QStringLiteral("Cancelled."), {}});
        PlanDialog dialog(given.session, given.draft, given.theme, models::TimeZone::Utc);
        dialog.show();
        auto *send = part<QPushButton>(dialog, "emptyHeadersSend");
        const auto *words = part<QLabel>(dialog, "emptyHeadersWords");
        QTRY_VERIFY(send->isVisible() && send->isEnabled());
        QTest::mouseClick(send, Qt::LeftButton);
        answer(dialog, true);
        QTRY_VERIFY2(words->text().endsWith(QStringLiteral("20 of 60")), qPrintable(words->text()));
        QCOMPARE(send->text(), QStringLiteral("Cancel"));
        QVERIFY(send->isEnabled());
        const qsizetype before = given.client.previews.size();
        QTest::mouseClick(send, Qt::LeftButton);
        QCOMPARE(given.client.cancelledWork, QStringList{given.client.conventionsApplied.constFirst().ticket});
        QVERIFY(!send->isEnabled());
        given.client.releaseOne();
        QTRY_COMPARE(given.client.previews.size(), before + 1); // some of them may have changed
        QTRY_COMPARE(words->text(), QStringLiteral("Cancelled."));
        QTRY_VERIFY(send->isEnabled() && send->text().contains(QStringLiteral("60")));
    }

    void closingTheDialogCancelsTheReading()
    {
        Fixture given;
        given.client.heldNames = {given.client.nameOf<api::ApplyConventions>()};
        auto dialog = std::make_unique<PlanDialog>(given.session, given.draft, given.theme, models::TimeZone::Utc);
        dialog->show();
        auto *send = part<QPushButton>(*dialog, "emptyHeadersSend");
        QTRY_VERIFY(send->isVisible() && send->isEnabled());
        QTest::mouseClick(send, Qt::LeftButton);
        answer(*dialog, true);
        QTRY_COMPARE(given.client.held(), 1);
        dialog.reset();
        QCOMPARE(given.client.cancelledWork, QStringList{given.client.conventionsApplied.constFirst().ticket});
        given.client.releaseOne();
    }

    void withoutAYesNothingIsSet()
    {
        Fixture given;
        PlanDialog dialog(given.session, given.draft, given.theme, models::TimeZone::Utc);
        dialog.show();
        QTRY_VERIFY(part<QPushButton>(dialog, "emptyHeadersSend")->isVisible());
        QTest::mouseClick(part<QPushButton>(dialog, "emptyHeadersSend"), Qt::LeftButton);
        answer(dialog, false);
        QCOMPARE(given.client.conventionsSet.size(), 0);
        QCOMPARE(given.client.previews.size(), 1);
    }

    void aRefusalIsShown()
    {
        Fixture given;
        given.client.failNext<api::SetConvention>({core::ErrorKind::Refused, QStringLiteral("Not allowed."), {}});
        PlanDialog dialog(given.session, given.draft, given.theme, models::TimeZone::Utc);
        dialog.show();
        QTRY_VERIFY(part<QPushButton>(dialog, "emptyHeadersSend")->isVisible());
        QTest::mouseClick(part<QPushButton>(dialog, "emptyHeadersSend"), Qt::LeftButton);
        answer(dialog, true);
        QTRY_COMPARE(part<QLabel>(dialog, "emptyHeadersWords")->text(), QStringLiteral("Not allowed."));
        QCOMPARE(given.client.conventionsApplied.size(), 0);
    }
};

REDRIVE_WIDGET_TEST(TestEmptyHeaders)
#include "tst_emptyheaders.moc"
