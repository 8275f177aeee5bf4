// A network in which each request to remove something of ours is lost and sent again, and the lost one arrives later.
#pragma once

#include "tests/support/fakerabbit/fakesite.h"

#include <QSet>

namespace test {

class LateRemovals final
{
public:
    // Each arrives after so many further requests.
    LateRemovals(support::FakeRabbit &rabbit, int after)
        : m_rabbit(rabbit)
        , m_after(after)
    {
        m_rabbit.setFaults([this](const http::Request &request) { return fateOf(request); });
    }
    ~LateRemovals() { end(); }
    LateRemovals(const LateRemovals &) = delete;
    LateRemovals &operator=(const LateRemovals &) = delete;

    // All arrive that are on their way, and no more are lost.
    void end()
    {
        m_rabbit.setFaults({});
        m_rabbit.letLateArrive();
        m_due.clear();
    }
    [[nodiscard]] int lost() const { return m_lost; }

private:
    support::FakeRabbit::Fault fateOf(const http::Request &request)
    {
        using Fault = support::FakeRabbit::Fault;
        for (++m_requests; !m_due.isEmpty() && m_due.constFirst() <= m_requests; m_due.removeFirst())
            m_rabbit.letOneLateArrive();
        const QString path = request.url.path();
        if (request.verb != "DELETE" || !request.idempotent || !path.contains(QLatin1String("redrive."))
            || m_again.remove(path))
            return Fault::None;
        m_again.insert(path); // the next one is the repetition
        m_due.append(m_requests + m_after);
        ++m_lost;
        return Fault::Delayed;
    }

    support::FakeRabbit &m_rabbit;
    const int m_after;
    int m_requests = 0;
    int m_lost = 0;
    QSet<QString> m_again; // paths
    QList<int> m_due; // numbers of requests
};

} // namespace test
