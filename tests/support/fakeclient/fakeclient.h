// A transport that ends in memory, for the console and the command line: the data is public and set by the test, every
// request is recorded, answers come at once or when the test releases them, and any request can be made to fail.
#pragma once

#include "backend/api/client.h"
#include "backend/api/longwork.h"
#include "backend/api/requests/connections.h"
#include "backend/api/requests/conventions.h"
#include "backend/api/requests/decisions.h"
#include "backend/api/requests/edits.h"
#include "backend/api/requests/expiry.h"
#include "backend/api/requests/groupmarks.h"
#include "backend/api/requests/operations.h"
#include "backend/api/requests/pipelines.h"
#include "backend/api/requests/policies.h"
#include "backend/api/requests/queries.h"
#include "backend/api/requests/queuemove.h"
#include "backend/api/requests/rehearsals.h"
#include "backend/api/requests/retries.h"
#include "backend/api/requests/retryplan.h"
#include "backend/api/requests/settings.h"
#include "backend/api/requests/transfers.h"

#include <QHash>
#include <QStringList>

#include <functional>
#include <map>
#include <memory>

namespace support {

class FakeClient final : public api::EngineClient
{
public:
    FakeClient();

    // ---- what it knows; change freely, then publish() ----
    api::Snapshot snapshot;
    QList<records::FailedMessage> store; // groups and lists are computed from these
    QHash<core::MessageId, api::MessageDetail> details; // others get a plain detail made from their row
    QHash<core::MessageId, QByteArray> bodies;
    QList<records::RetryOperation> operationList; // newest first
    QList<api::OperationQuery> operationQueries; // as asked
    api::OperationDetail operationDetail; // of each of these
    QList<records::RetryMember> memberList;
    QList<records::Event> eventList;
    records::TrailCheck trail;
    QByteArray trailSeal; // that was asked for last
    QHash<core::OperationId, QList<records::RunSample>> samples;
    QHash<core::OperationId, QList<records::RunMark>> runMarks;
    api::Settings settingsAnswer; // changes are kept in it
    QHash<core::GroupId, core::OperationId> groupOperations;
    QHash<QString, QList<int>> sparklines; // by group title
    QHash<core::GroupId, records::GroupMarks> groupMarks; // a mute is in force until it is taken out
    api::ExpiryPage expiryPage;
    api::RedirectAnswer redirectAnswer;
    api::EditSample sampleAnswer; // to a question about an edit; the message is filled in unless set
    QList<api::MoveAnswer> moveAnswers; // one after the other, the last one again and again
    api::PlanPreview previewAnswer; // connection, counts and asOfChange are filled in unless frozenCount is set
    api::ConnectionTest testAnswer;
    QString secretNotKept; // of connections that are saved with a secret
    records::IntakeCounts intakeAnswer;
    records::BrowseCounts lookAnswer;
    api::AssignmentPreview assignmentPreview;
    QList<records::Pipeline> pipelines;
    api::PipelineReading pipelineReading; // parts that nobody asked for are left out
    api::RaisedEvent raisedAnswer;
    api::RehearsalReport rehearsalAnswer;
    api::RehearsalProgress rehearsalProgress;
    QList<api::ConventionView> conventionList; // by name
    QList<api::ConventionTrial> trialAnswer;
    api::Reread rereadAnswer;
    api::WorkProgress workProgress;
    api::EmptyHeaders emptyHeadersAnswer;

