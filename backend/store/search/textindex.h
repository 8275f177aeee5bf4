#pragma once

#include "backend/store/messages/messagestore.h"

namespace store {

class Database;

// The word index of headers and bodies (content_text). goOn() adds new messages in the order of their ids, some time
// after they were written. From then on, whoever changes a message calls forget() and learn() in the same transaction.
class TextIndex final
{
public:
    explicit TextIndex(Database &database)
        : m_database(database)
    {
    }

    [[nodiscard]] Result<TextProgress> progress();
    [[nodiscard]] Result<TextProgress> goOn();

    // To be called before and after the content of a message is replaced. Nothing happens for messages that the index
    // has not reached.
    [[nodiscard]] Result<> forget(core::MessageId id);
    [[nodiscard]] Result<> learn(core::MessageId id);
    // To be called before the messages of a connection are removed.
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
