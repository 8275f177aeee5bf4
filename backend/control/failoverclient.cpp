#include "backend/control/failoverclient.h"

namespace control {

FailoverClient::FailoverClient(std::unique_ptr<api::EngineClient> first)
    : m_current(std::move(first))
{
}

FailoverClient::~FailoverClient() = default;

void FailoverClient::switchTo(std::unique_ptr<api::EngineClient> next)
{
    const std::unique_ptr<api::EngineClient> old = std::exchange(m_current, std::move(next));
    if (m_listener)
        hear(*m_current);
}

void FailoverClient::listen(Listener listener)
{
    m_listener = std::make_shared<Listener>(std::move(listener));
    hear(*m_current);
}

void FailoverClient::hear(api::EngineClient &client)
{
    const std::weak_ptr<Listener> to = m_listener;
    client.listen([to](api::SnapshotPtr snapshot) {
        const std::shared_ptr<Listener> listener = to.lock();
        if (listener && *listener)
            (*listener)(std::move(snapshot));
    });
}

void FailoverClient::send(api::RequestPtr request)
{
    m_current->send(std::move(request));
}

} // namespace control
