#include "backend/store/database/postgresql/postgresline.h"

#include "backend/store/database/postgresql/postgreserror.h"
#include "backend/store/text.h"

#include <QDeadlineTimer>
#include <QList>

#include <algorithm>
#include <array>
#include <poll.h>
#include <sys/socket.h>
#include <thread>

#include <libpq-fe.h>

namespace store {

namespace {

// Longer than statements of the store take, apart from searches, which people see and can stop.
constexpr core::Milliseconds usualLimit{120'000};
constexpr qint64 slice = 50; // in ms: how soon interrupt() and breakOff() are noticed
constexpr qint64 timeToCancel = 2000; // in ms

bool hasInput(int socket)
{
    pollfd line{socket, POLLIN, 0};
    return ::poll(&line, 1, 0) > 0;
}

// libpq can only wait for the server when it asks to cancel, and a server that is stopped never answers: so it asks on a
// thread of its own, one at a time. False: the last one still waits.
bool askToCancel(PGconn *connection, const std::shared_ptr<std::atomic<bool>> &underWay)
{
    if (underWay->exchange(true))
        return false;
    PGcancel *const request = PQgetCancel(connection);
    std::thread([request, underWay] {
        std::array<char, 256> said{};
        PQcancel(request, said.data(), int(said.size()));
        PQfreeCancel(request);
        *underWay = false;
    }).detach();
    return true;
}

} // namespace

// One wait for the server.
class PostgresLine::Waiting
{
public:
    explicit Waiting(PostgresLine &line)
        : m_line(line)
        , m_deadline(line.m_limit.count())
    {
    }

    // Until there is something to read (or room to write), or the line is given up.
    void until(short events)
    {
        while (mayGoOn()) {
            pollfd socket{PQsocket(m_line.m_handle), events, 0};
            const qint64 wait = std::clamp<qint64>(m_deadline.remainingTime(), 1, slice);
            if (::poll(&socket, 1, int(wait)) != 0)
                return;
        }
        ::shutdown(PQsocket(m_line.m_handle), SHUT_RDWR); // libpq notices it when it reads
    }

private:
    [[nodiscard]] bool mayGoOn()
    {
        if (m_line.m_brokenOff || m_deadline.hasExpired())
            return false;
        if (!m_line.m_stop || m_asked)
            return true;
        m_asked = true;
        m_deadline.setRemainingTime(timeToCancel);
        return askToCancel(m_line.m_handle, m_line.m_cancels);
    }

    PostgresLine &m_line;
    QDeadlineTimer m_deadline;
    bool m_asked = false; // to cancel
};

void FreePostgresResult::operator()(pg_result *result) const
{
    PQclear(result);
}

PostgresLine::PostgresLine(records::StoreAddress address)
    : m_address(std::move(address))
    , m_limit(usualLimit)
    , m_cancels(std::make_shared<std::atomic<bool>>(false))
{
}

PostgresLine::~PostgresLine()
{
    close();
}

void PostgresLine::close()
{
    PQfinish(std::exchange(m_handle, nullptr));
}

bool PostgresLine::isLost() const
{
    // A server that ended has said so, but nobody has read it yet: its last words, and then that the connection is closed.
    while (PQtransactionStatus(m_handle) == PQTRANS_IDLE && hasInput(PQsocket(m_handle))
           && PQconsumeInput(m_handle) == 1) {
    }
    return m_handle == nullptr || PQstatus(m_handle) != CONNECTION_OK;
}

// A server that is gone without a word is noticed after 10 s.
Result<> PostgresLine::open()
{
    close();
    if (m_brokenOff)
        return core::fail(core::ErrorKind::Cancelled,
                          Text::tr("The connection to %1 was given up.").arg(m_address.text()));
    const QByteArray url = m_address.url.toUtf8();
    const QByteArray password = m_address.password.toUtf8();
    const std::pair<const char *, const char *> options[] = {
        {"dbname", url.constData()},     {"password", m_address.password.isNull() ? nullptr : password.constData()},
        {"connect_timeout", "5"},        {"tcp_user_timeout", "10000"},
        {"keepalives_idle", "5"},        {"keepalives_interval", "2"},
        {"keepalives_count", "3"},       {"client_encoding", "UTF8"},
        {"application_name", "redrive"},
    };
    QList<const char *> names;
    QList<const char *> values;
    for (const auto &[name, value] : options) {
        names.append(name);
        values.append(value);
    }
    names.append(nullptr);
    values.append(nullptr);
    constexpr int dbnameIsConnectionString = 1;
    m_handle = PQconnectdbParams(names.constData(), values.constData(), dbnameIsConnectionString);
    if (PQstatus(m_handle) != CONNECTION_OK)
        return core::fail(postgresError(nullptr, m_handle, m_address.text()));
    PQsetNoticeProcessor(
        m_handle, [](void *, const char *) {}, nullptr);
    PQsetnonblocking(m_handle, 1);
    return {};
}

PostgresAnswer PostgresLine::await()
{
    Waiting waiting(*this);
    // What is larger than the kernel's buffer goes out while the server reads, and it may answer before the end.
    while (PQflush(m_handle) == 1) {
        waiting.until(POLLIN | POLLOUT);
        if (PQconsumeInput(m_handle) == 0)
            break; // lost: the answer says so
    }
    PostgresAnswer last;
    while (true) {
        while (PQisBusy(m_handle) == 1) {
            waiting.until(POLLIN);
            if (PQconsumeInput(m_handle) == 0)
                break;
        }
        PGresult *const next = PQgetResult(m_handle);
        if (next == nullptr)
            return last;
        last.reset(next); // of several commands the last one says how it ended
    }
}

void PostgresLine::rest(core::Milliseconds time) const
{
    const QDeadlineTimer end(time.count());
    while (!m_brokenOff && !end.hasExpired())
        ::poll(nullptr, 0, int(std::min(slice, std::max<qint64>(1, end.remainingTime()))));
}

void PostgresLine::awaitCancelling()
{
    const QDeadlineTimer end(timeToCancel);
    while (*m_cancels && !m_brokenOff && !end.hasExpired())
        ::poll(nullptr, 0, int(slice) / 10);
    if (!*m_cancels)
        return;
    close();
    m_cancels = std::make_shared<std::atomic<bool>>(false); // it hits nobody any more
}

int PostgresLine::descriptor() const
{
    return PQsocket(m_handle);
}

void PostgresLine::readNotifications()
{
    PQconsumeInput(m_handle);
    while (PGnotify *const one = PQnotifies(m_handle))
        PQfreemem(one);
}

PostgresAnswer PostgresLine::exec(const QByteArray &sql)
{
    PQsendQuery(m_handle, sql.constData()); // where it fails, the answer is null, and libpq knows why
    return await();
}

} // namespace store
