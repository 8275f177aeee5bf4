// Hostile and damaged files: each fault is one clear line with its number, and nothing of the file counts.
#include "backend/transfer/exportformat.h"
#include "backend/transfer/importfile.h"
#include "backend/transfer/messageline.h"
#include "tests/support/testmain/testmain.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using transfer::FileCheck;

class TestImportFile final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void aWholeFileIsValid();
    void aFileWithoutMessagesIsValid();
    void eachFaultIsOneLine_data();
    void eachFaultIsOneLine();
    void everyBadLineIsNamedOnce();
    void onlyTheFirstFaultsAreShown();
    void aCutFileIsSaid();
    void aSecondExportBehindTheFirstIsSaid();
    void whatIsNoExportIsGivenUpAtOnce();
    void whatCannotBeReadIsSaid_data();
    void whatCannotBeReadIsSaid();
    void aPipeIsNotWaitedFor();
    void aLongLineIsNotKept();
    void textsOfTheFileAreHarmless();
    void aCheckCanBeCancelled();
    void aLongCheckTellsHowFarItIs();

private:
    [[nodiscard]] QString path() const { return m_folder->filePath(QStringLiteral("messages.ndjson")); }
    [[nodiscard]] FileCheck checked(const QByteArray &content) const;

    std::unique_ptr<QTemporaryDir> m_folder;
};

namespace {

QByteArray goodLine(int n = 1, const QByteArray &body = "body")
{
    records::ExportedMessage message;
    message.store = QString(32, u'a');
    message.uniqueId = QStringLiteral("%1").arg(n, 32, 16, QLatin1Char('0'));
    message.connection = QStringLiteral("shop");
    message.queue = QStringLiteral("error");
    message.envelope.headers = {{QStringLiteral("h"), 1}};
    message.envelope.body = body;
    return *transfer::messageLine(message);
}

QByteArray first()
{
    return transfer::firstLine(core::fromMs(0));
}

QByteArray whole(const QByteArrayList &lines)
{
    return first() + lines.join() + transfer::lastLine(lines.size());
}

} // namespace

FileCheck TestImportFile::checked(const QByteArray &content) const
{
    QFile file(path());
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("the file cannot be written");
    file.close();
    const core::Result<FileCheck> check = transfer::checkFile(path());
    if (!check)
        qFatal("%s", qPrintable(check.error().message));
    return *check;
}

void TestImportFile::aWholeFileIsValid()
{
    const FileCheck check = checked(whole({goodLine(1), goodLine(2)}));
    QCOMPARE(check.faults, QStringList());
    QVERIFY(check.isValid() && check.isWhole);
    QCOMPARE(check.messages, 2);
    QCOMPARE(check.sources.size(), 1);
    QCOMPARE(check.sources.first().connection, QStringLiteral("shop"));
    QCOMPARE(check.sources.first().messages, 2);
    QVERIFY(checked("\xef\xbb\xbf" + whole({goodLine(1)}).replace("\n", "\r\n")).isValid()); // as an editor saves it
    QByteArray open = whole({goodLine(1)});
    open.chop(1); // the last line feed
    QVERIFY(checked(open).isValid());
}

void TestImportFile::aFileWithoutMessagesIsValid()
{
    const FileCheck check = checked(whole({}));
    QVERIFY(check.isValid() && check.isWhole);
    QCOMPARE(check.messages, 0);
}

