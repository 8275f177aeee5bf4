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
#include <optional>
#include <type_traits>
#include <vector>

namespace engine {

class CommandTable final
{
public:
    // What a program that asked through the socket gets: {"ok": value} or {"error": error}.
    using Answered = std::function<void(const QCborMap &)>;

    // What a command says about itself.
    struct Words
    {
        api::RightsNeeded rights;
        QString activity;
        QString detail;
    };
    // Gives the answer of a command that succeeded to whoever asked.
    using Deliver = std::function<void()>;

    struct Entry
    {
        Words (*words)(const api::PendingRequest &request) = nullptr;
        // Engine thread: calls the handler. `deliver` is set when it succeeds. This and read() are all that is compiled for
        // each command; carryOut() is the same for all of them.
        std::function<core::Task<core::Result<>>(Engine &, const api::RequestPtr &, CommandCall &, Deliver &deliver)> handle;
        // Reads what another program sent. Its answer comes from the event loop of `context`. Rejected: this is no such
        // request; the message names the field.
        core::Result<api::RequestPtr> (*read)(const QCborValue &with, QObject *context, Answered answered) = nullptr;
    };

    // All commands. Any thread.
    [[nodiscard]] static const CommandTable &all();
    // Null: there is no command of this name.
    [[nodiscard]] const Entry *find(std::string_view name) const;
    [[nodiscard]] std::vector<std::string_view> names() const; // sorted

    // Carries a request out, in the engine's command scope, and answers it. `who`: as for Engine::carryOut.
    static void carryOut(const Entry &entry, Engine &engine, const api::RequestPtr &request, const QString &who);

    template<typename Service, typename Returned, typename Request, typename... Call>
    void on(Service &(Engine::*service)(), Returned (Service::*handler)(Request, Call...))
    {
        using R = std::remove_cvref_t<Request>;
        static_assert(api::Command<R>, "a command has rights() and activity(); queries go to store::QueryService");
        Entry entry;
        entry.words = &wordsOf<R>;
        entry.handle = [service, handler](Engine &engine, const api::RequestPtr &request, CommandCall &call,
                                          Deliver &deliver) {
            return handle<R>((engine.*service)(), handler, std::static_pointer_cast<api::Asked<R>>(request), call, deliver);
        };
        entry.read = &readRequest<R>;
        if (!m_entries.emplace(R::rules.name, std::move(entry)).second)
            qFatal("two commands have the same name");
    }

private:
    template<typename R>
    using Outcome = core::Result<typename R::Answer>;

    template<typename R, typename Service, typename Returned, typename Request, typename... Call>
    static core::Task<core::Result<>> handle(Service &service, Returned (Service::*handler)(Request, Call...),
                                             std::shared_ptr<api::Asked<R>> asked, [[maybe_unused]] CommandCall &call,
                                             Deliver &deliver)
    {
        const auto run = [&] {
            if constexpr (sizeof...(Call) == 0)
                return (service.*handler)(asked->request);
            else
                return (service.*handler)(asked->request, call);
        };
        std::optional<Outcome<R>> outcome;
        if constexpr (std::is_same_v<Returned, Outcome<R>>) {
            outcome = run();
        } else {
            Outcome<R> waited = co_await run();
            outcome = std::move(waited);
        }
        if (!*outcome)
            co_return core::fail(outcome->error());
        deliver = [asked, outcome = std::move(*outcome)] { asked->reply.answer(outcome); };
        co_return core::Result<>();
    }

    template<typename R>
    static Words wordsOf(const api::PendingRequest &pending)
    {
        const R &request = static_cast<const api::Asked<R> &>(pending).request;
        Words words{request.rights(), request.activity(), {}};
        if constexpr (api::HasDetail<R>)
            words.detail = request.detail();
        return words;
    }

    static core::Task<> serve(const Entry &entry, Engine &engine, api::RequestPtr request, QString who);

    template<typename R>
    static core::Result<api::RequestPtr> readRequest(const QCborValue &with, QObject *context, Answered answered)
    {
        R request{};
        QString wrong;
        if (!api::Crossing<R>::decode(with, request, &wrong))
            return core::fail(core::ErrorKind::Rejected, misread(R::rules.name, wrong));
        auto asked = std::make_shared<api::Asked<R>>(std::move(request));
        api::whenDone(context, asked->reply.future(), [answered = std::move(answered)](const Outcome<R> &outcome) {
            answered(api::Crossing<R>::encodeOutcome(outcome));
        });
        return asked;
    }
    [[nodiscard]] static QString misread(std::string_view name, const QString &field);

    std::map<std::string_view, Entry> m_entries;
};

} // namespace engine
