#pragma once

#include "backend/api/requests/operations.h"
#include "backend/api/requests/queries.h"

#include <QByteArray>

namespace report {

// The facts of one retry or release that its report shows. Each list has at most limits::operationShares rows.
struct OperationReport
{
    api::OperationDetail detail;
    QList<records::RunSample> samples; // oldest first; a second without a sample had no activity
    QList<records::RetryMember> ejected;
    QList<records::RetryMember> inDoubt;
    core::TimePoint made{}; // when the report was created
};

// Makes the report as one self-contained HTML file in UTF-8: it has no script and loads nothing. It is light or dark as
// the reader's system. Text from a broker is escaped, so it is never markup. Any thread; it cannot fail.
[[nodiscard]] QByteArray toHtml(const OperationReport &report);

} // namespace report
