#include "app/brokers.h"

#include "backend/broker/azurequeue/azurequeue.h"
#include "backend/broker/rabbitmq/rabbitmq.h"
#include "backend/broker/servicebus/servicebus.h"
#include "backend/broker/sqs/sqs.h"
#include "backend/http/qnamhttpclient.h"
#include "backend/http/retryingclient.h"

namespace app {

namespace {

// How the calls of a broker go.
struct Wires
{
    http::ClientSettings settings{};
    http::PermittedClient::MayCall mayCall{};
};

// A broker with its HTTP client, so that they are destroyed in the right order.
template<typename Kind, typename... Rest>
struct Standing
{
    Standing(const Wires &wires, core::Clock &clock, core::Random &random, Rest... rest)
        : wire(wires.settings)
        , permitted(wire, wires.mayCall)
        , client(permitted, clock, random)
        , broker(client, clock, std::move(rest)...)
    {
        client.setOnSilence([this](const core::Error &error) { broker.silent(error); });
        client.setOnBreaker([this] { broker.breakerChanged(); });
        broker.setFailingShare([this] { return client.failingShare(); });
        broker.setBreaker([this] { return client.breaker(); });
    }
    http::QnamHttpClient wire;
    http::PermittedClient permitted;
    http::RetryingClient client;
    Kind broker;
};

// For brokers with a call for each message: receiving, removing and sending have up to 40 calls under way, and a call that
// waits for a connection would count as one without an answer.
constexpr int manyCalls = 7;

broker::ServiceBusAccount accountOf(const records::Connection &connection, const QString &secret)
{
    broker::ServiceBusAccount account;
    account.base = connection.url.adjusted(QUrl::RemoveUserInfo);
    account.keyName = connection.url.userName(QUrl::FullyDecoded);
    account.key = secret;
    account.errorQueues = connection.errorQueues;
    return account;
}

} // namespace

engine::BrokerFactory brokerFactory(core::Clock &clock, core::Random &random,
                                    std::optional<core::Milliseconds> longestCall,
                                    http::PermittedClient::MayCall mayCall)
{
    return [&clock, &random, longestCall, mayCall = std::move(mayCall)](
               const records::Connection &connection, const QString &secret) -> std::shared_ptr<broker::Broker> {
        Wires wires;
        wires.mayCall = mayCall;
        wires.settings.caFile = connection.caFile;
        wires.settings.longestCall = longestCall;
        switch (connection.kind) {
        case records::BrokerKind::RabbitMq: {
            using All = Standing<broker::RabbitMq, std::reference_wrapper<core::Random>, broker::rabbitmq::Settings>;
            const auto all = std::make_shared<All>(wires, clock, random, std::ref(random),
                                                   broker::rabbitmq::Settings::from(connection, secret));
            return {all, &all->broker};
        }
        case records::BrokerKind::ServiceBus: {
            wires.settings.managers = manyCalls;
            using All = Standing<broker::ServiceBus, broker::ServiceBusAccount>;
            const auto all = std::make_shared<All>(wires, clock, random, accountOf(connection, secret));
            return {all, &all->broker};
        }
        case records::BrokerKind::AzureQueue: {
            wires.settings.managers = manyCalls;
            using All = Standing<broker::AzureQueue, broker::azurequeue::Account>;
            const auto all =
                std::make_shared<All>(wires, clock, random, broker::azurequeue::Account::from(connection, secret));
            return {all, &all->broker};
        }
        case records::BrokerKind::Sqs: {
            using All = Standing<broker::Sqs, broker::sqs::Account>;
            const auto all =
                std::make_shared<All>(wires, clock, random, broker::sqs::Account::from(connection, secret));
            return {all, &all->broker};
        }
        }
        return nullptr;
    };
}

std::shared_ptr<broker::Broker> simulatedBroker(sandbox::Simulation &simulation)
{
    struct Simulated
    {
        Simulated(sandbox::Simulation &in, const broker::ServiceBusAccount &account)
            : client(in.newClient())
            , broker(*client, in.clock(), account)
        {
        }
        std::unique_ptr<http::HttpClient> client;
        broker::ServiceBus broker;
    };
    broker::ServiceBusAccount account;
    account.base = QUrl(QStringLiteral("http://127.0.0.1/"));
    const auto all = std::make_shared<Simulated>(simulation, account);
    return {all, &all->broker};
}

} // namespace app
