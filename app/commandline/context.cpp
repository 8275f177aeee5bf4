#include "app/commandline/context.h"

#include "app/commandline/text.h"
#include "backend/core/secretfile.h"

namespace commandline {

Context::Context(EngineAccess access, core::Clock &theClock, Arguments given, Settings options,
                 const Terminal &terminal)
    : client(*access.client)
    , inProcess(std::move(access.inProcess))
    , passingHolder(access.passingHolder ? std::move(access.passingHolder) : [] { return QString(); })
    , clock(theClock)
    , arguments(std::move(given))
    , settings(std::move(options))
    , out(terminal, settings.json)
    , stream(client, clock)
    , m_onLost(std::move(access.onLost))
{
    if (!m_onLost)
        return;
    m_onLost([this](const core::Error &reason) { stream.lose(reason); });
}

Context::~Context()
{
    clock.cancel(m_waiting);
    if (m_onLost)
        m_onLost({});
}

int Context::fail(const core::Error &error, Source source)
{
    out.error(error.message);
    return int(exitCodeOf(error.kind, source));
}

void Context::sayWhoIsWaitedFor(const QString &names)
{
    if (!names.isEmpty())
        out.hint(Text::tr("Waiting for an answer from %1.").arg(names));
}

std::shared_ptr<void> Context::endsItself(std::function<void()> end)
{
    const auto kept = std::make_shared<std::function<void()>>(std::move(end));
    m_end = kept;
    return kept;
}

bool Context::askToEnd()
{
    const std::shared_ptr<std::function<void()>> end = m_end.lock();
    m_isEnding = end != nullptr;
    if (m_isEnding)
        (*end)();
    return m_isEnding;
}

void Context::stop()
{
    m_isStopped = true;
    stream.stop();
    const std::vector<Asked> asked = std::exchange(m_asked, {});
    for (const Asked &one : asked)
        one.cancel();
}

int Context::misuse(const QString &text)
{
    out.error(text);
    return int(ExitCode::Usage);
}

core::Task<core::Result<api::ConnectionView>> Context::theConnection()
{
    if (arguments.has(QStringLiteral("connection"))) {
        const core::Result<api::ConnectionView> named =
            co_await connectionNamed(arguments.value(QStringLiteral("connection")));
        co_return named;
    }
    CO_TRY(const api::SnapshotPtr snapshot, co_await stream.ready());
    const QList<api::ConnectionView> &all = snapshot->connections;
    if (all.isEmpty()) {
        co_return core::fail(core::ErrorKind::NotFound,
                             Text::tr("There is no connection yet. Add one with redrive connection add NAME URL."));
    }
    if (all.size() > 1) {
        co_return core::fail(core::ErrorKind::NotFound,
                             Text::tr("There are %1 connections. Choose one with --connection NAME.").arg(all.size()));
    }
    co_return all.first();
}

core::Task<core::Result<api::ConnectionView>> Context::connectionNamed(QString name)
{
    CO_TRY(const api::SnapshotPtr snapshot, co_await stream.ready());
    for (const api::ConnectionView &view : snapshot->connections) {
        if (view.connection.name == name)
            co_return view;
    }
    co_return core::fail(core::ErrorKind::NotFound,
                         Text::tr("There is no connection '%1'. redrive connection list shows the names.").arg(name));
}

core::Task<core::Result<std::optional<QString>>> Context::filedSecret(QString name)
{
    if (settings.secretFile.isEmpty())
        co_return std::optional<QString>();
    CO_TRY(const api::SnapshotPtr snapshot, co_await stream.ready());
    QStringList others;
    for (const api::ConnectionView &view : snapshot->connections)
        others << view.connection.name;
    core::Result<std::optional<QString>> found = core::secretFromFile(settings.secretFile, name, others);
    co_return found;
}

QString Context::nameOf(core::ConnectionId id) const
{
    const api::SnapshotPtr snapshot = stream.last();
    if (!snapshot)
        return {};
    for (const api::ConnectionView &view : snapshot->connections) {
        if (view.connection.id == id)
            return view.connection.name;
    }
    return {};
}

} // namespace commandline
