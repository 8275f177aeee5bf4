#include "views/mainwindow/scenariomenu.h"
#include "tests/support/testmain/testmain.h"

#include <QApplication>
#include <QMenu>
#include <QMenuBar>
#include <QSignalSpy>
#include <QTest>

class TestScenarioMenu final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void theCurrentScenarioIsMarked();
    void helpStaysTheLastMenu();
    void anotherOneIsChosen();
    void theCurrentOneIsNotChosenAgain();
    void eachItemIsExplained();

private:
    [[nodiscard]] QList<QAction *> items() const
    {
        return m_bar->findChild<QMenu *>(QStringLiteral("scenarioMenu"))->actions();
    }

    std::unique_ptr<QMenuBar> m_bar;
    views::ScenarioMenu *m_menu = nullptr; // belongs to the bar
};

void TestScenarioMenu::init()
{
    m_bar = std::make_unique<QMenuBar>();
    m_bar->addMenu(QStringLiteral("Messages"));
    m_bar->addMenu(QStringLiteral("Help"));
    const QList<views::ScenarioChoice> choices{
        {QString(), QStringLiteral("Shop"), QStringLiteral("A broker with failed messages.")},
        {QStringLiteral("orders"), QStringLiteral("Orders"), QStringLiteral("A database that is down.")}};
    m_menu = new views::ScenarioMenu(*m_bar, choices, QStringLiteral("orders"));
}

void TestScenarioMenu::theCurrentScenarioIsMarked()
{
    QCOMPARE(items().size(), 2);
    QVERIFY(!items().at(0)->isChecked());
    QVERIFY(items().at(1)->isChecked());
}

void TestScenarioMenu::helpStaysTheLastMenu()
{
    QStringList titles;
    for (const QAction *menu : m_bar->actions())
        titles.append(menu->text());
    QCOMPARE(titles, (QStringList{QStringLiteral("Messages"), QStringLiteral("&Scenario"), QStringLiteral("Help")}));
}

void TestScenarioMenu::anotherOneIsChosen()
{
    const QSignalSpy spy(m_menu, &views::ScenarioMenu::chosen);
    items().at(0)->trigger();
    QCOMPARE(spy.size(), 1);
    QCOMPARE(spy.first().first().toString(), QString());
}

void TestScenarioMenu::theCurrentOneIsNotChosenAgain()
{
    const QSignalSpy spy(m_menu, &views::ScenarioMenu::chosen);
    items().at(1)->trigger();
    QCOMPARE(spy.size(), 0);
    QVERIFY(items().at(1)->isChecked());
}

void TestScenarioMenu::eachItemIsExplained()
{
    for (const QAction *item : items()) {
        QVERIFY(!item->statusTip().isEmpty());
        QVERIFY(item->toolTip().contains(item->statusTip()));
    }
}

REDRIVE_WIDGET_TEST(TestScenarioMenu)
#include "tst_scenariomenu.moc"
