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

HandlerFailure failureOf(const core::Error &error)
{
    HandlerFailure failure;
    failure.what.exceptionType = QStringLiteral("Microsoft.Data.Sqlite.SqliteException");
    failure.what.message = error.message;
    return failure;
}

} // namespace

Dispatcher::Dispatcher(const Settings &settings, const Surroundings &around)
    : m_settings(settings)
    , m_clock(around.clock)
    , m_timers(around.timers)
    , m_store(around.store)
    , m_origin(around.origin)
    , m_decider(settings.conflicts)
    , m_faults(around.seed, settings.faults)
{
}

core::Task<Dispatcher::End> Dispatcher::dispatch(QString document, Caller caller, int attempt)
{
    End end;
    while (true) {
        const core::Result<Document> current = m_store.load(document);
        if (!current) {
            end.failure = failureOf(current.error());
            co_return end;
        }
        if (current->outbox.isEmpty())
            co_return end;
        const DocumentMessage message = current->outbox.constFirst();
        end.failure = co_await handle(message, caller, attempt);
        if (end.failure)
            co_return end;
        if (caller == Caller::Request && m_faults.kills(Fault::Kind::DiesAfterHandling, message.number)) {
            ++m_counts.deaths;
            end.hasDied = true;
            co_return end;
        }
        const auto remove = [number = message.number](Document &mine) -> core::Result<Change> {
            mine.outbox.removeIf([number](const DocumentMessage &one) { return one.number == number; });
            return Change::Save;
        };
        end.failure = co_await update(document, remove);
        if (end.failure)
            co_return end;
    }
}

core::Task<std::optional<HandlerFailure>> Dispatcher::handle(DocumentMessage message, Caller caller, int attempt)
{
    std::optional<HandlerFailure> failure;
    const bool isAnswer = message.number >= answerOffset;
    if (!isAnswer) // answers always work, or one of them would hold back all others of its article
        failure = m_faults.strikes(message.number, attempt, m_clock.now() - m_origin);
    if (failure)
        co_return failure;
    bool isNew = false;
    const auto process = [this, &isNew, &message](Document &target) -> core::Result<Change> {
        TRY(const bool known, m_store.hasProcessed(target.id, message.number));
        isNew = !known;
        if (!isNew)
            return Change::Leave;
        target.processed.append(message.number);
        if (message.wantsConfirmation)
            target.outbox.append({message.number + answerOffset, target.id, message.from, false});
        return Change::Save;
    };
    const auto contended = [this, &message, isOpen = caller == Caller::Request && !isAnswer](int save) {
        return isOpen && m_faults.contends(message.number, save);
    };
    failure = co_await update(message.to, process, contended);
    if (failure)
        co_return failure;
    if (!isNew)
        ++m_counts.alreadyProcessed;
    co_return failure;
}

core::Task<std::optional<HandlerFailure>> Dispatcher::update(QString document, Changing change, Contention contended)
{
    for (int tries = 1; true; ++tries) {
        core::Result<Document> mine = m_store.load(document);
        const core::Result<Change> wanted = mine ? change(*mine) : core::Result<Change>(core::fail(mine.error()));
        if (!wanted)
            co_return failureOf(wanted.error());
        if (*wanted == Change::Leave)
            co_return std::nullopt;
        const core::Result<> worked = co_await m_timers.sleep(m_settings.takes);
        if (worked && contended && contended(tries)) {
            if (const core::Result<> other = m_store.touch(document, m_clock.now()); !other)
                co_return failureOf(other.error());
        }
        const core::Result<bool> saved = worked ? m_store.save(*mine, m_clock.now()) : core::Result<bool>(false);
        if (!saved)
            co_return failureOf(saved.error());
        if (*saved)
            co_return std::nullopt;
        ++m_counts.conflicts;
        const HandlerFailure failure = conflictOn(document);
        const core::TimePoint now = m_clock.now();
        const recovery::Decision decision = m_decider.decide(failure.what, tries, now, now);
        if (worked && decision.what == recovery::Decision::Do::RetryNow) {
            ++m_counts.conflictRetries;
            continue;
        }
        m_counts.conflictsExhausted += worked ? 1 : 0;
        co_return failure;
    }
}

} // namespace sandbox
