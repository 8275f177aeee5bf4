#pragma once

#include "backend/core/result.h"
#include "backend/store/messages/groupcounters.h"

namespace store {

class Database;

// What the roles of one writer share: numbers that only grow, and the counts of the current transaction. Read once when
// the store is opened, written when a transaction ends, restored when it is rolled back.
class TransactionCounters final
{
public:
    explicit TransactionCounters(Database &database);

    [[nodiscard]] core::Result<> load();
    [[nodiscard]] core::Result<> flush(); // before the commit
    void committed();
    void rolledBack();

    [[nodiscard]] qint64 change() const { return m_now.change; }
    [[nodiscard]] qint64 nextChange() { return nextChanges(1); }
    [[nodiscard]] qint64 nextChanges(qint64 count) // the first of `count` consecutive numbers
    {
        m_now.change += count;
        return m_now.change - count + 1;
    }
    [[nodiscard]] qint64 nextMessage() { return ++m_now.lastMessage; }
    [[nodiscard]] GroupCounters &groups() { return m_groups; }

private:
    [[nodiscard]] core::Result<> indexWords(); // of the new messages

    struct Numbers
    {
        qint64 change = 0;
        qint64 lastMessage = 0;
        friend bool operator==(const Numbers &, const Numbers &) = default;
    };
    Database &m_database;
    Numbers m_now;
    Numbers m_durable;
    GroupCounters m_groups;
};

} // namespace store