void TestImportFile::eachFaultIsOneLine_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QString>("named"); // in the fault
    const QByteArray good = goodLine();
    const auto row = [](const char *name, const QByteArray &line, const char *named) {
        QTest::newRow(name) << (line.endsWith('\n') ? line : line + '\n') << QString::fromLatin1(named);
    };
    const auto changed = [&good](const char *from, const char *to) {
        QByteArray line = good;
        if (!line.contains(from))
            qFatal("the line has no %s", from);
        return line.replace(from, to);
    };
    row("blank", "\n", "JSON");
    row("text", "hello", "JSON");
    row("half", good.left(good.size() / 2), "JSON");
    row("list", "[]", "object");
    row("number", "1", "object");
    row("two values", good.chopped(1) + "{}", "JSON");
    row("NUL byte", changed("body\":\"body", "body\":\"b?y").replace('?', '\0'), "JSON");
    row("invalid UTF-8", changed("\"body\":\"body\"", "\"body\":\"\xff\""), "UTF-8");
    row("deep JSON", QByteArray(100'000, '['), "JSON");
    row("unknown field", changed("\"body\"", "\"bdy\""), "bdy");
    row("field twice", changed("\"body\":\"body\"", "\"body\":\"a\",\"body\":\"b\""), "body");
    row("both bodies", changed("\"body\":\"body\"", "\"body\":\"a\",\"body_base64\":\"YQ==\""), "body_base64");
    row("no body", changed("\"body\":\"body\",", ""), "body");
    row("no base64", changed("\"body\":\"body\"", "\"body_base64\":\"a*\""), "body_base64");
    row("body of another type", changed("\"body\":\"body\"", "\"body\":7"), "body");
    row("wrong kind", changed("\"kind\":\"integer\"", "\"kind\":\"int\""), "headers[0].kind");
    row("kind without value", changed(",\"value\":1}", "}"), "headers[0].value");
    row("kind of another value", changed("\"value\":1}", "\"value\":\"one\"}"), "headers[0].value");
    row("integer too big", changed("\"value\":1}", "\"value\":9223372036854775808}"), "headers[0].value");
    row("integer with a fraction", changed("\"value\":1}", "\"value\":1.0}"), "headers[0].value");
    row("null with a value", changed("\"kind\":\"integer\"", "\"kind\":\"null\""), "headers[0].value");
    row("bool that is none", changed("\"kind\":\"integer\"", "\"kind\":\"bool\""), "headers[0].value");
    row("double too big",
        changed("\"kind\":\"integer\"", "\"kind\":\"double\"").replace("\"value\":1}", "\"value\":1e999}"),
        "headers[0].value");
    row("bytes that are none",
        changed("\"kind\":\"integer\"", "\"kind\":\"bytes\"").replace("\"value\":1}", "\"value\":\"?\"}"),
        "headers[0].value");
    row("CBOR that is none",
        changed("\"kind\":\"integer\"", "\"kind\":\"cbor\"").replace("\"value\":1}", "\"value\":\"/w==\"}"),
        "headers[0].value");
    row("map with a name twice",
        changed("\"kind\":\"integer\"", "\"kind\":\"map\"")
            .replace("\"value\":1}",
                     "\"value\":[{\"kind\":\"null\",\"name\":\"a\"},{\"kind\":\"null\",\"name\":\"a\"}]}"),
        "headers[0].value[1].name");
    row("header without a name", changed("\"name\":\"h\",", ""), "headers[0].name");
    row("headers are no list",
        changed("\"headers\":[{", "\"headers\":{\"a\":[{").replace("}],\"message\"", "}]},\"message\""), "headers");
    row("ID of another form", changed("\"unique_id\":\"0", "\"unique_id\":\"x"), "message.unique_id");
    row("ID too short", changed("\"unique_id\":\"0", "\"unique_id\":\""), "message.unique_id");
    row("no store", changed("\"store\"", "\"dialect\""), "message.store");
    row("unknown status", changed("\"unresolved\"", "\"lost\""), "message.status");
    row("attempts of none", changed("\"attempts\":1", "\"attempts\":0"), "message.attempts");
    row("attempts too many", changed("\"attempts\":1", "\"attempts\":99999999999"), "message.attempts");
    row("time of no day", changed("\"last_failed\":\"1970-01-01", "\"last_failed\":\"1970-13-01"),
        "message.last_failed");
    row("time of a zone", changed("00:00:00.000Z\",\"status\"", "00:00:00.000+05:00\",\"status\""),
        "message.last_failed");
    row("unknown broker", changed("\"rabbitmq\"", "\"kafka\""), "place.broker");
    row("no queue", changed("\"queue\":\"error\"", "\"queue\":\"\""), "place.queue");
    row("unknown certainty", changed("\"certainty\":\"unknown\"", "\"certainty\":\"sure\""), "place.certainty");
    row("trail without a time", changed("\"trail\":[]", "\"trail\":[{\"what\":\"x\"}]"), "trail[0].time");
}

void TestImportFile::eachFaultIsOneLine()
{
    QFETCH(const QByteArray, line);
    QFETCH(const QString, named);
    const FileCheck check = checked(whole({goodLine(1), line, goodLine(2)}));
    QVERIFY(!check.isValid());
    QCOMPARE(check.faultCount, 1);
    QCOMPARE(check.faults.size(), 1);
    const QString &fault = check.faults.first();
    QVERIFY2(fault.startsWith(QStringLiteral("Line 3: ")), qPrintable(fault));
    QVERIFY2(fault.contains(named), qPrintable(fault));
    QVERIFY2(!fault.contains(u'\n') && fault.size() < 600, qPrintable(fault));
}

void TestImportFile::everyBadLineIsNamedOnce()
{
    const FileCheck check = checked(whole({"{}\n", goodLine(), "[]\n"}));
    QCOMPARE(check.faultCount, 2);
    QVERIFY(check.faults.at(0).startsWith(QStringLiteral("Line 2: ")));
    QVERIFY(check.faults.at(1).startsWith(QStringLiteral("Line 4: ")));
    QCOMPARE(check.messages, 1);
}

void TestImportFile::onlyTheFirstFaultsAreShown()
{
    const QByteArrayList lines(133, "[]\n");
    const FileCheck check = checked(whole(lines));
    QCOMPARE(check.faultCount, 133);
    QCOMPARE(check.faults.size(), FileCheck::mostShown);
    QCOMPARE(check.lines().size(), FileCheck::mostShown + 1);
    QVERIFY(check.lines().constLast().contains(QStringLiteral("113")));
}

void TestImportFile::aCutFileIsSaid()
{
    const FileCheck noEnd = checked(first() + goodLine());
    QCOMPARE(noEnd.faultCount, 1);
    QVERIFY(!noEnd.isWhole && noEnd.faults.first().startsWith(QStringLiteral("Line 3: ")));
    const FileCheck half = checked(first() + goodLine() + goodLine().chopped(20));
    QCOMPARE(half.faultCount, 2); // the half line, and the missing end
    const FileCheck without = checked(first() + goodLine() + transfer::lastLine(2));
    QCOMPARE(without.faultCount, 1);
    QVERIFY(!without.isWhole);
}

void TestImportFile::aSecondExportBehindTheFirstIsSaid()
{
    const FileCheck check = checked(whole({goodLine(1)}) + whole({goodLine(2)}));
    QVERIFY(!check.isValid());
    QVERIFY(check.faults.first().startsWith(QStringLiteral("Line 4: ")));
    QVERIFY(!checked(first() + first() + transfer::lastLine(1)).isValid());
}

void TestImportFile::whatIsNoExportIsGivenUpAtOnce()
{
    const FileCheck csv = checked(QByteArray("a,b\n1,2\n").repeated(1000));
    QCOMPARE(csv.faultCount, 1);
    QVERIFY(csv.faults.first().startsWith(QStringLiteral("Line 1: ")));
    QCOMPARE(checked(goodLine() + goodLine()).faultCount, 1); // without its first line
    const FileCheck newer = checked("{\"redrive_export\":2}\n" + goodLine());
    QCOMPARE(newer.faultCount, 1);
    QVERIFY2(newer.faults.first().contains(QStringLiteral("newer")), qPrintable(newer.faults.first()));
    QCOMPARE(checked("{\"redrive_export\":\"1\"}\n").faultCount, 1);
}

void TestImportFile::whatCannotBeReadIsSaid_data()
{
    QTest::addColumn<QString>("name");
    QTest::newRow("missing") << QStringLiteral("missing");
    QTest::newRow("folder") << QStringLiteral(".");
    QTest::newRow("empty") << QStringLiteral("empty");
}

void TestImportFile::whatCannotBeReadIsSaid()
{
    QFETCH(const QString, name);
    QFile empty(m_folder->filePath(QStringLiteral("empty")));
    QVERIFY(empty.open(QIODevice::WriteOnly));
    empty.close();
    const core::Result<FileCheck> check = transfer::checkFile(m_folder->filePath(name));
    QVERIFY(!check && check.error().kind == core::ErrorKind::Rejected);
    QVERIFY2(check.error().message.contains(name), qPrintable(check.error().message));
}

void TestImportFile::aPipeIsNotWaitedFor()
{
    const QByteArray pipe = m_folder->filePath(QStringLiteral("pipe")).toLocal8Bit();
    QCOMPARE(mkfifo(pipe.constData(), 0600), 0);
    const core::Result<FileCheck> check = transfer::checkFile(QString::fromLocal8Bit(pipe));
    QVERIFY(!check && check.error().kind == core::ErrorKind::Rejected);
}

void TestImportFile::aLongLineIsNotKept()
{
    QFile file(path());
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(first());
    QVERIFY(file.resize(transfer::longestLine + 1'000'000)); // a hole, which costs no disk
    file.close();
    const core::Result<FileCheck> check = transfer::checkFile(path());
    QVERIFY(check && check->faultCount == 1);
    QVERIFY(check->faults.first().startsWith(QStringLiteral("Line 2: ")));
}

void TestImportFile::textsOfTheFileAreHarmless()
{
    QByteArray line = goodLine();
    line.replace("\"status\":\"unresolved\"", "\"status\":\"\\u001b[2J\\u202e\\nred\"");
    const FileCheck check = checked(whole({line}));
    QCOMPARE(check.faultCount, 1);
    for (const QChar one : check.faults.first())
        QVERIFY2(one.isPrint() || one.unicode() == QChar::ReplacementCharacter, qPrintable(check.faults.first()));
}

void TestImportFile::aCheckCanBeCancelled()
{
    QVERIFY(checked(whole({goodLine()})).isValid());
    std::stop_source stop;
    stop.request_stop();
    const core::Result<FileCheck> check = transfer::checkFile(path(), stop.get_token());
    QVERIFY(!check && check.error().kind == core::ErrorKind::Cancelled);
}

void TestImportFile::aLongCheckTellsHowFarItIs()
{
    QByteArrayList lines;
    for (int n = 1; n <= 5; ++n)
        lines.append(goodLine(n, QByteArray(600'000, 'x')));
    const QByteArray content = whole(lines);
    QVERIFY(checked(content).isValid());
    QList<qint64> told;
    QVERIFY(transfer::checkFile(path(), {}, [&told](qint64 bytes) { told.append(bytes); }));
    QVERIFY(!told.isEmpty());
    QVERIFY(std::is_sorted(told.cbegin(), told.cend()));
    QVERIFY(told.first() > 0 && told.last() <= content.size());
}

REDRIVE_TEST(TestImportFile)
#include "tst_importfile.moc"
