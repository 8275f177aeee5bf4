// A rule as JSON, in the files of `redrive policy assign --rule FILE`. At least one pattern is needed.
//   { "connection": "shop",            its name; left out: all connections
//     "queue": "shop-*",               where the message was found
//     "destination": "billing",        the queue that it goes back to
//     "exception": "*Timeout*", "message": "*deadlock*", "message_type": "Shop.*", "endpoint": "Billing" }
#pragma once

#include "backend/core/result.h"
#include "backend/recovery/assignment.h"

#include <QByteArray>

namespace recovery {

struct RuleFile
{
    Rule rule;
    QString connection; // its name; empty: all connections
};

// Rejected if the file is invalid: the message names the field, or line and character of what is not JSON. Any thread.
[[nodiscard]] core::Result<RuleFile> ruleFrom(const QByteArray &file);
// Rejected: the rule has no pattern, or one that is too long. Pure: any thread.
[[nodiscard]] core::Result<> checkRule(const Rule &rule);
// One line of JSON that ruleFrom() reads. `connection` empty: all.
[[nodiscard]] QByteArray toJson(const Rule &rule, const QString &connection);

} // namespace recovery
