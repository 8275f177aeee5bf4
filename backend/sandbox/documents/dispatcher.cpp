#include "backend/sandbox/documents/dispatcher.h"

namespace sandbox {

namespace {

// Answers have numbers of their own: those of the questions, beyond all of them.
constexpr int answerOffset = 1000000;

HandlerFailure conflictOn(const QString &document)
{
    HandlerFailure failure;
    failure.what.exceptionType = QStringLiteral("Microsoft.Azure.Documents.DocumentClientException");
    failure.what.message = QStringLiteral("Document %1: one of the specified pre-condition is not met").arg(document);
    failure.what.httpStatus = 412; // Precondition Failed
    return failure;
}

} // namespace

Dispatcher::Dispatcher(const Settings &settings, quint64 seed, core::Clock &clock, core::Timers &timers,
                       DocumentStore &store)
    : m_settings(settings)
    , m_clock(clock)
    , m_timers(timers)
    , m_store(store)
    , m_origin(clock.now())
    , m_decider(settings.conflicts)
    , m_faults(seed, settings.faults)
{
}

core::Task<Dispatcher::End> Dispatcher::dispatch(QString document, Caller caller, int attempt)
{
    End end;
    while (true) {
        const Document current = m_store.load(document);
        if (current.outbox.isEmpty())
            co_return end;
        const DocumentMessage message = current.outbox.constFirst();
        end.failure = co_await handle(message, attempt);
        if (end.failure)
            co_return end;
        if (caller == Caller::Request && m_faults.kills(Fault::Kind::DiesAfterHandling, message.number)) {
            ++m_counts.deaths;
            end.hasDied = true;
            co_return end;
        }
        const auto remove = [number = message.number](Document &mine) {
            mine.outbox.removeIf([number](const DocumentMessage &one) { return one.number == number; });
            return Change::Save;
        };
        end.failure = co_await update(document, remove);
        if (end.failure)
            co_return end;
    }
}

core::Task<std::optional<HandlerFailure>> Dispatcher::handle(DocumentMessage message, int attempt)
{
    std::optional<HandlerFailure> failure;
    if (message.number < answerOffset) // answers always work, or one of them would hold back all others of its article
        failure = m_faults.strikes(message.number, attempt, m_clock.now() - m_origin);
    if (failure)
        co_return failure;
    bool isNew = false;
    const auto process = [&isNew, &message](Document &target) {
        isNew = !target.inbox.contains(message.number);
        if (!isNew)
            return Change::Leave;
        target.inbox.insert(message.number);
        if (message.wantsConfirmation)
            target.outbox.append({message.number + answerOffset, target.id, message.from, false});
        return Change::Save;
    };
    failure = co_await update(message.to, process);
    if (failure)
        co_return failure;
    if (isNew)
        m_counts.processed.append(message.number);
    else
        ++m_counts.alreadyProcessed;
    co_return failure;
}

core::Task<std::optional<HandlerFailure>> Dispatcher::update(QString document, std::function<Change(Document &)> change)
{
    for (int tries = 1; true; ++tries) {
        Document mine = m_store.load(document);
        if (change(mine) == Change::Leave)
            co_return std::nullopt;
        const core::Result<> worked = co_await m_timers.sleep(m_settings.takes);
        if (worked && m_store.save(std::move(mine), m_clock.now()))
            co_return std::nullopt;
        ++m_counts.conflicts;
        const HandlerFailure failure = conflictOn(document);
        const core::TimePoint now = m_clock.now();
        const recovery::Decision decision = m_decider.decide(failure.what, tries, now, now);
        if (!worked || decision.what != recovery::Decision::Do::RetryNow)
            co_return failure;
        ++m_counts.conflictRetries;
    }
}

} // namespace sandbox
