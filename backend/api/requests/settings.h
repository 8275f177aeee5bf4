// The settings of the store, and what they lead to.
#pragma once

#include "backend/api/request.h"
#include "backend/records/rules/retentionpolicy.h"

#include <optional>

namespace api {

struct Settings
{
    records::RetentionPolicy retention;
    QList<records::QuietRule> quiet; // of every connection
    qint64 resolvedDue = 0; // messages past the retention, or past that of the dry run: removed next
    qint64 archivedDue = 0; // likewise

    REDRIVE_FIELDS(retention, quiet, resolvedDue, archivedDue)
};

// Changes what the request contains and answers the settings that now apply. Without `retention` and `quiet` it only
// reads. Rejected: a time out of range.
struct ChangeSettings
{
    using Answer = Settings;
    static constexpr RequestRules rules{"ChangeSettings", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {}; }
    [[nodiscard]] QString activity() const { return retention || quiet ? Text::tr("Settings changed") : QString(); }

    std::optional<records::RetentionPolicy> retention; // 1 hour to 10 years each
    std::optional<records::QuietRule> quiet; // 1 minute to 10 years
    std::optional<records::RetentionPolicy> wouldKeep; // dry run: count what this retention would remove

    REDRIVE_FIELDS(retention, quiet, wouldKeep)
};

} // namespace api
