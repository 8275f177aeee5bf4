#include "views/common/widgets/formgrid.h"
#include "views/common/widgets/plaintext.h"
#include "tests/support/testmain/testmain.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QtTest>

using views::FormGrid;

class TestFormGrid final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aHiddenRowTakesNoRoom();
    void rowsMayComeAndGoWhileHeightsAreAsked();
    void theLabelLeadsToItsField();
};

namespace {

QLabel *labelOf(const QWidget &form, const QWidget *field)
{
    const QList<QLabel *> labels = form.findChildren<QLabel *>();
    for (QLabel *label : labels) {
        if (label->buddy() == field)
            return label;
    }
    return nullptr;
}

} // namespace

void TestFormGrid::aHiddenRowTakesNoRoom()
{
    QWidget alone;
    auto *one = new FormGrid(&alone);
    one->addRow(QStringLiteral("First"), new QLineEdit(&alone));

    QWidget form;
    auto *grid = new FormGrid(&form);
    auto *second = new QLineEdit(&form);
    grid->addRow(QStringLiteral("First"), new QLineEdit(&form));
    grid->addRow(QStringLiteral("Second"), second);
    QVERIFY(grid->sizeHint().height() > one->sizeHint().height());

    grid->setRowVisible(second, false);
    QCOMPARE(grid->sizeHint().height(), one->sizeHint().height());
    QVERIFY(labelOf(form, second)->isHidden());

    grid->setRowVisible(second, true);
    QVERIFY(grid->sizeHint().height() > one->sizeHint().height());
    QVERIFY(!labelOf(form, second)->isHidden());
}

// What a plan dialog does with every answer: rows of wrapped words change, hide and show, and the height follows.
void TestFormGrid::rowsMayComeAndGoWhileHeightsAreAsked()
{
    QWidget form;
    auto *grid = new FormGrid(&form);
    QList<views::PlainLabel *> fields;
    for (int i = 0; i < 12; ++i) {
        auto *words = new views::PlainLabel(QStringLiteral("many words that need more than one line of it "), &form);
        words->setWordWrap(true);
        fields << words;
        grid->addRow(QString::number(i), words);
    }
    const int whole = grid->heightForWidth(240);
    for (int round = 0; round < 200; ++round) {
        const int at = round % 12;
        grid->setRowVisible(fields.at(at), round % 3 == 0);
        grid->activate();
        QVERIFY(grid->heightForWidth(240) <= whole);
    }
    for (views::PlainLabel *field : std::as_const(fields))
        grid->setRowVisible(field, true);
    QCOMPARE(grid->heightForWidth(240), whole);
}

void TestFormGrid::theLabelLeadsToItsField()
{
    QWidget form;
    auto *grid = new FormGrid(&form);
    auto *edit = new QLineEdit(&form);
    grid->addRow(QStringLiteral("Name"), edit);
    QVERIFY(labelOf(form, edit));
    QCOMPARE(labelOf(form, edit)->text(), QStringLiteral("Name"));
}

REDRIVE_WIDGET_TEST(TestFormGrid)
#include "tst_formgrid.moc"
