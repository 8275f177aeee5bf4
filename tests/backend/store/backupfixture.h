// A store in a folder of its own, with work under way, and what a test wants to do with it and its backup.
#pragma once

#include "backend/core/random.h"
#include "backend/store/backup/storebackup.h"
#include "backend/store/backup/storerestore.h"
#include "backend/store/connectionstore.h"
#include "backend/store/eventstore.h"
#include "backend/store/messages/intakestore.h"
#include "backend/store/messages/messagestore.h"
#include "backend/store/sqlite/sqlitestore.h"
#include "tests/backend/store/underway.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

namespace test {

using core::Result;
using records::MessageStatus;
using store::PartFile;
using store::Session;
using store::SqliteStore;
using store::StoreRestore;

class BackupFixture : public QObject
{
protected:
    [[nodiscard]] QString path(const QString &name = QStringLiteral("redrive.db")) const
    {
        return m_folder->filePath(name);
    }
    [[nodiscard]] QString backup() const { return path(QStringLiteral("backup.db")); }
    [[nodiscard]] Result<std::unique_ptr<SqliteStore>> open(const QString &name = QStringLiteral("redrive.db"))
    {
        return SqliteStore::open(path(name), m_random);
    }
    // Without what whoever only reads a store leaves beside it: an empty log and its index.
    [[nodiscard]] QStringList files() const
    {
        QStringList names = QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden);
        names.removeAll(QStringLiteral("redrive.db-wal"));
        names.removeAll(QStringLiteral("redrive.db-shm"));
        return names;
    }
    [[nodiscard]] Result<store::StoreFacts> backUp(PartFile::Replace replace = PartFile::Replace::No)
    {
        return store::backUp(path(), backup(), replace, {});
    }
    [[nodiscard]] Result<StoreRestore> prepare()
    {
        return StoreRestore::prepare({backup(), path(), QStringLiteral("ada"), core::fromMs(1'800'000'000'000)},
                                     m_random, {});
    }
    [[nodiscard]] Result<> restore()
    {
        Result<StoreRestore> prepared = prepare();
        return prepared ? prepared->install() : core::fail(prepared.error());
    }
    // Five messages in one operation: two sent without an answer so far, three not yet; one intake, one followed queue.
    void fill(bool onBroker);
    void execute(const QString &file, const QStringList &statements);
    [[nodiscard]] QList<MessageStatus> statuses(SqliteStore &store) const;

    std::unique_ptr<QTemporaryDir> m_folder = std::make_unique<QTemporaryDir>();
    core::SeededRandom m_random{3};
    core::ConnectionId m_connection;
    core::OperationId m_operation;
    QList<core::MessageId> m_messages;
};

inline void BackupFixture::fill(bool onBroker)
{
    const auto store = must(open());
    m_messages.clear();
    must(store->transact([&](Session &session) -> Result<> {
        m_connection = must(session.connections().add(test::sampleConnection(QStringLiteral("shop"))));
        for (int n = 0; n < 5; ++n) {
            store::NewMessage fresh = test::sampleMessage(m_connection, n);
            fresh.message.status = MessageStatus::Unresolved;
            fresh.message.cameBack = 0;
            fresh.message.flags = {};
            m_messages.append(must(session.messages().insert(fresh)));
        }
        records::IntakeRun run;
        run.connection = m_connection;
        run.sourceQueue = QStringLiteral("error");
        run.holdingName = QStringLiteral("redrive.holding");
        must(session.intakes().begin(run));
        must(session.intakes().setSubscribed(m_connection, QStringLiteral("error"), true));
        must(session.events().append({0,
                                      core::fromMs(1'700'000'000'000),
                                      records::Severity::Info,
                                      QStringLiteral("ada"),
                                      QStringLiteral("Filled"),
                                      {},
                                      {}}));

        m_operation = test::retryUnderWay(session, m_connection, m_messages, onBroker);
        return {};
    }));
}

inline void BackupFixture::execute(const QString &file, const QStringList &statements)
{
    const auto database = must(store::SqliteDatabase::open(file, store::Database::Mode::Write));
    for (const QString &text : statements)
        must(database->sql(text).run());
}

inline QList<MessageStatus> BackupFixture::statuses(SqliteStore &store) const
{
    QList<MessageStatus> all;
    must(store.read([&](Session &session) -> Result<> {
        for (const core::MessageId id : m_messages)
            all.append(must(session.messages().load(id)).status);
        return {};
    }));
    return all;
}

} // namespace test
