// One broker with its fake, and the same things to do with each.
#pragma once

#include "tests/support/fakerabbit/fakesite.h"
#include "tests/support/rabbit/rabbitadmin.h"
#include "tests/support/servicebus/fakeservicebus.h"
#include "tests/support/servicebus/servicebusclient.h"
#include "tests/support/sqs/fakesqs.h"
#include "tests/support/sqs/sqsclient.h"
#include "tests/support/storagequeue/fakestoragequeue.h"
#include "tests/support/storagequeue/storagequeueclient.h"

#include "backend/broker/rabbitmq/rabbitmq.h"

#include <QCoro/QCoroTask>

namespace test {

enum class Kind { RabbitMq, ServiceBus, StorageQueues, Sqs };
enum class Asked { Any, Take, Settle, Count, Send, List };

// Waits no longer than it is told.
class PatientClient final : public http::HttpClient
{
public:
    explicit PatientClient(http::HttpClient &inner)
        : m_inner(inner)
    {
    }
    [[nodiscard]] core::Task<core::Result<http::Response>> send(http::Request request) override
    {
        request.timeout = std::min(request.timeout, limit);
        core::Result<http::Response> answer = co_await m_inner.send(std::move(request));
        co_return answer;
    }
    void cancelAll() override { m_inner.cancelAll(); }

    core::Milliseconds limit{120000};

private:
    http::HttpClient &m_inner;
};

class Side final
{
public:
    // RabbitMQ is most often one without a port, on a time of its own: what it is asked one after the other takes minutes.
    enum class Line { Usual, Port, Secured };

    explicit Side(Kind kind, Line line = Line::Usual, const QString &certificate = {});

    [[nodiscard]] broker::Broker &broker() { return *m_broker; }
    [[nodiscard]] support::Tamper &tamper();
    [[nodiscard]] support::BrokenServer *server();
    void setTimeout(core::Milliseconds limit) { m_patient.limit = limit; }

    template<typename T>
    T wait(core::Task<T> task)
    {
        return m_site ? m_site->wait(std::move(task)) : QCoro::waitFor(std::move(task));
    }
    template<typename T>
    core::Result<> told(core::Task<core::Result<T>> task)
    {
        const core::Result<T> result = wait(std::move(task));
        return result ? core::Result<>() : core::Result<>(core::fail(result.error()));
    }

    void put(int messages);
    [[nodiscard]] QByteArray body(int number) const { return "failed message " + QByteArray::number(number); }
    // Locks end.
    void show();
    // Nobody has it: what lies in the failed queue, and in queues of ours.
    [[nodiscard]] QList<QByteArray> left();
    [[nodiscard]] QList<QByteArray> arrived();
    [[nodiscard]] QList<broker::Outgoing> copies(int from, int count) const;
    [[nodiscard]] broker::TakeRequest request() const;
    [[nodiscard]] QStringList addManyQueues();
    [[nodiscard]] std::function<bool(const http::Request &)> which(Asked asked) const;

    // One page, as intake does it: what is known by its id is not stored again, and what is stored is removed.
    [[nodiscard]] QList<core::Error> takeAndRelease(QHash<QString, QByteArray> &stored);

private:
    void makeRabbit(Line line);
    [[nodiscard]] bool isAbout(Asked asked, const http::Request &request) const;
    [[nodiscard]] bool isAboutRabbit(Asked asked, const http::Request &request) const;
    [[nodiscard]] QUrl address(const QString &user = {}) const;
    [[nodiscard]] support::FakeRabbit *rabbit();

    const Kind m_kind;
    const Line m_line;
    core::SystemClock m_clock;
    core::SystemRandom m_random;
    http::QnamHttpClient m_http{{3, {}}};
    PatientClient m_patient{m_http};
    http::RetryingClient m_retrying{m_patient, m_clock, m_random, support::sendOnce()};
    std::unique_ptr<support::FakeSqs> m_sqs;
    std::unique_ptr<support::FakeStorageQueue> m_storage;
    std::unique_ptr<support::FakeServiceBus> m_bus;
    std::unique_ptr<support::FakeSite> m_site;
    std::unique_ptr<support::FakeRabbit> m_rabbit; // behind a port
    std::unique_ptr<support::BrokenServer> m_port;
    std::unique_ptr<broker::Broker> m_broker;
    int m_runs = 1; // of intake
};

} // namespace test
