#include "backend/core/text/safetext.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

class TestSafeText final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatTakesOverATerminalIsReplaced_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("safe");
        QTest::addRow("escape") << QStringLiteral("a\u001b[2Jb") << QStringLiteral("a\ufffd[2Jb");
        QTest::addRow("C1 control") << QStringLiteral("a\u009bb") << QStringLiteral("a\ufffdb");
        QTest::addRow("right to left") << QStringLiteral("a\u202eb") << QStringLiteral("a\ufffdb");
        QTest::addRow("no width") << QStringLiteral("a\u200bb") << QStringLiteral("a\ufffdb");
        QTest::addRow("line separator") << QStringLiteral("a\u2028b\u2029") << QStringLiteral("a\ufffdb\ufffd");
        QTest::addRow("line feed") << QStringLiteral("a\nb") << QStringLiteral("a\ufffdb");
        QTest::addRow("tag beyond 16 bits")
            << QStringLiteral("a%1b").arg(QStringView(QChar::fromUcs4(0xe0041))) << QStringLiteral("a\ufffdb");
        QTest::addRow("half a pair") << QStringLiteral("a%1b").arg(QChar(0xd83d)) << QStringLiteral("a\ufffdb");
        QTest::addRow("plain") << QStringLiteral("Zürich \U0001f600 日本") << QStringLiteral("Zürich \U0001f600 日本");
    }

    void whatTakesOverATerminalIsReplaced()
    {
        QFETCH(const QString, text);
        QFETCH(const QString, safe);
        QCOMPARE(core::safeText(text), safe);
    }

    void whatTheCallerKeepsStays()
    {
        QCOMPARE(core::safeText(QStringLiteral("a\nb\tc\r"), u"\n\t"), QStringLiteral("a\nb\tc\ufffd"));
    }
};

REDRIVE_TEST(TestSafeText)
#include "tst_safetext.moc"
