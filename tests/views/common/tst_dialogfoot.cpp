#include "views/common/widgets/dialogfoot.h"
#include "views/common/widgets/plaintext.h"

#include <QDialog>
#include <QPushButton>
#include <QVBoxLayout>
#include <QtTest>

using views::DialogFoot;

class TestDialogFoot final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theAnswerTakesTheRoom();
    void aStretchTakesTheRoomWithoutAnAnswer();
    void anAnswerAboveHasRoomBeforeItArrives();
    void aButtonCanStandBeforeAnother();
    void onlyTheNamedButtonIsTheDefault();
    void enterPressesNoButtonWithoutADefault();
    void enterPressesTheDefaultFromAnyButton();
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
    const QPushButton *cancel = footed.foot->addPlain(QStringLiteral("cancel"), QStringLiteral("Cancel"));
    const QPushButton *save = footed.foot->addPrimary(QStringLiteral("save"), QStringLiteral("Save"));
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

void TestDialogFoot::aButtonCanStandBeforeAnother()
{
    Footed footed;
    const views::PlainLabel *answer = footed.foot->addAnswer(QStringLiteral("answer"));
    const QPushButton *close = footed.foot->addPlain(QStringLiteral("close"), QStringLiteral("Close"));
    const QPushButton *edit = footed.foot->addPlain(QStringLiteral("edit"), QStringLiteral("Edit"), close);
    QVERIFY(footed.show());
    QVERIFY(answer->geometry().right() < edit->geometry().left());
    QVERIFY(edit->geometry().right() < close->geometry().left());
}

void TestDialogFoot::onlyTheNamedButtonIsTheDefault()
{
    Footed footed;
    QPushButton *cancel = footed.foot->addPlain(QStringLiteral("cancel"), QStringLiteral("Cancel"));
    QPushButton *save = footed.foot->addPrimary(QStringLiteral("save"), QStringLiteral("Save"));
    QVERIFY(save->property("primary").toBool());
    QVERIFY(!cancel->property("primary").toBool());
    QVERIFY(!save->isDefault());
    save->setDefault(true);
    QVERIFY(footed.show());
    for (QPushButton *button : {save, cancel}) {
        button->setFocus();
        QVERIFY(button->hasFocus());
        QVERIFY(save->isDefault());
        QVERIFY(!cancel->isDefault());
    }
}

void TestDialogFoot::enterPressesNoButtonWithoutADefault()
{
    Footed footed;
    QPushButton *cancel = footed.foot->addPlain(QStringLiteral("cancel"), QStringLiteral("Cancel"));
    QPushButton *save = footed.foot->addPrimary(QStringLiteral("save"), QStringLiteral("Save"));
    const QSignalSpy cancelled(cancel, &QPushButton::clicked);
    const QSignalSpy saved(save, &QPushButton::clicked);
    QVERIFY(footed.show());
    for (QPushButton *button : {cancel, save}) {
        button->setFocus();
        QVERIFY(button->hasFocus());
        QTest::keyClick(button, Qt::Key_Return);
        QTest::keyClick(button, Qt::Key_Enter);
    }
    QCOMPARE(cancelled.count(), 0);
    QCOMPARE(saved.count(), 0);
    QTest::keyClick(save, Qt::Key_Space); // the keys do arrive
    QCOMPARE(saved.count(), 1);
}

void TestDialogFoot::enterPressesTheDefaultFromAnyButton()
{
    Footed footed;
    QPushButton *cancel = footed.foot->addPlain(QStringLiteral("cancel"), QStringLiteral("Cancel"));
    QPushButton *save = footed.foot->addPrimary(QStringLiteral("save"), QStringLiteral("Save"));
    const QSignalSpy cancelled(cancel, &QPushButton::clicked);
    const QSignalSpy saved(save, &QPushButton::clicked);
    cancel->setDefault(true);
    QVERIFY(footed.show());
    save->setFocus();
    QVERIFY(save->hasFocus());
    QTest::keyClick(save, Qt::Key_Return);
    QCOMPARE(cancelled.count(), 1);
    QCOMPARE(saved.count(), 0);
}

QTEST_MAIN(TestDialogFoot)
#include "tst_dialogfoot.moc"
