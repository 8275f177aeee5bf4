// An export is whole or not there, changes nothing, and the activity log knows of it.
#include "tests/backend/transfer/transferring.h"

#include "backend/store/messages/messagestore.h"
#include "tests/support/store/rawsql.h"
#include "tests/support/testmain/testmain.h"

#include <QTemporaryDir>

using core::ErrorKind;
using support::TransferStore;
using support::waitFor;

class TestExporter final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void aFileHasEveryMessageOnce();
    void onlyItsOwnerMayReadTheFile();
    void theStoreStaysAsItIs();
    void whatChangesMeanwhileIsCounted();
    void nothingSelectedIsSaid();
    void anExportWithoutAnEntryIsNotComplete();
    void whatCannotBeReadIsNamedAndLeftOut();
    void aFullDiskLeavesNoFile();
    void aFileIsNotReplacedUnasked();
    void aCancelledExportLeavesNoFile();
    void theRightToSeeIsNeeded();
    void noSecretIsInTheFile();

private:
    [[nodiscard]] QString path() const { return m_folder->filePath(QStringLiteral("messages.ndjson")); }
    [[nodiscard]] static QByteArrayList lines(const QString &path);

    std::unique_ptr<QTemporaryDir> m_folder;
};

namespace {

// Takes so many bytes, as a disk that is full then.
class SmallSink final : public transfer::ExportSink
{
public:
    SmallSink(std::unique_ptr<transfer::ExportSink> file, qint64 room)
        : m_file(std::move(file))
        , m_room(room)
    {
    }

    core::Result<> write(const QByteArray &bytes) override
    {
        m_room -= bytes.size();
        if (m_room < 0)
            return core::fail(ErrorKind::Refused, QStringLiteral("No space left on device"));
        return m_file->write(bytes);
    }
    core::Result<> commit() override { return m_file->commit(); }

private:
    std::unique_ptr<transfer::ExportSink> m_file;
    qint64 m_room;
};

} // namespace

QByteArrayList TestExporter::lines(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().split('\n') : QByteArrayList();
}

void TestExporter::aFileHasEveryMessageOnce()
{
    TransferStore shop(250); // more than a page
    const auto counts = shop.exportAll(path());
    QVERIFY2(counts.has_value(), counts ? "" : qPrintable(counts.error().message));
    QCOMPARE(counts->written, 250);
    QCOMPARE(counts->changed, 0);
    QCOMPARE(lines(path()).size(), 253); // the first, the last, and nothing behind the last line feed
    const auto check = transfer::checkFile(path());
    QVERIFY(check && check->isValid() && check->isWhole);
    QCOMPARE(check->messages, 250);
    QCOMPARE(shop.logged(), QStringList{QStringLiteral("Messages exported: 250 messages to messages.ndjson")});
}

void TestExporter::onlyItsOwnerMayReadTheFile()
{
    TransferStore shop(1);
    QVERIFY(shop.exportAll(path()).has_value());
    const auto others =
        QFileDevice::ReadGroup | QFileDevice::ReadOther | QFileDevice::WriteGroup | QFileDevice::WriteOther;
    QVERIFY(!(QFile::permissions(path()) & others));
}

void TestExporter::theStoreStaysAsItIs()
{
    TransferStore shop(5);
    const auto change = [&shop] {
        return shop.ask<qint64>([](store::Session &session) { return session.changeNumber(); });
    };
    const qint64 before = change();
    QVERIFY(shop.exportAll(path()).has_value());
    QCOMPARE(change(), before);
}

void TestExporter::whatChangesMeanwhileIsCounted()
{
    TransferStore shop(3);
    const QList<records::FailedMessage> all = shop.messages();
    shop.client.before = [&](const api::PendingRequest &request) {
        if (request.rules().name != api::ExportQuery::rules.name)
            return;
        const auto archived = shop.store->transact<int>([&all](store::Session &session) {
            return session.messages().setStatus({all.first().id}, {records::MessageStatus::Unresolved},
                                                records::MessageStatus::Archived);
        });
        QVERIFY(archived == 1);
    };
    const auto counts = shop.exportAll(path());
    QVERIFY(counts.has_value());
    QCOMPARE(counts->written, 3);
    QCOMPARE(counts->changed, 1);
}

