#pragma once

#include "backend/broker/rabbitmq/settings.h"
#include "backend/core/async.h"
#include "backend/core/time/clock.h"
#include "backend/http/httpclient.h"

#include <QCborMap>

#include <functional>
#include <optional>

namespace support {

// A RabbitMQ to test against: the one from Debian, or the one in memory. Tests are written once and run on both.
class RabbitSite
{
public:
    RabbitSite() = default;
    RabbitSite(const RabbitSite &) = delete;
    RabbitSite &operator=(const RabbitSite &) = delete;
    virtual ~RabbitSite() = default;

    [[nodiscard]] virtual http::HttpClient &client() = 0;
    [[nodiscard]] virtual core::Clock &clock() = 0;
    // Lets time and events go on until `done` says true. False: not within `limit` (of this site's time).
    [[nodiscard]] virtual bool until(const std::function<bool()> &done, core::Milliseconds limit) = 0;
    // Ends the broker as SIGKILL does, or starts it again on what it had on disk and waits until it answers.
    virtual void kill() = 0;
    [[nodiscard]] virtual bool restart() = 0;
    [[nodiscard]] virtual broker::rabbitmq::Settings settings(const QString &vhost) = 0;

    // Runs one call to its end. Ends the test program when it does not end within two minutes.
    template<typename T>
    T wait(core::Task<T> task)
    {
        std::optional<T> value;
        const core::Task<> runner = into<T>(std::move(task), value);
        if (!until([&] { return value.has_value(); }, core::Milliseconds{120000}))
            qFatal("A call did not end within two minutes.");
        return std::move(*value);
    }
    void pause(core::Milliseconds duration)
    {
        const core::SteadyTime end = clock().steady() + duration;
        if (!until([&] { return clock().steady() >= end; }, duration * 4 + core::Milliseconds{1000}))
            qFatal("The time stands still.");
    }

private:
    template<typename T>
    static core::Task<> into(core::Task<T> task, std::optional<T> &value)
    {
        T got = co_await task;
        value.emplace(std::move(got));
    }
};

} // namespace support
