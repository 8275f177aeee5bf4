// The format of PHP's serialize(): what is read, what is not, and what stays when entries of an array go.
#include "backend/dialect/frameworks/phpenvelope.h"
#include "tests/support/testmain/testmain.h"

#include <QJsonObject>
#include <QTest>

using dialect::PhpEnvelope;
using dialect::PhpSerialized;

namespace {

// An array with the entries "gone" and, behind and before it, what refers to values: as PHP 8.2 writes them.
QByteArray without(const QByteArray &bytes, const QByteArrayList &gone, core::Error *error = nullptr)
{
    const std::optional<PhpSerialized> read = PhpSerialized::parse(bytes);
    if (!read)
        return "unread";
    const int array = read->values().front().kind == dialect::PhpKind::Array ? 0 : read->member(0, "stamps");
    std::vector<int> keys = read->keysOf(array);
    std::erase_if(keys, [&](int key) { return !gone.contains(read->textOf(read->values().at(size_t(key)))); });
    core::Result<QByteArray> rest = read->without(array, keys);
    if (!rest && error != nullptr)
        *error = rest.error();
    return rest.value_or("refused");
}

// Each ~ stands for a byte 0.
QByteArray withNulls(QByteArray text)
{
    return text.replace('~', QByteArray(1, '\0'));
}

// addslashes() of PHP
QByteArray slashed(QByteArray text)
{
    text.replace('\\', "\\\\").replace('\'', "\\'").replace('"', "\\\"");
    return text.replace(QByteArray(1, '\0'), "\\0");
}

const QByteArray head = QByteArrayLiteral("O:36:\"Symfony\\Component\\Messenger\\Envelope\":");

} // namespace

class TestPhpSerialized final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyKindOfValueIsRead();
    void whatIsNotTheFormatIsNotRead_data();
    void whatIsNotTheFormatIsNotRead();
    void deepAndLongBytesHaveAnEnd();
    void propertiesHaveOneName();
    void entriesGoAndReferencesFollow_data();
    void entriesGoAndReferencesFollow();
    void anEnvelopeIsWrittenAsSymfonyWritesIt();
    void anotherFormIsNoEnvelope_data();
    void anotherFormIsNoEnvelope();
};

void TestPhpSerialized::everyKindOfValueIsRead()
{
    const QByteArray bytes = withNulls("a:13:{i:0;N;i:1;b:1;i:2;i:-5;i:3;d:1.0E+100;i:4;d:-INF;i:5;s:3:\"a\"\"\";"
                                       "i:6;S:3:\"a\\62c\";i:7;a:0:{}i:8;O:1:\"A\":1:{s:4:\"~A~p\";i:1;}"
                                       "i:9;C:1:\"B\":3:{x:}}i:10;E:6:\"Suit:H\";i:11;r:10;i:12;R:2;}");
    const std::optional<PhpSerialized> read = PhpSerialized::parse(bytes);
    QVERIFY(read);
    QCOMPARE(read->keysOf(0).size(), size_t(13));
    const QJsonObject json = read->toJson(0, 2).toObject();
    const QJsonObject wanted{{QStringLiteral("0"), QJsonValue()},
                             {QStringLiteral("1"), true},
                             {QStringLiteral("2"), -5},
                             {QStringLiteral("3"), 1e100},
                             {QStringLiteral("4"), json.value(QStringLiteral("4"))}, // not a number of JSON
                             {QStringLiteral("5"), QStringLiteral("a\"\"")},
                             {QStringLiteral("6"), QStringLiteral("abc")},
                             {QStringLiteral("7"), QJsonObject()},
                             {QStringLiteral("8"), QJsonObject{{QStringLiteral("p"), 1}}},
                             {QStringLiteral("9"), QJsonValue()},
                             {QStringLiteral("10"), QStringLiteral("H")},
                             {QStringLiteral("11"), QJsonValue()},
                             {QStringLiteral("12"), QJsonValue()}};
    QCOMPARE(json, wanted);
}

void TestPhpSerialized::whatIsNotTheFormatIsNotRead_data()
{
    QTest::addColumn<QByteArray>("bytes");
    for (const char *bytes : {"",
                              "N",
                              "N;N;",
                              "x:1;",
                              "b:2;",
                              "i:;",
                              "i: 5;",
                              "i:5",
                              "d:;",
                              "d:1,5;",
                              "d:nan;",
                              "s:2:\"a\";",
                              "s:1:\"ab\";",
                              "s:1:a;",
                              "s:-1:\"\"",
                              "s:+1:\"a\";",
                              "S:1:\"\\6\";",
                              "S:1:\"\\zz\";",
                              "S:2:\"a\";",
                              "a:1:{}",
                              "a:0:{i:0;N;}",
                              "a:1:{N;N;}",
                              "a:1:{i:0;}",
                              "a:1:{R:1;N;}",
                              "a:1:{i:0;N;",
                              "a:999999999:{}",
                              "O:1:\"A\":1:{i:0;N;",
                              "O:1:\"A\"",
                              "O:+1:\"A\":0:{}",
                              "C:1:\"A\":5:{x}",
                              "E:1:\"A\"",
                              "R:0;",
                              "r:-1;",
                              "r:1234567890;",
                              "s:999999999999:\"\";"})
        QTest::addRow("%s", bytes) << QByteArray(bytes);
}

