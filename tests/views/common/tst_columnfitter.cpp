#include "tests/support/testmain/testmain.h"
#include "views/common/lists/checkheader.h"
#include "views/common/lists/datatable.h"
#include "views/common/theme/theme.h"

#include <QHeaderView>
#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTest>

#include <algorithm>
#include <memory>
#include <utility>

namespace {

enum Column { Main, First, Second, Third, ColumnCount };

constexpr int usual = 150;
constexpr int least = 180;

} // namespace

// The widths of a table whose main column has a long text and whose other columns have short ones.
class TestColumnFitter final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void theMainColumnGetsWhatOthersDoNotNeed();
    void theUsualWidthsComeBackWhereNothingIsCut();
    void aNameIsNeverCut();
    void theNameOfTheMainColumnIsNotCutEither();
    void aNameIsDrawnWholeInTheWidthThatItNeeds();
    void aColumnGrowsWithItsContent();
    void dispensableColumnsHideFirst();
    void withoutThemTheOthersAreAScrollAway();
    void aWidthOfTheUserStays();
    void aColumnThatTheUserShowsStays();
    void theLayoutIsRestored();
    void aLayoutOfAnEarlierVersionIsRestored();
    void anEditedColumnKeepsItsWidth();
    void aHiddenMainColumnNeedsNoRoom();
    void aResizeDuringAFitIsNotLost();
    void aFitIsToldOnce();

private:
    std::unique_ptr<views::DataTable> shown(int width);
    [[nodiscard]] int needed(int column) const;
    static QAction *entryOf(QMenu &menu, const QString &name);

    views::Theme m_theme{views::ThemeMode::Light};
    std::unique_ptr<QStandardItemModel> m_model;
    views::DataTable *m_table = nullptr; // that shown() made last
};

void TestColumnFitter::init()
{
    m_model = std::make_unique<QStandardItemModel>(2, ColumnCount);
    m_model->setHorizontalHeaderLabels(
        {QStringLiteral("Main"), QStringLiteral("One"), QStringLiteral("Two"), QStringLiteral("Three")});
    for (int row = 0; row < m_model->rowCount(); ++row) {
        for (int column = 0; column < ColumnCount; ++column) {
            auto *item = new QStandardItem(QStringLiteral("12:34"));
            item->setEditable(false);
            m_model->setItem(row, column, item);
        }
    }
    m_model->item(0, Main)->setText(QStringLiteral("A long cause ").repeated(40));
}

std::unique_ptr<views::DataTable> TestColumnFitter::shown(int width)
{
    auto table = std::make_unique<views::DataTable>(m_theme, -1);
    table->setModel(m_model.get());
    table->setWidths({0, usual, usual, usual}, Main, least);
    table->resize(width, 200);
    table->show();
    m_table = table.get();
    return table;
}

int TestColumnFitter::needed(int column) const
{
    const QAbstractItemView *view = m_table;
    const auto *header = qobject_cast<views::CheckHeader *>(m_table->horizontalHeader());
    return std::max(view->sizeHintForColumn(column), header->neededWidth(column));
}

QAction *TestColumnFitter::entryOf(QMenu &menu, const QString &name)
{
    const QList<QAction *> actions = menu.actions();
    const auto found =
        std::find_if(actions.begin(), actions.end(), [&name](const QAction *one) { return one->text() == name; });
    return found == actions.end() ? nullptr : *found;
}

void TestColumnFitter::theMainColumnGetsWhatOthersDoNotNeed()
{
    const auto table = shown(900);
    for (const int column : {First, Second, Third}) {
        QTRY_COMPARE(table->columnWidth(column), needed(column));
        QVERIFY(table->columnWidth(column) < usual); // or this proves nothing
    }
    QCOMPARE(table->horizontalHeader()->length(), table->viewport()->width());
}

void TestColumnFitter::theUsualWidthsComeBackWhereNothingIsCut()
{
    m_model->item(0, Main)->setText(QStringLiteral("Short"));
    const auto table = shown(900);
    for (const int column : {First, Second, Third})
        QTRY_COMPARE(table->columnWidth(column), usual);
    QCOMPARE(table->columnWidth(Main), table->viewport()->width() - 3 * usual);
}

void TestColumnFitter::aNameIsNeverCut()
{
    constexpr int narrow = 20;
    const auto table = shown(300);
    table->setWidths({0, narrow, narrow, narrow}, Main, least);
    const auto *header = qobject_cast<views::CheckHeader *>(table->horizontalHeader());
    for (const int column : {First, Second, Third})
        QTRY_VERIFY(table->columnWidth(column) >= header->neededWidth(column));
    QVERIFY(table->columnWidth(Main) >= least);
}

