// redrive export and redrive import: files are whole or not there, and a bad file is refused with a line for each fault.
#include "backend/transfer/importfile.h"
#include "backend/transfer/messageline.h"
#include "tests/app/commandline/commandrun.h"
#include "tests/support/testmain/testmain.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

class TestTransferCommands final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void messagesAreWrittenToAFile();
    void theStandardOutputIsTheFile();
    void theSelectionIsExact();
    void whereToMustBeSaid();
    void anExistingFileIsKept();
    void nothingToExportIsSaid();
    void whatIsExportedCanBeImported();
    void theConnectionCanBeChosen();
    void aConnectionThatIsNotThereIsSaid();
    void aDryRunChangesNothing();
    void aBadFileIsRefusedLineByLine();
    void badLinesCanBeLeftOut();
    void whatIsNoFileIsSaid();
    void hostileTextsAreHarmless();

private:
    [[nodiscard]] QString path() const { return m_folder->filePath(QStringLiteral("messages.ndjson")); }
    support::CommandResult run(const QStringList &words) { return (*m_run)(words); }
    support::CommandResult runExport(const QStringList &more)
    {
        return run(QStringList{QStringLiteral("export"), QStringLiteral("--to"), path()} + more);
    }
    support::CommandResult runImport(const QStringList &more = {})
    {
        return run(QStringList{QStringLiteral("import"), path()} + more);
    }
    void write(const QByteArray &content) const;
    [[nodiscard]] static QByteArray fileOf(int messages);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<support::CommandRun> m_run;
};

void TestTransferCommands::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_run = std::make_unique<support::CommandRun>();
    const core::ConnectionId shop = m_run->addConnection(QStringLiteral("shop"));
    m_run->addMessage(shop, QStringLiteral("TimeoutException"));
    m_run->addMessage(shop, QStringLiteral("JsonException")).status = records::MessageStatus::Archived;
}

void TestTransferCommands::write(const QByteArray &content) const
{
    QFile file(path());
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
}

QByteArray TestTransferCommands::fileOf(int messages)
{
    QByteArray content = transfer::firstLine(core::fromMs(0));
    for (int n = 1; n <= messages; ++n) {
        records::ExportedMessage one;
        one.store = QString(32, u'a');
        one.uniqueId = QStringLiteral("%1").arg(n, 32, 16, QLatin1Char('0'));
        one.connection = QStringLiteral("shop");
        one.queue = QStringLiteral("error");
        content += *transfer::messageLine(one);
    }
    return content + transfer::lastLine(messages);
}

void TestTransferCommands::messagesAreWrittenToAFile()
{
    const support::CommandResult result = runExport({QStringLiteral("--all")});
    QVERIFY2(result.code == 0, result.err.constData());
    QVERIFY2(result.out.contains("2 messages") && result.out.contains(path().toUtf8()), result.out.constData());
    const auto check = transfer::checkFile(path());
    QVERIFY(check && check->isValid());
    QCOMPARE(check->messages, 2);
    QCOMPARE(m_run->client.exportsNoted.first().messages, 2);
    const support::CommandResult again =
        runExport({QStringLiteral("--all"), QStringLiteral("--json"), QStringLiteral("--force")});
    QCOMPARE(again.json()[QStringLiteral("messages")].toInt(), 2);
    QCOMPARE(again.json()[QStringLiteral("written")].toString(), path());
}

void TestTransferCommands::theStandardOutputIsTheFile()
{
    for (const QString &json : {QStringLiteral("--all"), QStringLiteral("--json")}) {
        const support::CommandResult result =
            run({QStringLiteral("export"), QStringLiteral("--all"), json, QStringLiteral("--to"), QStringLiteral("-")});
        QCOMPARE(result.code, 0);
        write(result.out);
        const auto check = transfer::checkFile(path());
        QVERIFY2(check && check->isValid(), result.out.constData());
        QVERIFY(m_run->client.exportsNoted.last().file.isEmpty());
    }
    const QStringList toOutput{QStringLiteral("export"), QStringLiteral("--all"), QStringLiteral("--to"),
                               QStringLiteral("-")};
    m_run->outError = ENOSPC;
    QVERIFY(run(toOutput).code != 0);
    // The reader has enough (`| head`): no failure, but no complete export either.
    m_run->outError = EPIPE;
    const qsizetype noted = m_run->client.exportsNoted.size();
    const support::CommandResult cut = run(toOutput);
    QCOMPARE(cut.code, 0);
    QCOMPARE(cut.err, QByteArray());
    QCOMPARE(m_run->client.exportsNoted.size(), noted);
}

void TestTransferCommands::theSelectionIsExact()
{
    QCOMPARE(runExport({QStringLiteral("--all"), QStringLiteral("--status"), QStringLiteral("archived")}).code, 0);
    QCOMPARE(transfer::checkFile(path())->messages, 1);
    QCOMPARE(transfer::checkFile(path())->settled, 1);
    QCOMPARE(runExport({QStringLiteral("--force"), QStringLiteral("--message"), QStringLiteral("41")}).code, 0);
    QCOMPARE(transfer::checkFile(path())->settled, 0);
    QCOMPARE(runExport({QStringLiteral("--message"), QStringLiteral("99")}).code, 2);
    QCOMPARE(runExport({QStringLiteral("--all"), QStringLiteral("--queue"), QStringLiteral("error")}).code, 2);
    QCOMPARE(runExport({QStringLiteral("--all"), QStringLiteral("--status"), QStringLiteral("lost")}).code, 2);
}

