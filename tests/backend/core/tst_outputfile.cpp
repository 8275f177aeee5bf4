// Files that a person names: never a part of the store in use, by whatever name, and never half of one.
#include "backend/core/files/outputfile.h"
#include "backend/core/files/storefiles.h"
#include "tests/support/testmain/testmain.h"

#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

using core::ErrorKind;
using core::OutputFile;
using core::OutputTarget;

class TestOutputFile final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void theStoreIsNeverATarget_data();
    void theStoreIsNeverATarget();
    void whatLiesBesideTheStoreMayBeATarget();
    void anotherDatabaseIsNotReplaced();
    void anExistingFileIsReplacedOnlyOnDemand();
    void aFileThatComesLaterIsNotReplaced();
    void onlyTheOwnerMayReadIt();
    void aLinkStaysALink();
    void whatIsNotCommittedLeavesNothing();
    void whatIsNoFileIsRefused();

private:
    [[nodiscard]] QString at(const QString &name) const { return m_folder->filePath(name); }
    [[nodiscard]] QString store() const { return at(QStringLiteral("shop/redrive.db")); }
    void put(const QString &path, const QByteArray &content) const;
    [[nodiscard]] static QByteArray contentOf(const QString &path);

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestOutputFile::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(QDir(m_folder->path()).mkdir(QStringLiteral("shop")));
    for (const char *suffix : {"", "-wal", "-shm", ".lock"}) // no journal
        put(store() + QLatin1String(suffix), "the store");
}

void TestOutputFile::put(const QString &path, const QByteArray &content) const
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
}

QByteArray TestOutputFile::contentOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("unreadable");
}

void TestOutputFile::theStoreIsNeverATarget_data()
{
    QTest::addColumn<QString>("suffix");
    QTest::addColumn<QString>("how");
    for (const char *suffix : {"", "-wal", "-shm", ".lock", "-journal"}) {
        for (const char *how : {"itself", "spelling", "link to it", "link to its folder", "hard link"}) {
            const bool isThere = qstrcmp(suffix, "-journal") != 0;
            if (isThere || qstrcmp(how, "hard link") != 0)
                QTest::addRow("%s, %s", *suffix == 0 ? "file" : suffix, how)
                    << QString::fromLatin1(suffix) << QString::fromLatin1(how);
        }
    }
}

void TestOutputFile::theStoreIsNeverATarget()
{
    QFETCH(QString, suffix);
    QFETCH(QString, how);
    const QString file = store() + suffix;
    QString target = file;
    if (how == QLatin1String("spelling"))
        target = at(QStringLiteral("shop//../shop/./redrive.db")) + suffix;
    if (how == QLatin1String("link to its folder")) {
        QVERIFY(QFile::link(at(QStringLiteral("shop")), at(QStringLiteral("other"))));
        target = at(QStringLiteral("other/redrive.db")) + suffix;
    }
    if (how == QLatin1String("link to it") && QFile::exists(file)) {
        target = at(QStringLiteral("link"));
        QVERIFY(QFile::link(file, target));
    }
    if (how == QLatin1String("hard link")) {
        target = at(QStringLiteral("hard"));
        QCOMPARE(::link(QFile::encodeName(file).constData(), QFile::encodeName(target).constData()), 0);
    }
    const bool wasThere = QFile::exists(file);
    const core::Result<> written = core::writeOutput({target, store(), true}, "report");
    QVERIFY(!written);
    QVERIFY(written.error().kind == ErrorKind::Refused);
    QCOMPARE(QFile::exists(file), wasThere);
    if (wasThere)
        QCOMPARE(contentOf(file), QByteArray("the store"));
}

