// Counts in stored texts read the same on every machine.
#include "backend/core/text/counttext.h"
#include "tests/support/testmain/testmain.h"

#include <QLocale>
#include <QTest>

class TestCountText final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theLocaleDoesNotMatter()
    {
        for (const QLocale::Language language : {QLocale::German, QLocale::French, QLocale::Hindi, QLocale::C}) {
            QLocale::setDefault(QLocale(language));
            QCOMPARE(core::countText(0), QStringLiteral("0"));
            QCOMPARE(core::countText(12345678), QStringLiteral("12,345,678"));
        }
    }
};

REDRIVE_TEST(TestCountText)
#include "tst_counttext.moc"
