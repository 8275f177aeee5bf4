// The facts of a message stay whole where there is little room: the stack trace below them gives way.
#include "tests/support/testmain/testmain.h"
#include "tests/views/onepart.h"
#include "views/common/widgets/plaintext.h"
#include "views/detail/detailtabs.h"
#include "views/detail/factsgrid.h"

#include <QApplication>
#include <QLayout>

#include <algorithm>

class TestStackTab final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void wrappedFactsAreNotCutOffInALowPane();
    void aLongWordIsTruncatedInTheMiddle();
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

void TestStackTab::aLongWordIsTruncatedInTheMiddle()
{
    test::OnePart<views::StackTab> one;
    one.show();
    api::MessageDetail detail;
    detail.message.messageType = QStringLiteral("Shop.Documents.ProcessDocumentMessageOfTheWarehouse");
    one.part->present(detail);
    const QList<views::FactLabel *> values = one.part->findChildren<views::FactLabel *>();
    const auto type = std::find_if(values.begin(), values.end(), [&detail](const views::FactLabel *value) {
        return value->fact() == detail.message.messageType;
    });
    QVERIFY(type != values.end());
    one.part->resize(320, 400);
    QTRY_VERIFY((*type)->text().contains(QChar(0x2026)));
    QVERIFY((*type)->text().startsWith(QStringLiteral("Shop.")));
    QVERIFY((*type)->text().endsWith(QStringLiteral("house")));
    QVERIFY((*type)->fontMetrics().horizontalAdvance((*type)->text()) <= (*type)->width());
    QVERIFY((*type)->toolTip().contains(detail.message.messageType));
    one.part->resize(900, 400);
    QTRY_COMPARE((*type)->text(), detail.message.messageType);
    QVERIFY((*type)->toolTip().isEmpty());
}

REDRIVE_WIDGET_TEST(TestStackTab)
#include "tst_stacktab.moc"