// Also by the name of a link to the store: SQLite's other files lie beside the real one.
void TestOutputFile::whatLiesBesideTheStoreMayBeATarget()
{
    const QString link = at(QStringLiteral("link.db"));
    QVERIFY(QFile::link(store(), link));
    QVERIFY(core::StoreFiles(link).contain(store() + QStringLiteral("-wal")));
    QVERIFY(core::StoreFiles(link).contain(link));
    for (const char *name : {"shop/report.html", "shop/redrive.db.html", "redrive.db"})
        QVERIFY(core::writeOutput({at(QString::fromLatin1(name)), store(), false}, "report"));
    QVERIFY(!core::StoreFiles(QString()).contain(store()));
    QVERIFY(!core::StoreFiles(QStringLiteral(":memory:")).contain(store()));
}

void TestOutputFile::anotherDatabaseIsNotReplaced()
{
    const QByteArray database = QByteArray("SQLite format 3\0", 16) + "of another profile";
    put(at(QStringLiteral("backup.db")), database);
    const core::Result<> written = core::writeOutput({at(QStringLiteral("backup.db")), store(), true}, "report");
    QVERIFY(!written && written.error().kind == ErrorKind::Refused);
    QCOMPARE(contentOf(at(QStringLiteral("backup.db"))), database);
}

void TestOutputFile::anExistingFileIsReplacedOnlyOnDemand()
{
    const QString path = at(QStringLiteral("report.html"));
    put(path, "old");
    const core::Result<> refused = core::writeOutput({path, store(), false}, "new");
    QVERIFY(!refused && refused.error().kind == ErrorKind::Refused);
    QCOMPARE(contentOf(path), QByteArray("old"));
    QVERIFY(core::writeOutput({path, store(), true}, "new"));
    QCOMPARE(contentOf(path), QByteArray("new"));
}

void TestOutputFile::aFileThatComesLaterIsNotReplaced()
{
    const QString path = at(QStringLiteral("report.html"));
    core::Result<std::unique_ptr<OutputFile>> file = OutputFile::open({path, store(), false});
    QVERIFY(file && (*file)->write("new"));
    put(path, "of somebody else");
    QVERIFY(!(*file)->commit());
    file->reset();
    QCOMPARE(contentOf(path), QByteArray("of somebody else"));
}

void TestOutputFile::onlyTheOwnerMayReadIt()
{
    const QString path = at(QStringLiteral("messages.ndjson"));
    put(path, "old");
    QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup | QFile::ReadOther));
    QVERIFY(core::writeOutput({path, store(), true}, "new"));
    QCOMPARE(QFile::permissions(path) & ~(QFile::ReadUser | QFile::WriteUser), QFile::ReadOwner | QFile::WriteOwner);
}

void TestOutputFile::aLinkStaysALink()
{
    put(at(QStringLiteral("real")), "old");
    QVERIFY(QFile::link(at(QStringLiteral("real")), at(QStringLiteral("link"))));
    QVERIFY(core::writeOutput({at(QStringLiteral("link")), store(), true}, "new"));
    QVERIFY(QFileInfo(at(QStringLiteral("link"))).isSymLink());
    QCOMPARE(contentOf(at(QStringLiteral("real"))), QByteArray("new"));
}

void TestOutputFile::whatIsNotCommittedLeavesNothing()
{
    const QString path = at(QStringLiteral("report.html"));
    put(path, "old");
    {
        const core::Result<std::unique_ptr<OutputFile>> file = OutputFile::open({path, store(), true});
        QVERIFY(file && (*file)->write("half"));
        QCOMPARE(contentOf(path), QByteArray("old"));
    }
    QCOMPARE(contentOf(path), QByteArray("old"));
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden), QStringList{QStringLiteral("report.html")});
}

void TestOutputFile::whatIsNoFileIsRefused()
{
    for (const QString &path :
         {at(QStringLiteral("shop")), at(QStringLiteral("no/such/folder")), QStringLiteral("/dev/null")}) {
        const core::Result<> written = core::writeOutput({path, store(), true}, "x");
        QVERIFY2(!written && written.error().kind == ErrorKind::Refused, qPrintable(path));
    }
}

REDRIVE_TEST(TestOutputFile)
#include "tst_outputfile.moc"
