// What the engine can be asked. A request is a plain struct that says everything about itself:
//
//     struct SetRate
//     {
//         using Answer = void;                                        // what a successful answer holds
//         static constexpr RequestRules rules{"SetRate", AskedFrom::AnyProcess};
//         [[nodiscard]] RightsNeeded rights() const;                  // commands only; {}: everybody may ask
//         [[nodiscard]] QString activity() const;                     // commands only; empty: not in the activity log
//         ... its fields, and REDRIVE_FIELDS with their names when it crosses the control socket
//     };
//
// A new command is such a struct, its handler in a service of the engine (commandtable.h), and whoever asks
// (EngineClient::ask). A new query is such a struct, its handler beside the queries of the store
// (store/query/querytable.h), and whoever asks.
#pragma once

#include "backend/api/reply.h"
#include "backend/core/fields.h"
#include "backend/records/connection.h"
#include "backend/records/messages/filter.h"

#include <QCborMap>
#include <QCborValue>

#include <concepts>
#include <memory>
#include <string_view>
#include <type_traits>
#include <variant>

namespace api {

enum class AskedFrom {
    AnyProcess, // a command: crosses the control socket to the process that holds the store
    ThisProcess, // a query: answered from the store by the process that asks
};

struct RequestRules
{
    std::string_view name; // unique; it names the request on the socket and in logs
    AskedFrom from = AskedFrom::ThisProcess;
};

// Rights that every connection concerned must grant before the request is carried out. The engine checks them in one
// place (engine/permissions.h), whoever asks.
struct RightsNeeded
{
    struct AnyConnection // at least one connection must grant them
    {
    };
    // What the request is about, which tells the connections: one connection, one operation, failure groups, or the
    // messages of a filter. A filter that names no connection concerns all of them. A pipeline has rights of its own.
    using Subject = std::variant<core::ConnectionId, core::OperationId, QList<core::GroupId>, records::MessageFilter,
                                 AnyConnection, core::PipelineId>;

    records::Rights rights; // none: everybody may ask
    Subject subject;
};

template<typename T>
concept Request = requires
{
    typename T::Answer;
    {
        T::rules
        } -> std::convertible_to<RequestRules>;
};

// A command says which rights it needs and what the activity log calls it, even if it is none and nothing.
template<typename R>
concept Command = Request<R> && R::rules.from == AskedFrom::AnyProcess &&requires(const R &request)
{
    {
        request.rights()
        } -> std::same_as<RightsNeeded>;
    {
        request.activity()
        } -> std::same_as<QString>;
};

// Optional: adds to the connection's name in the activity log, like "from orders to orders-2".
template<typename R>
concept HasDetail = requires(const R &request)
{
    {
        request.detail()
        } -> std::same_as<QString>;
};

// A request without its type, on its way to whoever answers it. Any thread may answer; the first answer counts. A request
// that is destroyed unanswered answers Cancelled.
class PendingRequest
{
public:
    PendingRequest() = default;
    PendingRequest(const PendingRequest &) = delete;
    PendingRequest &operator=(const PendingRequest &) = delete;
    virtual ~PendingRequest() = default;

    [[nodiscard]] virtual const RequestRules &rules() const = 0;
    virtual void fail(const core::Error &error) = 0;

    // For a transport that crosses to another process. The answer of the other side is {"ok": value} or
    // {"error": error}; anything else answers Corrupt.
    [[nodiscard]] virtual QCborValue encoded() const = 0;
    virtual void answerWith(const QCborMap &answer) = 0;
};

using RequestPtr = std::shared_ptr<PendingRequest>;

// How a command and its answer cross the socket (crossing.h). Made once for each command, in crossings.cpp, and not wherever
// one is asked. A command that is missing there does not link.
template<Request R>
struct Crossing
{
    using Outcome = core::Result<typename R::Answer>;

    [[nodiscard]] static QCborValue encode(const R &request);
    // False: as core::decode().
    [[nodiscard]] static bool decode(const QCborValue &cbor, R &request, QString *wrong);
    [[nodiscard]] static QCborMap encodeOutcome(const Outcome &outcome);
    [[nodiscard]] static Outcome decodeOutcome(const QCborMap &answer);
};

// A request under way, with the place for its answer.
template<Request R>
class Asked final : public PendingRequest
{
public:
    using Answer = typename R::Answer;

    explicit Asked(R asked)
        : request(std::move(asked))
    {
    }

    const R request;
    const Reply<Answer> reply;

    [[nodiscard]] const RequestRules &rules() const override { return R::rules; }
    void fail(const core::Error &error) override { reply.answer(core::fail(error)); }

    [[nodiscard]] QCborValue encoded() const override
    {
        if constexpr (R::rules.from == AskedFrom::AnyProcess)
            return Crossing<R>::encode(request);
        else
            return {};
    }
    void answerWith(const QCborMap &answer) override
    {
        if constexpr (R::rules.from == AskedFrom::AnyProcess)
            reply.answer(Crossing<R>::decodeOutcome(answer));
    }
};

} // namespace api
