#include "backend/control/shared/controlline.h"

#include <QMetaObject>
#include <QTimer>

#include <array>
#include <condition_variable>
#include <thread>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace control {

namespace {

constexpr core::Milliseconds pauseAfterFailure{1000};

qint64 steadyMs()
{
    return std::chrono::duration_cast<core::Milliseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace

ControlWork::ControlWork()
    : m_owner(std::make_unique<QObject>())
{
}

ControlWork::~ControlWork() = default;

void ControlWork::tell(std::function<void()> what)
{
    const std::scoped_lock lock(m_mutex);
    if (m_owner)
        QMetaObject::invokeMethod(m_owner.get(), std::move(what), Qt::QueuedConnection);
}

void ControlWork::expectBytes(qint64 bytes)
{
    m_bytes = bytes;
}

// What the thread and its line have in common.
struct ControlLine::Shared
{
    Shared(store::OpenControlTables how, std::shared_ptr<ControlWork> what)
        : open(std::move(how))
        , work(std::move(what))
        , wakes(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC))
    {
    }
    ~Shared() { ::close(wakes); }
    Shared(const Shared &) = delete;
    Shared &operator=(const Shared &) = delete;

    void run();
    void connect();
    void step(const std::function<core::Result<>(store::ControlTables &)> &what);
    void drop();
    void wait();

    const store::OpenControlTables open;
    const std::shared_ptr<ControlWork> work;
    const int wakes;
    std::atomic<bool> ending{false};
    std::atomic<bool> busy{false}; // with the database
    std::mutex mutex;
    std::condition_variable changed;
    std::unique_ptr<store::ControlTables> tables; // replaced under the mutex, for abandon()
    bool ended = false; // under the mutex
};

void ControlLine::Shared::run()
{
    while (!ending) {
        if (!tables)
            connect();
        step([this](store::ControlTables &there) { return work->look(there); });
        wait();
    }
    if (tables) {
        busy = true;
        work->leave(*tables);
    }
    drop();
    const std::scoped_lock lock(mutex);
    ended = true;
    changed.notify_all();
}

void ControlLine::Shared::connect()
{
    core::Result<std::unique_ptr<store::ControlTables>> opened =
        open(); // ends by itself: the connection has a time limit
    if (!opened)
        return work->failed(opened.error());
    {
        const std::scoped_lock lock(mutex);
        tables = *std::move(opened);
    }
    step([this](store::ControlTables &there) { return work->begin(there); });
}

void ControlLine::Shared::step(const std::function<core::Result<>(store::ControlTables &)> &what)
{
    if (!tables)
        return;
    work->expectBytes(0);
    busy = true;
    const core::Result<> done = what(*tables);
    busy = false;
    if (done)
        return;
    drop();
    work->failed(done.error());
}

void ControlLine::Shared::drop()
{
    std::unique_ptr<store::ControlTables> old;
    {
        const std::scoped_lock lock(mutex);
        old = std::move(tables);
    }
    if (old)
        old->abandon(); // its statements are not worth a word to a server that may not answer
    busy = false;
}

// After a failure nothing but the end shortens the pause.
void ControlLine::Shared::wait()
{
    const qint64 until = steadyMs() + (tables ? work->pause() : pauseAfterFailure).count();
    bool woken = false;
    for (qint64 left = until - steadyMs(); left > 0 && !woken && !ending; left = until - steadyMs()) {
        std::array<pollfd, 2> watched{pollfd{wakes, POLLIN, 0}, pollfd{tables ? tables->descriptor() : -1, POLLIN, 0}};
        static_cast<void>(::poll(watched.data(), watched.size(), int(left)));
        quint64 count = 0;
        [[maybe_unused]] const ssize_t got = ::read(wakes, &count, sizeof count);
        woken = tables != nullptr;
    }
    if (tables)
        tables->hearWakes();
}

ControlLine::ControlLine(store::OpenControlTables open, std::shared_ptr<ControlWork> work, core::Milliseconds patience)
    : m_work(std::move(work))
    , m_shared(std::make_shared<Shared>(std::move(open), m_work))
    , m_patience(patience)
    , m_watch(std::make_unique<QTimer>())
{
    QObject::connect(m_watch.get(), &QTimer::timeout, m_watch.get(), [this] { watch(); });
    m_watch->start(patience / 10);
    std::thread([shared = m_shared] { shared->run(); }).detach(); // see the destructor
}

ControlLine::~ControlLine()
{
    std::unique_ptr<QObject> owner;
    {
        const std::scoped_lock lock(m_work->m_mutex);
        owner = std::move(m_work->m_owner);
    }
    m_shared->ending = true;
    wake();
}

void ControlLine::wake()
{
    const quint64 one = 1;
    [[maybe_unused]] const ssize_t put = ::write(m_shared->wakes, &one, sizeof one); // full: it wakes anyway
}

void ControlLine::finish(core::Milliseconds longest)
{
    m_shared->ending = true;
    wake();
    std::unique_lock lock(m_shared->mutex);
    m_shared->changed.wait_for(lock, longest, [this] { return m_shared->ended; });
}

// A database that is only slow answers one statement after the other.
void ControlLine::watch()
{
    const std::scoped_lock lock(m_shared->mutex);
    if (!m_shared->tables)
        return;
    const quint64 calls = m_shared->tables->calls();
    if (!m_shared->busy || std::exchange(m_calls, calls) != calls) {
        m_movedAt = steadyMs();
        return;
    }
    if (steadyMs() - m_movedAt > m_patience.count() + m_work->m_bytes * 1000 / bytesPerSecond)
        m_shared->tables->abandon();
}

} // namespace control
