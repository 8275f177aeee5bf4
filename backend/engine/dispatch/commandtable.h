// The commands that the engine carries out: each request type with its handler, a member function of a service. A service
// lists its own in addHandlers(), like
//
//     table.on(&Engine::retries, &RetryService::setRate); // Result<> setRate(const api::SetRate &, CommandCall &)
//
// A handler takes the request, and the CommandCall if it needs it. It returns the answer, or a Task of it when it waits.
// The rights() of the request are checked here, and the activity log is written, for every command alike. Two handlers
// check more, because the connection is only known later: confirming a retry (checkPlan) and resuming all operations.
#pragma once

#include "backend/api/request.h"
#include "backend/api/whendone.h"
#include "backend/core/async.h"
#include "backend/engine/dispatch/commandcall.h"
#include "backend/engine/engine.h"

#include <functional>
#include <map>
#include <type_traits>
#include <vector>

namespace engine {

class CommandTable final
{
public:
    // What a program that asked through the socket gets: {"ok": value} or {"error": error}.
    using Answered = std::function<void(const QCborMap &)>;

    struct Entry
    {
        // Engine thread: carries the request out, in the engine's command scope.
        std::function<void(Engine &, const api::RequestPtr &, const QString &who)> carryOut;
        // Reads what another program sent. Its answer comes from the event loop of `context`. Rejected: this is no such
        // request; the message names the field.
        std::function<core::Result<api::RequestPtr>(const QCborValue &with, QObject *context, Answered answered)> read;
    };

    // All commands. Any thread.
    [[nodiscard]] static const CommandTable &all();
    // Null: there is no command of this name.
    [[nodiscard]] const Entry *find(std::string_view name) const;
    [[nodiscard]] std::vector<std::string_view> names() const; // sorted

    template<typename Service, typename Returned, typename Request, typename... Call>
    void on(Service &(Engine::*service)(), Returned (Service::*handler)(Request, Call...))
    {
        using R = std::remove_cvref_t<Request>;
        static_assert(api::Command<R>, "a command has rights() and activity(); queries go to store::QueryService");
        Entry entry;
        entry.carryOut = [service, handler](Engine &engine, const api::RequestPtr &request, const QString &who) {
            engine.run([&engine, service, handler, asked = std::static_pointer_cast<api::Asked<R>>(request), who] {
                return serve<R>(engine, asked, who, [&engine, service, handler](const R &one, CommandCall &call) {
                    return handle<R>((engine.*service)(), handler, one, call);
                });
            });
        };
        entry.read = &readRequest<R>;
        if (!m_entries.emplace(R::rules.name, std::move(entry)).second)
            qFatal("two commands have the same name");
    }

private:
    template<typename R>
    using Outcome = core::Result<typename R::Answer>;

    template<typename R, typename Service, typename Returned, typename Request, typename... Call>
    static core::Task<Outcome<R>> handle(Service &service, Returned (Service::*handler)(Request, Call...),
                                         const R &request, [[maybe_unused]] CommandCall &call)
    {
        const auto run = [&] {
            if constexpr (sizeof...(Call) == 0)
                return (service.*handler)(request);
            else
                return (service.*handler)(request, call);
        };
        if constexpr (std::is_same_v<Returned, Outcome<R>>) {
            co_return run();
        } else {
            Outcome<R> outcome = co_await run();
            co_return outcome;
        }
    }

    // The snapshot is published before the answer, so that the next query, perhaps of another process, sees the result.
    template<typename R, typename Handle>
    static core::Task<> serve(Engine &engine, std::shared_ptr<api::Asked<R>> asked, QString who, Handle handle)
    {
        const R &request = asked->request;
        CommandCall call(engine.auditLog(), who, request.activity(),
                         [&engine, &request] { return describe(engine.permissions(), request); });
        const core::Result<> allowed = engine.permissions().check(request.rights());
        Outcome<R> outcome = tl::unexpected<core::Error>(allowed ? core::Error{} : allowed.error());
        if (allowed)
            outcome = co_await handle(request, call);
        call.end(outcome ? core::Result<>() : core::Result<>(core::fail(outcome.error())));
        engine.publisher().flush();
        asked->reply.answer(std::move(outcome));
    }

    // What the request names, for the activity log.
    template<typename R>
    static QString describe(const Permissions &permissions, const R &request)
    {
        const QString subject = permissions.describe(request.rights().subject);
        if constexpr (api::HasDetail<R>)
            return subject + QStringLiteral(": ") + request.detail();
        else
            return subject;
    }

    template<typename R>
    static core::Result<api::RequestPtr> readRequest(const QCborValue &with, QObject *context, Answered answered)
    {
        R request{};
        QString wrong;
        if (!core::decode(with, request, &wrong))
            return core::fail(core::ErrorKind::Rejected, misread(R::rules.name, wrong));
        auto asked = std::make_shared<api::Asked<R>>(std::move(request));
        api::whenDone(context, asked->reply.future(), [answered = std::move(answered)](const Outcome<R> &outcome) {
            answered(api::encodeAnswer(outcome));
        });
        return asked;
    }
    [[nodiscard]] static QString misread(std::string_view name, const QString &field);

    std::map<std::string_view, Entry> m_entries;
};

} // namespace engine
