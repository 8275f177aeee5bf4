// Defines Crossing (request.h). For crossings.cpp, and for tests with commands of their own.
#pragma once

#include "backend/api/request.h"
#include "backend/core/text/cborcodec.h"

namespace api {

// {"error": error}, as every program understands it.
[[nodiscard]] QCborMap encodeError(const core::Error &error);
// The error that an answer without a value holds; Corrupt: it holds none.
[[nodiscard]] core::Error decodeError(const QCborMap &answer);

template<Request R>
QCborValue Crossing<R>::encode(const R &request)
{
    return core::encode(request);
}

template<Request R>
bool Crossing<R>::decode(const QCborValue &cbor, R &request, QString *wrong)
{
    return core::decode(cbor, request, wrong);
}

template<Request R>
QCborMap Crossing<R>::encodeOutcome(const Outcome &outcome)
{
    if (!outcome)
        return encodeError(outcome.error());
    if constexpr (std::is_void_v<typename R::Answer>)
        return {{QLatin1StringView("ok"), true}};
    else
        return {{QLatin1StringView("ok"), core::encode(*outcome)}};
}

template<Request R>
auto Crossing<R>::decodeOutcome(const QCborMap &answer) -> Outcome
{
    if (!answer.contains(QLatin1StringView("error"))) {
        if constexpr (std::is_void_v<typename R::Answer>) {
            return {};
        } else {
            typename R::Answer value{};
            if (core::decode(answer.value(QLatin1StringView("ok")), value))
                return value;
        }
    }
    return core::fail(decodeError(answer));
}

} // namespace api
