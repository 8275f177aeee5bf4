// The import dialog: what is in a file is said before it is imported, and what is wrong with it line by line.
#include "backend/transfer/messageline.h"
#include "tests/support/testmain/testmain.h"
#include "tests/views/onepart.h"
#include "views/transfers/importdialog.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

namespace {

records::ExportedMessage message(int n)
{
    records::ExportedMessage one;
    one.store = QString(32, u'a');
    one.uniqueId = QStringLiteral("%1").arg(n, 32, 16, QLatin1Char('0'));
    one.connection = QStringLiteral("shop");
    one.queue = QStringLiteral("error");
    return one;
}

} // namespace

class TestImportDialog final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_one.reset(); }
    void saysWhatIsInTheFile();
    void importsWhenItIsTold();
    void nothingNewIsNotImported();
    void faultsAreListed();
    void whatCannotBeReadIsSaid();
    void anotherConnectionCanBeChosen();
    void withoutAConnectionItSaysSo();
    void aRefusalIsSaid();
    void textsOfTheFileArePlain();
    void picture();

private:
    void write(const QByteArray &content) const;
    void open();
    [[nodiscard]] static QByteArray fileOf(int messages, const QString &connection = QStringLiteral("shop"));
    [[nodiscard]] QString answer() { return m_one->child<QLabel>("importAnswer")->text(); }
    [[nodiscard]] QPushButton *button() { return m_one->child<QPushButton>("importStart"); }
    [[nodiscard]] QString path() const { return m_folder.filePath(QStringLiteral("messages.ndjson")); }

    QTemporaryDir m_folder;
    std::unique_ptr<test::OnePart<views::ImportDialog>> m_one;
};

void TestImportDialog::init()
{
    m_one = std::make_unique<test::OnePart<views::ImportDialog>>();
}

QByteArray TestImportDialog::fileOf(int messages, const QString &connection)
{
    QByteArray content = transfer::firstLine(core::fromMs(0));
    for (int n = 1; n <= messages; ++n) {
        records::ExportedMessage one = message(n);
        one.connection = connection;
        content += *transfer::messageLine(one);
    }
    return content + transfer::lastLine(messages);
}

void TestImportDialog::write(const QByteArray &content) const
{
    QFile file(path());
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
}

void TestImportDialog::open()
{
    m_one->show(path());
}

void TestImportDialog::saysWhatIsInTheFile()
{
    write(fileOf(1234));
    m_one->client.importedIds = {message(1).uniqueId, message(2).uniqueId};
    open();
    QTRY_VERIFY(button()->isEnabled());
    QVERIFY(m_one->child<QLabel>("importContent")->text().contains(QStringLiteral("1,234")));
    QVERIFY(m_one->child<QLabel>("importContent")->text().contains(QStringLiteral("shop")));
    QVERIFY(button()->text().contains(QStringLiteral("1,232")));
    QVERIFY(answer().contains(QStringLiteral("2")));
    QVERIFY(std::all_of(m_one->client.imports.cbegin(), m_one->client.imports.cend(),
                        [](const api::ImportMessages &one) { return one.dryRun; }));
    QVERIFY(m_one->client.importsNoted.isEmpty());
}

void TestImportDialog::importsWhenItIsTold()
{
    write(fileOf(450));
    open();
    QTRY_VERIFY(button()->isEnabled());
    const QSignalSpy told(&m_one->session, &models::ConsoleSession::succeeded);
    const QSignalSpy read(&m_one->session, &models::ConsoleSession::ownChange);
    button()->click();
    QTRY_VERIFY(!m_one->part->isVisible());
    QCOMPARE(m_one->client.importedIds.size(), 450);
    QCOMPARE(m_one->client.importsNoted.size(), 1);
    QCOMPARE(m_one->client.importsNoted.first().counts, (api::ImportCounts{450, 0}));
    QCOMPARE(told.size(), 1);
    QCOMPARE(read.size(), 1);
}