    // ---- what it was told ----
    QStringList calls; // names of all requests in order: "GroupQuery", "DecideMessages", ...
    QList<api::ConnectionDraft> savedConnections;
    QList<core::ConnectionId> removedConnections;
    QList<api::ConnectionDraft> testedConnections;
    QList<api::TakeMessages> intakes;
    QList<api::BrowseMessages> browses;
    QList<api::ChangeSubscription> subscribes;
    QList<api::ChooseErrorQueues> choices;
    QList<api::RetryDraft> previews;
    QList<api::ConfirmRetry> retries;
    QList<std::pair<core::OperationId, api::OperationAction>> actions;
    QSet<QString> importedIds; // unique ids of messages that an import finds in the store
    QList<bool> pauses;
    api::PauseAllAnswer pauseAllAnswer;
    QList<api::SettleInDoubt> settles;
    QList<api::DecideMessages> decisions;
    bool decisionsAreCancelled = false; // their answers say so
    QSet<core::MessageId> underWay; // in retry and not sent yet: no decision changes them
    QSet<core::MessageId> changedByOthers; // a decision with a change number finds them changed
    QList<api::SetRate> rates;
    QList<api::ChangeRedirect> redirects;
    QList<api::PreviewEdit> editQuestions;
    QList<api::ChangeSettings> settingsCommands;
    QList<api::SetGroupNote> notes;
    QList<api::MuteGroups> mutes;
    QList<api::SetPolicy> policiesSet;
    QList<api::AssignPolicy> assigned;
    QList<api::PreviewAssignment> assignmentQuestions;
    QList<api::PausePolicy> policyPauses;
    QList<api::ExcludeFromPolicy> excluded;
    QList<api::ExpiryQuery> expiryQueries;
    QList<api::MoveQueue> moves;
    QList<api::AddPipeline> addedPipelines;
    QList<api::ReadPipeline> pipelineQuestions;
    QList<api::RaiseEvent> raises;
    QList<api::Rehearse> rehearsals;
    QList<api::SetConvention> conventionsSet;
    QList<api::TryConvention> conventionsTried;
    QList<api::ApplyConventions> conventionsApplied;
    QStringList cancelledWork; // tickets
    QList<api::FindEmptyHeaders> emptyHeaderQuestions;
    QList<api::NoteExport> exportsNoted;
    QList<api::ImportMessages> imports; // and dry runs
    QList<api::NoteImport> importsNoted;
    QList<api::MessageQuery> messageQueries; // first pages and id lists
    QList<api::MessageQuery> otherQueries; // otherMatches
    QList<api::MessageQuery> countQueries;
    QList<api::GroupQuery> groupQueries;

    // ---- how it answers ----
    void publish(); // the next snapshot, with the totals of `store`, to the listener
    void touchMessages(); // the message revision and the change number move on, then publish()
    void holdAnswers(bool prefetch); // off: releases all
    [[nodiscard]] qsizetype held() const { return m_held.size(); }
    void releaseOne();
    QStringList heldNames; // requests of these names are held, too; a released one stays released
    template<api::Request R>
    void failNext(core::Error error)
    {
        m_failures.insert(nameOf<R>(), std::move(error));
    }
    template<api::Request R>
    [[nodiscard]] qsizetype count() const
    {
        return calls.count(nameOf<R>());
    }
    template<api::Request R>
    [[nodiscard]] static QString nameOf()
    {
        return QString::fromLatin1(R::rules.name.data(), qsizetype(R::rules.name.size()));
    }
    [[nodiscard]] core::GroupId groupOf(const records::FailedMessage &message, records::Classifier classifier);
    [[nodiscard]] bool matches(const records::MessageFilter &filter, const records::FailedMessage &message);
    [[nodiscard]] static QString titleOf(const records::FailedMessage &message, records::Classifier classifier);

