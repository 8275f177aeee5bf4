#include "tests/fuzz/conversation.h"

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/messages.h"

#include <algorithm>

namespace fuzz {

namespace {

using core::Result;
using core::Task;

constexpr int mostCalls = 12;
constexpr int mostSteps = 100'000; // of the clock, in one conversation
constexpr int mostTaken = 40;
const QString errorQueue = QStringLiteral("orders.error");

core::Error errorFrom(const QByteArray &answer)
{
    const int kind = std::clamp(answer.mid(1, 1).toInt(), 0, int(core::ErrorKind::UnknownOutcome));
    return core::Error{core::ErrorKind(kind), QStringLiteral("no answer"), {}, {}};
}

bool isOneLine(const QByteArray &text)
{
    return std::none_of(text.begin(), text.end(), [](char one) { return one == '\r' || one == '\n' || one == '\0'; });
}

template<typename T>
Task<> keep(Task<T> task, std::shared_ptr<std::optional<T>> to)
{
    T value = co_await std::move(task);
    to->emplace(std::move(value));
}

// One conversation: the broker, its clock, and what it has taken so far.
class Talk final
{
public:
    Talk(ScriptedHttp &client, const QByteArray &script, const MakeBroker &make)
        : m_client(client)
        , m_script(script)
        , m_broker(make(client, m_clock))
    {
        m_request.queue = errorQueue;
        m_request.holdingName = QStringLiteral("redrive.0123.take.7");
        m_request.limit = mostTaken;
        m_request.byteLimit = 1024 * 1024;
    }

    void call(char letter)
    {
        switch (letter) {
        case 'p':
            return said(finish(m_broker->probe()));
        case 'q':
            return queues();
        case 't':
            return take();
        case 'h':
            return said(finish(m_broker->prefetch(m_request)));
        case 'r':
            return said(finish(m_broker->release(m_request, std::exchange(m_page, {}))));
        case 'u':
            return said(finish(m_broker->putBack(m_request, std::exchange(m_page, {}))));
        case 'b':
            return browse();
        case 's':
            return send();
        case 'l':
            return said(finish(m_broker->leftovers()));
        case 'f':
            return forward();
        default:
            return;
        }
    }

private:
    template<typename T>
    T finish(Task<T> task)
    {
        const auto value = std::make_shared<std::optional<T>>();
        Task<> running = keep(std::move(task), value);
        for (int i = 0; i < mostSteps && !*value && m_clock.step(); ++i) {
        }
        if (!*value)
            m_broker->cancelAll();
        for (int i = 0; i < mostSteps && !*value && m_clock.step(); ++i) {
        }
        holds(value->has_value(), "every call of a broker ends");
        return std::move(**value);
    }

    template<typename T>
    void said(const Result<T> &result) const
    {
        if (!result)
            said(result.error());
    }
    void said(const core::Error &error) const
    {
        holds(!error.message.isEmpty(), "an error says what is wrong");
        const bool isEcho = m_script.contains(QByteArray(secretText).left(8));
        const QString whole = error.message + error.detail;
        holds(isEcho || !whole.contains(QLatin1String(secretText)), "no secret is in an error", whole.toUtf8());
        holds(error.retryAfter.count() >= 0, "nobody waits less than no time");
    }

    void queues()
    {
        const Result<broker::Listing> infos = finish(m_broker->queues());
        said(infos);
        if (!infos)
            return;
        for (const broker::QueueInfo &info : infos->queues) {
            holds(info.depth.value_or(0) >= 0, "no queue holds less than nothing");
            holds(info.consumers.value_or(0) >= 0, "no queue has fewer consumers than none");
            holds(info.averageBytes >= 0, "no message has less than no bytes");
        }
    }

    void check(const Result<broker::ReceivedPage> &page, int limit)
    {
        said(page);
        if (!page)
            return;
        holds(page->messages.size() <= limit, "never more than was asked for");
        for (const broker::ReceivedMessage &held : page->messages)
            holds(!held.nativeId.isEmpty(), "what is held has an id");
    }

