// The settings of the store, and what they lead to.
#pragma once

#include "backend/records/retentionpolicy.h"

#include <QList>
#include <QString>

namespace api {

// What to change. Without `retention` and `quiet` it only reads.
struct SettingsCommand
{
    std::optional<records::RetentionPolicy> retention; // 1 hour to 10 years each
    std::optional<records::QuietRule> quiet; // 1 minute to 10 years
    std::optional<records::RetentionPolicy> wouldKeep; // dry run: count what this retention would remove
    QString who;
};

struct Settings
{
    records::RetentionPolicy retention;
    QList<records::QuietRule> quiet; // of every connection
    qint64 resolvedDue = 0; // messages past the retention, or past that of the dry run: removed next
    qint64 archivedDue = 0; // likewise
};

} // namespace api
