#include "app/host/storeaccess.h"

#include "app/host/storepassword.h"
#include "backend/api/whendone.h"
#include "backend/control/shared/sharedclient.h"
#include "backend/control/socketname.h"
#include "backend/engine/dispatch/currentuser.h"
#include "backend/engine/dispatch/localclient.h"
#include "backend/store/database/opendatabase.h"
#include "backend/store/sqlite/storelock.h"

#include <QCoreApplication>
#include <QLoggingCategory>
#include <QTimer>

namespace app {

namespace {

Q_LOGGING_CATEGORY(logAccess, "redrive.app.store", QtWarningMsg) // commands do not log who holds the store

constexpr core::Milliseconds pauseOfAWindow{500};
constexpr core::Milliseconds pauseOfACommand{100};
constexpr core::Milliseconds pauseBetweenAsking{5000};
constexpr int mostAttempts = 100; // of a command, because a program that ends can wait some seconds for its brokers

} // namespace

StoreAccess::StoreAccess(EngineHostSettings settings, WaitLimit waitLimit)
    : StoreAccess(std::move(settings), waitLimit, Silence{})
{
}

StoreAccess::StoreAccess(EngineHostSettings settings, WaitLimit waitLimit, Silence silence, MakeHost makeHost)
    : m_settings(std::move(settings))
    , m_waitLimit(waitLimit)
    , m_silence(silence)
    , m_makeHost(std::move(makeHost))
{
}

StoreAccess::~StoreAccess() = default;

core::Result<> StoreAccess::open()
{
    TRY(m_settings.store, withPassword(m_settings.store, m_settings.secretFile));
    auto thread = newThread();
    const core::Result<> held = start(*thread).result();
    const bool waits = m_settings.kind == store::LeaseHolder::Kind::Server && !held && isOutOfReach(held.error());
    if (!held && !waits && !isForAnother(held.error()))
        return held;
    m_queries = store::QueryService::open(m_settings.store);
    if (m_settings.store.isShared() && m_settings.kind == store::LeaseHolder::Kind::Server) {
        connect(&m_asking, &QTimer::timeout, this, &StoreAccess::askForStore);
        m_asking.start(pauseBetweenAsking);
    }
    m_who = person();
    if (held) {
        m_thread = std::move(thread);
        m_holds = true;
        m_client = std::make_unique<control::FailoverClient>(local());
        return {};
    }
    m_whyHeld = held.error();
    qCInfo(logAccess).noquote() << held.error().message;
    m_client = std::make_unique<control::FailoverClient>(remote());
    return {};
}

std::unique_ptr<EngineHost> StoreAccess::localEngineHost(const EngineHostSettings &settings)
{
    return std::make_unique<LocalEngineHost>(settings);
}

bool StoreAccess::isForAnother(const core::Error &error)
{
    const bool isShared = m_settings.store.isShared();
    // Served by others until now, or at least readable: then it is the right to work for it that is missing.
    if (isShared && error.kind == core::ErrorKind::Unauthorized
        && (m_queries != nullptr || store::openDatabase(m_settings.store, store::Database::Mode::ReadOnly)))
        m_mayHold = false;
    const bool wasOvertaken =
        isShared && (error.kind == core::ErrorKind::StoreFailed || error.kind == core::ErrorKind::Cancelled);
    return error.kind == core::ErrorKind::Conflict || !m_mayHold || wasOvertaken;
}

std::unique_ptr<EngineThread> StoreAccess::newThread()
{
    auto thread = std::make_unique<EngineThread>();
    connect(thread.get(), &EngineThread::superseded, this, [this, now = thread.get()](const core::Error &why) {
        if (now == m_thread.get())
            standBack(why);
    });
    connect(thread.get(), &EngineThread::wanted, this, [this, now = thread.get()](const core::Error &why) {
        if (now == m_thread.get() && m_mayYield && m_mayYield())
            standBack(why);
    });
    return thread;
}

QFuture<core::Result<>> StoreAccess::start(EngineThread &thread) const
{
    return thread.start([make = m_makeHost, settings = m_settings] { return make(settings); });
}

// In a shared store, as those are named who ask from elsewhere.
QString StoreAccess::person() const
{
    if (!m_settings.store.isShared())
        return engine::currentUser();
    const auto tables = store::ControlTables::open(m_settings.store);
    return tables ? control::nameWithRole(engine::currentUser(), (*tables)->role()) : engine::currentUser();
}

std::unique_ptr<api::EngineClient> StoreAccess::local()
{
    return std::make_unique<engine::LocalClient>(m_thread->mailbox(), m_queries, m_who);
}

std::unique_ptr<control::HolderClient> StoreAccess::wayToHolder() const
{
    if (!m_settings.store.isShared())
        return std::make_unique<control::RemoteClient>(control::socketPath(m_settings.store.file), m_queries,
                                                       engine::currentUser());
    return std::make_unique<control::SharedClient>(
        [address = m_settings.store] { return store::ControlTables::open(address); }, m_queries, engine::currentUser());
}

std::unique_ptr<api::EngineClient> StoreAccess::remote()
{
    std::unique_ptr<control::HolderClient> client = wayToHolder();
    // Handled from the event loop, because it may replace the client that calls this function.
    m_remote = client.get();
    client->onLost([this, now = client.get()](const QString &) {
        const bool wasReached = now->wasReached();
        const bool isSilent = now->isSilent();
        const std::optional<core::Error> danger = now->danger();
        QMetaObject::invokeMethod(
            this,
            [this, wasReached, isSilent, danger] {
                if (danger)
                    refuse(*danger);
                else
                    lost(wasReached, isSilent);
            },
            Qt::QueuedConnection);
    });
    if (m_waitLimit == WaitLimit::OfACommand)
        client->limitSilence(m_silence.toGreet, m_silence.later);
    return client;
}

QString StoreAccess::holderText() const
{
    if (m_settings.store.isShared())
        return m_whyHeld.message;
    const std::optional<store::Holder> holder = store::StoreLock::holder(m_settings.store.file);
    return holder ? holder->text() : QString();
}

QString StoreAccess::passingHolder() const
{
    if (m_remote == nullptr || !m_remote->isPassing())
        return {};
    const QString holder = holderText();
    return holder.isEmpty() ? tr("a program that has just ended") : holder;
}

QString StoreAccess::noAnswerOfAFile() const
{
    const std::optional<store::Holder> holder = store::StoreLock::holder(m_settings.store.file);
    const QString pid = holder ? QString::number(holder->pid) : QStringLiteral("PID");
    return tr("The program that holds the store %1 does not answer (%2). If it is stopped, continue it with kill "
              "-CONT %3. If it is stuck, end it with kill -KILL %3. Then try again.")
        .arg(m_settings.store.file, holder ? holder->text() : tr("unknown"), pid);
}

core::Error StoreAccess::noAnswer(bool mayBeDone) const
{
    if (!m_mayHold && !mayBeDone)
        return {core::ErrorKind::Transient,
                tr("No program works for the store %1, and your role of the database may only ask. Start a console or "
                   "redrive run with a role that may work for it.")
                    .arg(m_settings.store.text()),
                {},
                {}};
    QString text =
        m_settings.store.isShared()
            ? tr("The program that works for the store %1 does not answer. %2 Another one takes over when its "
                 "lease ends. Then try again.")
                  .arg(m_settings.store.text(), m_whyHeld.message)
            : noAnswerOfAFile();
    if (mayBeDone)
        text += QLatin1Char(' ') + tr("It may still carry out the request when it continues.");
    return {core::ErrorKind::Transient, text, {}, {}};
}

void StoreAccess::lost(bool wasReached, bool isSilent)
{
    if (isSilent) {
        giveUp(noAnswer(wasReached));
        return;
    }
    m_attempts = wasReached ? 0 : m_attempts + 1;
    const bool isOutOfReach = m_attempts > mostAttempts;
    if (isOutOfReach && m_waitLimit == WaitLimit::OfAWindow)
        dropUnheard();
    if (isOutOfReach && m_waitLimit == WaitLimit::OfACommand) {
        giveUp(noAnswer(false));
        return;
    }
    QTimer::singleShot(m_waitLimit == WaitLimit::OfACommand ? pauseOfACommand : pauseOfAWindow, this,
                       &StoreAccess::tryAgain);
}

// Open requests end with this reason. A window keeps trying, because the holder may end.
void StoreAccess::refuse(const core::Error &danger)
{
    const QString who = holderText();
    const QString text = tr("Redrive does not connect to the program that holds the store %1 (%2). %3")
                             .arg(m_settings.store.text(), who.isEmpty() ? tr("unknown") : who, danger.message);
    const core::Error reason{danger.kind, m_settings.store.isShared() ? danger.message : text, {}, {}};
    giveUp(reason);
    if (m_attempts++ == 0)
        qCWarning(logAccess).noquote() << reason.message;
    if (m_waitLimit == WaitLimit::OfAWindow)
        QTimer::singleShot(pauseOfAWindow, this, &StoreAccess::tryAgain);
}

// What was asked of the engine of this process ends with Cancelled.
void StoreAccess::standBack(const core::Error &why)
{
    if (m_reopens || !m_holds)
        return; // it ends already
    m_holds = false;
    m_whyHeld = why;
    qCInfo(logAccess).noquote() << why.message;
    connect(
        m_thread.get(), &EngineThread::ended, this,
        [this, ending = m_thread.get()] {
            if (ending != m_thread.get())
                return;
            m_thread.reset();
            switchTo([this] { return remote(); });
        },
        Qt::QueuedConnection);
    m_thread->beginEnd();
    Q_EMIT stoodBack(why);
}

void StoreAccess::giveUp(const core::Error &reason)
{
    if (m_remote != nullptr)
        m_remote->refuseAll(reason);
    if (m_onLost)
        std::exchange(m_onLost, nullptr)(reason);
}

// Each request without an answer ends with Cancelled.
void StoreAccess::dropUnheard()
{
    if (m_remote != nullptr)
        m_remote->takeUnheard().clear();
}

void StoreAccess::switchTo(const MakeClient &make)
{
    std::vector<api::RequestPtr> unheard;
    if (m_remote != nullptr)
        unheard = std::exchange(m_remote, nullptr)->takeUnheard();
    m_client->switchTo(make());
    for (api::RequestPtr &request : unheard)
        m_client->send(std::move(request));
}

// Asynchronous, because the recovery after a dead holder can take long and the window must stay responsive.
void StoreAccess::tryAgain()
{
    if (m_holds) // askForStore
        return;
    if (m_trying != nullptr) // askForStore
        return QTimer::singleShot(pauseOfAWindow, this, &StoreAccess::tryAgain);
    if (!m_mayHold) {
        switchTo([this] { return remote(); });
        return;
    }
    m_trying = newThread();
    api::whenDone(this, start(*m_trying), [this](const core::Result<> &held) { tried(held); });
}

// A server asks again and again for a store that a window holds.
void StoreAccess::askForStore()
{
    if (m_holds || m_thread != nullptr || m_trying != nullptr || !m_mayHold)
        return;
    m_trying = newThread();
    api::whenDone(this, start(*m_trying), [this](const core::Result<> &held) {
        if (held)
            tried(held);
        else
            m_trying.reset();
    });
}

void StoreAccess::tried(const core::Result<> &held)
{
    take(std::move(m_trying), held);
}

QFuture<core::Result<>> StoreAccess::reopen()
{
    const api::Reply<> reply;
    if (!m_holds) {
        reply.answer(core::fail(core::ErrorKind::Refused,
                                tr("Another program holds the store. Close it, or reopen the store there.")));
    } else if (m_reopens) {
        reply.answer(core::fail(core::ErrorKind::Conflict, tr("The store is already being reopened.")));
    } else {
        m_reopens = true;
        if (m_thread == nullptr) {
            openAnew(reply);
        } else { // the engine releases the lock when it ends
            connect(
                m_thread.get(), &EngineThread::ended, this, [this, reply] { openAnew(reply); }, Qt::QueuedConnection);
            m_thread->beginEnd();
        }
    }
    return reply.future();
}

void StoreAccess::openAnew(const api::Reply<> &reply)
{
    m_thread.reset();
    m_trying = newThread();
    api::whenDone(this, start(*m_trying), [this, reply](const core::Result<> &held) {
        m_reopens = false;
        tried(held);
        reply.answer(held);
    });
}

// A window waits for the database, and shows what it does.
bool StoreAccess::isOutOfReach(const core::Error &error) const
{
    return m_settings.store.isShared() && m_waitLimit == WaitLimit::OfAWindow
           && error.kind == core::ErrorKind::Transient;
}

void StoreAccess::take(std::unique_ptr<EngineThread> thread, const core::Result<> &held)
{
    if (held) {
        m_thread = std::move(thread);
        m_holds = true;
        switchTo([this] { return local(); });
        if (m_thread->whySuperseded()) // while it opened the store
            standBack(*m_thread->whySuperseded());
    } else if (isForAnother(held.error()) || isOutOfReach(held.error())) {
        m_holds = false;
        m_whyHeld = held.error();
        switchTo([this] { return remote(); }); // another process became the holder first
    } else {
        qCWarning(logAccess).noquote() << held.error().message;
        giveUp(held.error());
    }
}

} // namespace app

#include "moc_storeaccess.cpp"