    void take()
    {
        Result<broker::ReceivedPage> page = finish(m_broker->take(m_request));
        check(page, m_request.limit);
        if (page)
            m_page = std::move(*page);
    }

    void browse()
    {
        constexpr int limit = 20;
        check(finish(m_broker->browse(errorQueue, limit)), limit);
    }

    [[nodiscard]] static QList<broker::Outgoing> copies()
    {
        QList<broker::Outgoing> copies;
        for (int i = 1; i <= 3; ++i) {
            broker::Outgoing copy;
            copy.ordinal = i;
            copy.uniqueId = QStringLiteral("0123456789abcdef0123456789abcde%1").arg(i);
            copy.destination = i == 3 ? QStringLiteral("billing") : QStringLiteral("orders");
            copy.dedupId = copy.uniqueId + QStringLiteral("-7-1");
            copy.envelope.body = "body " + QByteArray::number(i);
            copies.append(copy);
        }
        return copies;
    }

    void check(const QList<broker::SendOutcome> &outcomes, qsizetype sent)
    {
        holds(outcomes.size() == sent, "one outcome for each message");
        for (const broker::SendOutcome &outcome : outcomes) {
            const bool accepted = outcome.verdict == broker::Verdict::Accepted;
            holds(!accepted || m_client.everSucceeded(), "nothing is accepted where no answer said so");
            if (!accepted)
                said(outcome.error);
        }
    }

    void send() { check(finish(m_broker->send(copies())), copies().size()); }

    void forward()
    {
        broker::StagingQueue *staging = m_broker->stagingQueue();
        if (staging == nullptr)
            return;
        const broker::StagingPlace place{QStringLiteral("redrive.0123.4.abcd"),
                                         {QStringLiteral("orders"), QStringLiteral("billing")}};
        said(finish(staging->open(place)));
        check(finish(staging->stage(place, copies())), copies().size());
        const Result<qint64> depth = finish(staging->depth(place));
        said(depth);
        holds(!depth || *depth >= 0, "no staging queue holds less than nothing");
        broker::ForwardHooks hooks{[](const QString &) { return Result<>(); }, [](qint64) {}, [](const QString &) {}};
        said(finish(staging->forward({place, {}}, hooks)));
        said(finish(staging->discard(place)));
    }

    support::FakeClock m_clock;
    ScriptedHttp &m_client;
    const QByteArray m_script;
    const std::unique_ptr<broker::Broker> m_broker;
    broker::TakeRequest m_request;
    broker::ReceivedPage m_page;
};

} // namespace

ScriptedHttp::ScriptedHttp(QByteArrayList answers, QUrl account)
    : m_answers(std::move(answers))
    , m_account(std::move(account))
{
}

core::Task<Result<http::Response>> ScriptedHttp::send(http::Request request)
{
    check(request);
    if (m_answers.isEmpty())
        co_return core::fail(core::ErrorKind::Cancelled, QStringLiteral("Stopped."));
    const QByteArray answer = m_answers.takeFirst();
    if (answer.startsWith('!'))
        co_return core::fail(errorFrom(answer));
    http::Response response = responseFrom(answer);
    m_everSucceeded = m_everSucceeded || response.status / 100 == 2;
    co_return response;
}

void ScriptedHttp::check(const http::Request &request) const
{
    holds(request.url.isValid(), "every address is one", request.url.errorString().toUtf8());
    const bool isAccount = request.url.scheme() == m_account.scheme() && request.url.host() == m_account.host()
                           && request.url.port() == m_account.port();
    holds(isAccount, "credentials go to the account and nowhere else", request.url.toEncoded());
    holds(isOneLine(request.verb), "a verb is one line");
    for (const http::HeaderField &field : request.headers)
        holds(isOneLine(field.name) && isOneLine(field.value), "a header is one line", field.name + ": " + field.value);
}

void converse(const QByteArrayList &parts, const QUrl &account, const MakeBroker &make)
{
    const QByteArrayList answers = parts.mid(1);
    ScriptedHttp client(answers, account);
    Talk talk(client, answers.join(), make);
    for (const char letter : parts.value(0).left(mostCalls))
        talk.call(letter);
}

} // namespace fuzz
