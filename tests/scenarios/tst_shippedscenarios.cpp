// The scenarios of `redrive demo --headless` as they are shipped, with the real program: each ends, everything that was sent
// has an end, the seed alone decides, and the log of "orders" has the lines of NServiceBus word for word.
// REDRIVE_SEEDS=1-100 runs others than the usual seeds.
#include "backend/sandbox/scenariofile.h"
#include "tests/scenarios/programfixture.h"
#include "tests/support/recoverabilitylog.h"
#include "tests/support/testmain/testmain.h"

#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

namespace {

const QRegularExpression ofMessage(QStringLiteral("^Text: .* message '([^']+)' "));

// What each message says in a log, without its id: the lines with the level and with the text.
QHash<QString, QStringList> linesOf(const QByteArray &log)
{
    QHash<QString, QStringList> found;
    QString before;
    const QList<QByteArray> lines = log.split('\n');
    for (const QByteArray &bytes : lines) {
        QString line = QString::fromUtf8(bytes);
        if (const QRegularExpressionMatch match = ofMessage.match(line); match.hasMatch()) {
            const QString id = match.captured(1);
            line.replace(id, QStringLiteral("messageId"));
            found[id] += {before, line};
        }
        before = line;
    }
    return found;
}

} // namespace

class TestShippedScenarios final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everythingSentHasAnEndAndTheSeedAloneDecides_data();
    void everythingSentHasAnEndAndTheSeedAloneDecides();
    void theLogHasTheLinesOf003WordForWord();

private:
    // Ends within a minute, or its exit code is -1.
    [[nodiscard]] static test::Ended run(const QString &scenario, quint64 seed)
    {
        test::ProgramFixture fixture;
        return fixture.run({QStringLiteral("demo"), QStringLiteral("--scenario"), scenario,
                            QStringLiteral("--headless"), QStringLiteral("--seed"), QString::number(seed),
                            QStringLiteral("--log")});
    }
};

void TestShippedScenarios::everythingSentHasAnEndAndTheSeedAloneDecides_data()
{
    QTest::addColumn<QString>("scenario");
    QTest::addColumn<quint64>("seed");
    const QStringList range = qEnvironmentVariable("REDRIVE_SEEDS", QStringLiteral("5-7")).split(QLatin1Char('-'));
    const QStringList scenarios = sandbox::scenarioNames();
    for (const QString &scenario : scenarios) {
        for (quint64 seed = range.first().toULongLong(); seed <= range.last().toULongLong(); ++seed)
            QTest::addRow("%s, seed %llu", qPrintable(scenario), seed) << scenario << seed;
    }
}

void TestShippedScenarios::everythingSentHasAnEndAndTheSeedAloneDecides()
{
    QFETCH(const QString, scenario);
    QFETCH(const quint64, seed);
    const test::Ended first = run(scenario, seed);
    QVERIFY2(first.code == 0, first.err.right(500).constData());
    const QJsonObject counts = first.json().object();
    const auto count = [&counts](const char *field) { return counts.value(QLatin1StringView(field)).toInt(-1); };
    QCOMPARE(counts.value(QStringLiteral("scenario")).toString(), scenario);
    QCOMPARE(count("seed"), int(seed));
    QVERIFY(counts.value(QStringLiteral("is_over")).toBool());
    QVERIFY(count("sent") > 0);
    QCOMPARE(count("unaccounted"), 0);
    QCOMPARE(count("processed") + count("failed_for_good"), count("sent"));
    const test::Ended second = run(scenario, seed);
    QCOMPARE(second.out, first.out);
    QCOMPARE(second.err, first.err);
}

// Billing has the configuration of NServiceBus's example, and the outage takes some of its messages through all 12
// attempts.
void TestShippedScenarios::theLogHasTheLinesOf003WordForWord()
{
    const QHash<QString, QStringList> expected =
        linesOf(support::recoverabilityLogSince8(QStringLiteral("billing-1")).toUtf8());
    QCOMPARE(expected.size(), 1);
    const QStringList lines = expected.constBegin().value();
    QCOMPARE(lines.size(), 24);
    const test::Ended ended = run(QStringLiteral("orders"), 7);
    QCOMPARE(ended.code, 0);
    const QHash<QString, QStringList> found = linesOf(ended.err);
    const auto whole = std::count(found.cbegin(), found.cend(), lines);
    QVERIFY2(whole > 10, qPrintable(QString::number(whole)));
    QCOMPARE(ended.err.count("\nRate limiting started\n"), 2);
    QCOMPARE(ended.err.count("\nRate limiting stopped\n"), 2);
    // Nothing else is in the log.
    QByteArrayList others = ended.err.split('\n');
    others.removeIf([](const QByteArray &line) {
        return line.isEmpty() || line.startsWith("Handler - Attempt ") || line.startsWith("Text: ")
               || line.contains(" NServiceBus.ImmediateRetry. Instance: ")
               || line.contains(" NServiceBus.DelayedRetry. Instance: ")
               || line.contains(" NServiceBus.MoveToError. Instance: ") || line.startsWith("Rate limiting ");
    });
    QCOMPARE(others, QByteArrayList());
}

REDRIVE_TEST(TestShippedScenarios)
#include "tst_shippedscenarios.moc"
