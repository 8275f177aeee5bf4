// The digest that stamps and native ids are made with: stored ones must be found again by every later version.
#include "backend/core/digest.h"
#include "tests/support/testmain/testmain.h"

#include <QCryptographicHash>
#include <QTest>

class TestDigest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isTheOneOfTheStandard_data();
    void isTheOneOfTheStandard();
    void takesItsPartsOneAfterAnother();
};

// FIPS 180-4, the examples of appendix B, and the empty message.
void TestDigest::isTheOneOfTheStandard_data()
{
    QTest::addColumn<QByteArray>("message");
    QTest::addColumn<QByteArray>("digest");
    QTest::newRow("empty") << QByteArray()
                           << QByteArray("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    QTest::newRow("one block") << QByteArray("abc")
                               << QByteArray("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    QTest::newRow("two blocks") << QByteArray("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                                << QByteArray("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    QTest::newRow("a million") << QByteArray(1'000'000, 'a')
                               << QByteArray("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

void TestDigest::isTheOneOfTheStandard()
{
    QFETCH(QByteArray, message);
    QFETCH(QByteArray, digest);
    QCOMPARE(core::sha256({message}).toHex(), digest);
}

void TestDigest::takesItsPartsOneAfterAnother()
{
    const QByteArray body(5000, '\0');
    QCOMPARE(core::sha256({"head", QByteArray(), body}),
             QCryptographicHash::hash("head" + body, QCryptographicHash::Sha256));
    QCOMPARE(core::sha256({}), QCryptographicHash::hash({}, QCryptographicHash::Sha256));
}

REDRIVE_TEST(TestDigest)
#include "tst_digest.moc"
