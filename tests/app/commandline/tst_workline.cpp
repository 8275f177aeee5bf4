#include "app/commandline/workline.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

using commandline::WorkLine;

class TestWorkLine final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theLineSaysWhatIsKnown();
};

void TestWorkLine::theLineSaysWhatIsKnown()
{
    const QString doing = QStringLiteral("Archiving");
    QCOMPARE(WorkLine::text(doing, {1, {}}), QStringLiteral("Archiving: 1 message"));
    QCOMPARE(WorkLine::text(doing, {1200, {}}), QStringLiteral("Archiving: 1200 messages"));
    const QString whole = WorkLine::text(doing, {1200, 3000});
    QVERIFY2(whole.startsWith(QStringLiteral("Archiving: [#")) && whole.contains(QStringLiteral("40 %"))
                 && whole.endsWith(QStringLiteral("1200 of 3000 messages")),
             qPrintable(whole));
    QVERIFY(WorkLine::text(doing, {0, 0}).contains(QStringLiteral("0 of 0"))); // nothing is divided by nothing
}

REDRIVE_TEST(TestWorkLine)
#include "tst_workline.moc"