void TestColumnFitter::theNameOfTheMainColumnIsNotCutEither()
{
    constexpr int narrow = 20;
    m_model->setHeaderData(Main, Qt::Horizontal, QStringLiteral("A main column with a name"));
    const auto table = shown(300);
    table->setWidths({0, usual, usual, usual}, Main, narrow);
    const auto *header = qobject_cast<views::CheckHeader *>(table->horizontalHeader());
    QVERIFY(header->neededWidth(Main) > narrow);
    QTRY_COMPARE(table->columnWidth(Main), header->neededWidth(Main));
}

// How far from the left edge of the section its name is drawn.
static int endOfName(QHeaderView &header, int section, int width)
{
    header.resizeSection(section, width);
    const QImage picture = header.grab().toImage();
    const int left = header.sectionViewportPosition(section);
    int end = -1;
    for (int x = 0; x < width; ++x) {
        for (int y = 4; y < header.height() - 6; ++y) {
            if (picture.pixel(left + x, y) != picture.pixel(left + width - 1, 2))
                end = x;
        }
    }
    return end;
}

// More than this would be missing in the cells.
void TestColumnFitter::aNameIsDrawnWholeInTheWidthThatItNeeds()
{
    m_model->setHeaderData(Second, Qt::Horizontal, QStringLiteral("Message type"));
    const auto table = shown(900);
    table->setSortable({First, Second}, First, Qt::AscendingOrder);
    auto *header = qobject_cast<views::CheckHeader *>(table->horizontalHeader());
    const int needed = header->neededWidth(Second);
    constexpr int more = 40;
    constexpr int waste = 6;
    const int whole = endOfName(*header, Second, needed + more);
    QVERIFY(whole > 0);
    QCOMPARE(endOfName(*header, Second, needed), whole);
    QVERIFY(endOfName(*header, Second, needed - waste) < whole);
}

void TestColumnFitter::aColumnGrowsWithItsContent()
{
    m_model->item(1, Second)->setText(QStringLiteral("a name that is rather long for its column"));
    const auto table = shown(900);
    table->fitColumn(Second);
    QTRY_COMPARE(table->columnWidth(Second), needed(Second));
    QVERIFY(table->columnWidth(Second) > usual);
    table->resize(500, 200); // too little for all of it
    QTRY_COMPARE(table->horizontalScrollBar()->maximum(), 0);
    QCOMPARE(table->columnWidth(Main), least);
}

void TestColumnFitter::dispensableColumnsHideFirst()
{
    const auto table = shown(900);
    table->setDispensable({Second, Third});
    constexpr int spare = 10; // frame included
    table->resize(least + needed(First) + needed(Third) + spare, 200);
    QTRY_VERIFY(table->isColumnHidden(Second));
    QVERIFY(!table->isColumnHidden(Third));
    QVERIFY(table->isWanted(Second)); // it is still part of the list
    QVERIFY(table->columnWidth(Main) >= least);
    table->resize(least + needed(First) + spare, 200);
    QTRY_VERIFY(table->isColumnHidden(Third));
    QVERIFY(!table->isColumnHidden(First));
    QVERIFY(table->columnWidth(Main) >= least);
    table->resize(900, 200);
    QTRY_VERIFY(!table->isColumnHidden(Second) && !table->isColumnHidden(Third));
    QCOMPARE(table->horizontalHeader()->length(), table->viewport()->width());
}

void TestColumnFitter::withoutThemTheOthersAreAScrollAway()
{
    const auto table = shown(least);
    QTRY_COMPARE(table->columnWidth(First), needed(First));
    QCOMPARE(table->columnWidth(Main), least);
    QTRY_VERIFY(table->horizontalScrollBar()->maximum() > 0);
}

void TestColumnFitter::aWidthOfTheUserStays()
{
    const auto table = shown(900);
    table->setDispensable({First, Second});
    QTRY_COMPARE(table->columnWidth(First), needed(First));
    table->horizontalHeader()->resizeSection(First, 200);
    for (const int width : {1400, 900, 300}) {
        table->resize(width, 200);
        QTRY_COMPARE(table->columnWidth(Second) == 0, width == 300);
        QCOMPARE(table->columnWidth(First), 200);
    }
}

void TestColumnFitter::aColumnThatTheUserShowsStays()
{
    const auto table = shown(900);
    table->setDispensable({Second, Third});
    table->resize(least + needed(First), 200);
    QTRY_VERIFY(table->isColumnHidden(Second) && table->isColumnHidden(Third));
    QMenu menu;
    table->addColumnEntries(&menu);
    QAction *second = entryOf(menu, QStringLiteral("Two"));
    QVERIFY(second != nullptr && !second->isChecked());
    second->setChecked(true);
    table->resize(least, 200);
    QCoreApplication::sendPostedEvents();
    QVERIFY(!table->isColumnHidden(Second));
    QAction *first = entryOf(menu, QStringLiteral("One"));
    QVERIFY(first != nullptr);
    first->setChecked(false);
    table->resize(1400, 200);
    QTRY_VERIFY(!table->isColumnHidden(Third));
    QVERIFY(table->isColumnHidden(First));
    QVERIFY(!table->isWanted(First));
}