void TestImportDialog::nothingNewIsNotImported()
{
    write(fileOf(1));
    m_one->client.importedIds = {message(1).uniqueId};
    open();
    QTRY_VERIFY(!m_one->client.imports.isEmpty());
    QTRY_VERIFY(answer().contains(QStringLiteral("1")));
    QVERIFY(!button()->isEnabled());
}

void TestImportDialog::faultsAreListed()
{
    write(fileOf(3).replace("\"attempts\":1", "\"attempts\":0"));
    open();
    auto *faults = m_one->child<QPlainTextEdit>("importFaults");
    QTRY_VERIFY(faults->isVisible());
    QCOMPARE(faults->toPlainText().split(u'\n').size(), 3);
    QVERIFY(faults->toPlainText().startsWith(QStringLiteral("Line 2: message.attempts")));
    QVERIFY(!button()->isEnabled());
    QVERIFY(m_one->client.imports.isEmpty());
}

void TestImportDialog::whatCannotBeReadIsSaid()
{
    QFile::remove(path());
    open();
    QTRY_VERIFY(answer().contains(path()));
    QVERIFY(!button()->isEnabled());
}

void TestImportDialog::anotherConnectionCanBeChosen()
{
    api::ConnectionView test = m_one->client.snapshot.connections.first();
    test.connection.id = core::ConnectionId{2};
    test.connection.name = QStringLiteral("test");
    api::ConnectionView sqs = test;
    sqs.connection.id = core::ConnectionId{3};
    sqs.connection.name = QStringLiteral("sqs");
    sqs.connection.kind = records::BrokerKind::Sqs;
    m_one->client.snapshot.connections += {test, sqs};
    write(fileOf(2, QStringLiteral("elsewhere")));
    open();
    QTRY_VERIFY(button()->isEnabled());
    auto *choice = m_one->child<QComboBox>("importConnection");
    QCOMPARE(choice->count(), 2); // shop and test; the name in the file is none here, and sqs is another broker
    choice->setCurrentIndex(1);
    QTRY_VERIFY(button()->isEnabled());
    QVERIFY(m_one->client.imports.last().connection == core::ConnectionId{2});
}

void TestImportDialog::withoutAConnectionItSaysSo()
{
    m_one->client.snapshot.connections.first().connection.kind = records::BrokerKind::Sqs;
    write(fileOf(1));
    open();
    QTRY_VERIFY(m_one->child<QLabel>("importContent")->text().contains(QStringLiteral("shop")));
    QVERIFY(!m_one->child<QComboBox>("importConnection")->isVisible());
    QVERIFY(!button()->isEnabled());
}

void TestImportDialog::aRefusalIsSaid()
{
    write(fileOf(1));
    m_one->client.failNext<api::ImportMessages>({core::ErrorKind::Refused, QStringLiteral("not allowed"), {}, {}});
    open();
    QTRY_VERIFY(answer().contains(QStringLiteral("not allowed")));
    QVERIFY(!button()->isEnabled());
}

void TestImportDialog::textsOfTheFileArePlain()
{
    write(fileOf(1, QStringLiteral("<b>\u202e\nname")));
    m_one->client.snapshot.connections.first().connection.name = QStringLiteral("shop");
    open();
    QTRY_VERIFY(button()->isEnabled());
    const auto *content = m_one->child<QLabel>("importContent");
    QVERIFY(content->textFormat() == Qt::PlainText);
    QVERIFY(!content->text().contains(QChar(0x202e)) && !content->text().contains(u'\n'));
}

void TestImportDialog::picture()
{
    write(fileOf(1834));
    open();
    QTRY_VERIFY_WITH_TIMEOUT(button()->isEnabled(), 60'000); // 1,834 messages on a busy machine
    QVERIFY(m_one->takePicture(QStringLiteral("import")));
}

REDRIVE_WIDGET_TEST(TestImportDialog)
#include "tst_importdialog.moc"
