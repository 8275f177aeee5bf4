// JSON documents about recovery policies; json.h has the rules.
#pragma once

#include "backend/api/requests/policyview.h"
#include "backend/recovery/facts/deliverycounters.h"

#include <QJsonObject>

namespace commandline::json {

// The state of a policy, and what it is assigned to.
[[nodiscard]] QJsonObject policyRow(const api::PolicyView &policy);
// The same with the fields of its file, and the whole file in "file".
[[nodiscard]] QJsonObject policy(const api::PolicyView &policy);
[[nodiscard]] QJsonObject attemptPlan(const recovery::AttemptPlan &plan, const QList<recovery::AttemptBound> &bounds);
[[nodiscard]] QJsonValue standing(const std::optional<api::PolicyStanding> &standing); // null: no policy

} // namespace commandline::json
