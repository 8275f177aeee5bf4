#include "backend/control/shared/asker.h"

#include "backend/api/snapshot.h"
#include "backend/control/calls.h"
#include "backend/control/framesocket.h"
#include "backend/control/shared/sharedclient.h"
#include "backend/control/socketname.h"
#include "backend/control/text.h"
#include "backend/core/limits.h"
#include "backend/core/text/cborcodec.h"

#include <QCborValue>
#include <QUuid>

#include <algorithm>

namespace control {

namespace {

constexpr core::Milliseconds presentEvery{3000};
constexpr core::Milliseconds lookEvery{1000};
constexpr std::chrono::minutes repeatedFor{10}; // much less than answers are kept
// How long one try may be on its way: what arrives later comes from a process that may be long gone.
constexpr std::chrono::seconds longestTry{60};

core::SteadyTime steadyTime()
{
    return std::chrono::time_point_cast<core::Milliseconds>(std::chrono::steady_clock::now());
}

// Whether an error of the database passes by itself.
bool passes(core::ErrorKind kind)
{
    return kind == core::ErrorKind::Transient || kind == core::ErrorKind::Cancelled
           || kind == core::ErrorKind::Conflict;
}

} // namespace

Asker::Asker(SharedClient &client, QString who)
    : m_client(client)
    , m_id(QUuid::createUuid().toString(QUuid::WithoutBraces))
    , m_who(std::move(who))
{
}

void Asker::add(qint64 number, QByteArray payload)
{
    const std::scoped_lock lock(m_mutex);
    m_new.emplace_back(number, std::move(payload));
}

void Asker::setListening()
{
    const std::scoped_lock lock(m_mutex);
    m_wantsToListen = true;
}

void Asker::stop()
{
    const std::scoped_lock lock(m_mutex);
    m_stopped = true;
}

void Asker::takeNew()
{
    const std::scoped_lock lock(m_mutex);
    for (auto &[number, payload] : m_new)
        m_questions[number].payload = std::move(payload);
    m_new.clear();
    if (std::exchange(m_listens, m_wantsToListen) != m_wantsToListen)
        m_present.reset();
    m_ended = m_ended || m_stopped;
}

core::Result<> Asker::begin(store::ControlTables &tables)
{
    m_role = tables.role();
    m_mayBePresent = true;
    m_present.reset();
    TRY(tables.hearHolder());
    TRY(const bool mayAsk, tables.mayAsk());
    tell([&client = m_client, role = m_role, mayAsk] { client.connected(role, mayAsk); });
    return {};
}

core::Result<> Asker::look(store::ControlTables &tables)
{
    takeNew();
    if (m_ended)
        return {};
    TRY(const store::HolderState holder, tables.holder());
    if (!holder.isAlive)
        return end(tables, std::nullopt);
    if (holder.protocol && *holder.protocol != protocolVersion)
        return end(tables, core::Error{core::ErrorKind::Refused, otherVersionText(), {}, {}});
    tell([&client = m_client, holder] { client.sees(holder); });
    if (holder.protocol) {
        TRY(sayPresent(tables));
        TRY(send(tables, holder.now));
    }
    TRY(fetch(tables, holder));
    return m_ended ? core::Result<>() : wakeHolder(tables);
}

core::Result<> Asker::sayPresent(store::ControlTables &tables)
{
    const bool isNeeded = m_mayBePresent && (m_listens || !m_questions.empty());
    if (!isNeeded || (m_present && steadyTime() - *m_present < presentEvery))
        return {};
    const core::Result<> said = tables.stayPresent(m_id, m_listens);
    m_mayBePresent = said || said.error().kind != core::ErrorKind::Unauthorized;
    if (!said && m_mayBePresent)
        return said;
    m_wakeDue = m_wakeDue || !m_present; // it publishes now
    m_present = steadyTime();
    return {};
}

core::Result<> Asker::send(store::ControlTables &tables, core::TimePoint now)
{
    std::vector<std::pair<qint64, core::Error>> refused;
    for (auto &[number, question] : m_questions) {
        if (question.sent)
            continue;
        if (!question.notAfter)
            question.notAfter = now + repeatedFor;
        expectBytes(question.payload.size());
        ++question.tries;
        const core::TimePoint arrives =
            now + longestTry + core::Milliseconds(question.payload.size() * 1000 / bytesPerSecond);
        const core::Result<bool> added =
            tables.ask(m_id, number, m_who, protocolVersion, question.payload, std::min(arrives, *question.notAfter));
        if (!added && added.error().kind == core::ErrorKind::Transient)
            return core::fail(added.error());
        if (!added)
            refused.emplace_back(number, added.error().kind == core::ErrorKind::Unauthorized ? mayOnlyReadError(m_role)
                                                                                             : added.error());
        else if (!*added && now < *question.notAfter)
            continue; // it was on its way for too long: again
        else if (!*added)
            refused.emplace_back(number, goneError());
        question.sent = true;
        question.payload.clear();
        m_wakeDue = true;
    }
    expectBytes(0);
    for (const auto &[number, error] : refused)
        refuse(number, error);
    return {};
}

void Asker::refuse(qint64 number, const core::Error &error)
{
    m_questions.erase(number);
    tell([&client = m_client, number, error] { client.failed(number, error); });
}

// The snapshot is read after the answers and told before them: it is never older than what was answered.
core::Result<> Asker::fetch(store::ControlTables &tables, const store::HolderState &holder)
{
    std::vector<std::pair<qint64, QCborMap>> answers;
    if (std::any_of(m_questions.cbegin(), m_questions.cend(), [](const auto &one) { return one.second.sent; })) {
        const auto found = tables.requests(m_id);
        if (!found)
            return core::fail(found.error());
        const std::map<qint64, Question> open = m_questions; // copied, because refuse() changes it; payloads are shared
        for (const auto &[number, question] : open) {
            if (!question.sent)
                continue;
            if (!found->contains(number)) {
                refuse(number, goneError()); // answered, and removed before this process woke up
            } else if (found->value(number)) {
                expectBytes(largestMessage);
                TRY(const QByteArray answer, tables.answer(m_id, number));
                answers.emplace_back(number, QCborValue::fromCbor(answer).toMap());
            }
        }
        expectBytes(0);
    }
    const bool isNew = holder.snapshot && m_shown != std::pair(holder.fence, *holder.snapshot);
    if (m_listens && (isNew || !answers.empty()))
        TRY(fetchSnapshot(tables, holder.fence));
    QList<qint64> read;
    for (const auto &[number, answer] : answers) {
        if (const auto question = m_questions.extract(number); question && question.mapped().tries == 1)
            read.append(number);
        tell([&client = m_client, number = number, answer = answer] { client.answered(number, answer); });
    }
    return read.isEmpty() ? core::Result<>() : tables.forget(m_id, read);
}

core::Result<> Asker::fetchSnapshot(store::ControlTables &tables, qint64 fence)
{
    expectBytes(largestMessage);
    const auto read = tables.snapshot(fence);
    expectBytes(0);
    if (!read)
        return core::fail(read.error());
    if (!*read || m_shown == std::pair(fence, (*read)->sequence))
        return {};
    auto snapshot = std::make_shared<api::Snapshot>();
    if (!core::decode(QCborValue::fromCbor((*read)->payload), *snapshot))
        return end(tables, core::Error{core::ErrorKind::Refused, otherVersionText(), {}, {}});
    m_shown = std::pair(fence, (*read)->sequence);
    tell([&client = m_client, snapshot] { client.shows(snapshot); });
    return {};
}

// An earlier try of these may still arrive. Their rows stay, so that it finds them: it would be another request otherwise.
QList<qint64> Asker::triedAgain() const
{
    QList<qint64> numbers;
    for (const auto &[number, question] : m_questions) {
        if (question.tries > 1)
            numbers.append(number);
    }
    return numbers;
}

// A NOTIFY takes a lock of the whole database at its commit, so many wakes become one.
core::Result<> Asker::wakeHolder(store::ControlTables &tables)
{
    if (!m_wakeDue || (m_woke && steadyTime() - *m_woke < core::limits::snapshotInterval))
        return {};
    m_wakeDue = false;
    m_woke = steadyTime();
    return tables.wakeHolder();
}

core::Milliseconds Asker::pause()
{
    if (!m_wakeDue || !m_woke)
        return lookEvery;
    return std::clamp(*m_woke + core::limits::snapshotInterval - steadyTime(), core::Milliseconds(1), lookEvery);
}

bool Asker::hasTried() const
{
    return std::any_of(m_questions.cbegin(), m_questions.cend(),
                       [](const auto &one) { return one.second.notAfter.has_value(); });
}

core::Result<> Asker::end(store::ControlTables &tables, const std::optional<core::Error> &danger)
{
    m_ended = true;
    if (hasTried()) {
        const core::Result<store::Withdrawn> withdrawn = tables.withdraw(m_id, triedAgain());
        if (!withdrawn) {
            m_ended = false; // again, on a new connection
            return core::fail(withdrawn.error());
        }
        for (const qint64 number : withdrawn->unheard)
            m_questions.erase(number);
        m_listens = false;
        const core::Result<> fetched = fetch(tables, {}); // answers that came meanwhile
        tellEnd(danger); // also without them: what is unheard has been taken back, and is nobody's otherwise
        return fetched;
    }
    tellEnd(danger);
    return {};
}

// What was tried and neither taken back nor answered may have been carried out.
void Asker::tellEnd(const std::optional<core::Error> &danger)
{
    m_ended = true;
    QList<qint64> taken;
    for (const auto &[number, question] : m_questions) {
        if (question.notAfter)
            taken.append(number);
    }
    tell([&client = m_client, taken, danger] {
        if (danger)
            client.endangered(*danger);
        client.isGoneWith(taken);
    });
}

void Asker::failed(const core::Error &error)
{
    takeNew();
    if (m_ended)
        return;
    if (!passes(error.kind))
        return tellEnd(error);
    tell([&client = m_client, error] { client.isCutOff(error); });
}

// Errors reach nobody. What stays is not carried out when nobody is there for it.
void Asker::leave(store::ControlTables &tables)
{
    if (hasTried())
        (void)tables.withdraw(m_id, triedAgain());
    if (m_present)
        (void)tables.leave(m_id);
}

} // namespace control
