#include "views/common/widgets/dialogfoot.h"
#include "views/common/widgets/plaintext.h"
#include "tests/support/testmain/testmain.h"

#include <QApplication>
#include <QDialog>
#include <QPushButton>
#include <QVBoxLayout>
#include <QtTest>

using views::DialogFoot;
using Act = DialogFoot::Act;

class TestDialogFoot final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theAnswerTakesTheRoom();
    void aStretchTakesTheRoomWithoutAnAnswer();
    void anAnswerAboveHasRoomBeforeItArrives();
    void theOrderOfTheButtonsIsAlwaysTheSame_data();
    void theOrderOfTheButtonsIsAlwaysTheSame();
    void theDefaultIsTheSafeButtonWhereTheActCannotBeUndone_data();
    void theDefaultIsTheSafeButtonWhereTheActCannotBeUndone();
};

namespace {

constexpr int dialogWidth = 600;

// A dialog that has nothing but a foot.
struct Footed
{
    Footed()
    {
        auto *column = new QVBoxLayout(&dialog);
        column->setContentsMargins(0, 0, 0, 0);
        foot = new DialogFoot(&dialog);
        column->addWidget(foot);
    }

    [[nodiscard]] bool show()
    {
        dialog.resize(dialogWidth, foot->sizeHint().height());
        dialog.show();
        return QTest::qWaitForWindowActive(&dialog);
    }

    QDialog dialog;
    DialogFoot *foot = nullptr;
};

// An empty text has no height for a width.
int heightOf(const DialogFoot &foot)
{
    return foot.hasHeightForWidth() ? foot.heightForWidth(dialogWidth) : foot.sizeHint().height();
}

} // namespace

void TestDialogFoot::theAnswerTakesTheRoom()
{
    Footed footed;
    const views::PlainLabel *answer = footed.foot->addAnswer(QStringLiteral("answer"));
    const QPushButton *cancel = footed.foot->addLeave(QStringLiteral("cancel"), QStringLiteral("Cancel"));
    const QPushButton *save = footed.foot->addPrimary(QStringLiteral("save"), QStringLiteral("Save"), Act::CanBeUndone);
    QVERIFY(footed.show());
    QCOMPARE(answer->objectName(), QStringLiteral("answer"));
    QCOMPARE(cancel->width(), cancel->sizeHint().width());
    QCOMPARE(save->width(), save->sizeHint().width());
    QVERIFY(answer->geometry().right() < cancel->geometry().left());
    QVERIFY(cancel->geometry().right() < save->geometry().left());
    QVERIFY(answer->width() > dialogWidth / 2);
    QVERIFY(answer->wordWrap());
}

void TestDialogFoot::aStretchTakesTheRoomWithoutAnAnswer()
{
    Footed footed;
    footed.foot->addStretch();
    const QPushButton *save = footed.foot->addPlain(QStringLiteral("save"), QStringLiteral("Save"));
    QVERIFY(footed.show());
    QCOMPARE(save->width(), save->sizeHint().width());
    QVERIFY(save->geometry().left() > dialogWidth / 2);
}

void TestDialogFoot::anAnswerAboveHasRoomBeforeItArrives()
{
    Footed footed;
    views::PlainLabel *answer = footed.foot->addAnswerAbove(QStringLiteral("answer"), 2);
    const QPushButton *save = footed.foot->addPlain(QStringLiteral("save"), QStringLiteral("Save"));
    QVERIFY(footed.show());
    QVERIFY(answer->geometry().bottom() < save->mapTo(footed.foot, QPoint()).y());
    const int before = heightOf(*footed.foot);
    answer->setText(QStringLiteral("first line\nsecond line"));
    QCOMPARE(heightOf(*footed.foot), before);
}

void TestDialogFoot::theOrderOfTheButtonsIsAlwaysTheSame_data()
{
    QTest::addColumn<QString>("added");
    for (const char *order : {"abcd", "dcba", "cadb", "dabc"})
        QTest::newRow(order) << QString::fromLatin1(order);
}

void TestDialogFoot::theOrderOfTheButtonsIsAlwaysTheSame()
{
    QFETCH(QString, added);
    Footed footed;
    const views::PlainLabel *answer = footed.foot->addAnswer(QStringLiteral("answer"));
    QList<const QPushButton *> plain;
    const QPushButton *leave = nullptr;
    const QPushButton *save = nullptr;
    for (const QChar one : added) {
        if (one == QLatin1Char('c'))
            leave = footed.foot->addLeave(QStringLiteral("leave"), QStringLiteral("Cancel"));
        else if (one == QLatin1Char('d'))
            save = footed.foot->addPrimary(QStringLiteral("save"), QStringLiteral("Save"), Act::CanBeUndone);
        else
            plain.append(footed.foot->addPlain(QString(one), QString(one)));
    }
    QVERIFY(footed.show());
    QVERIFY(answer->geometry().right() < plain.at(0)->geometry().left());
    QVERIFY(plain.at(0)->geometry().right() < plain.at(1)->geometry().left());
    QVERIFY(plain.at(1)->geometry().right() < leave->geometry().left());
    QVERIFY(leave->geometry().right() < save->geometry().left());
}

void TestDialogFoot::theDefaultIsTheSafeButtonWhereTheActCannotBeUndone_data()
{
    QTest::addColumn<Act>("act");
    QTest::addColumn<int>("left");
    QTest::addColumn<int>("saved");
    QTest::newRow("can be undone") << Act::CanBeUndone << 0 << 1;
    QTest::newRow("cannot be undone") << Act::CannotBeUndone << 1 << 0;
    QTest::newRow("needs its button") << Act::NeedsItsButton << 0 << 0;
}

void TestDialogFoot::theDefaultIsTheSafeButtonWhereTheActCannotBeUndone()
{
    QFETCH(Act, act);
    QFETCH(int, left);
    QFETCH(int, saved);
    Footed footed;
    QPushButton *leave = footed.foot->addLeave(QStringLiteral("leave"), QStringLiteral("Cancel"));
    QPushButton *save = footed.foot->addPrimary(QStringLiteral("save"), QStringLiteral("Save"), Act::CanBeUndone);
    footed.foot->setAct(act);
    QCOMPARE(save->property("primary").toBool(), act != Act::CannotBeUndone);
    QVERIFY(footed.show());
    for (QPushButton *button : {leave, save}) { // whichever has the focus
        const QSignalSpy leaves(leave, &QPushButton::clicked);
        const QSignalSpy saves(save, &QPushButton::clicked);
        button->setFocus();
        QVERIFY(button->hasFocus());
        QTest::keyClick(button, Qt::Key_Return);
        const bool isLeave = button == leave; // Enter on Cancel never does the act
        QCOMPARE(leaves.count(), isLeave ? 1 : left);
        QCOMPARE(saves.count(), isLeave ? 0 : saved);
    }
    footed.foot->focusDefault();
    QVERIFY(footed.dialog.focusWidget() == (act == Act::CannotBeUndone ? leave : save));
    const QSignalSpy pressed(save, &QPushButton::clicked);
    QTest::keyClick(save, Qt::Key_Space); // the keys do arrive
    QCOMPARE(pressed.count(), 1);
}

REDRIVE_WIDGET_TEST(TestDialogFoot)
#include "tst_dialogfoot.moc"
