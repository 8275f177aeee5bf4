#include "models/common/rowmodel.h"
#include "tests/support/testmain/testmain.h"

#include <QAbstractItemModelTester>
#include <QItemSelectionModel>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>

namespace {

struct Entry
{
    int id = 0;
    QString text;
};

class Entries final : public models::RowModel<Entry, int>
{
protected:
    int columns() const override { return 2; }
    int keyOf(const Entry &entry) const override { return entry.id; }
    bool same(const Entry &a, const Entry &b) const override { return a.text == b.text; }
    QVariant cell(const Entry &entry, int column, int role) const override
    {
        if (role != Qt::DisplayRole)
            return {};
        return column == 0 ? QVariant(entry.id) : QVariant(entry.text);
    }
    QVariant headerCell(int, int) const override { return {}; }
};

// "3a 1b" is the rows {3,"a"}, {1,"b"}.
QList<Entry> drawn(const QString &picture)
{
    QList<Entry> rows;
    for (const QString &part : picture.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        rows.append({part.chopped(1).toInt(), part.right(1)});
    return rows;
}

QString picture(const Entries &model)
{
    QStringList parts;
    for (const Entry &row : model.rows())
        parts.append(QString::number(row.id) + row.text);
    return parts.join(QLatin1Char(' '));
}

} // namespace

class TestRowModel final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsTheNewList_data();
    void showsTheNewList();
    void selectionFollowsTheRow();
    void keptOrderMovesNothing();
    void oneChangedRowIsOneSignal();
    void moreThanHalfChangedIsOneRange();
    void sameListSaysNothing();
    void firstOfTwoEqualKeysCounts();
    void scatteredRowsAreFewSignals();
    void theNeighbourOfACurrentRowIsBehindTheGoneOnes();
    void randomListsAgreeWithTheModelTester_data();
    void randomListsAgreeWithTheModelTester();
};

void TestRowModel::showsTheNewList_data()
{
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    QTest::newRow("from nothing") << ""
                                  << "1a 2b 3c";
    QTest::newRow("to nothing") << "1a 2b 3c"
                                << "";
    QTest::newRow("insert in the middle") << "1a 3c"
                                          << "1a 2b 3c";
    QTest::newRow("insert at both ends") << "2b"
                                         << "1a 2b 3c";
    QTest::newRow("remove in the middle") << "1a 2b 3c 4d"
                                          << "1a 4d";
    QTest::newRow("turn around") << "1a 2b 3c"
                                 << "3c 2b 1a";
    QTest::newRow("all at once") << "1a 2b 3c 4d 5e"
                                 << "5x 9y 1a 3z 8q";
    QTest::newRow("nothing in common") << "1a 2b"
                                       << "3c 4d";
}

void TestRowModel::showsTheNewList()
{
    QFETCH(QString, before);
    QFETCH(QString, after);
    Entries model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setRows(drawn(before));
    QCOMPARE(picture(model), before);
    model.setRows(drawn(after));
    QCOMPARE(picture(model), after);
    for (const Entry &row : drawn(after))
        QCOMPARE(model.find(row.id)->text, row.text);
}

