#include "tests/support/child.h"
#include "tests/support/testmain/testmain.h"
#include "views/common/lists/buttonrow.h"

#include <QMenu>
#include <QPushButton>
#include <QTest>

#include <memory>

using views::ButtonRow;

class TestButtonRow final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void allAreHereWhereTheyHaveRoom();
    void theLastOnesAreInTheMenuWhereTheyHaveNone();
    void anEntryOfTheMenuPressesItsButton();
    void aLongerTextMovesTheLastOne();
    void whatIsNotOfferedIsNowhere();

private:
    void showAt(int width);
    [[nodiscard]] QStringList entries() const;
    [[nodiscard]] QPushButton *more() const { return test::child<QPushButton>(*m_row, "moreButtons"); }

    std::unique_ptr<QWidget> m_around; // a window is never narrower than what its layout has in view
    ButtonRow *m_row = nullptr;
    QPushButton *m_add = nullptr;
    QPushButton *m_edit = nullptr;
    QPushButton *m_remove = nullptr;
};

void TestButtonRow::init()
{
    m_around = std::make_unique<QWidget>();
    m_row = new ButtonRow(m_around.get());
    m_add = new QPushButton(QStringLiteral("Add policy"));
    m_edit = new QPushButton(QStringLiteral("Edit policy"));
    m_remove = new QPushButton(QStringLiteral("Remove policy"));
    for (QPushButton *button : {m_add, m_edit, m_remove})
        m_row->add(button);
}

void TestButtonRow::showAt(int width)
{
    m_row->resize(width, m_row->sizeHint().height());
    m_around->resize(m_row->size());
    m_around->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_around.get()));
}

QStringList TestButtonRow::entries() const
{
    QStringList texts;
    Q_EMIT more()->menu()->aboutToShow();
    for (const QAction *entry : more()->menu()->actions())
        texts.append(entry->text());
    return texts;
}

void TestButtonRow::allAreHereWhereTheyHaveRoom()
{
    showAt(m_row->sizeHint().width());
    for (const QPushButton *button : {m_add, m_edit, m_remove})
        QVERIFY(button->isVisible() && button->width() >= button->sizeHint().width());
    QVERIFY(!more()->isVisible());
}

void TestButtonRow::theLastOnesAreInTheMenuWhereTheyHaveNone()
{
    showAt(m_row->sizeHint().width());
    m_row->resize(m_row->minimumSizeHint());
    QTRY_VERIFY(more()->isVisible());
    QVERIFY(m_add->isVisible() && m_add->width() >= m_add->sizeHint().width());
    QVERIFY(m_row->rect().contains(more()->geometry()));
    QCOMPARE(entries(), QStringList({m_edit->text(), m_remove->text()}));
    m_row->resize(m_row->sizeHint());
    QTRY_VERIFY(m_edit->isVisible() && m_remove->isVisible() && !more()->isVisible());
}

void TestButtonRow::anEntryOfTheMenuPressesItsButton()
{
    m_edit->setEnabled(false);
    m_edit->setToolTip(QStringLiteral("Select a policy first."));
    int pressed = 0;
    connect(m_remove, &QPushButton::clicked, this, [&pressed] { ++pressed; });
    showAt(m_row->minimumSizeHint().width());
    QCOMPARE(entries().size(), 2);
    QAction *edit = more()->menu()->actions().first();
    QVERIFY(!edit->isEnabled());
    QCOMPARE(edit->toolTip(), m_edit->toolTip());
    more()->menu()->actions().last()->trigger();
    QCOMPARE(pressed, 1);
}

void TestButtonRow::aLongerTextMovesTheLastOne()
{
    showAt(m_row->sizeHint().width());
    m_add->setText(QStringLiteral("Add policy that is longer"));
    QTRY_VERIFY(!m_remove->isVisible());
    QVERIFY(more()->isVisible());
}

void TestButtonRow::whatIsNotOfferedIsNowhere()
{
    showAt(m_row->minimumSizeHint().width());
    m_row->setOffered(m_edit, false);
    QCOMPARE(entries(), QStringList(m_remove->text()));
    m_row->resize(m_row->sizeHint());
    QTRY_VERIFY(m_remove->isVisible());
    QVERIFY(!m_edit->isVisible());
    m_row->setOffered(m_edit, true);
    m_row->resize(m_row->sizeHint());
    QTRY_VERIFY(m_edit->isVisible());
}

REDRIVE_WIDGET_TEST(TestButtonRow)
#include "tst_buttonrow.moc"