void TestTransferCommands::whereToMustBeSaid()
{
    const support::CommandResult result = run({QStringLiteral("export"), QStringLiteral("--all")});
    QCOMPARE(result.code, 2);
    QVERIFY2(result.err.contains("--to FILE"), result.err.constData());
}

void TestTransferCommands::anExistingFileIsKept()
{
    write("mine");
    const support::CommandResult result = runExport({QStringLiteral("--all")});
    QCOMPARE(result.code, 4);
    QVERIFY2(result.err.contains(path().toUtf8()), result.err.constData());
    QCOMPARE(QFile(path()).size(), 4);
    QVERIFY(m_run->client.exportsNoted.isEmpty());
}

void TestTransferCommands::nothingToExportIsSaid()
{
    const support::CommandResult result =
        runExport({QStringLiteral("--all"), QStringLiteral("--status"), QStringLiteral("resolved")});
    QCOMPARE(result.code, 2);
    QVERIFY(QDir(m_folder->path()).isEmpty());
}

void TestTransferCommands::whatIsExportedCanBeImported()
{
    QCOMPARE(runExport({QStringLiteral("--all")}).code, 0);
    const support::CommandResult result = runImport();
    QVERIFY2(result.code == 0, result.err.constData());
    QVERIFY2(result.out.contains("Imported 2 messages"), result.out.constData());
    QCOMPARE(m_run->client.imports.size(), 1);
    QCOMPARE(m_run->client.imports.first().file, QStringLiteral("messages.ndjson"));
    QCOMPARE(m_run->client.importsNoted.first().counts, (api::ImportCounts{2, 0}));
    const support::CommandResult again = runImport({QStringLiteral("--json")});
    QCOMPARE(again.code, 0);
    QCOMPARE(again.json()[QStringLiteral("imported")].toInt(), 0);
    QCOMPARE(again.json()[QStringLiteral("already_there")].toInt(), 2);
    QCOMPARE(again.json()[QStringLiteral("refused")].toInt(), 0);
}

void TestTransferCommands::theConnectionCanBeChosen()
{
    const core::ConnectionId test = m_run->addConnection(QStringLiteral("test"));
    write(fileOf(1));
    QCOMPARE(runImport({QStringLiteral("--connection"), QStringLiteral("test")}).code, 0);
    QVERIFY(m_run->client.imports.last().connection == test);
}

void TestTransferCommands::aConnectionThatIsNotThereIsSaid()
{
    write(fileOf(1).replace("\"shop\"", "\"elsewhere\""));
    const support::CommandResult result = runImport();
    QCOMPARE(result.code, 2);
    QVERIFY2(result.err.contains("elsewhere"), result.err.constData());
    QVERIFY(m_run->client.imports.isEmpty());
}

void TestTransferCommands::aDryRunChangesNothing()
{
    write(fileOf(3));
    const support::CommandResult result = runImport({QStringLiteral("--dry-run")});
    QCOMPARE(result.code, 0);
    QVERIFY2(result.out.contains("Would import 3 messages"), result.out.constData());
    QVERIFY(m_run->client.imports.first().dryRun);
    QVERIFY(m_run->client.importsNoted.isEmpty());
}

void TestTransferCommands::aBadFileIsRefusedLineByLine()
{
    write(fileOf(25).replace("\"attempts\":1", "\"attempts\":0"));
    const support::CommandResult result = runImport();
    QCOMPARE(result.code, 2);
    const QByteArrayList lines = result.err.trimmed().split('\n');
    QCOMPARE(lines.size(), 22); // what was refused, 20 faults, and the number of the others
    QVERIFY2(lines.at(1).contains("Line 2: message.attempts"), lines.at(1).constData());
    QVERIFY2(lines.last().contains("5 more"), lines.last().constData());
    QVERIFY(m_run->client.imports.isEmpty());
    QCOMPARE(runImport({QStringLiteral("--json")}).json()[QStringLiteral("refused")].toInt(), 25);
}

void TestTransferCommands::badLinesCanBeLeftOut()
{
    QByteArray content = fileOf(3);
    content.replace(content.indexOf("\"attempts\":1"), 12, "\"attempts\":0");
    write(content);
    const support::CommandResult result = runImport({QStringLiteral("--skip-invalid"), QStringLiteral("--json")});
    QCOMPARE(result.code, 1);
    QCOMPARE(result.json()[QStringLiteral("imported")].toInt(), 2);
    QCOMPARE(result.json()[QStringLiteral("refused")].toInt(), 1);
    content.chop(40); // cut off: refused all the same
    write(content);
    QCOMPARE(runImport({QStringLiteral("--skip-invalid")}).code, 2);
}

void TestTransferCommands::whatIsNoFileIsSaid()
{
    const support::CommandResult missing = runImport();
    QCOMPARE(missing.code, 2);
    QVERIFY2(missing.err.contains(path().toUtf8()), missing.err.constData());
    QCOMPARE(run({QStringLiteral("import"), m_folder->path()}).code, 2);
    write({});
    QCOMPARE(runImport().code, 2);
}

void TestTransferCommands::hostileTextsAreHarmless()
{
    write(fileOf(1).replace("\"shop\"", "\"\\u001b[2J\\u202e\\n\""));
    const support::CommandResult result = runImport();
    QCOMPARE(result.code, 2);
    QVERIFY(!result.err.contains('\x1b') && !result.err.contains("\xe2\x80\xae"));
    QCOMPARE(result.err.count('\n'), 1);
}

REDRIVE_TEST(TestTransferCommands)
#include "tst_transfercommands.moc"
