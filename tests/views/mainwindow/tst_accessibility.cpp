// What a screen reader and a keyboard find: the accessible tree of the window and of each dialog, walked whole.
#include "tests/support/fakeclient/policyscene.h"
#include "tests/support/testmain/testmain.h"
#include "tests/views/mainwindow/consolewindow.h"
#include "views/common/lists/datatable.h"
#include "views/common/widgets/plaintext.h"

#include <QAbstractItemView>
#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QLineEdit>
#include <QMenuBar>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSet>
#include <QTest>
#include <QToolButton>

using views::ActionId;

namespace {

// What a person can act on, or has to find.
bool needsName(QAccessible::Role role)
{
    switch (role) {
    case QAccessible::Button:
    case QAccessible::ButtonMenu:
    case QAccessible::CheckBox:
    case QAccessible::RadioButton:
    case QAccessible::ComboBox:
    case QAccessible::EditableText:
    case QAccessible::SpinBox:
    case QAccessible::Table:
    case QAccessible::Tree:
    case QAccessible::List:
    case QAccessible::ListItem:
    case QAccessible::TreeItem:
    case QAccessible::Cell:
    case QAccessible::PageTab:
    case QAccessible::MenuItem:
    case QAccessible::ColumnHeader:
    case QAccessible::Dialog:
        return true;
    default:
        return false;
    }
}

QString textOf(QAccessibleInterface &one, QAccessible::Text what)
{
    return one.text(what).trimmed();
}

// Where it is, for whoever reads the failure.
QString placeOf(QAccessibleInterface &one)
{
    QStringList path;
    for (const QObject *object = one.object(); object != nullptr; object = object->parent()) {
        if (object->objectName().isEmpty() && !path.isEmpty())
            continue;
        path.prepend(object->objectName().isEmpty() ? QString::fromLatin1(object->metaObject()->className())
                                                    : object->objectName());
    }
    const QAccessibleTableCellInterface *cell = one.tableCellInterface();
    const QString column = cell == nullptr ? QString() : QStringLiteral(" column %1").arg(cell->columnIndex());
    return path.join(u'/') + QStringLiteral(" role %1").arg(int(one.role())) + column;
}

// As the time left of a retry that has ended: there is nothing to read out.
bool isEmptyCell(QAccessibleInterface &one)
{
    const QAccessibleTableCellInterface *cell = one.tableCellInterface();
    const auto *view = cell == nullptr ? nullptr : qobject_cast<QAbstractItemView *>(cell->table()->object());
    if (view == nullptr)
        return false;
    const QModelIndex index = view->model()->index(cell->rowIndex(), cell->columnIndex(), view->rootIndex());
    return index.data(Qt::DisplayRole).toString().isEmpty() && !index.data(Qt::CheckStateRole).isValid()
           && !index.data(Qt::DecorationRole).isValid();
}

bool isTabStop(const QObject *object)
{
    const auto *widget = qobject_cast<const QWidget *>(object);
    return widget != nullptr && (widget->focusPolicy() & Qt::TabFocus) != 0 && widget->isEnabled();
}

class Walk final
{
public:
    QStringList unnamed;
    QStringList withHtml;
    QStringList namedByValue;
    int seen = 0;

    void through(QAccessibleInterface *one)
    {
        constexpr int mostChildren = 400; // of a table: the cells of its first rows
        if (one == nullptr || !one->isValid() || one->state().invisible)
            return;
        ++seen;
        look(*one);
        for (int i = 0; i < std::min(one->childCount(), mostChildren); ++i)
            through(one->child(i));
    }

private:
    void look(QAccessibleInterface &one)
    {
        static const QRegularExpression tag(QStringLiteral("</?[a-z]+( [^<>]*)?>|&(lt|gt|amp|quot);"));
        const QString name = textOf(one, QAccessible::Name);
        if (name.isEmpty() && (needsName(one.role()) || isTabStop(one.object())) && !isEmptyCell(one))
            unnamed << placeOf(one);
        for (const auto what : {QAccessible::Name, QAccessible::Description, QAccessible::Help}) {
            if (textOf(one, what).contains(tag))
                withHtml << placeOf(one) + u' ' + textOf(one, what);
        }
        if (one.role() == QAccessible::ComboBox && name == textOf(one, QAccessible::Value))
            namedByValue << placeOf(one) + u' ' + name;
    }
};

QString lines(const QStringList &faults)
{
    return faults.mid(0, 40).join(u'\n');
}

} // namespace

