// What people set for the store, and what comes of it.
#pragma once

#include "backend/records/retentionpolicy.h"

#include <QList>
#include <QString>

namespace api {

// What is to change; without either it only asks.
struct SettingsCommand
{
    std::optional<records::RetentionPolicy> keeping;
    std::optional<records::QuietRule> quiet;
    std::optional<records::RetentionPolicy> wouldKeep; // a dry run: what would go if that held
    QString who;
};

struct Settings
{
    records::RetentionPolicy keeping;
    QList<records::QuietRule> quiet; // of every connection
    qint64 resolvedDue = 0; // messages that go next, by what holds or by the dry run
    qint64 archivedDue = 0;
};

} // namespace api
