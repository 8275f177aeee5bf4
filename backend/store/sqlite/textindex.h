#pragma once

#include "backend/store/messagestore.h"

namespace store {

class Database;

// The words of headers and bodies (content_text). New messages are taken in by goOn(), in the order of their ids, some time
// after they were written; from then on whoever changes a message says so here, in the same transaction.
class TextIndex final
{
public:
    explicit TextIndex(Database &database)
        : m_database(database)
    {
    }

    [[nodiscard]] Result<TextProgress> progress();
    [[nodiscard]] Result<TextProgress> goOn();

    // Before the content of a message is replaced, and after it. Nothing is done where the index has not come yet.
    [[nodiscard]] Result<> forget(core::MessageId id);
    [[nodiscard]] Result<> learn(core::MessageId id);
    // Before the messages of a connection are removed.
    [[nodiscard]] Result<> forgetAll(core::ConnectionId connection);

private:
    [[nodiscard]] Result<core::MessageId> endOfStep(const TextProgress &progress);
    [[nodiscard]] Result<QList<core::MessageId>> idsIn(const QString &condition, const QVariantList &values);
    [[nodiscard]] Result<bool> covers(core::MessageId id);
    [[nodiscard]] Result<QString> textOf(core::MessageId id);
    [[nodiscard]] Result<> add(core::MessageId id);
    [[nodiscard]] Result<> takeOut(core::MessageId id);

    Database &m_database;
};

} // namespace store
