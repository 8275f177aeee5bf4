#include "models/session/consolesession.h"

#include "models/session/snapshotdiff.h"

#include <QPointer>

#include <algorithm>

namespace models {

ConsoleSession::ConsoleSession(api::EngineClient &client, QObject *parent)
    : QObject(parent)
    , m_client(client)
    , m_snapshot(std::make_shared<const api::Snapshot>())
{
    m_client.listen([self = QPointer(this)](api::SnapshotPtr snapshot) {
        if (self)
            self->take(std::move(snapshot));
    });
}

void ConsoleSession::take(api::SnapshotPtr snapshot)
{
    if (!snapshot)
        return;
    const bool first = !hasSnapshot();
    const SnapshotDiff diff = compare(*m_snapshot, *snapshot);
    m_snapshot = std::move(snapshot);
    if (first || diff.engine)
        Q_EMIT engineChanged();
    if (first || diff.connections)
        Q_EMIT connectionsChanged();
    if (first || diff.queues)
        Q_EMIT queuesChanged();
    if (first || diff.operations)
        Q_EMIT operationsChanged();
    if (first || diff.batches)
        Q_EMIT batchesChanged();
    if (first || diff.policies)
        Q_EMIT policiesChanged();
    if (first || diff.counters)
        Q_EMIT countersChanged();
    if (first || diff.messagesRevised)
        Q_EMIT messagesRevised();
    if (first || diff.operationsRevised)
        Q_EMIT operationsRevised();
    if (first || diff.eventsRevised)
        Q_EMIT eventsRevised();
    Q_EMIT snapshotTaken();
}

const api::ConnectionView *ConsoleSession::connection(core::ConnectionId id) const
{
    for (const api::ConnectionView &one : m_snapshot->connections) {
        if (one.connection.id == id)
            return &one;
    }
    return nullptr;
}

const api::OperationView *ConsoleSession::operation(core::OperationId id) const
{
    for (const api::OperationView &one : m_snapshot->operations) {
        if (one.operation.id == id)
            return &one;
    }
    return nullptr;
}

const api::PolicyView *ConsoleSession::policy(const QString &name) const
{
    for (const api::PolicyView &one : m_snapshot->policies) {
        if (one.name == name)
            return &one;
    }
    return nullptr;
}

bool ConsoleSession::isProduction(core::ConnectionId connection) const
{
    return std::any_of(m_snapshot->connections.cbegin(), m_snapshot->connections.cend(),
                       [connection](const api::ConnectionView &view) {
                           return (!connection.isValid() || view.connection.id == connection)
                                  && view.connection.environment == records::Environment::Production;
                       });
}

QString ConsoleSession::refusal(Verb verb, core::ConnectionId connection) const
{
    return models::refusal(*m_snapshot, verb, connection);
}

} // namespace models
