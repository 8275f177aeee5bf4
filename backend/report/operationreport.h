#pragma once

#include "backend/api/queries.h"

#include <QByteArray>

namespace report {

// What is told of one operation. Lists are cut to limits::operationShares rows.
struct OperationReport
{
    api::OperationDetail detail;
    QList<api::RunSample> samples; // oldest first; gaps are gaps
    QList<api::MemberRow> ejected;
    QList<api::MemberRow> inDoubt;
    core::TimePoint made{}; // when it was written
};

// One HTML file in UTF-8 that needs nothing else: no script, no address it would load from. Light or dark as the reader's
// system. Everything that came from a broker is text in it, never markup.
[[nodiscard]] QByteArray toHtml(const OperationReport &report);

} // namespace report
