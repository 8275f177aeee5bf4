#pragma once

#include "backend/core/random.h"
#include "backend/store/connectionstore.h"
#include "backend/store/messages/messagestore.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"
#include "tests/support/store/storeplace.h"

#include <QObject>
#include <QTest>

namespace test {

// A store in memory with two connections, for tests of what becomes of failed messages.
class MessageShelf : public QObject
{
protected:
    void begin()
    {
        REDRIVE_SKIP_WITHOUT_DATABASE();
        m_store.reset();
        core::SeededRandom random(1);
        m_store = m_place.open(random);
        must(m_store->transact([this](store::Session &session) -> core::Result<> {
            m_connection = must(session.connections().add(sampleConnection(QStringLiteral("one"))));
            m_other = must(session.connections().add(sampleConnection(QStringLiteral("two"))));
            return {};
        }));
    }
    template<typename Work>
    void write(Work work)
    {
        must(m_store->transact([&](store::Session &session) -> core::Result<> {
            work(session.messages());
            return {};
        }));
    }
    // Every third one of the second connection.
    void add(int from, int to)
    {
        write([&](store::MessageStore &messages) {
            for (int n = from; n < to; ++n)
                (void)must(messages.insert(sampleMessage(n % 3 == 0 ? m_other : m_connection, n)));
        });
    }
    [[nodiscard]] qint64 change()
    {
        qint64 number = 0;
        must(m_store->read([&](store::Session &session) -> core::Result<> {
            number = must(session.changeNumber());
            return {};
        }));
        return number;
    }

    support::StorePlace m_place;
    std::unique_ptr<store::DatabaseStore> m_store;
    core::ConnectionId m_connection;
    core::ConnectionId m_other;
};

} // namespace test
