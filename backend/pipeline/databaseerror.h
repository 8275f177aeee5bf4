// What the errors of PostgreSQL and SQLite mean for a pipeline. Pure: any thread.
#pragma once

#include "backend/core/result.h"
#include "backend/pipeline/databaseurl.h"

class QSqlError;

namespace pipeline {

// Sources: PostgreSQL 15 manual, Appendix A "Error Codes"; sqlite.org/rescode.html.
[[nodiscard]] core::Error databaseError(const QSqlError &error, const DatabaseUrl &url);
// The statement was stopped by an Interrupter.
[[nodiscard]] core::Error interruptedError(const DatabaseUrl &url);

// A change was to be kept, and no answer came: UnknownOutcome.
[[nodiscard]] core::Error unknownCommitError(const DatabaseUrl &url);

} // namespace pipeline