    // ---- api::EngineClient ----
    void listen(Listener listener) override;
    void send(api::RequestPtr request) override;

private:
    void serveQueries();
    // Answers a request from the data above and records it. The answer is delivered by the returned function.
    template<api::Request R>
    void serve()
    {
        m_handlers[R::rules.name] = [this](const api::RequestPtr &request) -> std::function<void()> {
            auto asked = std::static_pointer_cast<api::Asked<R>>(request);
            return [asked, result = respond(asked->request)] { asked->reply.answer(result); };
        };
    }
    core::Result<core::ConnectionId> respond(const api::SaveConnection &asked);
    core::Result<> respond(const api::ChooseErrorQueues &asked);
    core::Result<> respond(const api::RemoveConnection &asked);
    core::Result<api::ConnectionTest> respond(const api::TestConnection &asked);
    core::Result<> respond(const api::RefreshQueues &);
    core::Result<records::IntakeCounts> respond(const api::TakeMessages &asked);
    core::Result<records::BrowseCounts> respond(const api::BrowseMessages &asked);
    core::Result<> respond(const api::ChangeSubscription &asked);
    core::Result<api::PlanPreview> respond(const api::PreviewRetry &asked);
    core::Result<core::OperationId> respond(const api::ConfirmRetry &asked);
    core::Result<> respond(const api::ChangeOperation &asked);
    core::Result<api::PauseAllAnswer> respond(const api::PauseAll &asked);
    core::Result<qint64> respond(const api::SettleInDoubt &asked);
    core::Result<api::DecisionCounts> respond(const api::DecideMessages &asked);
    core::Result<> respond(const api::SetRate &asked);
    core::Result<api::EditSample> respond(const api::PreviewEdit &asked);
    core::Result<api::RedirectAnswer> respond(const api::ChangeRedirect &asked);
    core::Result<api::Settings> respond(const api::ChangeSettings &asked);
    core::Result<> respond(const api::SetGroupNote &asked);
    core::Result<> respond(const api::MuteGroups &asked);
    core::Result<QString> respond(const api::SetPolicy &asked);
    core::Result<> respond(const api::RemovePolicy &asked);
    core::Result<api::AssignmentPreview> respond(const api::PreviewAssignment &asked);
    core::Result<core::AssignmentId> respond(const api::AssignPolicy &asked);
    core::Result<> respond(const api::UnassignPolicy &asked);
    core::Result<> respond(const api::PausePolicy &asked);
    core::Result<qint64> respond(const api::ExcludeFromPolicy &asked);
    core::Result<api::MoveAnswer> respond(const api::MoveQueue &asked);
    core::Result<api::PipelineAdded> respond(const api::AddPipeline &asked);
    core::Result<> respond(const api::RemovePipeline &asked);
    core::Result<QList<records::Pipeline>> respond(const api::ListPipelines &asked);
    core::Result<api::PipelineReading> respond(const api::ReadPipeline &asked);
    core::Result<api::RaisedEvent> respond(const api::RaiseEvent &asked);
    core::Result<api::RehearsalReport> respond(const api::Rehearse &asked);
    core::Result<api::RehearsalProgress> respond(const api::AskRehearsal &asked);
    core::Result<QString> respond(const api::SetConvention &asked);
    core::Result<> respond(const api::RemoveConvention &asked);
    core::Result<api::Reread> respond(const api::ApplyConventions &asked);
    core::Result<api::WorkProgress> respond(const api::AskWork &asked);
    core::Result<> respond(const api::CancelWork &asked);
    core::Result<QList<api::ConventionTrial>> respond(const api::TryConvention &asked);
    core::Result<api::EmptyHeaders> respond(const api::FindEmptyHeaders &asked);
    core::Result<QList<api::ConventionView>> respond(const api::ConventionQuery &asked);
    core::Result<api::ExportPage> respond(const api::ExportQuery &asked);
    core::Result<> respond(const api::NoteExport &asked);
    core::Result<api::ImportCounts> respond(const api::ImportMessages &asked);
    core::Result<> respond(const api::NoteImport &asked);
    core::Result<api::OperationPage> respond(const api::OperationQuery &asked);
    core::Result<api::OperationDetail> respond(const api::OperationDetailQuery &asked);
    core::Result<QList<records::RetryMember>> respond(const api::MemberQuery &asked);
    core::Result<QList<records::Event>> respond(const api::EventQuery &asked);
    core::Result<records::TrailCheck> respond(const api::TrailCheckQuery &asked);
    core::Result<QList<records::RunSample>> respond(const api::SeriesQuery &asked);
    core::Result<QList<records::RunMark>> respond(const api::MarkQuery &asked);
    core::Result<api::GroupPage> respond(const api::GroupQuery &asked);
    core::Result<api::ExpiryPage> respond(const api::ExpiryQuery &asked);
    core::Result<api::MessagePage> respond(const api::MessageQuery &asked);
    core::Result<qint64> respond(const api::MessageCountQuery &asked);
    core::Result<api::MessageIds> respond(const api::MessageIdQuery &asked);
    core::Result<api::OtherMatches> respond(const api::OtherMatchesQuery &asked);
    core::Result<QList<records::FailedMessage>> respond(const api::MessageRowQuery &asked);
    core::Result<api::MessageDetail> respond(const api::MessageDetailQuery &asked);
    core::Result<QByteArray> respond(const api::BodyQuery &asked);
    [[nodiscard]] QList<records::FailedMessage> ordered(const api::MessageQuery &query);
    [[nodiscard]] api::GroupPage groupPage(const api::GroupQuery &query);

    Listener m_listener;
    bool m_hold = false;
    QList<std::function<void()>> m_held;
    QHash<QString, core::Error> m_failures; // by the name of the request
    std::map<std::string_view, std::function<std::function<void()>(const api::RequestPtr &)>> m_handlers;
    QHash<QString, core::GroupId> m_groupIds;
    QHash<core::MessageId, qsizetype> m_rowOf;
};

} // namespace support