void TestExporter::nothingSelectedIsSaid()
{
    TransferStore shop(0);
    const auto counts = shop.exportAll(path());
    QVERIFY(!counts && counts.error().kind == ErrorKind::NotFound);
    QVERIFY(!QFile::exists(path()));
    QCOMPARE(shop.logged(), QStringList());
}

void TestExporter::anExportWithoutAnEntryIsNotComplete()
{
    TransferStore shop(3);
    shop.client.refuses = [](const api::PendingRequest &request) {
        return request.rules().name == api::NoteExport::rules.name;
    };
    QVERIFY(!shop.exportAll(path()));
    QVERIFY(QDir(m_folder->path()).isEmpty());
}

void TestExporter::whatCannotBeReadIsNamedAndLeftOut()
{
    TransferStore shop(5);
    test::executeRaw(shop.dependencies.storePath,
                     {QStringLiteral("UPDATE message_content SET headers = x'ff' WHERE message IN (2, 4)")});
    const auto counts = shop.exportAll(path());
    QVERIFY(counts);
    QCOMPARE(counts->written, 3);
    QCOMPARE(counts->unreadable.count, 2);
    QVERIFY(counts->unreadable.example == core::MessageId{2} || counts->unreadable.example == core::MessageId{4});
    QVERIFY(!counts->unreadable.why.isEmpty());
    QVERIFY(transfer::checkFile(path())->isValid());
}

void TestExporter::aFullDiskLeavesNoFile()
{
    TransferStore shop(210);
    for (const qint64 room : {0, 100, 100'000}) {
        const auto open = [this, room]() -> core::Result<std::unique_ptr<transfer::ExportSink>> {
            TRY(std::unique_ptr<transfer::ExportSink> file, transfer::FileSink::open({path(), {}, false}));
            return std::make_unique<SmallSink>(std::move(file), room);
        };
        transfer::Exporter exporter(shop.client);
        const auto counts = waitFor(exporter.start({}, open, QStringLiteral("x"), {}, {}));
        QVERIFY2(!counts, qPrintable(QString::number(room)));
        QVERIFY(QDir(m_folder->path()).isEmpty()); // no half file under another name either
    }
}

void TestExporter::aFileIsNotReplacedUnasked()
{
    QFile file(path());
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("mine") == 4);
    file.close();
    TransferStore shop(1);
    const auto counts = shop.exportAll(path());
    QVERIFY(!counts && counts.error().kind == ErrorKind::Refused);
    QCOMPARE(lines(path()), QByteArrayList{"mine"});
    auto sink = transfer::FileSink::open({path(), {}, true});
    QVERIFY(sink && (*sink)->write("new") && QFile(path()).size() == 4); // until it is complete
    QVERIFY((*sink)->commit());
    QCOMPARE(lines(path()), QByteArrayList{"new"});
}

void TestExporter::aCancelledExportLeavesNoFile()
{
    TransferStore shop(3);
    auto exporter = std::make_unique<transfer::Exporter>(shop.client);
    const auto answer = exporter->start({},
                                        [this] {
                                            return transfer::FileSink::open({path(), {}, false});
                                        },
                                        QStringLiteral("x"), {}, {});
    exporter.reset();
    const auto counts = waitFor(answer);
    QVERIFY(!counts && counts.error().kind == ErrorKind::Cancelled);
    QTRY_VERIFY(QDir(m_folder->path()).isEmpty());
    QCOMPARE(shop.logged(), QStringList());
}

void TestExporter::theRightToSeeIsNeeded()
{
    TransferStore shop(1, records::Right::Take);
    const auto counts = shop.exportAll(path());
    QVERIFY(!counts && counts.error().kind == ErrorKind::Refused);
    QVERIFY(QDir(m_folder->path()).isEmpty());
}

void TestExporter::noSecretIsInTheFile()
{
    TransferStore shop(2);
    QVERIFY(shop.exportAll(path()).has_value());
    QFile file(path());
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray content = file.readAll();
    QVERIFY(content.contains("\"connection\":\"shop\""));
    for (const char *secret : {"s3cret", "guest", "broker:15672", "/etc/ssl"})
        QVERIFY2(!content.contains(secret), secret);
}

REDRIVE_TEST(TestExporter)
#include "tst_exporter.moc"
