// Random walks of calls of the store against the table of transitions (records/ledger). REDRIVE_SEEDS=1-2000 runs that many
// walks, REDRIVE_SEEDS=17 one again.
#include "tests/backend/store/retrywalk/retrywalk.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

class TestRetryWalk : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { REDRIVE_SKIP_WITHOUT_DATABASE(); }
    void theStoreFollowsTheTable_data();
    void theStoreFollowsTheTable();
    void cleanupTestCase();

private:
    QHash<const records::Transition *, int> m_used;
    quint64 m_walks = 0;
};

void TestRetryWalk::theStoreFollowsTheTable_data()
{
    constexpr quint64 inRow = 5;
    QTest::addColumn<quint64>("from");
    QTest::addColumn<quint64>("to");
    // Which rows are used does not depend on the database, and each commit waits for a server.
    const QString usual = support::StorePlace::isPostgres() ? QStringLiteral("1-20") : QStringLiteral("1-40");
    const QStringList range = qEnvironmentVariable("REDRIVE_SEEDS", usual).split(u'-');
    const quint64 last = range.last().toULongLong();
    for (quint64 from = range.first().toULongLong(); from <= last; from += inRow) {
        const quint64 to = std::min(last, from + inRow - 1);
        QTest::addRow("seeds %llu to %llu", static_cast<unsigned long long>(from), static_cast<unsigned long long>(to))
            << from << to;
    }
}

void TestRetryWalk::theStoreFollowsTheTable()
{
    QFETCH(const quint64, from);
    QFETCH(const quint64, to);
    for (quint64 seed = from; seed <= to; ++seed) {
        test::RetryWalk walk(seed);
        const QString wrong = walk.run(400);
        if (from == to)
            qWarning().noquote() << walk.log().join(u'\n');
        QVERIFY2(wrong.isEmpty(), qPrintable(QStringLiteral("seed %1, %2").arg(QString::number(seed), wrong)));
        for (auto row = walk.usedRows().cbegin(); row != walk.usedRows().cend(); ++row)
            m_used[row.key()] += row.value();
        ++m_walks;
    }
}

// A row that no walk of many uses proves nothing.
void TestRetryWalk::cleanupTestCase()
{
    QStringList unused;
    QStringList counts;
    const std::span<const records::Transition> rows = records::transitions();
    for (size_t n = 0; n < rows.size(); ++n) {
        counts.append(QString::number(m_used.value(&rows[n])));
        if (!rows[n].isImpossible && !m_used.contains(&rows[n]))
            unused.append(QString::number(n));
    }
    qInfo().noquote() << "rows of the table were used so often:" << counts.join(u' ');
    constexpr quint64 enough = 40;
    if (m_walks < enough)
        return;
    QVERIFY2(unused.isEmpty(), qPrintable(QStringLiteral("unused rows: ") + unused.join(u' ')));
}

REDRIVE_TEST(TestRetryWalk)
#include "tst_retrywalk.moc"
