#include "backend/report/gathering.h"

#include "backend/api/requests/queries.h"
#include "backend/core/limits.h"

#include <variant>

namespace report {

namespace {

template<typename T>
core::Result<T> answered(const api::Answer<T> &answer)
{
    if (answer.resultCount() > 0)
        return answer.result();
    return core::fail(core::ErrorKind::Cancelled, QStringLiteral("The request was cancelled."));
}

api::Answer<QList<records::RetryMember>> membersThat(api::EngineClient &client, core::OperationId operation,
                                                     records::Outcome outcome)
{
    api::MemberQuery query;
    query.operation = operation;
    query.outcome = outcome;
    query.limit = core::limits::operationShares;
    return client.ask(query);
}

using Members = api::Answer<QList<records::RetryMember>>;
using Answers =
    QList<std::variant<api::Answer<api::OperationDetail>, api::Answer<QList<records::RunSample>>, Members, Members>>;

// The answers have the order of the requests in gather().
core::Result<OperationReport> together(const Answers &answers)
{
    const auto detailAnswer = std::get<0>(answers.at(0));
    const auto samplesAnswer = std::get<1>(answers.at(1));
    const auto ejectedAnswer = std::get<2>(answers.at(2));
    const auto doubtAnswer = std::get<3>(answers.at(3));
    TRY(const api::OperationDetail detail, answered(detailAnswer));
    TRY(const QList<records::RunSample> samples, answered(samplesAnswer));
    TRY(const QList<records::RetryMember> ejected, answered(ejectedAnswer));
    TRY(const QList<records::RetryMember> inDoubt, answered(doubtAnswer));
    return OperationReport{detail, samples, ejected, inDoubt, {}};
}

} // namespace

api::Answer<OperationReport> gather(api::EngineClient &client, core::OperationId operation)
{
    return QtFuture::whenAll(client.ask(api::OperationDetailQuery{operation}),
                             client.ask(api::SeriesQuery{operation, {}, {}}),
                             membersThat(client, operation, records::Outcome::Ejected),
                             membersThat(client, operation, records::Outcome::InDoubt))
        .then([](const Answers &answers) { return together(answers); });
}

} // namespace report
