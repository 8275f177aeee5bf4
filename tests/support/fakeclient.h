// An engine in memory for the console and the command line: the data is public and set by the test, every call is
// recorded, answers come at once or when the test releases them, and any call can be made to fail.
#pragma once

#include "backend/api/client.h"
#include "backend/api/queuemove.h"

#include <QHash>
#include <QPromise>
#include <QStringList>

#include <functional>
#include <memory>

namespace support {

class FakeClient final : public api::EngineClient, public api::QueueMoves
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
    QList<api::MemberRow> memberList;
    QList<records::Event> eventList;
    records::TrailCheck trail;
    QByteArray trailSeal; // that was asked for last
    QHash<core::OperationId, QList<api::RunSample>> samples;
    QHash<core::OperationId, QList<api::RunMark>> runMarks;
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

    // ---- what it was told ----
    QStringList calls; // names of all calls in order: "groups", "archive", ...
    QList<api::ConnectionDraft> savedConnections;
    QList<core::ConnectionId> removedConnections;
    QList<api::ConnectionDraft> testedConnections;
    QList<api::IntakeRequest> intakes;
    QList<api::BrowseRequest> browses;
    QList<api::SubscribeRequest> subscribes;
    QList<api::RetryRequest> previews;
    QList<api::RetryCommand> retries;
    QList<std::pair<core::OperationId, api::OperationAction>> actions;
    QList<bool> pauses;
    api::PauseAllAnswer pauseAllAnswer;
    QList<api::SettleCommand> settles;
    QList<api::DecisionCommand> decisions;
    QSet<core::MessageId> underWay; // in retry and not sent yet: no decision changes them
    QList<api::RateCommand> rates;
    QList<api::RedirectCommand> redirects;
    QList<api::EditQuestion> editQuestions;
    QList<api::SettingsCommand> settingsCommands;
    QList<api::GroupNoteCommand> notes;
    QList<api::GroupMuteCommand> mutes;
    QList<api::ExpiryQuery> expiryQueries;
    QList<api::MoveCommand> moves;
    QList<api::MessageQuery> messageQueries; // first pages and id lists
    QList<api::MessageQuery> otherQueries; // otherMatches
    QList<api::GroupQuery> groupQueries;

    // ---- how it answers ----
    void publish(); // the next snapshot, with the totals of `store`, to the listener
    void touchMessages(); // the message revision and the change number move on, then publish()
    void holdAnswers(bool prefetch); // off: releases all
    [[nodiscard]] qsizetype held() const { return m_held.size(); }
    void releaseOne();
    void failNext(const QString &call, core::Error error);
    [[nodiscard]] qsizetype count(const QString &call) const { return calls.count(call); }
    [[nodiscard]] core::GroupId groupOf(const records::FailedMessage &message, records::Classifier classifier);
    [[nodiscard]] bool matches(const records::MessageFilter &filter, const records::FailedMessage &message);
    [[nodiscard]] static QString titleOf(const records::FailedMessage &message, records::Classifier classifier);

    // ---- api::EngineClient ----
    void listen(Listener listener) override;
    api::Answer<core::ConnectionId> saveConnection(const api::ConnectionDraft &draft) override;
    api::Answer<> removeConnection(core::ConnectionId id) override;
    api::Answer<api::ConnectionTest> testConnection(const api::ConnectionDraft &draft) override;
    api::Answer<> refreshQueues() override;
    api::Answer<records::IntakeCounts> intake(const api::IntakeRequest &request) override;
    api::Answer<records::BrowseCounts> browse(const api::BrowseRequest &request) override;
    api::Answer<> subscribe(const api::SubscribeRequest &request) override;
    api::Answer<api::PlanPreview> preview(const api::RetryRequest &request) override;
    api::Answer<core::OperationId> retry(const api::RetryCommand &command) override;
    api::Answer<> act(core::OperationId id, api::OperationAction action) override;
    api::Answer<api::PauseAllAnswer> pauseAll(bool pause) override;
    api::Answer<qint64> settle(const api::SettleCommand &command) override;
    api::Answer<api::DecisionCounts> decide(const api::DecisionCommand &command) override;
    api::Answer<api::EditSample> editSample(const api::EditQuestion &question) override;
    api::Answer<api::RedirectAnswer> redirect(const api::RedirectCommand &command) override;
    api::Answer<api::Settings> settings(const api::SettingsCommand &command) override;
    api::Answer<> setGroupNote(const api::GroupNoteCommand &command) override;
    api::Answer<> muteGroups(const api::GroupMuteCommand &command) override;
    api::Answer<api::MoveAnswer> moveQueue(const api::MoveCommand &command) override;
    api::Answer<> setRate(const api::RateCommand &command) override;
    api::Answer<api::GroupPage> groups(const api::GroupQuery &query) override;
    api::Answer<api::ExpiryPage> expiring(const api::ExpiryQuery &query) override;
    api::Answer<api::MessagePage> messages(const api::MessageQuery &query) override;
    api::Answer<api::MessageIds> messageIds(const api::MessageQuery &query) override;
    api::Answer<api::OtherMatches> otherMatches(const api::MessageQuery &query) override;
    api::Answer<QList<records::FailedMessage>> messageRows(const QList<core::MessageId> &ids) override;
    api::Answer<api::MessageDetail> message(core::MessageId id) override;
    api::Answer<QByteArray> body(core::MessageId id) override;
    api::Answer<api::OperationPage> operations(const api::OperationQuery &query) override;
    api::Answer<api::OperationDetail> operation(core::OperationId id) override;
    api::Answer<QList<api::MemberRow>> members(const api::MemberQuery &query) override;
    api::Answer<QList<records::Event>> events(const api::EventQuery &query) override;
    api::Answer<records::TrailCheck> checkTrail(const QByteArray &seal) override;
    api::Answer<QList<api::RunSample>> series(const api::SeriesQuery &query) override;
    api::Answer<QList<api::RunMark>> marks(core::OperationId id) override;

private:
    template<typename T>
    api::Answer<T> answer(const QString &call, core::Result<T> value)
    {
        calls.append(call);
        if (m_failures.contains(call))
            value = tl::unexpected<core::Error>(m_failures.take(call));
        auto promise = std::make_shared<QPromise<core::Result<T>>>();
        promise->start();
        api::Answer<T> future = promise->future();
        std::function<void()> deliver = [promise, value = std::move(value)] {
            promise->addResult(value);
            promise->finish();
        };
        if (m_hold)
            m_held.append(std::move(deliver));
        else
            deliver();
        return future;
    }
    [[nodiscard]] QList<records::FailedMessage> ordered(const api::MessageQuery &query);
    [[nodiscard]] api::GroupPage groupPage(const api::GroupQuery &query);

    Listener m_listener;
    bool m_hold = false;
    QList<std::function<void()>> m_held;
    QHash<QString, core::Error> m_failures;
    QHash<QString, core::GroupId> m_groupIds;
    QHash<core::MessageId, qsizetype> m_rowOf;
};

} // namespace support
