// The table of exception types: one line each, sorted, and each chain of base types ends.
#include "backend/recovery/facts/exceptiontypes.h"
#include "tests/support/testmain/testmain.h"

#include <QFile>
#include <QTest>

class TestExceptionTypes final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theTableIsSortedAndNamesEachTypeOnce();
    void everyChainEndsAtARoot();
    void bothPlatformsAreThere();

private:
    [[nodiscard]] static QList<QByteArrayList> rows()
    {
        static_cast<void>(recovery::knownSubtypes()); // makes the resource known
        QFile file(QStringLiteral(":/recovery/exceptiontypes.txt"));
        QList<QByteArrayList> rows;
        if (file.open(QIODevice::ReadOnly)) {
            for (const QByteArray &line : file.readAll().trimmed().split('\n'))
                rows.append(line.split(' '));
        }
        return rows;
    }
};

void TestExceptionTypes::theTableIsSortedAndNamesEachTypeOnce()
{
    QByteArray before;
    for (const QByteArrayList &row : rows()) {
        QCOMPARE(row.size(), 2);
        QVERIFY2(before < row.first(), row.first().constData());
        before = row.first();
    }
}

// Of HibernateException the base type depends on the version, so the table does not say it.
void TestExceptionTypes::everyChainEndsAtARoot()
{
    const QSet<QByteArray> roots{"System.Exception", "java.lang.Throwable", "org.hibernate.HibernateException"};
    QHash<QByteArray, QByteArray> bases;
    for (const QByteArrayList &row : rows())
        bases.insert(row.first(), row.last());
    for (auto type = bases.cbegin(); type != bases.cend(); ++type) {
        QByteArray at = type.key();
        for (int steps = 0; !roots.contains(at); ++steps) {
            QVERIFY2(bases.contains(at) && steps < 20, type.key().constData());
            at = bases.value(at);
        }
    }
}

void TestExceptionTypes::bothPlatformsAreThere()
{
    const auto &subtypes = recovery::knownSubtypes();
    QVERIFY(subtypes.value(QStringLiteral("System.SystemException")).size() > 40);
    QVERIFY(subtypes.value(QStringLiteral("java.lang.RuntimeException")).size() > 20);
}

REDRIVE_TEST(TestExceptionTypes)
#include "tst_exceptiontypes.moc"