class TestAccessibility final : public support::ConsoleWindow
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void everyPageOfTheWindow_data();
    void everyPageOfTheWindow();
    void everyDialog_data();
    void everyDialog();
    void aToolTipIsDescribedInWords();
    void aComboBoxSaysWhatItIsAndWhatIsChosen();
    void theBoxOfARowHasNameAndState();
    void aFieldsClearButtonHasAName();
    void anEmptyStageIsNoTabStop();
    void menusOpenByKeys();

private:
    void check(QWidget *whole);
    QAction *action(ActionId id) { return child<QAction>(qPrintable(QStringLiteral("action%1").arg(int(id)))); }
};

void TestAccessibility::init()
{
    prepare(40);
    support::addPolicies(*m_client);
    support::startProbing(*m_client);
    for (api::ConnectionView &view : m_client->snapshot.connections)
        view.connection.rights |= records::Right::Edit;
    show();
    QTRY_VERIFY(child<views::DataTable>("groupsTable")->model()->rowCount() > 3);
}

void TestAccessibility::cleanup()
{
    shut();
}

void TestAccessibility::check(QWidget *whole)
{
    QCoreApplication::processEvents(); // what was just opened is laid out
    Walk walk;
    walk.through(QAccessible::queryAccessibleInterface(whole));
    QVERIFY(walk.seen > 10);
    QVERIFY2(walk.unnamed.isEmpty(), qPrintable(QStringLiteral("without a name:\n") + lines(walk.unnamed)));
    QVERIFY2(walk.withHtml.isEmpty(), qPrintable(QStringLiteral("with HTML:\n") + lines(walk.withHtml)));
    QVERIFY2(walk.namedByValue.isEmpty(),
             qPrintable(QStringLiteral("named by their value:\n") + lines(walk.namedByValue)));
}

void TestAccessibility::everyPageOfTheWindow_data()
{
    QTest::addColumn<int>("page");
    QTest::newRow("groups") << int(ActionId::ShowGroups);
    QTest::newRow("messages") << int(ActionId::ShowMessages);
    QTest::newRow("retries") << int(ActionId::ShowRetries);
    QTest::newRow("history") << int(ActionId::ShowHistory);
    QTest::newRow("policies") << int(ActionId::ShowPolicies);
}

void TestAccessibility::everyPageOfTheWindow()
{
    QFETCH(int, page);
    action(ActionId(page))->trigger();
    if (ActionId(page) == ActionId::ShowMessages) {
        auto *table = child<views::DataTable>("messagesTable");
        QTRY_VERIFY(table->model()->rowCount() > 0);
        table->selectRow(0); // the message beside it
    }
    check(m_window.get());
}

void TestAccessibility::everyDialog_data()
{
    QTest::addColumn<int>("opens");
    QTest::addColumn<QString>("dialog");
    const auto row = [](ActionId opens, const char *dialog) {
        QTest::newRow(dialog) << int(opens) << QString::fromLatin1(dialog);
    };
    row(ActionId::AddConnection, "connectionDialog");
    row(ActionId::Conventions, "conventionsDialog");
    row(ActionId::Settings, "settingsDialog");
    row(ActionId::ShortcutSheet, "keySheet");
    row(ActionId::CommandPalette, "commandPalette");
    row(ActionId::RetrySelected, "planDialog");
    row(ActionId::EditThis, "editDialog");
    row(ActionId::AddPolicy, "policyDialog");
    row(ActionId::AssignPolicy, "assignDialog");
}

void TestAccessibility::everyDialog()
{
    QFETCH(int, opens);
    QFETCH(QString, dialog);
    auto *groups = child<views::DataTable>("groupsTable");
    groups->selectRow(0);
    groups->setCurrentIndex(groups->model()->index(0, 1));
    QAction *open = action(ActionId(opens));
    QTRY_VERIFY(open->isEnabled());
    open->trigger();
    QTRY_VERIFY(m_window->findChild<QDialog *>(dialog) != nullptr);
    auto *opened = m_window->findChild<QDialog *>(dialog);
    QTRY_VERIFY(opened->isVisible());
    check(opened);
    opened->close();
}

