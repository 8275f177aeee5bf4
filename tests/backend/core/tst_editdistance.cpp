#include "backend/core/text/editdistance.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

class TestEditDistance final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theNearestWord_data();
    void theNearestWord();
};

void TestEditDistance::theNearestWord_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("nearest");
    QTest::newRow("the word itself") << "delayed"
                                     << "delayed";
    QTest::newRow("one slip") << "dalayed"
                              << "delayed";
    QTest::newRow("two slips") << "imediatte"
                               << "immediate";
    QTest::newRow("three slips") << "imdiatte"
                                 << "";
    QTest::newRow("the nearer of two") << "cat"
                                       << "cap";
    QTest::newRow("half of a short word") << "xp"
                                          << "";
    QTest::newRow("nothing like it") << "something"
                                     << "";
    QTest::newRow("empty") << ""
                           << "";
    QTest::newRow("too long for a slip") << QString(25, u'a') << "";
}

void TestEditDistance::theNearestWord()
{
    QFETCH(const QString, name);
    QFETCH(const QString, nearest);
    const QStringList words{QStringLiteral("immediate"), QStringLiteral("delayed"), QStringLiteral("cup"),
                            QStringLiteral("cap"), QString(26, u'a')};
    QCOMPARE(core::nearestOf(name, words), nearest);
}

REDRIVE_TEST(TestEditDistance)
#include "tst_editdistance.moc"
