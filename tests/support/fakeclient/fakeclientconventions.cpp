// Requests about conventions of one's own, which are kept as an engine would keep them.
#include "backend/records/conventions/conventionfile.h"
#include "tests/support/fakeclient/fakeclient.h"

#include <algorithm>

namespace support {

using core::fail;
using core::Result;

Result<QString> FakeClient::respond(const api::SetConvention &asked)
{
    TRY(const records::Convention convention, records::conventionFrom(asked.file));
    const auto place = std::lower_bound(conventionList.begin(), conventionList.end(), convention.name,
                                        [](const auto &one, const QString &name) { return one.name < name; });
    const bool isKnown = place != conventionList.end() && place->name == convention.name;
    if (asked.isNew && isKnown)
        return fail(core::ErrorKind::Conflict, QStringLiteral("There is a convention %1.").arg(convention.name));
    conventionsSet.append(asked);
    const api::ConventionView view{convention.name, records::toJson(convention), QStringLiteral("ada@desk"),
                                   snapshot.at, 0};
    if (isKnown)
        *place = view;
    else
        conventionList.insert(place, view);
    return convention.name;
}

Result<> FakeClient::respond(const api::RemoveConvention &asked)
{
    if (conventionList.removeIf([&asked](const auto &one) { return one.name == asked.name; }) == 0)
        return fail(core::ErrorKind::NotFound, QStringLiteral("There is no convention %1.").arg(asked.name));
    return {};
}

Result<api::Reread> FakeClient::respond(const api::ApplyConventions &asked)
{
    conventionsApplied.append(asked);
    return rereadAnswer;
}

Result<QList<api::ConventionTrial>> FakeClient::respond(const api::TryConvention &asked)
{
    TRY(records::conventionFrom(asked.file));
    conventionsTried.append(asked);
    return trialAnswer;
}

Result<api::EmptyHeaders> FakeClient::respond(const api::FindEmptyHeaders &asked)
{
    emptyHeaderQuestions.append(asked);
    return emptyHeadersAnswer;
}

Result<QList<api::ConventionView>> FakeClient::respond(const api::ConventionQuery &)
{
    return conventionList;
}

} // namespace support
