#include "tests/support/testmain/testmain.h"
#include "views/common/widgets/formgrid.h"
#include "views/common/widgets/plaintext.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>
#include <QtTest>

#include <cstdlib>

using views::FormGrid;

class TestFormGrid final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aHiddenRowTakesNoRoom();
    void rowsMayComeAndGoWhileHeightsAreAsked();
    void theLabelLeadsToItsField();
    void theLabelStandsBesideTheFirstLine();
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

void TestFormGrid::theLabelStandsBesideTheFirstLine()
{
    QWidget form;
    auto *grid = new FormGrid(&form);
    auto *choices = new QWidget(&form);
    auto *lines = new QVBoxLayout(choices);
    lines->setContentsMargins(0, 0, 0, 0);
    auto *first = new QLineEdit(choices);
    lines->addWidget(first);
    lines->addWidget(new QLineEdit(choices));
    lines->addWidget(new QLineEdit(choices));
    auto *words = new views::PlainLabel(QStringLiteral("many words that need more than one line of it "), &form);
    words->setWordWrap(true);
    grid->addRow(QStringLiteral("Choices"), choices);
    grid->addRow(QStringLiteral("Words"), words);
    form.resize(220, grid->heightForWidth(220));
    form.show();
    QVERIFY(QTest::qWaitForWindowExposed(&form));
    constexpr int rounding = 2;
    const auto middle = [&form](const QWidget *one) { return one->mapTo(&form, one->rect().center()).y(); };
    QVERIFY(std::abs(middle(labelOf(form, choices)) - middle(first)) <= rounding);
    QVERIFY(words->height() > 2 * words->fontMetrics().height()); // or this proves nothing
    const int firstLine = words->mapTo(&form, QPoint()).y() + words->fontMetrics().height() / 2;
    QVERIFY(std::abs(middle(labelOf(form, words)) - firstLine) <= rounding);
}

REDRIVE_WIDGET_TEST(TestFormGrid)
#include "tst_formgrid.moc"
