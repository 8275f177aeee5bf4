#include "backend/intake/pages/identity.h"
#include "tests/support/testmain/testmain.h"

#include <QTest>

class TestIdentity final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theGuidIsThatOfDotNet();
    void idsDifferWithEveryPart();
    void theDigestSeesEveryPart();
    void whatARetryAddsMakesNoOtherFailure();
};

// new Guid(MD5.HashData([])).ToString("N")
void TestIdentity::theGuidIsThatOfDotNet()
{
    QCOMPARE(intake::deterministicGuid(QString()), QStringLiteral("d98c1dd4008f04b2e9800998ecf8427e"));
    QCOMPARE(intake::uniqueIdOf(QStringLiteral("m"), QStringLiteral("e")),
             intake::deterministicGuid(QStringLiteral("me")));
}

void TestIdentity::idsDifferWithEveryPart()
{
    const QString base = intake::uniqueIdOf({1}, QStringLiteral("q"), QStringLiteral("7"));
    QVERIFY(base != intake::uniqueIdOf({2}, QStringLiteral("q"), QStringLiteral("7")));
    QVERIFY(base != intake::uniqueIdOf({1}, QStringLiteral("r"), QStringLiteral("7")));
    QVERIFY(base != intake::uniqueIdOf({1}, QStringLiteral("q"), QStringLiteral("8")));
    QVERIFY(base != intake::anotherUniqueId(base, QStringLiteral("why")));
    QCOMPARE(base.size(), 32);
}

void TestIdentity::theDigestSeesEveryPart()
{
    records::Envelope envelope{{{QStringLiteral("a"), 1}}, {{QStringLiteral("b"), 2}}, "body", {}, {}};
    const QString digest = intake::contentDigest(envelope);
    QCOMPARE(digest.size(), 32);
    records::Envelope other = envelope;
    other.headers[0].value = QCborValue(1.0);
    QVERIFY(intake::contentDigest(other) != digest);
    other = envelope;
    other.properties.clear();
    QVERIFY(intake::contentDigest(other) != digest);
    other = envelope;
    other.body += '\0';
    QVERIFY(intake::contentDigest(other) != digest);
    QCOMPARE(intake::contentDigest(envelope), digest);
}

void TestIdentity::whatARetryAddsMakesNoOtherFailure()
{
    const records::Envelope known{{{QStringLiteral("a"), 1}}, {}, "body", {}, {}};
    for (const char *name : {"Redrive-Stamp", "Redrive-Retry-Count", "ServiceControl.Retry.UniqueMessageId",
                             "ServiceControl.Retry.AcknowledgementQueue"}) {
        records::Envelope again = known;
        again.headers.prepend({QString::fromLatin1(name), QStringLiteral("x")});
        QVERIFY2(intake::isSameFailure(known, again), name);
    }
    records::Envelope other = known;
    other.headers.append({QStringLiteral("NServiceBus.TimeOfFailure"), QStringLiteral("now")});
    QVERIFY(!intake::isSameFailure(known, other));
}

REDRIVE_TEST(TestIdentity)
#include "tst_identity.moc"