void TestAccessibility::aToolTipIsDescribedInWords()
{
    QToolButton button;
    const QString words = QStringLiteral("1 < 2 & \"so on\"\nsecond <b>line</b>");
    button.setToolTip(views::plainToolTip(words));
    QAccessibleInterface *said = QAccessible::queryAccessibleInterface(&button);
    QCOMPARE(said->text(QAccessible::Description), words);
    button.setToolTip(QStringLiteral("plain"));
    QCOMPARE(said->text(QAccessible::Description), QStringLiteral("plain"));
}

void TestAccessibility::aComboBoxSaysWhatItIsAndWhatIsChosen()
{
    auto *status = child<QComboBox>("groupStatus");
    QAccessibleInterface *said = QAccessible::queryAccessibleInterface(status);
    QVERIFY(said->role() == QAccessible::ComboBox);
    QCOMPARE(said->text(QAccessible::Name), status->accessibleName());
    QCOMPARE(said->text(QAccessible::Value), status->currentText());
    QVERIFY(said->state().expandable && !said->state().expanded);
    QCOMPARE(said->childCount(), 1);
    QCOMPARE(said->indexOfChild(said->child(0)), 0);
    said->actionInterface()->doAction(QAccessibleActionInterface::showMenuAction());
    QTRY_VERIFY(said->state().expanded);
    said->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    QTRY_VERIFY(!said->state().expanded);
}

void TestAccessibility::theBoxOfARowHasNameAndState()
{
    auto *table = child<views::DataTable>("groupsTable");
    table->clearSelection();
    QAccessibleInterface *said = QAccessible::queryAccessibleInterface(table);
    QAccessibleInterface *cell = said->tableInterface()->cellAt(0, 0);
    const QString cause = table->model()->index(0, 1).data().toString();
    QVERIFY(cell->text(QAccessible::Name).contains(cause));
    QVERIFY(!cell->state().selected);
    table->selectRow(0);
    QVERIFY(cell->state().selected);
}

void TestAccessibility::aFieldsClearButtonHasAName()
{
    auto *box = child<QLineEdit>("groupFilter");
    box->setText(QStringLiteral("x"));
    int buttons = 0;
    for (QToolButton *button : box->findChildren<QToolButton *>()) {
        ++buttons;
        QVERIFY(!QAccessible::queryAccessibleInterface(button)->text(QAccessible::Name).isEmpty());
    }
    QCOMPARE(buttons, 2); // the sign before the text, and what clears it
}

void TestAccessibility::anEmptyStageIsNoTabStop()
{
    auto *board = child<QWidget>("stageBoard");
    const QList<QScrollArea *> stages = board->findChildren<QScrollArea *>();
    QCOMPARE(stages.size(), 4);
    int empty = 0;
    for (QScrollArea *stage : stages) {
        const bool hasCards = stage->findChild<QWidget *>(QStringLiteral("stageCard")) != nullptr;
        empty += hasCards ? 0 : 1;
        QCOMPARE((stage->focusPolicy() & Qt::TabFocus) != 0, hasCards);
        QVERIFY(!QAccessible::queryAccessibleInterface(stage)->text(QAccessible::Name).isEmpty());
    }
    QVERIFY(empty > 0);
}

void TestAccessibility::menusOpenByKeys()
{
    QSet<QChar> letters;
    for (const QAction *menu : m_window->menuBar()->actions()) {
        const qsizetype sign = menu->text().indexOf(u'&');
        QVERIFY2(sign >= 0, qPrintable(menu->text()));
        letters.insert(menu->text().at(sign + 1).toLower());
    }
    QCOMPARE(letters.size(), m_window->menuBar()->actions().size()); // each has its own
    QTest::keyClick(m_window.get(), Qt::Key_F10);
    QTRY_VERIFY(m_window->menuBar()->activeAction() != nullptr);
    QTRY_VERIFY(QApplication::activePopupWidget() != nullptr);
    QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Escape);
}

REDRIVE_WIDGET_TEST(TestAccessibility)
#include "tst_accessibility.moc"
