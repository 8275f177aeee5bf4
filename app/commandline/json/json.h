// The JSON documents that the command line prints. Scripts depend on them: fields may be added, but never renamed or
// removed. Names are snake_case, ids are strings, times are ISO 8601 UTC with milliseconds, missing values are null.
#pragma once

#include "backend/api/client.h"
#include "backend/api/requests/connections.h"
#include "backend/api/requests/expiry.h"
#include "backend/api/requests/operations.h"
#include "backend/api/requests/queries.h"
#include "backend/api/requests/retries.h"
#include "backend/api/requests/retryplan.h"
#include "backend/api/requests/settings.h"
#include "backend/api/unreadable.h"

#include <QJsonArray>
#include <QJsonObject>

#include <functional>

namespace commandline::json {

[[nodiscard]] QJsonValue time(core::TimePoint time);
[[nodiscard]] QJsonValue time(const std::optional<core::TimePoint> &time);

[[nodiscard]] QJsonValue unreadable(const api::Unreadable &messages); // null: there are none
[[nodiscard]] QJsonObject connection(const api::ConnectionView &view);
[[nodiscard]] QJsonObject connectionTest(const api::ConnectionTest &test);
[[nodiscard]] QJsonArray candidates(const QList<api::CandidateQueue> &queues);
[[nodiscard]] QJsonObject queue(const api::QueueView &view, const QString &connection);
[[nodiscard]] QJsonObject intake(const records::IntakeCounts &counts);
[[nodiscard]] QJsonObject browse(const records::BrowseCounts &counts);
[[nodiscard]] QJsonObject group(const api::GroupRow &row, records::Classifier classifier, const QString &connection);
[[nodiscard]] QJsonObject expiring(const api::ExpiryPage &page,
                                   const std::function<QString(core::ConnectionId)> &nameOf);
[[nodiscard]] QJsonObject message(const records::FailedMessage &message);
[[nodiscard]] QJsonObject messagePage(const api::MessagePage &page);
[[nodiscard]] QJsonObject otherMatches(const api::OtherMatches &others);
[[nodiscard]] QJsonObject messageDetail(const api::MessageDetail &detail);
[[nodiscard]] QJsonObject redirect(const records::Redirect &redirect, const QString &connection);
[[nodiscard]] QString certainty(records::Certainty of);
[[nodiscard]] QJsonObject preview(const api::PlanPreview &plan);
[[nodiscard]] QJsonObject operation(const api::OperationView &view);
[[nodiscard]] QJsonObject operation(const api::OperationView &view, const api::OperationDetail &detail);
[[nodiscard]] QJsonObject pauseAll(const api::PauseAllAnswer &answer);
[[nodiscard]] QJsonObject history(const api::Snapshot &snapshot, const api::OperationPage &page);
// proofjson.cpp
[[nodiscard]] QJsonValue seconds(std::optional<core::Milliseconds> span);
void addProofs(QJsonObject &shape, const api::OperationDetail &detail);
[[nodiscard]] QJsonObject settings(const api::Settings &settings,
                                   const std::function<QString(core::ConnectionId)> &nameOf);
[[nodiscard]] QJsonObject batch(const api::BatchView &view);
[[nodiscard]] QJsonObject member(const records::RetryMember &row);
[[nodiscard]] QJsonObject event(const records::Event &event);
[[nodiscard]] QJsonObject trail(const records::TrailCheck &check);

} // namespace commandline::json