void TestRowModel::selectionFollowsTheRow()
{
    Entries model;
    model.setRows(drawn(QStringLiteral("1a 2b 3c 4d")));
    QItemSelectionModel selection(&model);
    selection.setCurrentIndex(model.index(2, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    model.setRows(drawn(QStringLiteral("9x 3c 1a 8y")));
    QCOMPARE(selection.selectedRows().size(), 1);
    QCOMPARE(selection.selectedRows().first().data().toInt(), 3);
    QCOMPARE(selection.currentIndex().data().toInt(), 3);
}

void TestRowModel::keptOrderMovesNothing()
{
    Entries model;
    model.setRows(drawn(QStringLiteral("1a 2b 3c")));
    QSignalSpy moved(&model, &QAbstractItemModel::layoutChanged);
    model.setRows(drawn(QStringLiteral("4d 3x 1a 2b")), models::RowOrder::Keep);
    QCOMPARE(picture(model), QStringLiteral("1a 2b 3x 4d"));
    QCOMPARE(moved.size(), 0);
}

void TestRowModel::oneChangedRowIsOneSignal()
{
    Entries model;
    model.setRows(drawn(QStringLiteral("1a 2b 3c")));
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.setRows(drawn(QStringLiteral("1a 2x 3c")));
    QCOMPARE(changed.size(), 1);
    QCOMPARE(changed.first().at(0).toModelIndex().row(), 1);
    QCOMPARE(changed.first().at(1).toModelIndex().row(), 1);
}

void TestRowModel::moreThanHalfChangedIsOneRange()
{
    Entries model;
    model.setRows(drawn(QStringLiteral("1a 2b 3c 4d")));
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.setRows(drawn(QStringLiteral("1x 2b 3x 4x")));
    QCOMPARE(changed.size(), 1);
    QCOMPARE(changed.first().at(0).toModelIndex().row(), 0);
    QCOMPARE(changed.first().at(1).toModelIndex().row(), 3);
}

void TestRowModel::sameListSaysNothing()
{
    Entries model;
    model.setRows(drawn(QStringLiteral("1a 2b")));
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
    QSignalSpy moved(&model, &QAbstractItemModel::layoutChanged);
    model.setRows(drawn(QStringLiteral("1a 2b")));
    QCOMPARE(changed.size() + inserted.size() + removed.size() + moved.size(), 0);
}

void TestRowModel::firstOfTwoEqualKeysCounts()
{
    Entries model;
    model.setRows(drawn(QStringLiteral("1a 2b 1c")));
    QCOMPARE(picture(model), QStringLiteral("1a 2b"));
}

// Each signal costs the views a pass over all rows: a filter over thousands of them must not send one for every second row.
void TestRowModel::scatteredRowsAreFewSignals()
{
    QList<Entry> all;
    QList<Entry> even;
    for (int id = 0; id < 1000; ++id) {
        all.append({id, QStringLiteral("a")});
        if (id % 2 == 0)
            even.append({id, id == 500 ? QStringLiteral("b") : QStringLiteral("a")});
    }
    Entries model;
    model.setRows(all);
    const QPersistentModelIndex followed = model.index(500, 0);
    QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.setRows(even);
    QCOMPARE(removed.size(), 1);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(followed.row(), 250);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    model.setRows(all);
    QCOMPARE(inserted.size(), 1);
    QCOMPARE(changed.size(), 2);
    QCOMPARE(followed.row(), 500);
    QCOMPARE(followed.data().toInt(), 500);
}

// So that a view whose current row goes can choose the next one (DataTable does).
void TestRowModel::theNeighbourOfACurrentRowIsBehindTheGoneOnes()
{
    QList<Entry> all;
    QList<Entry> even;
    for (int id = 0; id < 1000; ++id) {
        all.append({id, QStringLiteral("a")});
        if (id % 2 == 0)
            even.append({id, QStringLiteral("a")});
    }
    Entries model;
    model.setRows(all);
    const QPersistentModelIndex current = model.index(101, 0);
    int behind = -1;
    connect(&model, &QAbstractItemModel::rowsAboutToBeRemoved, this, [&](const QModelIndex &, int first, int last) {
        QVERIFY(first <= current.row() && current.row() <= last);
        behind = model.index(last + 1, 0).data().toInt();
    });
    model.setRows(even);
    QCOMPARE(behind, 102);
    QCOMPARE(model.rowCount(), 500);
    QVERIFY(!current.isValid());
}

void TestRowModel::randomListsAgreeWithTheModelTester_data()
{
    QTest::addColumn<int>("rowsAtMost");
    QTest::addColumn<int>("steps");
    QTest::newRow("short") << 14 << 1000;
    QTest::newRow("long") << 300 << 60;
}

void TestRowModel::randomListsAgreeWithTheModelTester()
{
    QFETCH(const int, rowsAtMost);
    QFETCH(const int, steps);
    constexpr quint32 seed = 20261121;
    QRandomGenerator random(seed);
    Entries model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    for (int step = 0; step < steps; ++step) {
        QList<Entry> rows;
        QSet<int> used;
        const int wanted = random.bounded(rowsAtMost);
        while (rows.size() < wanted) {
            const int id = random.bounded(rowsAtMost * 3 / 2);
            if (used.contains(id))
                continue;
            used.insert(id);
            rows.append({id, QString(QLatin1Char(char('a' + random.bounded(3))))});
        }
        QPersistentModelIndex followed =
            model.rowCount() > 0 ? model.index(random.bounded(model.rowCount()), 0) : QModelIndex();
        const int id = followed.isValid() ? followed.data().toInt() : -1;
        const bool keep = random.bounded(2) == 0;
        model.setRows(rows, keep ? models::RowOrder::Keep : models::RowOrder::AsGiven);
        QCOMPARE(model.rowCount(), int(rows.size()));
        for (const Entry &row : std::as_const(rows))
            QVERIFY2(model.find(row.id) != nullptr && model.find(row.id)->text == row.text,
                     qPrintable(QString::number(step)));
        QCOMPARE(followed.isValid(), id >= 0 && used.contains(id));
        if (followed.isValid())
            QCOMPARE(followed.data().toInt(), id);
    }
}

REDRIVE_TEST(TestRowModel)
#include "tst_rowmodel.moc"