void TestPhpSerialized::whatIsNotTheFormatIsNotRead()
{
    QFETCH(QByteArray, bytes);
    QVERIFY(!PhpSerialized::parse(bytes));
}

void TestPhpSerialized::deepAndLongBytesHaveAnEnd()
{
    const auto nested = [](qsizetype depth) {
        return QByteArray("a:1:{i:0;").repeated(depth) + "N;" + QByteArray("}").repeated(depth);
    };
    QVERIFY(PhpSerialized::parse(nested(4096)));
    QVERIFY(!PhpSerialized::parse(nested(4097)));
    QVERIFY(!PhpSerialized::parse(QByteArray("a:1:{i:0;").repeated(100'000)));
    const QByteArray longText(16 * 1024 * 1024, 'x');
    QVERIFY(!PhpSerialized::parse("s:" + QByteArray::number(longText.size()) + ":\"" + longText + "\";"));
}

void TestPhpSerialized::propertiesHaveOneName()
{
    const QByteArray bytes = withNulls("O:1:\"A\":4:{s:4:\"~A~p\";i:1;s:4:\"~*~q\";i:2;s:1:\"r\";i:3;s:1:\"r\";i:4;}");
    const std::optional<PhpSerialized> read = PhpSerialized::parse(bytes);
    QVERIFY(read);
    QCOMPARE(read->toJson(read->member(0, "p"), 0), QJsonValue(1));
    QCOMPARE(read->toJson(read->member(0, "q"), 0), QJsonValue(2));
    QCOMPARE(read->toJson(read->member(0, "r"), 0), QJsonValue(4)); // the last one, as in PHP
    QCOMPARE(read->member(0, "A"), -1);
}

void TestPhpSerialized::entriesGoAndReferencesFollow_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArrayList>("gone");
    QTest::addColumn<QByteArray>("rest");
    const QByteArrayList x{"x"};
    const QByteArray refused("refused");
    QTest::newRow("the only one") << QByteArray("a:1:{s:1:\"x\";i:1;}") << x << QByteArray("a:0:{}");
    QTest::newRow("none") << QByteArray("a:1:{s:1:\"y\";i:01;}") << x << QByteArray("a:1:{s:1:\"y\";i:01;}");
    QTest::newRow("the first and the last") << QByteArray("a:3:{s:1:\"x\";i:1;i:5;s:9:\"a:3:{s:1:\";s:1:\"z\";d:0.1;}")
                                            << QByteArrayList{"x", "z"} << QByteArray("a:1:{i:5;s:9:\"a:3:{s:1:\";}");
    QTest::newRow("an object again, behind it")
        << QByteArray("a:3:{s:1:\"x\";a:2:{i:0;i:1;i:1;N;}i:0;O:1:\"A\":0:{}i:1;r:5;}") << x
        << QByteArray("a:2:{i:0;O:1:\"A\":0:{}i:1;r:2;}");
    QTest::newRow("an alias, before it") << QByteArray("a:3:{i:0;i:7;s:1:\"x\";N;i:1;R:2;}") << x
                                         << QByteArray("a:2:{i:0;i:7;i:1;R:2;}");
    QTest::newRow("an alias has no number of its own")
        << QByteArray("a:4:{i:0;i:7;s:1:\"x\";a:2:{i:0;R:2;i:1;N;}i:1;s:1:\"b\";i:2;R:5;}") << x
        << QByteArray("a:3:{i:0;i:7;i:1;s:1:\"b\";i:2;R:3;}");
    QTest::newRow("a repeated object has one")
        << QByteArray("a:4:{i:0;O:1:\"A\":0:{}s:1:\"x\";a:2:{i:0;r:2;i:1;N;}i:1;s:1:\"b\";i:2;R:6;}") << x
        << QByteArray("a:3:{i:0;O:1:\"A\":0:{}i:1;s:1:\"b\";i:2;R:3;}");
    QTest::newRow("the array itself") << QByteArray("a:2:{s:1:\"x\";i:1;i:0;R:1;}") << x
                                      << QByteArray("a:1:{i:0;R:1;}");
    QTest::newRow("a number that gets shorter")
        << QByteArray("a:3:{s:1:\"x\";a:9:{i:0;N;i:1;N;i:2;N;i:3;N;i:4;N;i:5;N;i:6;N;i:7;N;i:8;N;}i:0;N;i:1;R:12;}")
        << x << QByteArray("a:2:{i:0;N;i:1;R:2;}");
    QTest::newRow("into what goes") << QByteArray("a:2:{s:1:\"x\";a:1:{i:0;O:1:\"A\":0:{}}i:0;r:3;}") << x << refused;
    QTest::newRow("to what goes") << QByteArray("a:2:{s:1:\"x\";a:0:{}i:0;R:2;}") << x << refused;
    QTest::newRow("from what goes") << QByteArray("a:2:{i:0;O:1:\"A\":0:{}s:1:\"x\";r:2;}") << x
                                    << QByteArray("a:1:{i:0;O:1:\"A\":0:{}}");
    QTest::newRow("a form of its own, without references")
        << QByteArray("a:2:{s:1:\"x\";N;i:0;C:1:\"B\":4:{r:xx}}") << x << QByteArray("a:1:{i:0;C:1:\"B\":4:{r:xx}}");
    QTest::newRow("a form of its own, which may refer")
        << QByteArray("a:2:{s:1:\"x\";N;i:0;C:1:\"B\":4:{r:1;}}") << x << refused;
    QTest::newRow("a form of its own before a reference")
        << QByteArray("a:4:{i:0;C:1:\"B\":4:{i:1;}s:1:\"x\";N;i:1;N;i:2;R:4;}") << x << refused;
    QTest::newRow("a form of its own that goes, before a reference")
        << QByteArray("a:3:{s:1:\"x\";C:1:\"B\":4:{i:1;}i:1;N;i:2;R:4;}") << x << refused;
    QTest::newRow("a form of its own behind, and a reference over it")
        << QByteArray("a:4:{s:1:\"x\";N;i:0;C:1:\"B\":4:{i:1;}i:1;N;i:2;R:5;}") << x
        << QByteArray("a:3:{i:0;C:1:\"B\":4:{i:1;}i:1;N;i:2;R:4;}");
}

void TestPhpSerialized::entriesGoAndReferencesFollow()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArrayList, gone);
    core::Error error;
    QTEST(without(bytes, gone, &error), "rest");
    QCOMPARE(error.message.isEmpty(), without(bytes, gone) != "refused");
}

