#include "backend/engine/connection/retryingsecrets.h"

#include "backend/engine/text.h"

namespace engine {

namespace {

core::Error noAnswer()
{
    return {core::ErrorKind::Transient,
            Text::tr("The desktop keyring does not answer. If it is locked, unlock it: Redrive then tries again."),
            {},
            {}};
}

core::Task<> pass(core::Task<core::Result<>> asked, core::Pending<core::Result<>> answer)
{
    core::Result<> result = co_await asked;
    answer.resolve(std::move(result));
}

} // namespace

RetryingSecrets::RetryingSecrets(std::unique_ptr<core::Secrets> behind, core::Clock &clock, core::Milliseconds timeout,
                                 core::Milliseconds longest)
    : m_clock(clock)
    , m_timeout(timeout)
    , m_longest(longest)
    , m_behind(std::move(behind))
{
}

RetryingSecrets::~RetryingSecrets()
{
    m_open->late = nullptr;
}

template<typename T>
core::Task<core::Result<T>> RetryingSecrets::within(core::Pending<core::Result<T>> answer)
{
    const core::Clock::Ticket end = m_clock.after(m_timeout, [answer] { answer.resolve(core::fail(noAnswer())); });
    core::Result<T> first = co_await answer;
    m_clock.cancel(end);
    co_return first;
}

void RetryingSecrets::forget(const std::weak_ptr<Open> &open, const QString &connection,
                             const std::shared_ptr<Question> &question)
{
    const std::shared_ptr<Open> still = open.lock();
    if (still && still->questions.value(connection) == question)
        still->questions.remove(connection);
}

core::Task<> RetryingSecrets::ask(core::Secrets &behind, QString connection, std::shared_ptr<Question> question,
                                  std::weak_ptr<Open> open)
{
    const core::Result<QString> found = co_await behind.read(connection);
    forget(open, connection, question);
    bool isHeard = false;
    for (const core::Pending<core::Result<QString>> &one : std::exchange(question->waiting, {}))
        isHeard = one.resolve(found) || isHeard;
    const std::shared_ptr<Open> still = open.lock();
    if (!isHeard && still && still->late)
        still->late();
}

std::shared_ptr<RetryingSecrets::Question> RetryingSecrets::begin(const QString &connection)
{
    const auto question = std::make_shared<Question>();
    m_open->questions.insert(connection, question);
    const std::weak_ptr<Open> open = m_open;
    m_clock.after(m_longest, [open, connection, question] { forget(open, connection, question); });
    return question;
}

core::Task<core::Result<QString>> RetryingSecrets::read(QString connection)
{
    const std::shared_ptr<Question> known = m_open->questions.value(connection);
    if (known && known->isLate)
        co_return core::fail(noAnswer());
    const std::shared_ptr<Question> question = known ? known : begin(connection);
    const core::Pending<core::Result<QString>> answer;
    question->waiting.push_back(answer);
    if (!known)
        static_cast<void>(ask(*m_behind, connection, question, m_open));
    core::Result<QString> found = co_await within(answer);
    question->isLate = m_open->questions.value(connection) == question; // an answered read is no longer in the list
    co_return found;
}

core::Task<core::Result<>> RetryingSecrets::write(QString connection, QString secret)
{
    const core::Pending<core::Result<>> answer;
    static_cast<void>(pass(m_behind->write(connection, secret), answer));
    const core::Result<> kept = co_await within(answer);
    co_return kept;
}

core::Task<core::Result<>> RetryingSecrets::remove(QString connection)
{
    const core::Pending<core::Result<>> answer;
    static_cast<void>(pass(m_behind->remove(connection), answer));
    const core::Result<> gone = co_await within(answer);
    co_return gone;
}

core::Task<core::Result<>> RetryingSecrets::keeps()
{
    const core::Pending<core::Result<>> answer;
    static_cast<void>(pass(m_behind->keeps(), answer));
    const core::Result<> kept = co_await within(answer);
    co_return kept;
}

} // namespace engine
