#include "tests/bench/retryfixture.h"

#include "backend/store/connectionstore.h"
#include "backend/store/messages/messagestore.h"
#include "tests/support/must.h"
#include "tests/support/store/samplemessages.h"

using test::must;

namespace bench {

namespace {

constexpr int batch = 1'000;

} // namespace

records::Connection fill(store::Store &store, int messages, int bytes)
{
    records::Connection connection = test::sampleConnection(QStringLiteral("bench"));
    must(store.transact([&](store::Session &session) -> core::Result<> {
        connection.id = must(session.connections().add(connection));
        return {};
    }));
    for (int first = 0; first < messages; first += batch) {
        must(store.transact([&](store::Session &session) -> core::Result<> {
            for (int n = first; n < std::min(first + batch, messages); ++n)
                must(session.messages().insert(test::sampleMessage(connection.id, n, bytes)));
            return {};
        }));
    }
    return connection;
}

retry::FreezeOrder orderOf(store::Store &store, const records::Connection &connection, int messages)
{
    retry::FreezeOrder order;
    order.operation.connection = connection.id;
    order.operation.scope = QStringLiteral("all");
    order.expected = messages;
    order.operation.plan.limit = messages;
    order.operation.plan.onUnknown = records::OnUnknown::SendAgain;
    order.existing = QStringList{QStringLiteral("orders.0"), QStringLiteral("orders.1"), QStringLiteral("orders.2")};
    must(store.read([&](store::Session &session) -> core::Result<> {
        order.asOfChange = must(session.changeNumber());
        return {};
    }));
    return order;
}

} // namespace bench
