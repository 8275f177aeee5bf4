// The facts of a message stay whole where there is little room: the stack trace below them gives way.
#include "tests/support/testmain/testmain.h"
#include "tests/views/onepart.h"
#include "views/common/widgets/plaintext.h"
#include "views/detail/detailtabs.h"
#include "views/detail/factsgrid.h"

#include <QApplication>
#include <QLayout>

class TestStackTab final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void wrappedFactsAreNotCutOffInALowPane();
};

void TestStackTab::wrappedFactsAreNotCutOffInALowPane()
{
    constexpr int width = 290;
    test::OnePart<views::StackTab> one;
    one.show();
    api::MessageDetail detail;
    detail.message.messageType = QStringLiteral("Shop.Shipping.BookCarrier");
    detail.message.destination = {QStringLiteral("shipping"), records::Certainty::Exact,
                                  QStringLiteral("NServiceBus.FailedQ of the message")};
    detail.message.failure.host = QStringLiteral("shipping-1.warehouse.example");
    one.part->present(detail);

    const auto *facts = one.part->findChild<views::FactsGrid *>();
    const int lines = 3 * one.part->fontMetrics().lineSpacing(); // of the stack trace
    one.part->setFixedSize(width, facts->layout()->totalHeightForWidth(width) + lines);
    int wrapped = 0;
    for (const views::PlainLabel *value : facts->findChildren<views::PlainLabel *>()) {
        if (!value->wordWrap())
            continue;
        QTRY_VERIFY(value->height() >= value->heightForWidth(value->width()));
        wrapped += value->height() > value->fontMetrics().lineSpacing() * 3 / 2 ? 1 : 0;
    }
    QVERIFY(wrapped >= 2);
}

REDRIVE_WIDGET_TEST(TestStackTab)
#include "tst_stacktab.moc"
