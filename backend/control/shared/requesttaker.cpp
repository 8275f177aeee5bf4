#include "backend/control/shared/requesttaker.h"

#include "backend/api/crossing.h"
#include "backend/control/calls.h"
#include "backend/control/framesocket.h"
#include "backend/control/shared/sharedserver.h"
#include "backend/control/text.h"
#include "backend/core/limits.h"
#include "backend/core/text/cborcodec.h"

#include <QCborValue>
#include <QLoggingCategory>
#include <QUuid>

#include <algorithm>

namespace control {

namespace {

Q_LOGGING_CATEGORY(logTaker, "redrive.control")

constexpr core::Milliseconds lookForRequestsEvery{1000};
constexpr int mostTaken = 500; // at a time
constexpr std::chrono::minutes removeOldEvery{1};

core::SteadyTime timeNow()
{
    return std::chrono::time_point_cast<core::Milliseconds>(std::chrono::steady_clock::now());
}

QByteArray encodedError(const core::Error &error)
{
    return QCborValue(api::encodeError(error)).toCbor();
}

QByteArray staleAnswer()
{
    return encodedError({core::ErrorKind::Cancelled,
                         Text::tr("Nobody waited for this request any more, so it was not carried out."),
                         {},
                         {}});
}

// How long until something that may happen every 250 ms is due.
core::Milliseconds untilNext(const std::optional<core::SteadyTime> &last)
{
    return last ? *last + core::limits::snapshotInterval - timeNow() : core::Milliseconds(0);
}

} // namespace

RequestTaker::RequestTaker(SharedServer &server, qint64 fence, store::Greeting greeting)
    : m_server(server)
    , m_fence(fence)
    , m_greeting(std::move(greeting))
    , m_run(QUuid::createUuid().toString(QUuid::WithoutBraces))
{
}

bool RequestTaker::publish(api::SnapshotPtr snapshot)
{
    const std::scoped_lock lock(m_mutex);
    m_newest = std::move(snapshot);
    return m_heard;
}

void RequestTaker::answer(qint64 id, QByteArray answer)
{
    const std::scoped_lock lock(m_mutex);
    m_answers.emplace_back(id, std::move(answer));
}

// What was published may be gone: after a crash of the database that table is empty.
core::Result<> RequestTaker::begin(store::ControlTables &tables)
{
    m_published.reset();
    if (m_superseded)
        return {};
    TRY(tables.hearAskers());
    TRY(tables.greet(m_fence, m_run, m_greeting, encodedError(goneError())));
    m_warned = false;
    m_wakeDue = true;
    return {};
}

core::Result<> RequestTaker::look(store::ControlTables &tables)
{
    if (m_superseded)
        return {};
    TRY(giveAnswers(tables));
    if (m_takes)
        TRY(take(tables));
    TRY(serveListeners(tables));
    TRY(removeOld(tables));
    return wakeAskers(tables);
}

// Who asked must not see the state after his command later than its answer.
core::Result<> RequestTaker::giveAnswers(store::ControlTables &tables)
{
    std::deque<std::pair<qint64, QByteArray>> answers;
    {
        const std::scoped_lock lock(m_mutex);
        answers = m_answers; // kept until they are written
    }
    if (answers.empty())
        return {};
    if (std::any_of(answers.cbegin(), answers.cend(), [this](const auto &one) {
            const auto open = m_open.find(one.first);
            return open != m_open.end() && open->second.listens;
        }))
        TRY(publishNewest(tables));
    for (const auto &[id, answer] : answers) {
        expectBytes(answer.size());
        TRY(tables.giveAnswer(id, m_run, answer));
        m_wakeDue = true;
        if (const auto open = m_open.extract(id); !open.empty())
            --m_openOf[open.mapped().role];
        const std::scoped_lock lock(m_mutex);
        m_answers.pop_front();
    }
    expectBytes(0);
    return {};
}

core::Result<> RequestTaker::take(store::ControlTables &tables)
{
    QList<qint64> known;
    for (const auto &[id, request] : m_open)
        known.append(id);
    const int most = std::max(0, mostTaken - int(known.size()));
    const auto taken = tables.take(m_fence, m_run, known, most, staleAnswer());
    if (!taken)
        return core::fail(taken.error());
    m_more = !taken->isEmpty(); // there may be others behind them
    qint64 loaded = 0;
    for (const store::SharedRequest &request : *taken) {
        if (loaded > largestMessage)
            break; // the others come with the next look
        m_open[request.id] = request;
        if (++m_openOf[request.role] > mostOpenCalls) {
            answer(request.id, encodedError({core::ErrorKind::Rejected, tooManyOpenText(), {}, {}}));
            continue;
        }
        expectBytes(request.bytes);
        const core::Result<QByteArray> payload = tables.payload(request.id);
        expectBytes(0);
        if (!payload) { // not begun: it comes again
            --m_openOf[request.role];
            m_open.erase(request.id);
            return core::fail(payload.error());
        }
        loaded += request.bytes;
        tell([&server = m_server, request, payload = *payload] { server.receive(request, payload); });
    }
    return {};
}

core::Result<> RequestTaker::serveListeners(store::ControlTables &tables)
{
    TRY(const store::Presence there, tables.presence());
    m_heard = there.listeners;
    if (there.askers && m_alive.exchange(false))
        TRY(tables.giveSignOfLife(m_fence));
    if (!there.listeners) {
        m_publishDue = false;
        return m_published ? tables.removeSnapshot(m_fence).map([this] { m_published.reset(); }) : core::Result<>();
    }
    m_publishDue = untilNext(m_publishedAt) > core::Milliseconds(0);
    return m_publishDue ? core::Result<>() : publishNewest(tables);
}

core::Result<> RequestTaker::publishNewest(store::ControlTables &tables)
{
    api::SnapshotPtr newest;
    {
        const std::scoped_lock lock(m_mutex);
        newest = m_newest;
    }
    if (!newest || m_published == qint64(newest->sequence))
        return {};
    const QByteArray payload = QCborValue(core::encode(*newest)).toCbor();
    expectBytes(payload.size());
    TRY(tables.publish(m_fence, {qint64(newest->sequence), payload}));
    expectBytes(0);
    m_published = qint64(newest->sequence);
    m_publishedAt = timeNow();
    m_wakeDue = true;
    return {};
}

core::Result<> RequestTaker::removeOld(store::ControlTables &tables)
{
    if (m_removedOld && timeNow() - *m_removedOld < removeOldEvery)
        return {};
    m_removedOld = timeNow();
    return tables.removeOld();
}

core::Result<> RequestTaker::wakeAskers(store::ControlTables &tables)
{
    if (!m_wakeDue || untilNext(m_woke) > core::Milliseconds(0))
        return {};
    m_wakeDue = false;
    m_woke = timeNow();
    return tables.wakeAskers();
}

core::Milliseconds RequestTaker::pause()
{
    if (m_more && m_takes)
        return core::Milliseconds(1);
    core::Milliseconds pause = lookForRequestsEvery;
    if (m_wakeDue)
        pause = std::min(pause, untilNext(m_woke));
    if (m_publishDue)
        pause = std::min(pause, untilNext(m_publishedAt));
    return std::max(pause, core::Milliseconds(1));
}

// StoreFailed: another process has taken the lease over, and answers what is open here.
void RequestTaker::failed(const core::Error &error)
{
    m_superseded = m_superseded || error.kind == core::ErrorKind::StoreFailed;
    if (!std::exchange(m_warned, true))
        qCWarning(logTaker).noquote() << error.message << error.detail;
}

void RequestTaker::leave(store::ControlTables &tables)
{
    if (m_superseded || !giveAnswers(tables))
        return;
    (void)tables.removeSnapshot(m_fence);
    (void)tables.wakeAskers();
}

} // namespace control