// Base64 only for text that is not UTF-8.
void TestPhpSerialized::anEnvelopeIsWrittenAsSymfonyWritesIt()
{
    const auto body = [](const QByteArray &text, const QByteArray &stamps) {
        const QByteArray plain =
            head + "2:{s:44:\"~Symfony\\Component\\Messenger\\Envelope~stamps\";" + stamps
            + "s:45:\"~Symfony\\Component\\Messenger\\Envelope~message\";O:1:\"M\":1:{s:1:\"t\";s:4:\"" + text
            + "\";}}";
        const QByteArray written = slashed(withNulls(plain));
        return text.endsWith('\xe9') ? written.toBase64() : written;
    };
    const QStringList gone{QStringLiteral("x")};
    for (const QByteArray &text : {QByteArray("'\\\"~"), QByteArray("caf\xe9")}) {
        const QByteArray failed = body(text, "a:1:{s:1:\"x\";a:1:{i:0;O:1:\"A\":0:{}}}");
        const std::optional<PhpEnvelope> read = PhpEnvelope::from(failed);
        QVERIFY(read);
        QCOMPARE(read->messageType(), QStringLiteral("M"));
        QCOMPARE(read->stampsOf(gone.constFirst()).size(), 1);
        QCOMPARE(read->without({}).value(), failed);
        QCOMPARE(read->without(gone).value(), body(text, "a:0:{}"));
    }
}

void TestPhpSerialized::anotherFormIsNoEnvelope_data()
{
    QTest::addColumn<QByteArray>("body");
    const QByteArray sound = slashed(head + "0:{}");
    QVERIFY(PhpEnvelope::from(sound));
    QVERIFY(PhpEnvelope::from(sound.toBase64()));
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("without slashes") << head + "0:{}";
    QTest::newRow("a slash too many") << QByteArray(sound).insert(sound.size() - 2, '\\');
    QTest::newRow("a line behind") << sound + '\n';
    QTest::newRow("cut") << sound.chopped(1);
    QTest::newRow("another class") << QByteArray(sound).replace("Envelope", "Envelopf");
    QTest::newRow("Base64 with lines") << sound.toBase64().insert(40, '\n');
}

void TestPhpSerialized::anotherFormIsNoEnvelope()
{
    QFETCH(QByteArray, body);
    QVERIFY(!PhpEnvelope::from(body));
}

REDRIVE_TEST(TestPhpSerialized)
#include "tst_phpserialized.moc"
