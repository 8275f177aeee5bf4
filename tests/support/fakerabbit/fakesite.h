#pragma once

#include "tests/support/fakeclock.h"
#include "tests/support/fakerabbit/fakerabbit.h"

namespace support {

// The fake with a clock of its own, for tests that run on both kinds of broker.
class FakeSite final : public RabbitSite
{
public:
    explicit FakeSite(quint64 seed = 1)
        : m_rabbit(m_clock, seed)
    {
    }

    [[nodiscard]] http::HttpClient &client() override { return m_rabbit; }
    [[nodiscard]] FakeClock &clock() override { return m_clock; }
    [[nodiscard]] bool until(const std::function<bool()> &done, core::Milliseconds limit) override
    {
        const core::SteadyTime end = m_clock.steady() + limit;
        while (!done() && m_clock.steady() < end) {
            if (!m_clock.step())
                m_clock.pass(core::Milliseconds{1});
        }
        return done();
    }
    void kill() override { m_rabbit.kill(); }
    [[nodiscard]] bool restart() override
    {
        m_rabbit.start();
        return true;
    }
    [[nodiscard]] broker::rabbitmq::Settings settings(const QString &vhost) override
    {
        broker::rabbitmq::Settings settings;
        settings.base = QUrl(QStringLiteral("http://fake"));
        settings.vhost = vhost;
        settings.authorization = "Basic " + QByteArray("guest:guest").toBase64();
        return settings;
    }
    [[nodiscard]] FakeRabbit &rabbit() { return m_rabbit; }

private:
    FakeClock m_clock;
    FakeRabbit m_rabbit;
};

} // namespace support