void TestColumnFitter::theLayoutIsRestored()
{
    const auto before = shown(900);
    before->setDispensable({Third});
    before->horizontalHeader()->resizeSection(First, 200);
    before->resize(least + 200 + needed(Second), 200);
    QTRY_VERIFY(before->isColumnHidden(Third));
    const QByteArray layout = before->columnLayout();
    const auto after = shown(1000);
    after->setDispensable({Third});
    after->restoreColumnLayout(layout);
    QTRY_VERIFY(!after->isColumnHidden(Third)); // it was hidden for lack of room only
    QCOMPARE(after->columnWidth(First), 200);
    QCOMPARE(after->columnWidth(Second), needed(Second));
    QCOMPARE(after->horizontalHeader()->length(), after->viewport()->width());
}

void TestColumnFitter::aLayoutOfAnEarlierVersionIsRestored()
{
    views::DataTable before(m_theme, -1);
    before.setModel(m_model.get());
    before.setWidths({0, usual, usual, usual}, -1);
    before.horizontalHeader()->resizeSection(First, 200);
    before.setColumnHidden(Third, true);
    const auto after = shown(900);
    after->restoreColumnLayout(before.horizontalHeader()->saveState());
    QTRY_COMPARE(after->columnWidth(Second), needed(Second));
    QCOMPARE(after->columnWidth(First), 200);
    QVERIFY(after->isColumnHidden(Third));
}

void TestColumnFitter::anEditedColumnKeepsItsWidth()
{
    m_model->item(0, Second)->setEditable(true);
    const auto table = shown(900);
    QTRY_COMPARE(table->columnWidth(First), needed(First));
    QCOMPARE(table->columnWidth(Second), usual);
}

void TestColumnFitter::aHiddenMainColumnNeedsNoRoom()
{
    const auto table = shown(900);
    table->setDispensable({Second, Third});
    QTRY_COMPARE(table->columnWidth(First), needed(First));
    QMenu menu;
    table->addColumnEntries(&menu);
    QAction *main = entryOf(menu, QStringLiteral("Main"));
    QVERIFY(main != nullptr);
    main->setChecked(false);
    constexpr int spare = 10; // frame included
    table->resize(needed(First) + needed(Second) + needed(Third) + spare, 200);
    QCoreApplication::sendPostedEvents();
    QVERIFY(!table->isColumnHidden(Second) && !table->isColumnHidden(Third));
    table->resize(4 * usual, 200); // nothing is kept for its long text, either
    for (const int column : {First, Second, Third})
        QTRY_COMPARE(table->columnWidth(column), usual);
}

// As by a scroll bar that appears.
void TestColumnFitter::aResizeDuringAFitIsNotLost()
{
    bool isResized = false;
    const auto table = shown(900);
    table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // it would resize the table once more
    table->setDispensable({Third});
    QTRY_COMPARE(table->columnWidth(First), needed(First));
    QCoreApplication::sendPostedEvents();
    connect(table->horizontalHeader(), &QHeaderView::sectionResized, table.get(), [&isResized, &table] {
        if (!std::exchange(isResized, true))
            table->resize(least, 200);
    });
    m_model->item(0, First)->setText(QStringLiteral("12:34:56.789"));
    QTRY_VERIFY(isResized);
    QTRY_VERIFY(table->isColumnHidden(Third));
}

void TestColumnFitter::aFitIsToldOnce()
{
    const auto table = shown(900);
    QTRY_COMPARE(table->columnWidth(First), needed(First));
    QCoreApplication::sendPostedEvents();
    const QSignalSpy resized(table->horizontalHeader(), &QHeaderView::sectionResized);
    const QSignalSpy told(table.get(), &views::DataTable::columnLayoutChanged);
    for (const int column : {First, Second, Third})
        m_model->item(0, column)->setText(QStringLiteral("12:34:56.789"));
    for (const int column : {First, Second, Third})
        QTRY_COMPARE(table->columnWidth(column), needed(column));
    QVERIFY(resized.size() > 1);
    QCOMPARE(told.size(), 1);
    table->horizontalHeader()->resizeSection(First, 200); // by the user
    QTRY_COMPARE(told.size(), 2);
}

REDRIVE_WIDGET_TEST(TestColumnFitter)
#include "tst_columnfitter.moc"
