// The JSON documents of the convention commands; see json.h.
#pragma once

#include "backend/api/requests/conventions.h"

#include <QJsonObject>

namespace commandline::json {

[[nodiscard]] QJsonObject convention(const api::ConventionView &view);
[[nodiscard]] QJsonObject conventionTrial(const api::ConventionTrial &trial);
[[nodiscard]] QJsonObject emptyHeaders(const api::EmptyHeaders &found);

} // namespace commandline::json
