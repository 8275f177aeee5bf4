#include "backend/api/crossing.h"
#include "backend/api/longwork.h"
#include "backend/api/requests/connections.h"
#include "backend/api/requests/conventions.h"
#include "backend/api/requests/decisions.h"
#include "backend/api/requests/edits.h"
#include "backend/api/requests/groupmarks.h"
#include "backend/api/requests/pipelines.h"
#include "backend/api/requests/policies.h"
#include "backend/api/requests/queuemove.h"
#include "backend/api/requests/rehearsals.h"
#include "backend/api/requests/retries.h"
#include "backend/api/requests/retryplan.h"
#include "backend/api/requests/settings.h"
#include "backend/api/requests/transfers.h"

namespace api {

QCborMap encodeError(const core::Error &error)
{
    return {{QLatin1StringView("error"), core::encode(error)}};
}

core::Error decodeError(const QCborMap &answer)
{
    core::Error error;
    if (core::decode(answer.value(QLatin1StringView("error")), error))
        return error;
    return {core::ErrorKind::Corrupt, Text::tr("The program that holds the store sent an invalid answer."), {}, {}};
}

template struct Crossing<SaveConnection>;
template struct Crossing<ChooseErrorQueues>;
template struct Crossing<RemoveConnection>;
template struct Crossing<TestConnection>;
template struct Crossing<RefreshQueues>;
template struct Crossing<TakeMessages>;
template struct Crossing<BrowseMessages>;
template struct Crossing<ChangeSubscription>;
template struct Crossing<ChangeRedirect>;

template struct Crossing<SetConvention>;
template struct Crossing<RemoveConvention>;
template struct Crossing<ApplyConventions>;
template struct Crossing<TryConvention>;
template struct Crossing<FindEmptyHeaders>;

template struct Crossing<DecideMessages>;

template struct Crossing<PreviewEdit>;

template struct Crossing<AskWork>;
template struct Crossing<CancelWork>;

template struct Crossing<SetGroupNote>;
template struct Crossing<MuteGroups>;

template struct Crossing<AddPipeline>;
template struct Crossing<RemovePipeline>;
template struct Crossing<ListPipelines>;
template struct Crossing<ReadPipeline>;
template struct Crossing<RaiseEvent>;

template struct Crossing<SetPolicy>;
template struct Crossing<RemovePolicy>;
template struct Crossing<AssignPolicy>;
template struct Crossing<UnassignPolicy>;
template struct Crossing<PausePolicy>;
template struct Crossing<ExcludeFromPolicy>;

template struct Crossing<MoveQueue>;

template struct Crossing<Rehearse>;
template struct Crossing<AskRehearsal>;

template struct Crossing<ChangeOperation>;
template struct Crossing<SetRate>;
template struct Crossing<PauseAll>;
template struct Crossing<SettleInDoubt>;

template struct Crossing<PreviewRetry>;
template struct Crossing<ConfirmRetry>;

template struct Crossing<ChangeSettings>;

template struct Crossing<NoteExport>;
template struct Crossing<ImportMessages>;
template struct Crossing<NoteImport>;

} // namespace api
